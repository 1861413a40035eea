"""Mapping between a skeleton's joints and the poses of the body that was made of it, there and back."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from poise.capture.autorig import hinges
from poise.capture.autorig.plan import Plan, frames, joint_name
from poise.character.character import Character
from poise.errors import BadInput
from poise.geometry import quat
from poise.geometry.skeleton import Capture, Skeleton

STILL = 0.002  # [m]: a joint above the root body that moves less, and does not turn, stays where it is


@dataclass(frozen=True, eq=False)
class Mapped:
    """How a body answers to a skeleton."""

    plan: Plan  # the bodies and their zero pose
    above: tuple[int, ...]  # joints from the skeleton's root to the root body's own
    mover: int  # of those, the one that carries the body through the world; those before it stay
    local: np.ndarray  # (J, 4) rotation in the parent of joints that have no body, as usual in the clip
    offsets: np.ndarray  # (J, 3) place of every joint in its parent [m]

    @classmethod
    def of(cls, plan: Plan) -> Mapped:
        """The mapping of a plan: what moves the body is the first joint above it that moves in the clip."""
        figure = plan.anatomy.figure
        above = figure.tree.path(plan.parts[0].joint)
        ranges = np.ptp(figure.capture.positions, axis=0).max(axis=1)
        moving = [j for j in above if ranges[j] > STILL or figure.moves(j)]
        return cls(plan, above, moving[0] if moving else above[0], figure.mean, figure.offsets)

    @property
    def skeleton(self) -> Skeleton:
        return self.plan.anatomy.figure.skeleton


def poses(character: Character, capture: Capture) -> np.ndarray:
    """Configurations q (T, nq) of a body at the frames of a capture of its skeleton.

    Orientations of all bodies in the world are the capture's; what a hinge cannot follow is left out.
    """
    mapped = _mapped(character)
    _same(mapped.skeleton, capture.skeleton)
    at, turned = capture.world
    bodies, plan, model = frames(mapped.plan, turned), mapped.plan, character.model
    q = np.zeros((len(capture), model.nq))
    root = plan.parts[0]
    q[:, :3], q[:, 3:7] = at[:, root.joint], quat.align(bodies[root.name])
    for part in plan.parts[1:]:
        relative = quat.multiply(quat.conjugate(bodies[part.parent]), bodies[part.name])
        start = model.joint(joint_name(part.name)).qposadr[0]
        if part.name in plan.axes:
            q[:, start] = hinges.angle(relative, plan.axes[part.name])
        else:
            q[:, start : start + 4] = quat.align(relative)
    return q


def capture_of(
    character: Character, q: np.ndarray, times: np.ndarray, clip: Capture | None = None
) -> Capture:
    """A capture of the skeleton that a body was made of, from its configurations (T, nq).

    Args:
        character: A body made from a skeleton.
        q: Its configurations.
        times: (T,) [s].
        clip: Where the skeleton's joints that have no body of their own (fingers, faces, twists) take their rotation
            and place from, at the same times; without it they are as usual in the clip that the body was made from.
    """
    mapped = _mapped(character)
    q = np.atleast_2d(q)
    skeleton, plan = mapped.skeleton, mapped.plan
    own = {part.joint: quat.multiply(turn, plan.zero[part.name])
           for part, turn in zip(plan.parts, _bodies(character, q)) if part.joint >= 0}  # fmt: skip
    local = np.tile(mapped.local, (len(q), 1, 1))
    positions = np.tile(mapped.offsets, (len(q), 1, 1))
    if clip is not None:
        _same(skeleton, clip.skeleton)
        seen = clip.at(times)
        local, free = (
            seen.rotations,
            [j for j in range(len(skeleton)) if j not in own and j not in mapped.above],
        )
        positions[:, free] = seen.positions[:, free]
    rotations, turned = local.copy(), np.empty_like(local)
    for j, p in enumerate(skeleton.parents):
        if j == mapped.mover:
            turned[:, j], positions[:, j] = _moved(mapped, own, local, q[:, :3], turned, positions)
        elif j in own and j not in mapped.above:
            turned[:, j] = own[j]
        else:
            turned[:, j] = local[:, j] if p < 0 else quat.multiply(turned[:, p], local[:, j])
        rotations[:, j] = turned[:, j] if p < 0 else quat.multiply(quat.conjugate(turned[:, p]), turned[:, j])
    for j in range(len(skeleton)):
        rotations[:, j] = quat.align(rotations[:, j])
    return Capture(skeleton, np.asarray(times, float), rotations, positions)


def body_of(character: Character, joint: str) -> str:
    """Name of the body that a joint of the skeleton belongs to: its own, or the one it is fused to."""
    mapped = _mapped(character)
    return mapped.plan.parts[mapped.plan.owner[mapped.skeleton.index(joint)]].name


def _mapped(character: Character) -> Mapped:
    if character.mapped is None:
        raise BadInput(
            f"{character.name} was not made from a skeleton, so no capture answers to it; use Character.from_bvh"
        )
    return character.mapped


def _same(own: Skeleton, other: Skeleton) -> None:
    if own.names != other.names or not np.array_equal(own.parents, other.parents):
        raise BadInput(
            f"a capture of another skeleton: {len(other)} joints beginning with {', '.join(other.names[:4])}; "
            f"this body has {len(own)}: {', '.join(own.names[:4])}"
        )


def _bodies(character: Character, q: np.ndarray) -> list[np.ndarray]:
    """Rotation (T, 4) in the world of every part."""
    plan = _mapped(character).plan
    made: dict[str, np.ndarray] = {plan.parts[0].name: q[:, 3:7]}
    for part in plan.parts[1:]:
        start = character.model.joint(joint_name(part.name)).qposadr[0]
        if part.name in plan.axes:
            relative = quat.from_rotvec(q[:, start, None] * plan.axes[part.name])
        else:
            relative = q[:, start : start + 4]
        made[part.name] = quat.multiply(made[part.parent], relative)
    return [made[part.name] for part in plan.parts]


def _moved(mapped: Mapped, own: dict[int, np.ndarray], local: np.ndarray, at: np.ndarray, turned: np.ndarray,
           positions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:  # fmt: skip
    """World rotation of the mover, and its place in its parent, so that the root body comes out where it is."""
    way = mapped.above[mapped.above.index(mapped.mover) :]
    turn, place = own[way[-1]], at
    for j in reversed(way[1:]):
        turn = quat.multiply(turn, quat.conjugate(local[:, j]))
        place = place - quat.rotate(turn, positions[:, j])
    before = mapped.above[: mapped.above.index(mapped.mover)]
    origin, frame = np.zeros(3), np.tile(quat.IDENTITY, (len(at), 1))
    for j in before:
        origin = origin + quat.rotate(frame, positions[:, j])
        frame = turned[:, j]
    return turn, quat.rotate(quat.conjugate(frame), place - origin)
