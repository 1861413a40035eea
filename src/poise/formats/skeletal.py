"""A take as a skeleton in motion: one joint per body of the character, whatever its joints are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import mujoco
import numpy as np

from poise.draw import look
from poise.draw.form import Form
from poise.draw.mesh import Mesh
from poise.draw.view import ground_mocap
from poise.errors import BadInput
from poise.geometry import quat
from poise.geometry.skeleton import Capture, Skeleton

if TYPE_CHECKING:
    from poise.record.recording import Recording

RIGID = 1e-9  # a joint that moves less than this in its parent only turns [m]
STUB = 0.05  # length of the tip of a body that has no shape [m]


@dataclass(frozen=True, eq=False)
class Bodies(Form):
    """Where every body of a take's world was."""

    times: np.ndarray  # (T,) [s]
    positions: np.ndarray  # (T, B, 3) origins of all bodies [m]
    rotations: np.ndarray  # (T, B, 4) their axes, wxyz


def bodies(recording: Recording) -> Bodies:
    """Positions and rotations of all bodies, up to the first record that is not finite."""
    model = look.dressed(recording.model_xml)
    q = recording["q"]
    if q.shape[1] != model.nq or model.nbody < 2:
        raise BadInput(
            f"the take has q of {q.shape[1]} numbers for a model of {model.nq}, {model.nbody - 1} bodies"
        )
    bad = np.flatnonzero(~np.isfinite(q).all(axis=1))
    count = int(bad[0]) if len(bad) else len(q)
    if not count:
        raise BadInput("nothing to write: no record of the take is finite")
    mocap = ground_mocap(model) if "ground" in recording else -1
    data = mujoco.MjData(model)
    positions, rotations = np.empty((count, model.nbody, 3)), np.empty((count, model.nbody, 4))
    for t in range(count):
        data.qpos[:] = q[t]
        if mocap >= 0:
            data.mocap_pos[mocap], data.mocap_quat[mocap] = np.split(recording["ground"][t], [3])
        mujoco.mj_kinematics(model, data)
        positions[t], rotations[t] = data.xpos, data.xquat
    return Bodies(model, recording.time[:count], positions, rotations)


def capture(recording: Recording) -> Capture:
    """The character's motion; see :func:`capture_of`."""
    return capture_of(bodies(recording))


def capture_of(world: Bodies) -> Capture:
    """One joint per body, named after it, placed where the body turns about its parent.

    Joint frames are parallel to the world when all of q is zero: that pose is the rest pose, and the skeleton's
    offsets are taken from it. A body that slides, or turns about several points, has a position that moves.
    """
    own, zero = world.own, world.zero
    index = {int(b): j for j, b in enumerate(own)}
    parents = np.array([index.get(int(world.model.body_parentid[b]), -1) for b in own])
    anchors = np.array([world.anchor(b) for b in own])
    at_rest = zero.xpos[own] + quat.rotate(zero.xquat[own], anchors)
    offsets = at_rest - np.where(parents[:, None] >= 0, at_rest[parents], 0.0)
    at = world.positions[:, own] + quat.rotate(world.rotations[:, own], anchors)
    turned = quat.multiply(world.rotations[:, own], quat.conjugate(zero.xquat[own]))
    back = quat.conjugate(turned[:, parents])
    rotations = quat.align(np.where(parents[:, None] >= 0, quat.multiply(back, turned), turned))
    positions = np.where(parents[:, None] >= 0, quat.rotate(back, at - at[:, parents]), at)
    still = np.abs(positions - offsets).max(axis=(0, 2)) < RIGID
    positions[:, still] = offsets[still]
    leaves = np.setdiff1d(np.arange(len(own)), parents)  # bodies that nothing hangs on
    ends = np.array([_tip(world.shapes(int(own[j]))) for j in leaves])
    names = tuple(world.name(b) for b in own)
    return Capture(Skeleton(names, parents, offsets, ends, leaves), world.times, rotations, positions)


def _tip(shapes: list[tuple[Mesh, np.ndarray]]) -> np.ndarray:
    """Where the shape of a body reaches farthest, in the frame of its joint."""
    if not shapes:
        return np.array([0.0, 0.0, -STUB])
    points = np.concatenate([mesh.vertices for mesh, _ in shapes])
    low, high = points.min(axis=0), points.max(axis=0)
    reach = np.where(-low > high, low, high)  # of each axis, the farther side
    axis = int(np.argmax(np.abs(reach)))
    tip = 0.5 * (low + high)
    tip[axis] = reach[axis]
    return tip
