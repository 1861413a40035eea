r"""At rest: a body that stands sways by millimetres, breathes, shifts its weight now and then and looks about.

All of it is a target, of the centre of mass and of the pose, that laws of balance follow; nothing pushes the body. It
is a function of time and seed alone, so that a moment can be lived again. Sway is a sum of sines in a band of
frequencies f,

.. math:: x(t) = \sum_i a_i \sin(2 π f_i t + φ_i), \qquad a_i \propto f_i^{-1/2}

and weight and gaze change by least-jerk steps at moments that the seed gives. Winter, D. A. (1995), "Human balance and
posture control during standing and walking", Gait & Posture 3(4), and Duarte, M. & Zatsiorsky, V. M. (1999), "Patterns
of center of pressure migration during prolonged unconstrained standing", Motor Control 3(1), describe how people stand.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import mujoco
import numpy as np

from poise.character import Character
from poise.compiled import compiled
from poise.geometry.easing import quintic_rates
from poise.geometry.linear import times

Rates = tuple[float, float, float]  # a value, its rate and its acceleration
BAND = (0.05, 0.6)  # [Hz] of the sway
WAVES = 7  # sines of it
BREATH = ((0.25, 1.0), (0.23, 0.3), (0.28, 0.2))  # [Hz] and amplitudes: no breath is like the last
SETTLE, LEAVE = 2.0, 0.2  # [s] in which it begins, and ends where there is something else to do
X, Y, Z = np.eye(3)


@dataclass(frozen=True)
class Idle:
    """How much a body at rest moves; lengths in heights of its centre of mass."""

    seed: int = 0
    ahead: float = 0.003  # rms of the sway ahead and back,
    aside: float = 0.0018  # and sideways
    shift: float = 0.0055  # most that the weight moves over to a foot
    roll: float = 0.035  # [rad] by which the pelvis drops on the side of the other
    breath: float = 0.014  # [rad] of the chest
    glance: tuple[float, float] = (0.4, 0.12)  # [rad] by which the head turns and nods at the most
    arms: float = 0.012  # [rad] rms,
    legs: float = 0.05  # and of legs that carry nothing, more


class Waves:
    """Sum of sines: frequencies [Hz] and amplitudes in pairs, phases drawn."""

    def __init__(self, rng: np.random.Generator, sines: list[tuple[float, float]]):
        phases = rng.uniform(0.0, 2 * math.pi, len(sines)).tolist()
        self.sines = np.array([(a, 2 * math.pi * f, phase) for (f, a), phase in zip(sines, phases)])

    @classmethod
    def spread(cls, rng: np.random.Generator, rms: float) -> Waves:
        """Over the band, with frequencies drawn too."""
        low, high = BAND
        edges = np.geomspace(low, high, WAVES + 1)
        f = rng.uniform(edges[:-1], edges[1:]).tolist()
        size = math.sqrt(sum(1.0 / x for x in f) / 2.0)
        return cls(rng, [(x, rms / (size * math.sqrt(x))) for x in f])

    def __call__(self, t: float) -> Rates:
        return _wave(self.sines, t)


class Turns:
    """A value that changes now and then: once in every so many seconds, to a value from -1 to 1 or, by chance, to 0."""

    def __init__(self, seed: tuple[int, ...], every: float, takes: float, rest: float):
        self.seed, self.every, self.takes, self.rest = seed, every, takes, rest
        self._k, self._span = -1, (0.0, 0.0, 0.0)  # of the last call: moment, value before and after

    def _change(self, k: int) -> tuple[float, float]:
        """The k-th change: when [s], and to what."""
        if k < 0:
            return 0.0, 0.0
        a, b, c, d = np.random.default_rng([*self.seed, k]).random(4).tolist()
        size = (0.5 + 0.5 * c) * (1.0 if d < 0.5 else -1.0)
        return (k + 0.6 * a) * self.every, size if b > self.rest else 0.0

    def __call__(self, t: float) -> Rates:
        k = int(t // self.every)
        if k != self._k:
            self._k, (when, to) = k, self._change(k)
            self._span = when, self._change(k - 1)[1], to
        when, before, to = self._span
        s, v, a = quintic_rates((t - when) / self.takes)
        way = to - before
        return before + way * s, way * v / self.takes, way * a / self.takes**2


class AtRest:
    """The idle motion of one body.

    Attributes:
        sway: (3, 2) of the centre of mass, ahead and left: offset [m], rate, acceleration.
        pose: (3, nv) change of the pose, with rate and acceleration.
    """

    def __init__(self, character: Character, idle: Idle, dt: float):
        self.dt, self.level = dt, 0.0
        rng, h = np.random.default_rng([idle.seed, 17]), float(character.com_rest[2])
        self._ahead, self._aside = (Waves.spread(rng, h * rms) for rms in (idle.ahead, idle.aside))
        self._shift, self._shifts = Turns((idle.seed, 18), 14.0, 1.8, 0.35), h * idle.shift
        own = Turner(character)
        roll, (yaw, nod) = idle.roll, idle.glance
        self._moved: list[tuple[Waves | Turns, np.ndarray]] = [
            (self._shift, own(character.body_names[0], roll * X) + own("abdomen", -roll * X))
        ]
        breath = Waves(rng, list(BREATH))
        self._moved.append(
            (breath, idle.breath * (own("chest", -Y) + own("abdomen", 0.4 * Y) + own("head", 0.6 * Y)))
        )
        look = Turns((idle.seed, 19), 6.0, 0.7, 0.4), Turns((idle.seed, 20), 8.0, 0.7, 0.4)
        self._moved += [
            (look[0], yaw * (own("head", Z) + own("chest", 0.12 * Z))),
            (look[1], nod * own("head", Y)),
        ]
        for arm in (name for name in character.arms if name.startswith(("upper_arm", "thigh"))):
            self._moved.append((Waves.spread(rng, idle.arms), own(arm, Y)))
        for leg in (name for name in character.arms if name.startswith("thigh")):  # up in the air
            self._moved += [(Waves.spread(rng, idle.legs), own(leg, axis)) for axis in (X, Y)]
        self._moved = [(course, way) for course, way in self._moved if way.any()]
        self._ways = np.array([way for _, way in self._moved]).reshape(-1, character.model.nv)
        self.sway, self.pose = np.zeros((3, 2)), np.zeros((3, character.model.nv))

    def advance(self, t: float, rests: bool = True) -> None:
        """One tick, at a time since the start; ``rests``: whether there is nothing else to do."""
        self.level = (
            min(self.level + self.dt / SETTLE, 1.0) if rests else max(self.level - self.dt / LEAVE, 0.0)
        )
        share = quintic_rates(self.level)[0]
        (x, x_dot, x_ddot), (y, y_dot, y_ddot), (s, s_dot, s_ddot) = (
            course(t) for course in (self._ahead, self._aside, self._shift)
        )
        size = self._shifts
        self.sway[:] = (x, y + size * s), (x_dot, y_dot + size * s_dot), (x_ddot, y_ddot + size * s_ddot)
        self.sway *= share
        _bend(np.array([course(t) for course, _ in self._moved]).reshape(-1, 3), self._ways, share, self.pose)


@compiled
def _wave(sines, t):
    """Sum of sines (amplitude, rad/s, phase), its rate and its acceleration."""
    x, v, acc = 0.0, 0.0, 0.0
    for i in range(sines.shape[0]):
        a, w, phase = sines[i]
        s, c = a * math.sin(w * t + phase), a * math.cos(w * t + phase)
        x, v, acc = x + s, v + w * c, acc - w * w * s
    return x, v, acc


@compiled
def _bend(values, ways, share, pose):
    """Change of the pose (3, nv) with rates: a share of all ways (n, nv), each by its own value with rates (n, 3)."""
    pose[:, :] = 0.0
    for i in range(ways.shape[0]):
        for k in range(3):
            for j in range(ways.shape[1]):
                pose[k, j] += share * values[i, k] * ways[i, j]


class Turner:
    """Changes of the pose (nv,) that turn a named part about world axes, at rest, by its own joints."""

    def __init__(self, character: Character):
        self.model, self.names = character.model, character.body_names
        self.data = character.posed(character.q_rest)

    def __call__(self, body: str, turn: np.ndarray) -> np.ndarray:
        """By a rotation vector (3,) [rad]; nothing where the body has no such part."""
        out = np.zeros(self.model.nv)
        if body not in self.names:
            return out
        b, J = self.model.body(body).id, np.zeros((3, self.model.nv))
        mujoco.mj_jacBody(self.model, self.data, None, J, b)
        dofs = np.flatnonzero(self.model.dof_bodyid == b)
        out[dofs] = times(turn, J[:, dofs])
        out[:3] = 0.0
        return out
