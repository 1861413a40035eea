"""A take as a skeleton in motion: one joint per body of the character, whatever its joints are."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import mujoco
import numpy as np

from poise.draw import look
from poise.draw.view import ground_mocap, shown_geoms
from poise.errors import BadInput
from poise.formats.mesh import Mesh, of_geom
from poise.geometry import quat
from poise.geometry.skeleton import Capture, Skeleton
from poise.record.metrics import root_joint

if TYPE_CHECKING:
    from poise.record.recording import Recording

RIGID = 1e-9  # a joint that moves less than this in its parent only turns [m]
STUB = 0.05  # length of the tip of a body that has no shape [m]


@dataclass(frozen=True, eq=False)
class Bodies:
    """Where every body of a take's world was."""

    model: mujoco.MjModel  # the world, dressed for pictures
    times: np.ndarray  # (T,) [s]
    positions: np.ndarray  # (T, B, 3) origins of all bodies [m]
    rotations: np.ndarray  # (T, B, 4) their axes, wxyz

    @cached_property
    def own(self) -> np.ndarray:
        """Bodies of the character, parents first: the tree with the root joint, else the largest tree."""
        model = self.model
        root = root_joint(model)
        if root >= 0:
            trunk = model.body_rootid[model.jnt_bodyid[root]]
        else:
            trunk = np.argmax(np.bincount(model.body_rootid[1:], minlength=2))
        return np.flatnonzero(model.body_rootid == trunk)

    @cached_property
    def zero(self) -> mujoco.MjData:
        """The world in its zero configuration."""
        data = mujoco.MjData(self.model)
        mujoco.mj_kinematics(self.model, data)
        return data

    def name(self, body: int) -> str:
        return self.model.body(body).name or f"body{body}"

    def anchor(self, body: int) -> np.ndarray:
        """The point of a body that its joint turns about, in its own frame [m]."""
        model, joint = self.model, self.model.body_jntadr[body]
        turns = joint >= 0 and model.jnt_type[joint] != mujoco.mjtJoint.mjJNT_FREE
        return model.jnt_pos[joint].copy() if turns else np.zeros(3)

    def shapes(self, body: int) -> list[tuple[Mesh, np.ndarray]]:
        """Meshes of a character's body in the frame of its joint, and their colours rgba."""
        turn = self.zero.xquat[body]
        at = -quat.rotate(turn, self.anchor(body))
        return [(mesh.moved(at, turn), rgba) for mesh, rgba in self.geoms(body)]

    def geoms(self, body: int) -> list[tuple[Mesh, np.ndarray]]:
        """Meshes of what is drawn of a body, in its frame, and their colours rgba."""
        model, found = self.model, []
        for g in self.drawn[model.geom_bodyid[self.drawn] == body].tolist():
            mesh = of_geom(model, g)
            if mesh is not None:
                found.append((mesh, self.colour(g)))
        return found

    def colour(self, geom: int) -> np.ndarray:
        """Of a geom (4,) rgba."""
        material = self.model.geom_matid[geom]
        rgba = self.model.mat_rgba[material] if material >= 0 else self.model.geom_rgba[geom]
        return rgba.astype(float)

    @cached_property
    def drawn(self) -> np.ndarray:
        """Geoms that are drawn; of a character that hides all of its own, those that collide."""
        shown, own = shown_geoms(self.model), np.isin(self.model.geom_bodyid, self.own)
        if own[shown].any():
            return shown
        solid = (self.model.geom_contype | self.model.geom_conaffinity) != 0
        return np.union1d(shown, np.flatnonzero(solid & own))


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
