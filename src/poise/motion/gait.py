"""Walks made from numbers: the zero-moment point leads the centre of mass, feet roll from heel to toe, arms swing."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

import mujoco
import numpy as np
from scipy.interpolate import pchip_interpolate

from poise.character.character import Character
from poise.character.constants import GRAVITY
from poise.character.limbs import chain
from poise.errors import BadInput
from poise.geometry import quat
from poise.motion.clip import Clip
from poise.motion.follow import Feet, Follower
from poise.motion.keyframes import from_keys

SETTLE = 60  # iterations for the first pose
REFINE = 4  # for each pose after it
LEGS = 0.01  # weight of the legs: they bend as feet and centre of mass tell them


@dataclass(frozen=True)
class Gait:
    """What a walk is like. Lengths over the leg's length, angles in degrees, times in seconds."""

    length: float = 0.68  # of a step
    width: float = 0.19  # between the feet's middle lines
    period: float = 0.55  # of a step
    double: float = 0.24  # share of it with both feet down
    drop: float = 0.028  # how much lower than at rest the centre of mass is
    bob: float = 0.018  # how much it rises and sinks, each way
    lift: float = 0.07  # of the ankle in the middle of the swing
    heel: float = 30.0  # pitch of the foot as its toes leave the ground,
    toe: float = 12.0  # and as its heel meets it
    arms: float = 18.0  # swing of the shoulders
    turn: float = 4.0  # and of the pelvis about the vertical

    def __post_init__(self) -> None:
        if not 0 < self.length < 1.4:
            raise BadInput(f"step length {self.length} legs; give more than 0 and less than 1.4")
        if not 0.2 <= self.period <= 3.0 or not 0.05 <= self.double <= 0.8:
            raise BadInput(
                f"step of {self.period} s with {self.double} in double support; give 0.2-3 s and 0.05-0.8"
            )


LONG = Gait(
    length=0.86, period=0.7, double=0.28, drop=0.058, bob=0.024, lift=0.08, heel=42.0, toe=16.0, arms=24.0
)

# lands on flat soles; the same with room on its treads
FLAT = Gait(length=0.35, period=0.6, double=0.3, drop=0.05, bob=0.005, lift=0.09, heel=25.0, toe=0.0)
CLIMB = replace(FLAT, length=0.46)
DESCEND = replace(
    CLIMB, heel=40.0, double=0.45
)  # heels up early: an ankle lets no flat foot follow a knee that far


def walk(character: Character, gait: Gait | None = None, steps: int = 4, rate: float = 120.0) -> Clip:
    """A steady walk along x that begins and ends in the middle of double support, right foot behind.

    ``contacts`` of the clip names when each foot touches the ground, heel first to toe last.
    """
    return _Walk(character, gait or Gait()).clip(steps, rate)


