"""Path of a swing foot: smooth, re-aimed at every tick, planned for its lowest corner."""

from __future__ import annotations

import math

import numpy as np

from poise.behaviours.stepping.stride import StepWeights
from poise.compiled import compiled
from poise.control.sole import SwingSole
from poise.dynamics.state import Ground, State
from poise.geometry.linear import times
from poise.records import Record, Vector

PITCH_DONE = 0.75  # of the swing after which the sole is as it will land
PITCH_QUICK = 0.06  # [s]: quickest change of pitch
# speed of the sole at the planned landing, and of one that goes on looking for the ground, in √(g h):
GENTLE = 0.026, 0.05  # of a single step,
BRISK = 0.05, 0.05  # of a gait, whose time counts,
FIRM = 0.096, 0.2  # of a step that must be in time
TOUCH = 0.001  # [m]: a lifted sole with a corner this low has landed
STIFFNESS, DAMPING = 90.0, 19.0  # of the sole on its path, in ω² and ω
LOW, HEADING, PITCH, ROLL = range(2, 6)  # after x and y


class SwingPath(Record):
    """Reference of a lifted sole: place, lowest corner, heading, pitch and roll, each with rate and acceleration."""

    value: Vector  # (6,) x, y, low, heading, pitch, roll
    rate: Vector
    acc: Vector
    start: Vector  # value when the sole was lifted

    def __init__(self, dt: float, speed: float):
        self.dt, self.speed = dt, speed  # [s]; √(g h) [m/s]
        self.value, self.rate, self.acc, self.start = np.zeros((4, 6))
        self.done = self.share = self.touch = 0.0
        self.falling = False
        self.seal()

    def lift(self, state: State, support: int, half: np.ndarray) -> None:
        """Begin where the sole is."""
        x, R = state.x[support], state.R[support]
        self.size, self.half, self.done, self.share, self.falling = half, float(half[0]), 0.0, 0.0, False
        pitch, heading = pitch_of(R), math.atan2(R[1, 0], R[0, 0])
        self.ground, self.slope, self.roll = state.ground.lie(x[0], x[1], heading, half)
        self.floor, self.rise, self.over = self.ground, 0.0, 0.0
        low = x[2] - self.ground - self.half * abs(math.sin(pitch - self.slope))
        self.value[:] = x[0], x[1], low, heading, pitch, self.roll
        v = state.J_v[support]
        self.rate[:] = v[0], v[1], 0.0, v[5], R[1, 1] * v[4] + R[0, 1] * v[3], 0.0
        self.acc[:], self.start[:] = 0.0, self.value

    def advance(
        self,
        ground: Ground,
        goal: np.ndarray,
        heading: float,
        left: float,
        lift: float,
        apex: float,
        tilt: float,
        toes_up: float,
        landing: tuple[float, float],
    ) -> None:
        """One tick towards the landing in ``left`` seconds; ``tilt`` is the least pitch that the ankle allows.

        ``toes_up`` is the pitch to land with [rad], ``landing`` one of GENTLE, BRISK and FIRM.
        """
        dt, done, value = self.dt, self.done, self.value
        span = done + max(left, dt)
        if ground.rough:
            self._look(ground, goal, heading)
        self.share = done / span
        pitch_left = PITCH_QUICK if tilt > value[4] else max(PITCH_DONE * span - done, PITCH_QUICK)
        _glide(self, goal, heading, max(self.slope - toes_up, tilt), self.roll, left, pitch_left, dt)
        descent, sink = self.speed * landing[0], self.speed * landing[1]
        if self.share < apex:
            _reach(self, LOW, lift + self.over, apex * span - done, dt, 0.0)
        else:
            if not self.falling:
                self._plan_centre()
            if left > dt:
                self.touch = self.rise + self.half * math.sin(toes_up)
                _reach(self, LOW, self.touch, left, dt, -descent)
            else:
                value[LOW] -= sink * dt
                self.rate[LOW], self.acc[LOW] = -sink, 0.0
        self.done += dt

    def _look(self, ground: Ground, goal: np.ndarray, heading: float) -> None:
        """How high and tilted the ground is where the sole will land, below it now, and on its way."""
        at = self.value
        level, self.slope, self.roll = ground.lie(goal[0], goal[1], heading, self.size)
        self.floor, self.rise = ground.lie(at[0], at[1], at[3], self.size)[0], level - self.ground
        self.over = max(ground.highest(at[:2], goal) - self.ground, 0.0)

    def touches(self, state: State, support: int, scuff: float = math.inf) -> bool:
        """Whether the sole, on its way down, has reached the ground; one whose path is above ``scuff`` [m] drags."""
        under, axes = state.ground.under[support], state.ground.axes[support]
        return (
            self.falling
            and self.value[LOW] - self.rise < scuff
            and bool(lowest(state.corners[support], state.corner_count[support], under, axes) < TOUCH)
        )

    def _above_corner(self, pitch: float, rate: float) -> tuple[float, float]:
        """Height of the sole's centre over its lowest corner at a pitch, and its rate."""
        sp, cp = math.sin(pitch - self.slope), math.cos(pitch - self.slope)
        return self.half * abs(sp), self.half * math.copysign(cp, sp) * rate

    def _plan_centre(self) -> None:
        """From the apex on, the height of the centre is planned: the lowest corner changes from toe to heel."""
        self.falling = True
        up, up_rate = self._above_corner(self.value.item(PITCH), self.rate.item(PITCH))
        self.value[LOW] += up
        self.rate[LOW] += up_rate

    def objective(self, support: int, weights: StepWeights, omega: float) -> SwingSole:
        x, y, z, heading, pitch, roll = self.value.tolist()
        rate, acc = self.rate.tolist(), self.acc.tolist()
        up, up_rate = self._above_corner(pitch, rate[PITCH])
        height, climb = self.ground + z, rate[LOW]
        if not self.falling:
            height, climb = height + up, climb + up_rate
        else:  # a pitch that the ankle cannot leave yet must not dig into the ground before its time
            height = max(height, self.floor + up + min(z - self.touch, 0.0))
        c, s, cp, sp = math.cos(heading), math.sin(heading), math.cos(pitch), math.sin(pitch)
        R = np.array(((c * cp, -s, c * sp), (s * cp, c, s * sp), (-sp, 0.0, cp)))
        if roll:
            cr, sr = math.cos(roll), math.sin(roll)
            R[:, 1:] = times(R[:, 1:], np.array([[cr, -sr], [sr, cr]]))
        w = np.array((-s * rate[PITCH], c * rate[PITCH], rate[HEADING]))
        w_dot = np.array((-s * acc[PITCH], c * acc[PITCH], acc[HEADING]))
        place, v = np.array((x, y, height)), np.array((rate[0], rate[1], climb))
        return SwingSole(support, place, v, self.acc[:3].copy(), R, w, w_dot, STIFFNESS * omega**2,
                         DAMPING * omega, (weights.swing, weights.swing_turn))  # fmt: skip


