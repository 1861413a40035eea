"""[Balance] sections 3, 5 and appendix A: the mechanics that the control rests on."""

from __future__ import annotations

from functools import cache

import mujoco
import numpy as np

import poise
from poise.reproduce.balance import AFTER, BODIES, SHOVE, claim
from poise.reproduce.claim import Finding, table, take


def integrated(i: int, what: str, integral: str, why: str = "") -> Finding:
    """How well L or H agrees with the integral of what the ground does."""
    error = step_residuals()[i]
    text = f"{what} differs from the integral of {integral} by at most {100 * error:.2g} % of its peak"
    return Finding(
        f"{text} after a 250 N shove", error < 0.05, f"horizontal axes, force of every step;{why} limit 5 %"
    )


table("balance", integrated, (
    ("newton", "Momentum changes only through the ground force and gravity: L̇ = m g + f (eq. 1)",
     2.0, 0, "L", "m g + f"),
    ("pressure-spin", "CP and ground force fix the change of spin: Ḣ = s × f (eq. 2)", 2.0, 1, "H", "s × f",
     " about the vertical the feet also twist the ground;"),
))  # fmt: skip


@cache
def step_residuals() -> tuple[float, float]:
    """Largest |L - ∫f dt| and |H - ∫ s × f dt| after a shove, horizontally, as parts of their peaks.

    Integrated over every step: a take's 100 Hz records fall on the ticks at which objectives are refreshed, so
    the forces sampled there are not those in between.
    """
    scene = poise.scene("balance-push", push=SHOVE, seconds=4.0)
    session = poise.Session(scene)
    times, momenta, wrenches = [], [], []
    while session.time < scene.seconds:
        times.append(session.time)
        momenta.append(session.state.G.copy())
        wrenches.append(session.state.f.copy())  # about c, where its horizontal moment is s × f
        session.step()
    G, late = np.array(momenta), np.array(times) >= AFTER
    gained = scene.world.dt * np.cumsum(np.array(wrenches)[late], axis=0)
    rest = np.abs((G[late] - G[late][0]) - (gained - gained[0])).max(axis=0)
    peak = np.abs(G).max(axis=0)
    return float(rest[:2].max() / peak[:2].max()), float(rest[3:5].max() / peak[3:5].max())


def relative(measured: np.ndarray, wanted: np.ndarray) -> float:
    """Rms difference as a part of the rms of what was measured."""
    return float(np.sqrt(np.mean((measured - wanted) ** 2) / max(np.mean(measured**2), 1e-12)))


@claim(why="the solved rates are realised by torques through contact, so the CP goes where it was put")
def indirect() -> Finding:
    """Controlling the rates of both momenta gives indirect control of CM and CP (section 3)"""
    recording = take("balance-push", push=SHOVE, seconds=4.0)
    keep = (recording.time > AFTER) & (recording.time < 2.5)
    wanted, found = recording["angular_momentum_rate_solved"][keep], recording["angular_momentum_rate"][keep]
    error = relative(found[:, :2], wanted[:, :2])
    text = (
        f"simulated Ḣ follows the solved one to {100 * error:.0f} % rms while recovering from a 250 N shove"
    )
    return Finding(text, error < 0.3)


@claim(why="for two feet the polygon is the hull of both: one foot may unload while the CP is inside")
def no_tipping() -> Finding:
    """While the CP is strictly inside the support polygon the support does not rotate (section 3)"""
    from poise.geometry import polygon

    recording = take("balance-push", push=SHOVE, seconds=4.0)
    points = recording["support_points"].reshape(len(recording), -1, 3)
    inside, lifted = 0, 0
    for cp, corners in zip(recording["cp"], points):
        standing = corners[np.isfinite(corners).all(axis=1)]
        if not np.isfinite(cp).all() or len(standing) < 3:
            continue
        if polygon.signed_distance(polygon.hull(standing[:, :2]), cp[:2]) < -0.01:
            inside += 1
            lifted += len(standing) < points.shape[1] or float(np.ptp(standing[:, 2])) > 0.005
    share = lifted / max(inside, 1)
    text = (
        f"a sole corner was off the ground in {100 * share:.1f} % of {inside} records with the CP 1 cm inside"
    )
    return Finding(text, share < 0.02)


@claim(
    cost=1.0,
    why="computed from the mass matrix and the bias force of the root instead of link by link: the same numbers",
)
def matrices() -> Finding:
    """R, S and their biases map accelerations to L̇ and Ḣ (eq. 17-28)"""
    error = max(matrix_error(name) for name in BODIES)
    text = f"largest difference from central differences, relative: {error:.1e} (three bodies, random states)"
    return Finding(text, error < 1e-5)


def matrix_error(name: str) -> float:
    """Largest relative error of A v̇ + bias against a central difference of (L, H) along a random motion."""
    from poise.dynamics.state import State

    body = poise.Character.named(name)
    model, rng = body.model, np.random.default_rng(0)
    data = mujoco.MjData(model)
    q = body.q_rest.copy()
    mujoco.mj_integratePos(model, q, 0.3 * rng.standard_normal(model.nv), 1.0)
    v, v_dot = rng.standard_normal(model.nv), rng.standard_normal(model.nv)
    state = State(body, model, data)

    def momentum(h: float) -> np.ndarray:
        data.qpos[:], data.qvel[:] = q, v + h * v_dot
        qh = q.copy()
        mujoco.mj_integratePos(model, qh, v + 0.5 * h * v_dot, h)
        data.qpos[:] = qh
        mujoco.mj_forward(model, data)
        return state.update().G.copy()

    h = 1e-5
    measured = (momentum(h) - momentum(-h)) / (2 * h)
    momentum(0.0)
    predicted = state.A_G @ v_dot + state.G_bias
    return float(np.abs(measured - predicted).max() / max(np.abs(measured).max(), 1.0))
