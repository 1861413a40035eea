"""What a State reads: the engine's arrays of one body, and where its soles are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import mujoco
import numpy as np

from poise.dynamics.tree import Tree
from poise.geometry import quat
from poise.records import Count, Cube, EngineIndices, FlagMatrix, Indices, Matrix, Record, Vector

if TYPE_CHECKING:
    from poise.character import Character


class Engine(Record):
    """MuJoCo's own arrays of one body, as views."""

    inertia: Vector  # mass matrix, sparse: lower triangle by rows
    rownnz: EngineIndices
    rowadr: EngineIndices
    colind: EngineIndices
    cdof: Matrix
    cdof_dot: Matrix
    qvel: Vector
    cvel: Matrix
    xpos: Matrix
    xmat: Matrix
    coriolis: Vector
    passive: Vector
    armature: Vector  # (6,) of the root
    constraint_force: Vector
    dof0: Count
    parent: Indices
    affects: FlagMatrix

    def __init__(self, model: mujoco.MjModel, data: mujoco.MjData, tree: Tree):
        bodies, dofs = slice(tree.body0, tree.body0 + tree.nbody), tree.dofs
        self.inertia, self.rownnz = data.M, model.M_rownnz
        self.rowadr, self.colind = model.M_rowadr, model.M_colind
        self.cdof, self.cdof_dot = data.cdof, data.cdof_dot
        self.qvel, self.cvel = data.qvel, data.cvel[bodies]
        self.xpos, self.xmat = data.xpos[bodies], data.xmat[bodies]
        self.coriolis, self.passive = data.qfrc_bias[dofs], data.qfrc_passive[dofs]
        self.armature, self.constraint_force = model.dof_armature[dofs][:6], data.qfrc_constraint[dofs]
        self.dof0, self.parent, self.affects = tree.dof0, tree.parent, tree.affects
        self.seal()


class Soles(Record):
    """Where the supports are on their bodies."""

    body: Indices  # (S,)
    frame_b: Cube  # (S, 3, 3) axes, z the normal
    corners_b: Cube  # (S, K, 3) [m]; of balls, their centres
    radius: Matrix  # (S, K) of the balls [m]

    def __init__(self, character: Character, tree: Tree):
        supports = character.supports
        counts = [len(s.points) for s in supports]
        self.body = np.array([tree.body(s.body) for s in supports], dtype=np.int64)
        self.frame_b = np.array([quat.to_matrix(np.array(s.frame)) for s in supports]).reshape(-1, 3, 3)
        self.corners_b = np.zeros((len(supports), max(counts), 3))
        self.radius = np.zeros(self.corners_b.shape[:2])
        for k, support in enumerate(supports):
            if len(support.radius):  # the corner is under the middle of a ball, however the foot is turned
                self.radius[k, : counts[k]] = support.radius
            up = self.frame_b[k][:, 2]
            self.corners_b[k, : counts[k]] = support.points + np.outer(self.radius[k, : counts[k]], up)
        self.seal()
