r"""Where and when the swing foot lands: the divergent component of motion, one step ahead.

With ξ = c + ċ/ω and the pressure held at p, ξ(T) = p + (ξ - p) e^{ω(T - t)}. After landing at u the offset b = ξ(T) - u
decides how the next step goes; a steady gait keeps a known b. Landing place and time minimise

.. math:: w_u |u - u_0|^2 + w_\tau (e^{\omega T} - e^{\omega T_0})^2 + w_b |b - b_0|^2

over what the legs can reach (after Khadiv et al. 2016), in closed form for each of a list of times.
"""

from __future__ import annotations

import math

import numpy as np

from poise.compiled import compiled

TIMES = 40  # landing times that are tried


def steady_offset(step: np.ndarray, following: np.ndarray, growth: float) -> np.ndarray:
    """Offset b (2,) after landing ``step`` in a gait that alternates it with ``following``; growth = e^{ωT}."""
    return (following * growth + step) / (growth * growth - 1.0)


@compiled
def plan_landing(xi, p, foot, t, omega, u0, b0, T0, bounds, box, weights, fastest, out):
    """Best landing (x, y, T) into ``out``, and its cost.

    All vectors (2,) in the frame of the stance sole [m]; T counts like t, from the start of the step.

    Args:
        xi, p, foot: ξ, pressure and swing sole now. u0, b0, T0: What is wished for.
        bounds: Earliest and latest T. box: (2, 2) lowest and highest u.
        weights: w_u, w_τ, w_b and the weight of haste. fastest: Top speed of the swing foot [m/s].
    """
    best = np.inf
    low = max(bounds[0], t + 0.01)
    high = max(bounds[1], low)
    grown0 = math.exp(omega * T0)
    for i in range(TIMES):
        T = low + (high - low) * i / (TIMES - 1)
        grow = math.exp(omega * (T - t))
        cost = weights[1] * (math.exp(omega * T) - grown0) ** 2
        ux, uy = 0.0, 0.0
        for k in range(2):
            end = p[k] + (xi[k] - p[k]) * grow
            u = (weights[0] * u0[k] + weights[2] * (end - b0[k])) / (weights[0] + weights[2])
            u = min(max(u, box[0, k]), box[1, k])
            cost += weights[0] * (u - u0[k]) ** 2 + weights[2] * (end - u - b0[k]) ** 2
            if k == 0:
                ux = u
            else:
                uy = u
        haste = 1.875 * math.sqrt((ux - foot[0]) ** 2 + (uy - foot[1]) ** 2) / (T - t) - fastest
        if haste > 0.0:
            cost += weights[3] * haste * haste
        if cost < best:
            best = cost
            out[0], out[1], out[2] = ux, uy, T
    return best


@compiled
def plan_step(
    xi, stance, foot, angle, t, omega, place, offset, along, away, T0, bounds, box, weights, fastest, out
):
    """Best landing (x, y, T) of a step into ``out``, place in the world; returns its cost.

    All vectors (2,) in the world [m]. The plan is made in axes along the heading, moving with the pivot, so that only
    distances from it matter.

    Args:
        stance, foot: Soles that stand and swing. angle: Heading of the step. place, offset: What is wished for.
        along: (3,) pivot ahead of the stance sole's centre: now, at the start and at the end of the step.
        away: Distance of the pressure from the pivot that will last. box: (2, 2) landings in reach, from the stance.
    """
    c, s = math.cos(angle), math.sin(angle)
    local, p, swing = np.empty(2), np.empty(2), np.empty(2)
    u0, b0, limits = np.empty(2), np.empty(2), box.copy()
    for k in range(2):
        a, b = (c, s) if k == 0 else (-s, c)
        first, now, last = (along[1], along[0], along[2]) if k == 0 else (0.0, 0.0, 0.0)
        local[k] = a * (xi[0] - stance[0]) + b * (xi[1] - stance[1]) - now
        p[k] = a * away[0] + b * away[1]
        swing[k] = a * (foot[0] - stance[0]) + b * (foot[1] - stance[1]) - last
        u0[k] = a * (place[0] - stance[0]) + b * (place[1] - stance[1]) - last
        b0[k] = a * offset[0] + b * offset[1] + first
        limits[0, k], limits[1, k] = box[0, k] - last, box[1, k] - last
    cost = plan_landing(local, p, swing, t, omega, u0, b0, T0, bounds, limits, weights, fastest, out)
    x, y = out[0] + along[2], out[1]
    out[0], out[1] = stance[0] + c * x - s * y, stance[1] + s * x + c * y
    return cost


@compiled
def approach(x, v, a, goal, left, dt, end_speed):
    """One tick along the quintic from (x, v, a) to rest (or ``end_speed``) at ``goal`` in ``left`` seconds."""
    left = max(left, dt)
    d = goal - x - v * left - 0.5 * a * left * left
    dv = end_speed - v - a * left
    da = -a
    T2, T3 = left * left, left * left * left
    c3 = (10 * d - 4 * dv * left + 0.5 * da * T2) / T3
    c4 = (-15 * d + 7 * dv * left - da * T2) / (T3 * left)
    c5 = (6 * d - 3 * dv * left + 0.5 * da * T2) / (T3 * T2)
    s = dt
    x_new = x + v * s + 0.5 * a * s * s + c3 * s**3 + c4 * s**4 + c5 * s**5
    v_new = v + a * s + 3 * c3 * s**2 + 4 * c4 * s**3 + 5 * c5 * s**4
    a_new = a + 6 * c3 * s + 12 * c4 * s**2 + 20 * c5 * s**3
    return x_new, v_new, a_new
