"""A character at one instant: everything that the objectives and the solver read, computed once per tick."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import mujoco
import numpy as np

from poise.compiled import compiled, compiled_for_record
from poise.dynamics import ground
from poise.dynamics.engine import Engine, Soles
from poise.dynamics.jacobian import bias_accelerations, body_jacobian, point_bias, points_of
from poise.dynamics.mass import unpack_mass
from poise.dynamics.momentum import momentum_map, root_to_centre
from poise.dynamics.relief import Relief
from poise.dynamics.tree import Tree
from poise.dynamics.weighing import Weighing, weigh
from poise.geometry.linear import times
from poise.records import Cube, Flags, Indices, Matrix, Real, Record, Vector
from poise.solvers.dot import dot

if TYPE_CHECKING:
    from poise.character import Character

CLIMB = (
    0.35  # in heights of the centre of mass: what is higher than this above the feet is no ground to step on
)


class Measure(NamedTuple):
    """A quantity y, its matrix and the rest of its rate: y = A v, ẏ = A v̇ + bias."""

    y: np.ndarray
    A: np.ndarray
    bias: np.ndarray


class Ground(Record):
    """The ground by place, and the plane that a character counts on: still, or the top of a moving body.

    The motion of the plane is sensed, not foretold. On terrain (``rough``) every sole has a plane of its own.
    """

    relief: Relief
    point: Vector
    normal: Vector
    velocity: Vector  # (6,) of the material under ``point``, linear first
    acceleration: Vector
    under: Matrix  # (S, 3) a point of the plane under each sole [m]
    axes: Cube  # (S, 3, 3) axes of that plane, z its normal
    base: Vector  # (3,) where the body counts its height from: ``point``; on terrain, the mean under its feet, smooth
    climb: Vector  # (1,) its rate [m/s]
    half: Matrix  # (S, 2) half length and width of the soles [m]
    stance: Flags  # (S,) those that are its feet
    reach: Real  # above ``base`` [m]: what is higher is no ground

    def __init__(
        self, character: Character, model: mujoco.MjModel, data: mujoco.MjData, body: str | None, soles: Soles
    ):
        self.relief = Relief(model, body is not None)
        self.rough = len(self.relief.kind) > 0
        self.body = -1 if body is None else model.body(body).id
        self.data, self.top = data, np.zeros(3)
        if self.body >= 0:
            geom = model.body_geomadr[self.body]
            self.top = model.geom_pos[geom] + [0, 0, model.geom_size[geom][2]]
        self.normal, self.point = np.array([0.0, 0.0, 1.0]), np.zeros(3)
        self.velocity, self.acceleration = np.zeros(6), np.zeros(6)
        supports = character.supports
        self.under, self.axes = np.zeros((len(supports), 3)), np.tile(np.eye(3), (len(supports), 1, 1))
        self.base, self.climb = self.point.copy() if self.rough else self.point, np.zeros(1)
        spans = [np.ptp(times(s.points, R[:, :2]), axis=0) for s, R in zip(supports, soles.frame_b)]
        self.half = np.maximum(0.5 * np.array(spans), ground.THIN).reshape(-1, 2)
        self.stance = np.array([s.name in character.stance for s in supports], dtype=bool)
        self.reach = CLIMB * float(character.com_rest[2])
        self._time = -1.0  # of the last look
        self._v, self._a = np.zeros(6), np.zeros(6)
        if self.body >= 0:
            root = model.body_rootid[self.body]
            self._views = (
                data.xpos[self.body],
                data.xmat[self.body],
                data.cvel[self.body],
                data.subtree_com[root],
            )
        self.seal()

    def update(self) -> None:
        """Sense position, velocity and (by difference over the last tick) acceleration of the ground."""
        if self.body < 0:
            return
        passed = self.data.time - self._time if self._time >= 0 else 0.0
        ground.sense(
            *self._views, self.top, passed, self.point, self.normal, self.velocity, self.acceleration
        )
        self._time = self.data.time
        self.under[:], self.axes[:] = self.point, self._views[1].reshape(3, 3)

    def settle(self, height: float) -> None:
        """Put the level plane at a height [m]."""
        self.point[2] = height
        if not self.rough:
            self.under[:] = self.point

    def feel(self, state: State) -> None:
        """Find the planes under the soles and the height that the body counts from, on terrain."""
        passed = self.data.time - self._time if self._time >= 0 else math.inf
        ground.feel(self, state.x, state.R, passed)
        self._time = self.data.time

    def height_at(self, x: float, y: float) -> float:
        """Height of the ground at a place [m]."""
        return ground.height(self, x, y)

    def lie(self, x: float, y: float, heading: float, half: np.ndarray) -> tuple[float, float, float]:
        """How a sole of half length and width (2,) would lie: height [m], pitch (heel up) and roll (left up) [rad]."""
        if not self.rough:
            return float(self.point[2]), 0.0, 0.0
        c, s = math.cos(heading), math.sin(heading)
        level, along, across = ground.lie(self, x, y, c, s, half[0], half[1])
        return level, -math.atan(along), math.atan(across)

    def highest(self, a: np.ndarray, b: np.ndarray) -> float:
        """Highest ground between two places (2,) [m]."""
        return ground.highest(self, a, b) if self.rough else float(self.point[2])

    def motion_at(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Velocity and acceleration (linear, angular) of the ground's material at a point, until the next call."""
        if self.body < 0:
            return self.velocity, self.acceleration
        ground.carry(x, self.point, self.velocity, self.acceleration, self._v, self._a)
        return self._v, self._a

    def height_of(self, x: np.ndarray) -> np.ndarray:
        """Distance above the plane that the body counts from [m] of points (..., 3)."""
        return times(x - self.base, self.normal)


