"""Where a character lies inside a MuJoCo model: its bodies, degrees of freedom and actuators."""

from __future__ import annotations

from typing import TYPE_CHECKING

import mujoco
import numpy as np

from poise.character.constants import FREE, WIDTH
from poise.errors import BadInput, unknown

if TYPE_CHECKING:
    from poise.character import Character


class Tree:
    """Index arrays of one floating kinematic tree, so that a scene may hold other bodies as well.

    MuJoCo numbers a tree's bodies and degrees of freedom depth first, hence both are contiguous ranges.

    Attributes:
        dof0, nv: First degree of freedom and their number (six of the root, then the joints).
        qpos0, nq: The same for the configuration.
        body0, nbody: First body and their number.
        parent: (nbody,) parent of each body counted from ``body0``; -1 for the root.
        affects: (nbody, nv) true where a degree of freedom moves a body.
        names, joint_names: What the bodies and joints are called.
    """

    def __init__(self, model: mujoco.MjModel, root: str | int | None = None):
        self.model = model
        self.body0 = root if isinstance(root, int) else find_root(model, root)
        joint = model.body_jntadr[self.body0]
        if joint < 0 or model.jnt_type[joint] != FREE:
            raise BadInput(
                f"body {model.body(self.body0).name!r} has no free joint; a character's root must float"
            )
        inside = [b for b in range(self.body0, model.nbody) if model.body_rootid[b] == self.body0]
        self.nbody = len(inside)
        self.dof0 = int(model.jnt_dofadr[joint])
        self.qpos0 = int(model.jnt_qposadr[joint])
        dofs = np.flatnonzero(np.isin(model.dof_bodyid, inside))
        self.nv = len(dofs)
        joints = np.flatnonzero(np.isin(model.jnt_bodyid, inside))
        self.joints = joints
        last = joints[-1]
        self.nq = int(model.jnt_qposadr[last]) + WIDTH[int(model.jnt_type[last])] - self.qpos0
        self.dofs = slice(self.dof0, self.dof0 + self.nv)
        self.qs = slice(self.qpos0, self.qpos0 + self.nq)
        self.parent = (model.body_parentid[inside] - self.body0).astype(np.int64)
        self.parent[0] = -1
        self.affects = self._affects()
        self.names = tuple(model.body(b).name for b in inside)
        self.joint_names = tuple(model.joint(j).name for j in joints)
        self.mass = float(model.body_mass[inside].sum())

    @classmethod
    def of(cls, model: mujoco.MjModel, character: Character) -> Tree:
        """Where a character is in a model, and its parts under the character's own names.

        A model may call it otherwise: with a prefix, or parts without a name. Then the tree with the same joints is
        taken; its parts come in the same order.
        """
        tree = cls(model, find_character(model, character))
        theirs = [int(model.jnt_type[j]) for j in tree.joints]
        ours = [int(kind) for kind in character.model.jnt_type]
        if theirs != ours:
            for name in character.body_names:
                tree.body(name)  # says which one is missing
            raise BadInput(
                f"body {tree.names[0]!r} of the model has {len(theirs)} joints that are not those of character "
                f"{character.name!r} ({len(ours)}); is it the model that the character was made from?"
            )
        tree.joint_names = character.joint_names
        if tree.nbody == len(character.body_names):
            tree.names = character.body_names
        else:  # another program left parts out that do not move
            prefix = tree.names[0].removesuffix(character.body_names[0])
            tree.names = tuple(name.removeprefix(prefix) for name in tree.names)
        return tree

    def _affects(self) -> np.ndarray:
        affects = np.zeros((self.nbody, self.nv), dtype=np.bool_)
        for b in range(self.nbody):
            if self.parent[b] >= 0:
                affects[b] = affects[self.parent[b]]
            start = self.model.body_dofadr[self.body0 + b] - self.dof0
            for i in range(self.model.body_dofnum[self.body0 + b]):
                affects[b, start + i] = True
        return affects

    def body(self, name: str) -> int:
        """Index of a body, counted from ``body0``."""
        if name not in self.names:
            raise unknown("body", name, self.names)
        return self.names.index(name)


def find_root(model: mujoco.MjModel, name: str | None) -> int:
    """The root body: the one named, or the heaviest tree with a free joint."""
    if name is not None:
        index = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, name)
        if index < 0:
            raise unknown("body", name, [model.body(b).name for b in range(1, model.nbody)])
        return index
    roots = _floating(model)
    if not roots:
        raise BadInput("the model has no body with a free joint; a character's root must float")
    return max(roots, key=lambda b: model.body_subtreemass[b])


def find_character(model: mujoco.MjModel, character: Character) -> int:
    """Root body of a character: the one of its name, else the only floating tree with the same kinds of joints."""
    name = character.body_names[0]
    index = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, name)
    if index >= 0:
        return index
    wanted = [int(kind) for kind in character.model.jnt_type]
    alike = [b for b in _floating(model) if [int(model.jnt_type[j]) for j in _joints(model, b)] == wanted]
    called = [b for b in alike if model.body(b).name.endswith(name)]
    if len(called or alike) != 1:
        raise unknown("body", name, [model.body(b).name for b in range(1, model.nbody)])
    return (called or alike)[0]


def _floating(model: mujoco.MjModel) -> list[int]:
    """Bodies with a free joint."""
    return [int(model.jnt_bodyid[j]) for j in np.flatnonzero(model.jnt_type == FREE)]


def _joints(model: mujoco.MjModel, root: int) -> np.ndarray:
    return np.flatnonzero(model.body_rootid[model.jnt_bodyid] == root)