class _Walk:
    """One gait of one body; the period of its poses is a stride, two steps."""

    def __init__(self, character: Character, gait: Gait) -> None:
        if len(character.stance) != 2:
            count = len(character.stance)
            raise BadInput(f"{character.name} stands on {count} supports; a walk needs two feet")
        self.character, self.gait = character, gait
        rest, feet = character.posed(character.q_rest), [character.support(s) for s in character.stance]
        left, right = sorted(feet, key=lambda s: -rest.body(s.body).xpos[1])
        self.feet = (left, right)
        self.ankle = float(rest.body(left.body).xpos[2])
        self.leg = float(rest.xpos[chain(character, left.body)[0]][2]) - self.ankle
        self.length = gait.length * self.leg
        self.speed = self.length / gait.period
        self.height = float(character.com_rest[2]) - gait.drop * self.leg
        self.overlap = gait.double * gait.period  # [s] of double support
        self.flat = 0.6 * self.overlap  # [s] from the heel's contact to the toe's
        sole = left.points[:, 0]
        self.ahead = (float(sole.max()), float(sole.min()))  # toe and heel from the ankle
        self._com = self._pendulum()

    def stances(self, foot: int, steps: int) -> list[tuple[float, float, float]]:
        """(strike, toe off, x of the ankle) of each stance of a foot; left lands at even cuts."""
        T, half, cuts = self.gait.period, self.overlap / 2, range(-2 if foot == 0 else -1, steps + 3, 2)
        return [(i * T - half, (i + 1) * T + half, (i + 0.5) * self.length) for i in cuts]

    def _pendulum(self):
        """Centre of mass (periodic part of x, y) of a linear pendulum under the zero-moment point, on a fine grid."""
        n, T = 480, self.gait.period
        t = np.arange(n) * 2 * T / n
        before, after = 0.15 * self.ahead[0], 0.75 * self.ahead[0]  # along the sole in single support
        keys_t, x, y = [], [], []
        for i in range(-1, 4):
            side = self.gait.width / 2 * (1 if i % 2 == 0 else -1)
            for when, where in ((self.overlap / 2, before), (T - self.overlap / 2, after)):
                keys_t.append(i * T + when)
                x.append((i + 0.5) * self.length + where - self.speed * keys_t[-1])
                y.append(side)
        w2 = (2 * np.pi * np.fft.fftfreq(n, 2 * T / n)) ** 2
        answer = 1.0 + w2 * self.height / GRAVITY
        smooth = [np.fft.ifft(np.fft.fft(np.interp(t, keys_t, v)) / answer).real for v in (x, y)]
        return t, np.array(smooth)

    def com(self, t: float) -> np.ndarray:
        """Centre of mass (3,) [m]."""
        (grid, smooth), T = self._com, self.gait.period
        x, y = (np.interp(t % (2 * T), np.append(grid, 2 * T), np.append(row, row[0])) for row in smooth)
        z = self.height - self.gait.bob * self.leg * np.cos(2 * np.pi * t / T)
        return np.array([x + self.speed * t, y, z])

    def foot(self, foot: int, t: float, steps: int) -> tuple[np.ndarray, float]:
        """Place of a foot's frame [m] and its pitch, heel up positive [rad]."""
        stances = self.stances(foot, steps)
        for strike, off, x in stances:
            if strike <= t <= off:
                return self._standing(foot, t, strike, off, x)
        for (s0, off, x0), (strike, o1, x1) in pairwise(stances):
            if off < t < strike:
                return self._swinging(foot, t, (s0, off, x0), (strike, o1, x1))
        raise BadInput(f"no step of this walk is under way at {t:.2f} s")

    def _standing(self, foot: int, t: float, strike: float, off: float, x: float) -> tuple[np.ndarray, float]:
        y = self.gait.width / 2 * (1 if foot == 0 else -1)
        flat = np.array([x, y, self.ankle])
        up = np.clip((t - (off - self.overlap)) / self.overlap, 0, 1)
        down = np.clip(1 - (t - strike) / self.flat, 0, 1)
        pitch = np.radians(self.gait.heel) * up**2 - np.radians(self.gait.toe) * down**2
        edge = self.ahead[0] if pitch > 0 else self.ahead[1]
        pivot = flat + np.array([edge, 0.0, -self.ankle])
        return pivot + _pitched(pitch, np.array([-edge, 0, self.ankle])), float(pitch)

    @staticmethod
    def _roll(s: float, off: float, strike: float) -> float:
        """Pitch of a swinging foot on its way from toe off to heel strike."""
        keys = [off, 1.15 * off, 0.15 * off, strike, strike]
        return float(np.asarray(pchip_interpolate([0.0, 0.12, 0.55, 0.85, 1.0], keys, s)))

    def _swinging(self, foot: int, t: float, a: tuple, b: tuple) -> tuple[np.ndarray, float]:
        """From the last pose of one stance to the first of the next, velocities continuous."""
        off, strike, tiny = a[1], b[0], 1e-4
        span = strike - off
        s = (t - off) / span
        p0, turn0 = self._standing(foot, off, *a)
        p1, turn1 = self._standing(foot, strike, *b)
        v0 = (p0 - self._standing(foot, off - tiny, *a)[0]) / tiny * span
        v1 = (self._standing(foot, strike + tiny, *b)[0] - p1) / tiny * span
        h00, h10 = 2 * s**3 - 3 * s**2 + 1, s**3 - 2 * s**2 + s
        place = h00 * p0 + h10 * v0 + (1 - h00) * p1 + (s**3 - s**2) * v1
        place[2] += self.gait.lift * self.leg * (16 * s**2 * (1 - s) ** 2) * (1 - 0.4 * s)
        return place, self._roll(s, turn0, turn1)

    def style(self) -> Clip:
        """The poses wished, a stride long: arms and pelvis swing once, the trunk stays upright."""
        g, T, names = self.gait, self.gait.period, self.character.joint_names
        spine = [n for n in names if n.startswith("spine")]

        def wish(swing: float) -> dict:
            # swing 1: the left foot is in front, so is the right arm, and the pelvis turns right
            found: dict = {"root": dict(twist=-g.turn * swing, flex=2.0)}
            found |= {n: dict(twist=1.9 * g.turn * swing / len(spine)) for n in spine}
            for side, sign in (("l", -1.0), ("r", 1.0)):
                found[f"shoulder_{side}"] = dict(flex=g.arms * sign * swing + 2.0, abduct=6.0)
                found[f"elbow_{side}"] = 18.0 + 0.5 * g.arms * (1 + sign * swing)
            return {n: v for n, v in found.items() if n in names}

        keys = [(k * T, wish(swing)) for k, swing in enumerate((1, -1, 1))]
        return from_keys(self.character, keys, loop=True)

    def clip(self, steps: int, rate: float) -> Clip:
        """Poses of whole strides, copied as often as is needed."""
        T = self.gait.period
        frames = max(8, round(2 * T * rate))
        times = np.linspace(0.0, 2 * T, frames + 1)
        stride = self._poses(times[:-1])
        count = int(np.ceil(steps / 2))
        q = np.tile(stride, (count + 1, 1))[: count * frames + 1]
        q[:, 0] += 2 * (np.arange(len(q)) // frames) * self.length
        t = np.arange(len(q)) * (2 * T / frames)
        keep = t <= steps * T + 1e-9
        contacts = {}
        for k, support in enumerate(self.feet):
            spans = [(a, b) for a, b, _ in self.stances(k, steps) if b > 0 and a < steps * T]
            contacts[support.name] = tuple((max(a, 0.0), min(b, steps * T)) for a, b in spans)
        return Clip(self.character, t[keep], q[keep], contacts=contacts)

    def _poses(self, times: np.ndarray) -> np.ndarray:
        """One stride, periodic: the first round only finds the pose that the second begins with."""
        follower = Follower(self.character, legs=LEGS)
        feet = Feet(np.zeros((2, 3)), np.zeros((2, 3)), np.zeros((2, 4)), np.ones((2, 2)))
        q = np.array(self.character.q_rest)
        out = np.empty((len(times), len(q)))
        style = self.style()
        targets = [self._target(style, float(t)) for t in times]
        for _ in range(SETTLE):
            _improve(follower, feet, q, *targets[0], 0.3)
        for lap in range(2):
            if lap:
                q[0] -= 2 * self.length
            for i, goal in enumerate(targets):
                for _ in range(REFINE):
                    _improve(follower, feet, q, *goal, 1.0)
                out[i] = q
        return out

    def _target(self, style: Clip, t: float) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """The pose, places and orientations of the feet, and the centre of mass."""
        feet = [self.foot(k, t, 6) for k in range(2)]
        order = [self.character.stance.index(s.name) for s in self.feet]
        place, turn = np.empty((2, 3)), np.empty((2, 4))
        for k, (p, pitch) in zip(order, feet):
            place[k], turn[k] = p, quat.from_rotvec(np.array([0.0, pitch, 0.0]))
        return style.at(t), place, turn, self.com(t)


def _improve(follower: Follower, feet: Feet, q: np.ndarray, style, place, turn, com, share: float) -> None:
    """One step of q, in place, towards the targets."""
    feet.place[:], feet.turn[:] = place, turn
    follower.at(q)
    wish = share * follower.pull(q, np.concatenate([q[:3], style[3:]]), 1.0)  # the style, put where q is
    v = follower.prepare(q, wish, feet, com - follower.c, np.zeros(3), 1.0, spin=0.0)
    size = float(np.abs(v).max())
    mujoco.mj_integratePos(follower.model, q, v, min(1.0, 0.3 / max(size, 1e-9)))


def _pitched(angle: float, v: np.ndarray) -> np.ndarray:
    """v turned about y."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([c * v[0] + s * v[2], v[1], -s * v[0] + c * v[2]])
