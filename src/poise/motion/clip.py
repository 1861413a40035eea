"""Clip: poses of a character over time, as one smooth curve with exact velocities and accelerations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import mujoco
import numpy as np
from scipy.interpolate import CubicSpline

from poise.character.character import Character
from poise.compiled import compiled
from poise.errors import BadInput
from poise.motion import coordinates as layout
from poise.motion.mirror import mirror_pose, other_support

Intervals = tuple[tuple[float, float], ...]
CLOSES_WITHIN = 1e-6  # [m, rad] largest gap between the last and the first pose of a loop


@dataclass(frozen=True, eq=False)
class Clip:
    """Poses over a character's joints; every operation returns a new Clip.

    Between frames the curve is a C2 cubic spline (of quaternion components, then normalised), periodic when
    ``loop``. Before the start and after the end of a clip that does not loop, the end pose is held still.

    Args:
        character: Whose joints the poses are of.
        times: Strictly increasing (T,) [s].
        q: Poses (T, nq), laid out as qpos of ``character.model``.
        loop: Repeat for ever; the last pose must equal the first.
        contacts: Support name -> intervals (t0, t1) [s] in which it stands on the ground. A support of the
            character's stance that is not named stands all the time; one outside the stance never.
    """

    character: Character
    times: np.ndarray
    q: np.ndarray
    loop: bool = False
    contacts: Mapping[str, Intervals] = field(default_factory=dict)

    def __deepcopy__(self, memo: dict[int, object]) -> Clip:
        """Itself: it never changes."""
        return self

    def __post_init__(self) -> None:
        model = self.character.model
        times, q = np.array(self.times, float), np.array(self.q, float)
        _check(times, q, model.nq)
        for name in self.contacts:
            self.character.support(name)
        q = layout.aligned(model, q)
        if self.loop:
            q = _close(model, q)
        for array in (times, q):
            array.flags.writeable = False
        object.__setattr__(self, "times", times)
        object.__setattr__(self, "q", q)
        object.__setattr__(self, "contacts", {k: tuple(map(tuple, w)) for k, w in self.contacts.items()})
        object.__setattr__(self, "_curve", _curve(times, q, self.loop))
        object.__setattr__(self, "_quats", layout.quaternions(model))
        object.__setattr__(self, "_plain", layout.scalars(model))

    @classmethod
    def still(cls, character: Character, q: np.ndarray | None = None) -> Clip:
        """One pose for ever; the rest pose unless another is given."""
        return cls(character, np.zeros(1), np.asarray(character.q_rest if q is None else q, float)[None])

    @property
    def start(self) -> float:
        return float(self.times[0])

    @property
    def end(self) -> float:
        return float(self.times[-1])

    @property
    def seconds(self) -> float:
        return self.end - self.start

    def sample(self, t: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """q (nq,), v (nv,) and v_dot (nv,) at time t: what a controller needs in one tick.

        v is as MuJoCo's qvel: root linear in the world, root and ball joints angular in their own frame.
        """
        self_: Any = self
        nv = self.character.model.nv
        q, v, v_dot = np.empty(self.q.shape[1]), np.zeros(nv), np.zeros(nv)
        _sample(float(t), self.loop, self.times, self_._curve, self_._quats, self_._plain, q, v, v_dot)
        return q, v, v_dot

    def at(self, t: float) -> np.ndarray:
        """Pose q (nq,) at time t."""
        return self.sample(t)[0]

    def velocity(self, t: float) -> np.ndarray:
        """v (nv,) at time t."""
        return self.sample(t)[1]

    def acceleration(self, t: float) -> np.ndarray:
        """v_dot (nv,) at time t."""
        return self.sample(t)[2]

    def on_ground(self, support: str, t: float) -> bool:
        """Whether a support stands on the ground at time t."""
        self.character.support(support)
        if support not in self.contacts:
            return support in self.character.stance
        t = self.start + (t - self.start) % self.seconds if self.loop else min(max(t, self.start), self.end)
        return any(t0 <= t <= t1 for t0, t1 in self.contacts[support])

    def resample(self, rate: float) -> Clip:
        """The same movement with frames at ``rate`` [Hz] (or as near as fits a whole number of frames)."""
        if not rate > 0:
            raise BadInput(f"rate {rate} Hz; give a positive number")
        times = np.linspace(self.start, self.end, max(2, round(self.seconds * rate) + 1))
        if self.seconds == 0:
            return self
        return replace(self, times=times, q=np.array([self.at(t) for t in times[:-1]] + [self.q[-1]]))

    def trim(self, start: float, end: float) -> Clip:
        """The part from start to end [s], no longer looping; its times begin at zero."""
        if not self.start <= start < end <= self.end:
            raise BadInput(
                f"trim from {start} to {end} s; the clip has {self.start} to {self.end} s, start < end"
            )
        inner = self.times[(self.times > start + 1e-9) & (self.times < end - 1e-9)]
        times = np.concatenate([[start], inner, [end]])
        q = np.array([self.at(t) for t in times[:-1]] + [self.q[-1] if end == self.end else self.at(end)])
        contacts = {}
        for name, spans in self.contacts.items():
            inside = [(max(a, start), min(b, end)) for a, b in spans if a < end and b > start]
            contacts[name] = tuple((a - start, b - start) for a, b in inside)
        return replace(self, times=times - start, q=q, loop=False, contacts=contacts)

    def slower(self, factor: float) -> Clip:
        """The same movement taking ``factor`` times as long."""
        if not factor > 0:
            raise BadInput(f"factor {factor}; give a positive number")
        contacts = {k: tuple((a * factor, b * factor) for a, b in w) for k, w in self.contacts.items()}
        return replace(self, times=self.times * factor, contacts=contacts)

    def mirrored(self) -> Clip:
        """Left and right exchanged: reflected in the xz plane, through the character's pairs."""
        other = other_support(self.character)
        q = np.stack([mirror_pose(self.character, frame) for frame in self.q])
        return replace(self, q=q, contacts={other[k]: w for k, w in self.contacts.items()})


