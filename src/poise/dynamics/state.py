"""A character at one instant: everything that the objectives and the solver read, computed once per tick."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import mujoco
import numpy as np

from poise.compiled import compiled
from poise.dynamics.engine import Engine, Soles
from poise.dynamics.ground import Ground
from poise.dynamics.jacobian import bias_accelerations, body_jacobian, point_bias
from poise.dynamics.mass import unpack_mass
from poise.dynamics.momentum import momentum_map, root_to_centre
from poise.dynamics.tree import Tree
from poise.records import Cube, Indices, Matrix, Real, Record, Vector
from poise.solvers.dot import dot

if TYPE_CHECKING:
    from poise.character import Character


@dataclass(frozen=True)
class Measure:
    """A quantity y, its matrix and the rest of its rate: y = A v, ẏ = A v̇ + bias."""

    y: np.ndarray
    A: np.ndarray
    bias: np.ndarray


class State(Record):
    """q, v at time t with kinematics already run, and what follows from them. Arrays are filled in place, read-only.

    Attributes:
        M: (nv, nv) mass matrix. bias: (nv,) Coriolis, gravity and passive joint forces.
        A_G, G_bias: Matrix (6, nv) and bias (6) of the momenta, L first; G: (6,) their values.
        c, c_dot: Centre of mass and its velocity [m], [m/s].
        J, J_bias: (S, 6, nv) and (S, 6): Jacobian of each support at its centre, linear first, world axes.
        x, R: (S, 3), (S, 3, 3): centre and axes of each sole, z its normal; corners: (S, K, 3) of it [m].
        f: (6,) contact wrench about c during the last step, world axes.
        finite: Whether all of this is finite; a body that blew up is not.
    """

    engine: Engine
    soles: Soles
    ground: Ground
    q: Vector
    v: Vector
    c: Vector
    m: Real
    weight: Vector
    M: Matrix
    bias: Vector
    A_G: Matrix
    G_bias: Vector
    G: Vector
    A_L: Matrix
    L_bias: Vector
    A_H: Matrix
    H_bias: Vector
    J: Cube
    J_bias: Matrix
    J_v: Matrix
    x: Matrix
    R: Cube
    corners: Cube
    corner_count: Indices
    acc: Matrix
    f: Vector

    def __init__(
        self, character: Character, model: mujoco.MjModel, data: mujoco.MjData, ground: str | None = None
    ):
        self.character, self.model, self.data = character, model, data
        self.tree = tree = Tree.of(model, character)
        nv, S = tree.nv, len(character.supports)
        self.nv, self.m = nv, tree.mass
        self.g = np.array(model.opt.gravity)
        self.weight = self.m * self.g  # force of gravity [N]
        self.M, self.bias = np.zeros((nv, nv)), np.zeros(nv)
        self.A_G, self.G_bias, self.G = np.zeros((6, nv)), np.zeros(6), np.zeros(6)
        self.L, self.H = self.G[:3], self.G[3:]
        self.A_L, self.A_H = self.A_G[:3], self.A_G[3:]
        self.L_bias, self.H_bias = self.G_bias[:3], self.G_bias[3:]
        self.J, self.J_bias, self.J_v = np.zeros((S, 6, nv)), np.zeros((S, 6)), np.zeros((S, 6))
        self.x, self.R = np.zeros((S, 3)), np.zeros((S, 3, 3))
        self.corner_count = np.array([len(s.points) for s in character.supports], dtype=np.int64)
        self.soles = Soles(character, tree)
        self.frame_b, self.radius = self.soles.frame_b, self.soles.radius
        self.corners = np.zeros_like(self.soles.corners_b)
        self.acc, self.f = np.zeros((tree.nbody, 6)), np.zeros(6)
        self.finite = True
        stance = [sole.name in character.stance for sole in character.supports]
        self.ground = Ground(model, data, ground, self.soles, np.array(stance), float(character.com_rest[2]))
        self._views()
        self.seal()

    def _views(self) -> None:
        d, tree = self.data, self.tree
        self.engine = engine = Engine(self.model, d, tree)
        self.q, self.v = d.qpos[tree.qs], d.qvel[tree.dofs]
        self.c = d.subtree_com[tree.body0]
        self.xpos, self.xquat, self.cvel = engine.xpos, d.xquat[tree.body0 :][: tree.nbody], engine.cvel
        self.root_R = d.xmat[tree.body0].reshape(3, 3)
        self.constraint_force = engine.constraint_force

    def update(self) -> State:
        """Read the engine's position and velocity stages (``mj_step1`` or ``mj_forward`` has run)."""
        self.finite = _update(self)
        if self.ground.body >= 0:
            self.ground.update()
        elif self.ground.rough:
            self.ground.feel(self)
        return self

    @property
    def t(self) -> float:
        return self.data.time

    @property
    def c_dot(self) -> np.ndarray:
        """Velocity of the centre of mass [m/s]."""
        return self.L / self.m

    @property
    def composite_inertia(self) -> np.ndarray:
        """(3, 3) inertia of the whole body about its centre of mass, world axes [kg m²]."""
        xx, yy, zz, xy, xz, yz = self.data.crb[self.tree.body0][:6]
        return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])

    @property
    def average_velocity(self) -> np.ndarray:
        """AV = I⁻¹ H: the angular velocity of the whole body as if frozen (3,) [rad/s]; nan where I is singular."""
        try:
            return np.linalg.solve(self.composite_inertia, self.H)
        except np.linalg.LinAlgError:  # a body that is blowing up
            return np.full(3, np.nan)

    def point(self, body: str, local) -> Measure:
        """Velocity of a point of a body (linear, angular), world axes, with its Jacobian (6, nv) and bias."""
        b = self.tree.body(body)
        J, bias = np.zeros((6, self.nv)), np.zeros(6)
        R = self.data.xmat[self.tree.body0 + b].reshape(3, 3)
        x = self.xpos[b] + R @ np.asarray(local, dtype=float)
        body_jacobian(self.data.cdof, self.tree.affects[b], self.c, x, self.tree.dof0, J)
        point_bias(self.acc[b], self.cvel[b], self.c, x, bias)
        return Measure(J @ self.v, J, bias)

    def place(self, body: str, local) -> np.ndarray:
        """Position of a point of a body [m]."""
        b = self.tree.body(body)
        return self.xpos[b] + self.data.xmat[self.tree.body0 + b].reshape(3, 3) @ np.asarray(
            local, dtype=float
        )


