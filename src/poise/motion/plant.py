"""Feet flat, level and in their places through a whole clip; the root and legs give way, the rest keeps its style.

[Balance] section 9: "All motions were filtered using IK to ensure flat and level support conditions."
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import mujoco
import numpy as np
from numpy.typing import ArrayLike

from poise.character.character import Character
from poise.errors import BadInput
from poise.geometry import polygon, quat
from poise.geometry.easing import quintic
from poise.motion.clip import Clip
from poise.motion.ik import Solver, Targets, pose_weights
from poise.motion.keyframes import ease

Place = tuple[np.ndarray, np.ndarray]  # position (3,) [m] and rotation (4,) of a body's frame in the world
LIFT_RAMP = 0.35  # [s] from the planted place to the keyed path of a foot that lifts off


def plant(
    clip: Clip,
    *,
    com: np.ndarray | None = None,
    height: np.ndarray | None = None,
    points: Mapping[str, np.ndarray] | None = None,
    level: Sequence[str] = (),
    ramp: float = LIFT_RAMP,
) -> Clip:
    """Clip with every support that stands on the ground flat, level and at its rest place.

    A support that leaves the ground (``clip.contacts``) follows the keyed joints in the air, reached and left by
    way of a smooth blend of ``ramp`` seconds.

    Args:
        clip: Any clip of a character.
        com: Centre of mass x, y at each frame (T, 2) [m]; over the middle of the stance when missing.
        height: Height of the root at each frame (T,) [m]; as the legs like when missing.
        points: Effector -> position at each frame (T, 3) [m].
        level: Bodies kept parallel to the world, e.g. ``["head"]``.
        ramp: Time that a lifting foot takes to leave its planted place for the keyed path [s].
    """
    character, frames = clip.character, len(clip.times)
    com = np.tile(middle(character, character.stance), (frames, 1)) if com is None else np.asarray(com, float)
    for name, values in {"com": com, "height": height, **(points or {})}.items():
        if values is not None and len(values) != frames:
            raise BadInput(f"{name} has {len(values)} rows; the clip has {frames} frames")
    rest = rest_places(character)
    solver = Solver(character)
    poses = np.empty_like(clip.q)
    near, far = Ahead(character), Ahead(character)  # along the clip, and with the lifted feet free
    for i, t in enumerate(clip.times):
        fixed = {character.support(s).body: rest[s] for s in character.stance if clip.on_ground(s, t)}
        air = {s: _height_of_lift(clip, s, t, ramp) for s in character.stance if not clip.on_ground(s, t)}
        goal = Targets(
            bodies=fixed,
            com=com[i],
            points={name: path[i] for name, path in (points or {}).items()},
            level={name: quat.IDENTITY for name in level},
            root_height=None if height is None else float(height[i]),
        )
        if air:
            stiff = pose_weights(character, [s for s in character.stance if s not in air])
            free_pose = far.follow(solver.solve(clip.q[i], goal, far.guess(near.guess(clip.q[i])), stiff))
            for support, s in air.items():
                body = character.support(support).body
                fixed[body] = _between(rest[support], solver.place(free_pose, body), s)
        else:
            far = Ahead(character)
        poses[i] = near.follow(solver.solve(clip.q[i], goal, near.guess(clip.q[i])))
    if clip.loop:
        poses[-1] = poses[0]
    return replace(clip, q=poses)


class Ahead:
    """Guesses the next pose from the last two: as far again."""

    def __init__(self, character: Character) -> None:
        self.model = character.model
        self.seen: list[np.ndarray] = []

    def follow(self, q: np.ndarray) -> np.ndarray:
        """Note one more pose."""
        self.seen = [*self.seen[-1:], q]
        return q

    def guess(self, otherwise: np.ndarray) -> np.ndarray:
        """The next pose; ``otherwise`` when none was seen."""
        if len(self.seen) < 2:
            return self.seen[-1] if self.seen else otherwise
        step, ahead = np.empty(self.model.nv), self.seen[1].copy()
        mujoco.mj_differentiatePos(self.model, step, 1.0, self.seen[0], self.seen[1])
        mujoco.mj_integratePos(self.model, ahead, step, 1.0)
        return ahead


def rest_places(character: Character) -> dict[str, Place]:
    """Support name -> where its body is in the rest pose, made level."""
    posed = character.posed(character.q_rest)
    places = {}
    for support in character.supports:
        body, frame = posed.body(support.body), np.array(support.frame)
        yaw = quat.swing_twist(quat.multiply(body.xquat, frame))[1]
        level = quat.multiply(quat.from_rotvec(np.array([0, 0, yaw])), quat.conjugate(frame))
        places[support.name] = body.xpos.copy(), level
    return places


def support_polygon(character: Character, supports: Sequence[str]) -> np.ndarray:
    """Hull (k, 2) of the soles of some supports at their rest places [m]."""
    rest = rest_places(character)
    soles = [(*rest[name], character.support(name).points) for name in supports]
    return polygon.hull(np.vstack([place + quat.rotate(turn, points) for place, turn, points in soles]))


def middle(character: Character, supports: Sequence[str]) -> np.ndarray:
    """Centre (2,) of the support polygon of some supports at their rest places [m]."""
    return polygon.centroid(support_polygon(character, supports))


def path(frames: np.ndarray, keys: Sequence[tuple[float, ArrayLike]], loop: bool = False) -> np.ndarray:
    """Smooth path (T, k) through (time, values) keys, at rest at its ends unless it loops."""
    return ease(np.array([t for t, _ in keys]), np.array([x for _, x in keys], float), frames, loop)


def _height_of_lift(clip: Clip, support: str, t: float, ramp: float) -> float:
    """0 at the moments a foot leaves and meets the ground, 1 in between, C2."""
    spans = clip.contacts.get(support, ())
    off = max((b for _, b in spans if b <= t), default=-np.inf)
    on = min((a for a, _ in spans if a >= t), default=np.inf)
    return float(quintic(min(t - off, on - t) / min(ramp, (on - off) / 2)))


def _between(a: Place, b: Place, s: float) -> Place:
    return a[0] + s * (b[0] - a[0]), quat.slerp(a[1], b[1], s)