def _check(times: np.ndarray, q: np.ndarray, nq: int) -> None:
    if times.ndim != 1 or len(times) == 0:
        raise BadInput("a clip needs at least one frame")
    if q.shape != (len(times), nq):
        raise BadInput(
            f"poses of shape {q.shape}; {len(times)} times and this character need ({len(times)}, {nq})"
        )
    if not (np.isfinite(times).all() and np.isfinite(q).all()):
        raise BadInput("times and poses must be finite numbers")
    if np.any(np.diff(times) <= 0):
        at = int(np.argmax(np.diff(times) <= 0))
        raise BadInput(f"times must increase; {times[at + 1]} follows {times[at]}")


def _close(model: mujoco.MjModel, q: np.ndarray) -> np.ndarray:
    """Poses whose last equals the first exactly, quaternion signs included."""
    if len(q) < 3:
        raise BadInput(f"a loop needs at least 3 frames, the last equal to the first; given {len(q)}")
    gap = np.zeros(model.nv)
    mujoco.mj_differentiatePos(model, gap, 1.0, q[0], q[-1])
    if np.abs(gap).max() > CLOSES_WITHIN:
        raise BadInput(
            f"the loop does not close: the last pose differs from the first by {np.abs(gap).max():.3g}"
        )
    q[-1] = q[0] * np.where(q[-1] * q[0] < 0, -1.0, 1.0)
    return q


def _curve(times: np.ndarray, q: np.ndarray, loop: bool) -> np.ndarray:
    """Coefficients (T-1, 4, nq) of the spline, highest power first."""
    if len(times) == 1:
        return np.concatenate([np.zeros((3, q.shape[1])), q])[None]
    if loop and np.any(q[-1] != q[0]):  # the same rotation, but the other quaternion of it
        raise BadInput("a loop in which a joint turns once round cannot be one spline: write two rounds")
    kind = "periodic" if loop else ("not-a-knot" if len(times) > 3 else "clamped")
    return np.ascontiguousarray(CubicSpline(times, q, bc_type=kind).c.transpose(1, 0, 2))


@compiled
def _sample(t, loop, times, curve, quats, plain, q, v, v_dot):
    start, end = times[0], times[-1]
    if loop:
        t = start + (t - start) % (end - start)
    held = t <= start or t >= end
    t = min(max(t, start), end)
    k = min(max(np.searchsorted(times, t, side="right") - 1, 0), len(curve) - 1)
    x = t - times[k]
    a, b, c, d = curve[k]
    s = ((a * x + b) * x + c) * x + d
    if held and not loop:
        zero = np.zeros_like(s)
        layout.motion_of(s, zero, zero, quats, plain, q, v, v_dot)
    else:
        layout.motion_of(s, (3 * a * x + 2 * b) * x + c, 6 * a * x + 2 * b, quats, plain, q, v, v_dot)
