r"""One stride of a captured walk as a cycle: poses by phase, without ends, at any speed and turn.

The root moves on a base that goes along an arc at even speed; what is left of it, and every joint, is a Fourier series
of the phase φ about a mean pose. With f = speed / own speed people lengthen their steps and quicken them alike:

.. math:: \text{stride} \propto \sqrt f, \quad 1 / T \propto \sqrt f
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import mujoco
import numpy as np

from poise.character.character import Character
from poise.character.limbs import chain
from poise.errors import BadInput
from poise.geometry import quat
from poise.geometry.linear import times
from poise.motion import coordinates as layout
from poise.motion.clip import Clip, Intervals
from poise.motion.feet import stances

HARMONICS = 8  # of a stride: knees and ankles need five
FRAMES = 96  # of a stride, in which gaps are closed
SHARE = 0.58  # of a stride, that a foot stands at least: labels of contact end before the load does
SLOWEST = 0.2  # [m/s] of a clip that is a walk
LONGEST = 3.0  # [s] of a stride
SHIFTS = 24  # places at which a stride may be cut


@dataclass(frozen=True, eq=False)
class Stride:
    """A walk's cycle.

    Attributes:
        character: Whose joints it moves.
        seconds: T of the clip [s].
        length: Way in T [m]; it goes along x.
        mean: Pose (nq,) about which joints turn; the root's place is that from the base.
        waves: (2 K + 1, nv) mean, cosines and sines of every coordinate.
        stands: Landing and lifting of every support that walks, in phases: 0 <= landing < 1, landing < lifting.
        gap: Pose gap that was closed, rms of the joints [rad].
    """

    character: Character
    seconds: float
    length: float
    mean: np.ndarray
    waves: np.ndarray
    stands: dict[str, tuple[float, float]]
    gap: float

    @property
    def speed(self) -> float:
        """Of the clip itself [m/s]."""
        return self.length / self.seconds

    @property
    def both_down(self) -> float:
        """Phase in the middle of a double support: one foot has landed, the other has not left."""
        one, other = (self.stands[name] for name in self.character.stance)
        return one[0] + 0.5 * ((other[1] - one[0]) % 1.0)

    def pose(self, phases: np.ndarray, f: float = 1.0) -> np.ndarray:
        """Poses (k, nq) from the base at phases (k,), with the swing of trunk and arms for f times the own speed."""
        model = self.character.model
        waves = self.waves.copy()
        waves[1:, ~_carries(self.character)] *= math.sqrt(f)
        rise = self.waves[1:, 2]
        waves[1:, 2] = f * rise
        top = times(rows(np.linspace(0.0, 1.0, FRAMES)), np.append(0.0, rise)).max()
        waves[0, 2] -= (f - 1.0) * top  # the highest point stays: a longer step sinks deeper
        turns, q = times(rows(phases), waves), np.tile(self.mean, (len(phases), 1))
        for pose, turn in zip(q, turns):
            mujoco.mj_integratePos(model, pose, turn, 1.0)
        return q


def stride_of(clip: Clip) -> Stride:
    """The stride of a clip whose ends are most alike, with its gap spread over it."""
    found = [(_gap(clip, t, T), t, T) for a, T in _strides(clip) for t in _cuts(clip, a, T)]
    if not found:
        raise BadInput(
            "the clip has no whole stride: a foot that lands, then the other, then the first again, in it"
        )
    gap, t, T = min(found)
    return cycle_of(clip, t, T, gap)


def _strides(clip: Clip) -> Iterator[tuple[float, float]]:
    """Landing of a foot, and time until it lands again with one landing of the other in between."""
    landings = [
        [a for a, _ in stances(clip, name) if a > clip.start + 1e-6] for name in clip.character.stance
    ]
    for k, own in enumerate(landings):
        for a, b in pairwise(own):
            if b - a <= LONGEST and sum(a < t < b for t in landings[1 - k]) == 1:
                yield a, b - a


def _cuts(clip: Clip, a: float, T: float) -> np.ndarray:
    """Times near a landing from which a whole stride is in the clip."""
    t = a + T * np.linspace(-0.5, 0.5, SHIFTS)
    return t[(t >= clip.start) & (t + T <= clip.end)]


def _gap(clip: Clip, t: float, T: float) -> float:
    """Difference of two poses and of their velocities a stride apart, rms of the joints [rad]."""
    (p, v, _), (q, w, _) = clip.sample(t), clip.sample(min(t + T, clip.end - 1e-9))
    gap = np.empty(len(v))
    mujoco.mj_differentiatePos(clip.character.model, gap, 1.0, p, q)
    far = gap[6:] ** 2 + ((w - v)[6:] * T / (2 * math.pi)) ** 2
    return float(np.sqrt(far.mean()))


def cycle_of(clip: Clip, t: float, T: float, gap: float) -> Stride:
    """The stride from a time on: poses from a base that goes along with the body, closed, as a Fourier series."""
    phases = np.linspace(0.0, 1.0, FRAMES + 1)
    q = np.array([clip.at(min(max(s, clip.start + 1e-9), clip.end - 1e-9)) for s in t + T * phases])
    length, q = _based(q, phases)
    if length < SLOWEST * T:
        raise BadInput(f"the stride of the clip goes {length / T:.2f} m/s; a walk goes {SLOWEST} m/s or more")
    model = clip.character.model
    mean, turns = _middle(model, q), np.empty((len(q), model.nv))
    for turn, pose in zip(turns, q):
        mujoco.mj_differentiatePos(model, turn, 1.0, mean, pose)
    turns -= (phases - 0.5)[:, None] * (turns[-1] - turns[0])
    waves = waves_of(turns[:-1])
    stands = {name: _stands(stances(clip, name), clip, t, T) for name in clip.character.stance}
    return Stride(clip.character, T, length, mean, waves, stands, gap)


def _based(q: np.ndarray, phases: np.ndarray) -> tuple[float, np.ndarray]:
    """Length of a stride, and poses (k, nq) seen from a base that goes evenly along an arc and looks along it."""
    yaw = np.unwrap(quat.swing_twist(q[:, 3:7])[1])
    angle = yaw[0] + (yaw[-1] - yaw[0]) * phases
    ahead = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    turned = np.trapezoid(ahead, phases, axis=0)
    way = q[-1, :2] - q[0, :2]
    length, off = float(np.hypot(*way) / np.hypot(*turned)), _angle(way) - _angle(turned)
    angle += off
    ahead = length * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    steps = 0.5 * (ahead[1:] + ahead[:-1]) * np.diff(phases)[:, None]
    base = q[0, :2] + np.vstack([np.zeros(2), np.cumsum(steps, axis=0)])
    seen = np.array([layout.relocated(p, (0.0, 0.0), -a, b) for p, a, b in zip(q, angle, base)])
    return length, seen


def _angle(u: np.ndarray) -> float:
    return math.atan2(u[1], u[0])


def _middle(model: mujoco.MjModel, q: np.ndarray) -> np.ndarray:
    """Mean pose (nq,)."""
    return layout.aligned(model, layout.aligned(model, q).mean(axis=0)[None])[0]


def _stands(spans: Intervals, clip: Clip, t: float, T: float) -> tuple[float, float]:
    """Landing nearest to a stride's middle and the lifting after it, in phases."""
    landings = [a for a, _ in spans if a > clip.start + 1e-6]
    land = min(landings, key=lambda a: abs(a - t - 0.5 * T))
    whole = [b - a for a, b in spans if a > clip.start + 1e-6 and b < clip.end - 1e-6]
    near = [b - a for a, b in spans if a == land and b < clip.end - 1e-6] or whole or [SHARE * T]
    share, late = min(near[0] / T, 0.9), 0.0
    if share < SHARE:
        share, late = SHARE, 0.5 * (SHARE - share)
    land = ((land - t) / T - late) % 1.0
    return land, land + share


def waves_of(values: np.ndarray, harmonics: int = HARMONICS) -> np.ndarray:
    """Coefficients (2 K + 1, ...) of values (n, ...) spread evenly over a round, where waves are orthogonal."""
    basis = rows(np.arange(len(values)) / len(values), harmonics)
    sizes = np.append(1.0, np.full(2 * harmonics, 0.5)) * len(values)
    return times(np.ascontiguousarray(basis.T), values) / sizes.reshape(-1, *[1] * (values.ndim - 1))


def rows(phases: np.ndarray, harmonics: int = HARMONICS) -> np.ndarray:
    """(k, 2 K + 1) one, cosines and sines."""
    angle = 2 * math.pi * np.outer(phases, np.arange(1, harmonics + 1))
    return np.hstack([np.ones((len(phases), 1)), np.cos(angle), np.sin(angle)])


def _carries(character: Character) -> np.ndarray:
    """Coordinates (nv,) of the root and of the limbs that stand: those that follow feet and centre of mass."""
    out = np.zeros(character.model.nv, bool)
    out[:6] = True
    for name in character.stance:
        for body in chain(character, character.support(name).body):
            first = int(character.model.body_dofadr[body])
            out[first : first + int(character.model.body_dofnum[body])] = True
    return out