@compiled
def _update(state):
    """All of the state from the engine's arrays. Returns whether it is finite."""
    engine, c, v = state.engine, state.c, state.v
    unpack_mass(engine.inertia, engine.rownnz, engine.rowadr, engine.colind, engine.dof0, state.M)
    for i in range(v.shape[0]):
        state.bias[i] = engine.coriolis[i] - engine.passive[i]
    r = c - engine.xpos[0]
    root = engine.xmat[0].reshape(3, 3)
    momentum_map(state.M, engine.armature, engine.coriolis, root, r, state.weight, state.A_G, state.G_bias)
    root_to_centre(engine.constraint_force, root, r, state.f)
    for k in range(6):
        state.G[k] = dot(state.A_G[k], v, v.shape[0])
    bias_accelerations(engine.cdof_dot, engine.qvel, engine.parent, engine.affects, engine.dof0, state.acc)
    for s in range(state.soles.body.shape[0]):
        b = state.soles.body[s]
        _place_sole(state, s, b)
        body_jacobian(engine.cdof, engine.affects[b], c, state.x[s], engine.dof0, state.J[s])
        point_bias(state.acc[b], engine.cvel[b], c, state.x[s], state.J_bias[s])
        for k in range(6):
            state.J_v[s, k] = dot(state.J[s, k], v, v.shape[0])
    return all_finite(state.G) and all_finite(state.bias)


@compiled
def _place_sole(state, s, b):
    """Axes, corners and centre of support s on body b."""
    soles, x, R, corners = state.soles, state.x[s], state.R[s], state.corners[s]
    xpos, xmat, frame_b = state.engine.xpos[b], state.engine.xmat[b].reshape(3, 3), soles.frame_b[s]
    count, normal = state.corner_count[s], state.ground.normal
    for k in range(3):
        for j in range(3):
            R[k, j] = xmat[k, 0] * frame_b[0, j] + xmat[k, 1] * frame_b[1, j] + xmat[k, 2] * frame_b[2, j]
        x[k] = 0.0
        for q in range(count):
            corners[q, k] = xpos[k] - soles.radius[s, q] * normal[k]
            for j in range(3):
                corners[q, k] += xmat[k, j] * soles.corners_b[s, q, j]
            x[k] += corners[q, k] / count


@compiled
def all_finite(values):
    """Whether no entry is nan or infinite."""
    finite = True
    for value in values:
        finite &= math.isfinite(value)
    return finite