class State(Record):
    """q, v at time t with kinematics already run, and what follows from them. Arrays are filled in place, read-only.

    Attributes:
        M: (nv, nv) mass matrix. bias: (nv,) Coriolis, gravity and passive joint forces.
        A_G, G_bias: Matrix (6, nv) and bias (6) of the momenta, L first; G: (6,) their values.
        c, c_dot: Centre of mass and its velocity [m], [m/s].
        J, J_bias: (S, 6, nv) and (S, 6): Jacobian of each support at its centre, linear first, world axes.
        x, R: (S, 3), (S, 3, 3): centre and axes of each sole, z its normal; corners: (S, K, 3) of it [m].
        f: (6,) contact wrench about c during the last step, world axes.
        scale: How heavy the body is, as the ground feels it; somebody must begin to weigh.
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
    scale: Weighing

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
        self.finite, self.scale = True, Weighing()
        self.ground = Ground(character, model, data, ground, self.soles)
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

    def point(self, body: str, local) -> Measure:
        """Velocity of a point of a body (linear, angular), world axes, with its Jacobian (6, nv) and bias."""
        b = self.tree.body(body)
        J, bias = np.zeros((6, self.nv)), np.zeros(6)
        R = self.data.xmat[self.tree.body0 + b].reshape(3, 3)
        x = self.xpos[b] + times(R, np.asarray(local, dtype=float))
        body_jacobian(self.data.cdof, self.tree.affects[b], self.c, x, self.tree.dof0, J)
        point_bias(self.acc[b], self.cvel[b], self.c, x, bias)
        return Measure(times(J, self.v), J, bias)

    def points(self, bodies: Sequence[str], local: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The same of n points at once: velocities (n, 6), Jacobians (n, 6, nv) and biases (n, 6), bit for bit."""
        tree, d, n = self.tree, self.data, len(bodies)
        which = np.array([tree.body(body) for body in bodies])
        R = d.xmat[tree.body0 + which].reshape(n, 3, 3)
        x = self.xpos[which] + np.einsum("nij,nj->ni", R, local)
        J, bias = np.zeros((n, 6, self.nv)), np.zeros((n, 6))
        points_of(d.cdof, tree.affects, self.acc, self.cvel, self.c, tree.dof0, which, x, J, bias)
        return np.einsum("nij,j->ni", J, self.v), J, bias

    def place(self, body: str, local) -> np.ndarray:
        """Position of a point of a body [m]."""
        b = self.tree.body(body)
        return self.xpos[b] + times(
            self.data.xmat[self.tree.body0 + b].reshape(3, 3), np.asarray(local, dtype=float)
        )


@compiled_for_record
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
    if state.scale.share[0] > 0.0:
        weigh(state.scale, state.f[2], state.G[2] / state.m, state.m, -state.weight[2])
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
