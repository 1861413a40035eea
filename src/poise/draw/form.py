"""The form of a character: which bodies of a world are its own, and the shapes that are seen of them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import mujoco
import numpy as np

from poise.draw.mesh import Mesh, of_geom
from poise.geometry import quat
from poise.record.metrics import root_joint

HELD_OUT = {
    "upper_arm": 1.0,
    "thigh": 0.2,
}  # parts of limbs and how far to the side they are held for measure [rad]


@dataclass(frozen=True, eq=False)
class Form:
    """A world and what is seen of it."""

    model: mujoco.MjModel  # dressed for pictures

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

    @cached_property
    def spread(self) -> mujoco.MjData:
        """The zero configuration with arms and legs held out, so that they stand clear of the trunk."""
        model, data = self.model, mujoco.MjData(self.model)
        for b in self.own[1:]:
            joint, at = model.body_jntadr[b], model.jnt_qposadr[model.body_jntadr[b]]
            out = next((angle for part, angle in HELD_OUT.items() if part in self.name(b)), 0.0)
            if out and joint >= 0 and model.jnt_type[joint] == mujoco.mjtJoint.mjJNT_BALL:
                data.qpos[at : at + 4] = quat.from_rotvec([out * np.sign(model.body_pos[b, 1]), 0.0, 0.0])
        mujoco.mj_kinematics(model, data)
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


def shown_geoms(model: mujoco.MjModel, character_only: bool = False) -> np.ndarray:
    """Indices of the geoms that are drawn: groups 0 to 2, not transparent, no planes."""
    shown = (model.geom_group <= 2) & (model.geom_rgba[:, 3] > 0.02)
    shown &= model.geom_type != int(mujoco.mjtGeom.mjGEOM_PLANE)
    root = root_joint(model)
    if character_only and root >= 0:
        tree = model.body_rootid[model.geom_bodyid]
        shown &= tree == model.body_rootid[model.jnt_bodyid[root]]
    return np.flatnonzero(shown)