@compiled
def _glide(path, goal, heading, pitch, roll, left, pitch_left, dt):
    """One tick of all but the height: place (2,), heading, pitch and roll."""
    turned = path.value[HEADING]
    turn = turned + (heading - turned + math.pi) % (2 * math.pi) - math.pi
    _reach(path, 0, goal[0], left, dt, 0.0)
    _reach(path, 1, goal[1], left, dt, 0.0)
    _reach(path, HEADING, turn, left, dt, 0.0)
    _reach(path, ROLL, roll, left, dt, 0.0)
    _reach(path, PITCH, pitch, pitch_left, dt, 0.0)


@compiled
def _reach(path, i, goal, left, dt, end_speed):
    """One tick of one of them."""
    value, rate, acc = path.value, path.rate, path.acc
    value[i], rate[i], acc[i] = approach(value[i], rate[i], acc[i], goal, left, dt, end_speed)


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


@compiled
def pitch_of(R):
    """Pitch of a sole with these axes, heel up [rad]."""
    return math.atan2(-R[2, 0], math.hypot(R[0, 0], R[1, 0]))


@compiled
def lowest(corners, count, point, axes):
    """Height of the lowest of a sole's corners above the plane under it [m]."""
    best = math.inf
    for i in range(count):
        height = 0.0
        for k in range(3):
            height += (corners[i, k] - point[k]) * axes[k, 2]
        best = min(best, height)
    return best
