"""How people walk: joint angles over a stride from published normative data, as a stride of any speed.

The knots below are ours, rounded to the degree, after the figures of Winter, D. A. (1991), "The Biomechanics and Motor
Control of Human Gait", 2nd ed. (hip, knee and foot at slow, natural and fast cadence); Perry, J. & Burnfield, J.
(2010), "Gait Analysis", 2nd ed. (pelvis, stance shares); Bovi, G. et al. (2011), "A multiple-task gait analysis
approach", Gait Posture 33(1) (how angles change with speed); Murray, M. P. et al. (1967), "Patterns of sagittal
rotation of the upper limbs in walking", Phys. Ther. 47(4) (arms); Kuhtz-Buschbeck, J. P. et al. (2008), "Asymmetry of
arm swing is not related to handedness", Gait Posture 27(3) (left arms swing more); Sekiya, N. & Nagasaki, H. (1998),
Gait Posture 7(3) (step length over cadence). Within the spread of those figures they were moved until the body could
walk them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy.interpolate import CubicSpline

from poise.character.character import Character
from poise.geometry import quat
from poise.geometry.linear import times
from poise.motion.clip import Clip
from poise.motion.retarget import retarget
from poise.motion.stride import FRAMES, Stride, rows, stride_of, waves_of

NATURAL = 1.3  # [m/s] of the knots; slopes are per [m/s] beside it
DIGITS = 7  # that are kept of what a solver of the BLAS finds: the last ones differ between processors
WAVES = 6  # harmonics that are kept of an angle
RATIO = 0.0064  # [m min] of step length over cadence, at 1.75 m of height
HEIGHT = 1.75  # [m]
LEFT, RIGHT = 0.0, 0.5  # phases at which feet strike
# share of the stride in per cent: degrees at the natural speed, and degrees more for every m/s
HIP = {0: (25, 6), 10: (22, 6), 20: (14, 4), 30: (5, 1), 40: (-4, -4), 50: (-12, -8), 55: (-14, -9), 61: (-8, -6),
       67: (4, -1), 73: (15, 3), 80: (23, 6), 88: (27, 7), 95: (26, 6)}  # fmt: skip
KNEE = {0: (5, 0), 5: (11, 5), 10: (19, 8), 15: (24, 9), 22: (24, 10), 30: (19, 9), 40: (13, 8), 47: (8, 3),
        53: (14, 6), 58: (26, 6), 63: (45, 4), 69: (60, 3), 73: (64, 2), 77: (60, 2), 83: (42, 0), 89: (19, -3),
        94: (5, -3), 97: (3, -1)}  # fmt: skip
FOOT = {0: (-25, -9), 3: (-19, -9), 6: (-12, -7), 9: (-6, -4), 12: (-2, -2), 16: (0, 0), 26: (0, 0), 36: (1, 1),
        41: (6, 5), 45: (11, 8), 48: (16, 10), 51: (22, 13), 54: (31, 14), 57: (42, 11), 60: (52, 7), 63: (62, 7),
        66: (66, 7), 69: (63, 5), 73: (52, 3), 79: (30, 0), 85: (5, -1), 90: (-13, -2), 95: (-26, -9),
        98: (-28, -9)}  # fmt: skip
ELBOW = {0: (20, -8), 10: (17, -10), 20: (18, -10), 30: (26, -3), 40: (39, 7), 48: (47, 14), 54: (47, 14),
         62: (42, 10), 72: (32, 2), 82: (25, -4), 92: (21, -7)}  # fmt: skip
PELVIS_YAW, PELVIS_ROLL = (6.0, 3.0), (3.0, 1.5)  # amplitudes
SHOULDER = (13.0, 9.0)
EARLY = 0.03  # of a stride: before it strikes, a foot is farthest ahead, and the other side's arm with it
UNEVEN = 0.2  # more of its swing for the left arm and less for the right one, as most people's
HANGS, WIDE = -5.0, 9.0  # [deg] mean of the shoulder, and of the upper arms aside
COUNTER = 1.8  # of the pelvis's turn, that the spine turns back
UPRIGHT = 5.0  # [deg] that the spine bends back: the weight over feet that roll bends it ahead
SWAY = (0.016, -0.012)  # [m] amplitude of the pelvis to each side
WIDTH = 0.10  # [m] between the ankles
ROUND = 0.035  # [m] by which a swinging foot goes round the other
TOES_OUT = 4.0  # [deg]
STANCE = (0.585, -0.05)  # share of a stride that a foot stands
STOOD = 0.56  # of a stride, in which a foot bears
HIGHEST = 0.31  # of a stride, in mid-stance
LOWEST = 0.06  # of a stride, when the pelvis is lowest and fastest, and again half a stride later
BOB = 0.031  # [1/m] amplitude of its height over the step length squared
MOST_SURGE = 0.25  # of the speed, by which it is faster then
ROUNDS = 3  # strides of a clip

Swing = tuple[float, float]  # how much more than in the figures hips swing, and by how much the speed varies


def human(character: Character, speed: float) -> Stride:
    """The stride of people at a speed [m/s], on a body with the parts of people."""
    clip = _clip(speed)
    if character.name != clip.character.name or character.body_names != clip.character.body_names:
        clip = retarget(clip, character, lock=False)
    else:
        clip = Clip(character, clip.times, clip.q, contacts=clip.contacts)
    return stride_of(clip)


def stance_share(speed: float) -> float:
    """Part of a stride that a foot stands."""
    return STANCE[0] + STANCE[1] * (speed - NATURAL)


@lru_cache(maxsize=16)
def _clip(speed: float) -> Clip:
    """Strides of the adult along x, with the stances of its feet."""
    body = Character.named("adult")
    scale = math.sqrt(body.height / HEIGHT)
    cadence = math.sqrt(60.0 * speed / RATIO) / scale  # steps a minute
    T = 120.0 / cadence
    wanted = speed * T
    q = _Walk(body, speed).poses(wanted)
    many = np.vstack([*(q for _ in range(ROUNDS)), q[:1]])
    phases = np.arange(len(many)) / FRAMES
    many[:, 0] += wanted * np.floor(phases + 1e-9)
    share = stance_share(speed)
    stands = {"foot_l": LEFT, "foot_r": RIGHT}
    contacts = {
        name: tuple(
            (max(i + at, 0.0) * T, min(i + at + share, ROUNDS) * T)
            for i in range(-1, ROUNDS)
            if i + at + share > 0
        )
        for name, at in stands.items()
    }
    return Clip(body, T * phases, many, contacts=contacts)


@dataclass(frozen=True)
class _Walk:
    """One speed of the adult's walk."""

    body: Character
    speed: float

    @property
    def phases(self) -> np.ndarray:
        return np.arange(FRAMES) / FRAMES

    def curve(self, knots: Mapping[int, tuple[float, float]], at: float) -> np.ndarray:
        """An angle (FRAMES,) of a leg whose stride begins at a phase [rad]."""
        return np.radians(fourier(knots, self.speed, self.phases - at))

    def size(self, pair: tuple[float, float]) -> float:
        return pair[0] + pair[1] * (self.speed - NATURAL)

    def angles(self, swing: Swing, at: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Hip, knee and pitch of the foot (FRAMES,) [rad] of a leg; heel up is a positive pitch."""
        hip, knee, pitch = (self.curve(knots, at) for knots in (HIP, KNEE, FOOT))
        return hip.mean() + swing[0] * (hip - hip.mean()), knee, pitch

    def pelvis(self) -> tuple[np.ndarray, np.ndarray]:
        """Turn and obliquity (FRAMES,) of the pelvis [rad], left forward and left down at the left strike."""
        turn = np.radians(self.size(PELVIS_YAW)) * np.cos(2 * math.pi * self.phases)
        roll = np.radians(self.size(PELVIS_ROLL)) * np.sin(2 * math.pi * (self.phases - 0.1))
        return -turn, roll

    def fitted(self, length: float) -> Swing:
        """The swing of the hips that slides a standing foot least, over a stride of a length [m]."""
        from scipy.optimize import least_squares

        stood = self.phases < STOOD
        turn, surge = self.pelvis()[0], np.sin(4 * math.pi * (self.phases - LOWEST)) / (4 * math.pi)

        def slide(swing: np.ndarray) -> np.ndarray:
            x = self.ankle((swing[0], swing[1]), turn)[0] + length * (self.phases + swing[1] * surge)
            return x[stood] - x[stood].mean()

        found = least_squares(slide, (1.0, 0.1), bounds=((0.3, 0.0), (2.0, MOST_SURGE))).x
        return round(float(found[0]), DIGITS), round(float(found[1]), DIGITS)

    def ankle(self, swing: Swing, turn: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Where the left ankle would be over a flat sole, from the pelvis (FRAMES,), ahead and below [m]."""
        model = self.body.model
        thigh, shin = (-model.body(f"{name}_l").pos[2] for name in ("shin", "foot"))
        hip, knee, pitch = self.angles(swing, LEFT)
        x = thigh * np.sin(hip) + shin * np.sin(hip - knee) - model.body("thigh_l").pos[1] * np.sin(turn)
        z = thigh * np.cos(hip) + shin * np.cos(hip - knee)
        sole = self.body.support("foot_l").points
        edge = np.where(pitch > 0, sole[:, 0].max(), sole[:, 0].min())
        high = -sole[:, 2].mean()
        x += edge * (np.cos(pitch) - 1.0) - high * np.sin(pitch)
        return x, z + high * np.cos(pitch) + edge * np.sin(pitch)

    def poses(self, length: float) -> np.ndarray:
        """Poses (FRAMES, nq) of one stride of a length [m]."""
        q = np.tile(np.asarray(self.body.q_rest), (FRAMES, 1))
        swing, (turn, roll) = self.fitted(length), self.pelvis()
        twice = 4 * math.pi * (self.phases - LOWEST)
        bob = BOB * (0.5 * length) ** 2
        q[:, 0] = length * (self.phases + swing[1] * np.sin(twice) / (4 * math.pi))
        q[:, 1] = self.size(SWAY) * np.cos(2 * math.pi * (self.phases - 0.30))
        q[:, 2] = self.ankle(swing, turn)[1][round(HIGHEST * FRAMES)] - bob * (1.0 + np.cos(twice))
        q[:, 3:7] = quat.multiply(_about(turn, 2), _about(roll, 0))
        self._legs(q, swing)
        self._trunk(q, turn, roll)
        self._arms(q)
        return q

    def _legs(self, q: np.ndarray, swing: Swing) -> None:
        for at, side, name in ((LEFT, 1.0, "l"), (RIGHT, -1.0, "r")):
            hip, knee, pitch = self.angles(swing, at)
            hips = q[:, :3] + quat.rotate(q[:, 3:7], self.body.model.body(f"thigh_{name}").pos)
            reach = q[:, 2] - 0.08
            round_ = ROUND * np.maximum(np.sin(math.pi * (((self.phases - at) % 1.0) - 0.6) / 0.4), 0.0) ** 2
            inward = np.arctan2(side * (0.5 * WIDTH + round_) - hips[:, 1], reach)
            thigh = quat.multiply(_about(inward, 0), _about(-hip, 1))  # in the world
            shin = quat.multiply(thigh, _about(knee, 1))
            foot = quat.multiply(_about(np.full(FRAMES, side * math.radians(TOES_OUT)), 2), _about(pitch, 1))
            _put(self.body, q, f"hip_{name}", quat.multiply(quat.conjugate(q[:, 3:7]), thigh))
            q[:, _at(self.body, f"knee_{name}")] = knee
            _put(self.body, q, f"ankle_{name}", quat.multiply(quat.conjugate(shin), foot))

    def _trunk(self, q: np.ndarray, turn: np.ndarray, roll: np.ndarray) -> None:
        spine = [n for n in self.body.joint_names if n.startswith("spine")]
        back = quat.multiply(_about(-roll / len(spine), 0), _about(-COUNTER * turn / len(spine), 2))
        upright = _about(np.full(FRAMES, -math.radians(UPRIGHT) / len(spine)), 1)
        for name in spine:
            _put(self.body, q, name, quat.multiply(back, upright))
        _put(self.body, q, "neck", _about((COUNTER - 1.0) * turn, 2))

    def _arms(self, q: np.ndarray) -> None:
        """Forwards with the other side's foot."""
        for at, side, name in ((LEFT - EARLY, 1.0, "l"), (RIGHT - EARLY, -1.0, "r")):
            wave = np.cos(2 * math.pi * (self.phases - at - 0.5))
            swing = 1.0 + side * UNEVEN
            ahead = np.radians(HANGS + swing * self.size(SHOULDER) * wave)
            aside = np.full(FRAMES, side * math.radians(WIDE))
            _put(self.body, q, f"shoulder_{name}", quat.multiply(_about(aside, 0), _about(-ahead, 1)))
            bend = self.curve(ELBOW, at)
            q[:, _at(self.body, f"elbow_{name}")] = -(bend.mean() + swing * (bend - bend.mean()))


def fourier(knots: Mapping[int, tuple[float, float]], speed: float, phases: np.ndarray) -> np.ndarray:
    """Degrees at phases (k,) of a curve through knots, by its first harmonics."""
    at = np.array([*knots, 100 + min(knots)]) / 100.0
    values = np.array([a + b * (speed - NATURAL) for a, b in knots.values()])
    curve = CubicSpline(at, np.append(values, values[0]), bc_type="periodic")
    grid = np.arange(FRAMES) / FRAMES
    waves = waves_of(np.round(curve(grid), DIGITS), WAVES)
    return times(rows(phases, WAVES), waves)


def _about(angle: np.ndarray, axis: int) -> np.ndarray:
    turn = np.zeros((len(angle), 3))
    turn[:, axis] = angle
    return quat.from_rotvec(turn)


def _at(body: Character, joint: str) -> int:
    return int(body.model.joint(joint).qposadr[0])


def _put(body: Character, q: np.ndarray, joint: str, turns: np.ndarray) -> None:
    a = _at(body, joint)
    q[:, a : a + 4] = turns
