"""What a clip does, frame by frame: states of the abstract model, feet, and which corners of the soles carry."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import numpy as np
from scipy.interpolate import CubicSpline
from scipy.ndimage import gaussian_filter1d

from poise.character.character import Character
from poise.errors import BadInput
from poise.geometry import quat
from poise.motion.clip import Clip
from poise.motion.follow import Follower

RATE = 120.0  # frames a second
NEAR = 0.01  # [m] a corner this much above the lowest of its sole carries as well
SMOOTH = 3.0  # frames over which corrections of the feet are spread
SHORTEST = 0.05  # [s] of a contact: shorter ones are noise


@dataclass(frozen=True)
class Stance:
    """A foot on the ground: index of the support, first and last frame."""

    support: int
    first: int
    last: int


@dataclass(frozen=True, eq=False)
class Reference:
    """A clip at ``1 / h`` frames a second.

    Attributes:
        character, h: Whose, and the time between frames [s].
        q, v: (T, nq), (T, nv) poses and velocities.
        x, x_dot: (T, 12) states [c, L, ∫H, H] and their rates; L is m times the velocity of c.
        place, turn: (T, S, 3), (T, S, 4) frames of the supports' bodies, corrected so that corners that carry rest.
        on: (T, S, K) which corners carry. corners: (T, S, K, 3) where they are; at rest while they carry.
        stances: Sorted by their first frame.
        hips: (T, S, 3) where each leg begins [m]. legs: (S,) length of each, straight, down to the foot's frame [m].
    """

    character: Character
    h: float
    q: np.ndarray
    v: np.ndarray
    x: np.ndarray
    x_dot: np.ndarray
    place: np.ndarray
    turn: np.ndarray
    on: np.ndarray
    corners: np.ndarray
    stances: tuple[Stance, ...]
    hips: np.ndarray
    legs: np.ndarray

    @property
    def frames(self) -> int:
        return len(self.q)

    def digest(self) -> str:
        """Hash of the motion and the body it was made for."""
        code = hashlib.sha256(self.character.spec_xml.encode())
        for array in (self.q, self.on, np.array([self.h])):
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
    x, x_dot = _states(times, c, H, character.mass)
    on, stances = _carrying(down, corners, h)
    corners, place = _rest(on, stances, corners, place)
    return Reference(character, h, q, v, x, x_dot, place, turn, on, corners, stances, hips, leg_lengths(character))


def _measure(character: Character, q: np.ndarray, v: np.ndarray):
    """c, H (T, 3) and the feet with their corners."""
    follower = Follower(character)
    supports, T = follower.supports, len(q)
    most = max(len(s.points) for s in supports)
    c, H = np.empty((T, 3)), np.empty((T, 3))
    place, turn = np.empty((T, len(supports), 3)), np.empty((T, len(supports), 4))
    corners, hips = np.empty((T, len(supports), most, 3)), np.empty((T, len(supports), 3))
    thighs = [_chain(character, s.body)[-1] for s in supports]
    for k in range(T):
        follower.at(q[k])
        c[k], H[k] = follower.c, follower.momentum(v[k])[3:]
        for s, support in enumerate(supports):
            body = follower.data.body(support.body)
            place[k, s], turn[k, s], hips[k, s] = body.xpos, body.xquat, follower.data.xpos[thighs[s]]
            found = body.xpos + support.points @ body.xmat.reshape(3, 3).T
            corners[k, s, : len(found)] = found
            corners[k, s, len(found) :] = found[-1]
    turn[:] = quat.align(turn)
    return c, H, place, turn, corners, hips


def _chain(character: Character, body: str) -> list[int]:
    """Bodies of a limb, from its end up to the one that hangs on the trunk."""
    model = character.model
    found = [model.body(body).id]
    while model.body_parentid[model.body_parentid[found[-1]]] != 0:
        found.append(int(model.body_parentid[found[-1]]))
    return found


def leg_lengths(character: Character) -> np.ndarray:
    """Length (S,) of each leg of the stance when straight, from the hip to the foot's frame [m]."""
    model = character.model
    chains = [_chain(character, character.support(s).body) for s in character.stance]
    return np.array([sum(np.linalg.norm(model.body_pos[b]) for b in chain[:-1]) for chain in chains])


def _states(times: np.ndarray, c: np.ndarray, H: np.ndarray, mass: float) -> tuple[np.ndarray, np.ndarray]:
    """States and rates: L from the curve of c, ∫H from the curve of H, so that they agree with each other."""
    path, spin = CubicSpline(times, c), CubicSpline(times, H)
    turned = spin.antiderivative()(times)
    x = np.hstack([c, mass * path(times, 1), turned - turned[0], H])
    x_dot = np.hstack([path(times, 1), mass * path(times, 2), H, spin(times, 1)])
    return x, x_dot


def _carrying(down: np.ndarray, corners: np.ndarray, h: float) -> tuple[np.ndarray, tuple[Stance, ...]]:
    """Corners (T, S, K) that carry while their foot is down, at least two, and the stances."""
    shortest = round(SHORTEST / h)
    stances = []
    for s in range(down.shape[1]):
        edges = np.flatnonzero(np.diff(np.concatenate([[False], down[:, s], [False]]).astype(int)))
        stances += [Stance(s, int(a), int(b) - 1) for a, b in zip(edges[::2], edges[1::2]) if b - a > shortest]
    height = corners[..., 2]
    low = np.partition(height, 1, axis=2)[..., 1:2]
    near = height <= np.maximum(height.min(axis=2, keepdims=True) + NEAR, low)
    on = np.zeros(near.shape, bool)
    for stance in stances:
        span = slice(stance.first, stance.last + 1)
        on[span, stance.support] = near[span, stance.support]
    return on, tuple(sorted(stances, key=lambda stance: stance.first))


def _rest(on: np.ndarray, stances: tuple[Stance, ...], corners: np.ndarray, place: np.ndarray):
    """Corners held still while they carry, and the feet moved by what that takes, eased through the swing."""
    corners, place = corners.copy(), place.copy()
    shift = np.full(place.shape, np.nan)
    for stance in stances:
        span, s = slice(stance.first, stance.last + 1), stance.support
        still = corners[span, s].copy()
        for k in range(on.shape[2]):
            carries = on[span, s, k]
            if carries.any():
                still[:, k] = np.median(corners[span, s, k][carries], axis=0)
        mask = on[span, s][..., None]
        count = np.maximum(mask.sum(axis=1), 1)
        shift[span, s] = ((still - corners[span, s]) * mask).sum(axis=1) / count
        corners[span, s] = np.where(mask, still, corners[span, s])
    frames = np.arange(len(place))
    for s in range(place.shape[1]):
        known = np.isfinite(shift[:, s, 0])
        for k in range(3):
            if known.any():
                eased = gaussian_filter1d(np.interp(frames, frames[known], shift[known, s, k]), SMOOTH, mode="nearest")
                place[:, s, k] += eased
    return corners, place

