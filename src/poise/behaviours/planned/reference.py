"""What a clip does, frame by frame: states of the abstract model, feet, and which corners of the soles carry."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import numpy as np
from scipy.interpolate import CubicSpline
from scipy.ndimage import gaussian_filter1d, minimum_filter1d

from poise.behaviours.planned.contacts import Feet, footprints, sole, standing
from poise.behaviours.planned.reach import shortfall
from poise.character.character import Character
from poise.character.limbs import chain
from poise.errors import BadInput
from poise.geometry import quat
from poise.motion.clip import Clip
from poise.motion.follow import Follower

RATE = 120.0  # frames a second
SMOOTH = 8  # frames: how gently the body is let down where its legs are too short


@dataclass(frozen=True, eq=False)
class Reference:
    """A clip at ``1 / h`` frames a second.

    Attributes:
        character, h: Whose, and the time between frames [s].
        q, v: (T, nq), (T, nv) poses and velocities.
        x, x_dot: (T, 12) states [c, L, ∫H, H] and their rates; L is m times the velocity of c.
        feet: Where they are and what of them carries.
        hips: (T, S, 3) where each leg begins [m].
    """

    character: Character
    h: float
    q: np.ndarray
    v: np.ndarray
    x: np.ndarray
    x_dot: np.ndarray
    feet: Feet
    hips: np.ndarray

    @property
    def frames(self) -> int:
        return len(self.q)

    def digest(self) -> str:
        """Hash of the motion and the body it was made for."""
        code = hashlib.sha256(self.character.spec_xml.encode())
        for array in (self.q, self.feet.on, np.array([self.h])):
            code.update(np.ascontiguousarray(array).tobytes())
        return code.hexdigest()


def reference(clip: Clip, seconds: float | None = None, rate: float = RATE) -> Reference:
    """Look at a clip; a looping one is unrolled to ``seconds`` (one round when missing).

    Raises BadInput where no foot ever touches the ground: then there is nothing to push against.
    """
    character, h = clip.character, 1.0 / rate
    length = clip.seconds if seconds is None else (seconds if clip.loop else min(seconds, clip.seconds))
    times = clip.start + np.arange(int(length * rate + 1e-6) + 1) * h
    if len(times) < 8:
        raise BadInput(f"a clip of {length:.3g} s is too short to plan: {len(times)} frames at {rate:g} Hz")
    q, v = np.empty((len(times), character.model.nq)), np.empty((len(times), character.model.nv))
    for k, t in enumerate(times):
        q[k], v[k], _ = clip.sample(float(t))
    v[0], v[-1] = v[1], v[-2]  # a clip that ends stands still beyond its end; ours goes on
    down = np.array([[clip.on_ground(s, float(t)) for s in character.stance] for t in times])
    if not down.any():
        raise BadInput(
            "no foot touches the floor anywhere in this clip: contact forces are the only control, so nothing can be "
            f"planned (supports looked at: {', '.join(character.stance)})"
        )
    c, H, place, turn, corners, hips = _measure(character, q, v)
    soles = [sole(character.support(s)) for s in character.stance]
    feet = footprints(standing(down, corners[:, :, :-2], h), place, turn, soles)
    low = lowered(shortfall(character, feet, hips))[:, None] * [0.0, 0.0, 1.0]
    x, x_dot = _states(times, c + low, H, character.mass)
    return Reference(character, h, q, v, x, x_dot, feet, hips + low[:, None])


def lowered(need: np.ndarray) -> np.ndarray:
    """A smooth curve (T,) at or below what is needed, zero where nothing is."""
    return gaussian_filter1d(
        minimum_filter1d(need, 4 * SMOOTH + 1, mode="nearest"), SMOOTH, mode="nearest", truncate=2.0
    )


def _measure(character: Character, q: np.ndarray, v: np.ndarray):
    """c, H (T, 3) and the feet with their corners."""
    follower = Follower(character)
    supports, T = follower.supports, len(q)
    soles = [sole(s) for s in supports]
    if len({len(points) for points in soles}) != 1:
        raise BadInput("supports with different numbers of corners cannot be planned together")
    c, H = np.empty((T, 3)), np.empty((T, 3))
    place, turn = np.empty((T, len(supports), 3)), np.empty((T, len(supports), 4))
    corners, hips = np.empty((T, len(supports), len(soles[0]), 3)), np.empty((T, len(supports), 3))
    thighs = [chain(character, s.body)[0] for s in supports]
    for k in range(T):
        follower.at(q[k])
        c[k], H[k] = follower.c, follower.momentum(v[k])[3:]
        for s, support in enumerate(supports):
            body = follower.data.body(support.body)
            place[k, s], turn[k, s], hips[k, s] = body.xpos, body.xquat, follower.data.xpos[thighs[s]]
            corners[k, s] = body.xpos + soles[s] @ body.xmat.reshape(3, 3).T
    turn[:] = quat.align(turn)
    return c, H, place, turn, corners, hips


def _states(times: np.ndarray, c: np.ndarray, H: np.ndarray, mass: float) -> tuple[np.ndarray, np.ndarray]:
    """States and rates: L from the curve of c, ∫H from the curve of H, so that they agree with each other."""
    path, spin = CubicSpline(times, c), CubicSpline(times, H)
    turned = spin.antiderivative()(times)
    x = np.hstack([c, mass * path(times, 1), turned - turned[0], H])
    x_dot = np.hstack([path(times, 1), mass * path(times, 2), H, spin(times, 1)])
    return x, x_dot
