"""The actor of a take that followed a motion file: the file's own joints, wearing the shapes of the body made of it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from poise.formats import actor as actors
from poise.formats.actor import Actor, Patch, Prop
from poise.formats.own_skeleton import Framed, follows_file, framed
from poise.formats.skeletal import Bodies, bodies
from poise.geometry import quat

if TYPE_CHECKING:
    from poise.record.recording import Recording


def of_recording(recording: Recording, ground: bool = False) -> Actor:
    """The character of a take, on the skeleton of the file that it followed if there was one."""
    if not follows_file(recording):
        return actors.of_recording(recording, ground)
    own, world = framed(recording), bodies(recording)
    capture = own.capture()
    name = str(recording.info.get("character") or "character")
    props = tuple(_placed(prop, own, world.times) for prop in actors.props_of(world, ground))
    return Actor(name, capture, _patches(own, world), props, capture.skeleton.offsets[0])


def _patches(own: Framed, world: Bodies) -> tuple[Patch, ...]:
    """Shapes of each body on the joint that it was made of; those of a made-up foot on the joint above."""
    assert own.character.mapped is not None
    plan, zero = own.character.mapped.plan, world.zero
    joints = {part.name: part.joint for part in plan.parts}
    found = []
    for b in world.own.tolist():
        a = b
        while joints.get(world.name(a), -1) < 0 and a != world.own[0]:
            a = int(world.model.body_parentid[a])
        back = quat.conjugate(plan.zero[world.name(a)])
        for shape, rgba in world.geoms(b):
            at_zero = shape.moved(zero.xpos[b] - zero.xpos[a], zero.xquat[b])
            found.append(Patch(joints[world.name(a)], at_zero.moved(np.zeros(3), back), actors.colour(rgba)))
    return tuple(found)


def _placed(prop: Prop, own: Framed, times: np.ndarray) -> Prop:
    """A thing of the take's world at the frames of the file, in the file's own place."""
    placing = own.intake.placing
    seen = np.concatenate([own.taken[:1], own.taken]) if own.whole else own.taken
    at = np.stack([np.interp(seen, times, x) for x in prop.positions.T], axis=1)
    k = np.clip(np.searchsorted(times, seen), 0, len(times) - 1)
    back = quat.conjugate(placing.turn)
    return replace(
        prop,
        positions=quat.rotate(back, at - placing.shift),
        rotations=quat.align(quat.multiply(back, prop.rotations[k])),
    )
