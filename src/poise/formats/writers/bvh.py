"""BVH of a take: the character's own bodies as joints. Centimetres, y up, z forward, degrees."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from poise.capture.readers import bvh
from poise.capture.readers.bvh import Bvh
from poise.formats import own_skeleton, skeletal, y_up
from poise.formats.actor import HZ, moves
from poise.formats.names import tidy
from poise.geometry.skeleton import Capture, Skeleton

if TYPE_CHECKING:
    from poise.record.recording import Recording

CM = 100.0  # file units a metre
PLACE = ("Xposition", "Yposition", "Zposition")
# The middle angle should stay off ±90°: of the root it is the pitch, so that it may turn round; of the other joints
# it is the twist about the vertical, so that limbs may swing far.
ROOT = ("Yrotation", "Xrotation", "Zrotation")
JOINT = ("Zrotation", "Yrotation", "Xrotation")


def save(recording: Recording, path: Path) -> None:
    """Write the character's motion: on the skeleton of the file that the take followed, if it followed one."""
    own = own_skeleton.follows_file(recording)
    bvh.write(own_skeleton.framed(recording).file() if own else of_recording(recording), path)


def of_recording(recording: Recording) -> Bvh:
    """The take on the character's own skeleton; its rest pose is the body with all joints at zero."""
    return of_capture(skeletal.capture(recording))


def of_capture(capture: Capture) -> Bvh:
    """Any skeleton in motion. The root's offset is zero; joints that move in their parents get position channels."""
    capture = _depth_first(capture)
    skeleton = capture.skeleton
    positions, offsets = CM * y_up.vectors(capture.positions), CM * y_up.vectors(skeleton.offsets)
    offsets[0] = 0.0
    labels = tidy(skeleton.names, r"[\s{}:]")
    channels: list[tuple[str, ...]] = [(*PLACE, *ROOT)]
    for j in range(1, len(skeleton)):
        loose = moves(np.concatenate([positions[:, j], offsets[None, j]]))
        channels.append((*PLACE, *JOINT) if loose else JOINT)
    width = sum(map(len, channels))
    made = Bvh(
        labels, labels, skeleton.parents, offsets, CM * y_up.vectors(skeleton.ends), skeleton.end_parents,
        tuple(channels), 1.0 / (capture.rate or HZ), np.zeros((0, width)),
    )  # fmt: skip
    return made.with_values(bvh.values_of(made, y_up.rotations(capture.rotations), positions))


def _depth_first(capture: Capture) -> Capture:
    """The same with every joint right after the joints above it, as the file nests them."""
    skeleton = capture.skeleton
    order, waiting = [], [0]
    while waiting:
        order.append(waiting.pop())
        waiting += reversed(skeleton.children[order[-1]])
    place = np.argsort(order)
    parents = np.array([-1, *(place[skeleton.parents[j]] for j in order[1:])])
    names = tuple(skeleton.names[j] for j in order)
    sorted_ = Skeleton(names, parents, skeleton.offsets[order], skeleton.ends, place[skeleton.end_parents])
    return Capture(sorted_, capture.times, capture.rotations[:, order], capture.positions[:, order])
