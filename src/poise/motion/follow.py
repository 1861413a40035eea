"""Follow feet, centre of mass, angular momentum and a pose from frame to frame, fast enough for real time.

One weighted least-squares problem in v: feet before momenta before the pose, so that a leg that is too short pulls the
body after it and the foot stays where it is. Limits of hinges, and of balls if wished, are rows while they are reached.
"""

from __future__ import annotations

from dataclasses import dataclass

import mujoco
import numpy as np

from poise.character.character import Character
from poise.character.constants import HINGE
from poise.character.limbs import chain
from poise.compiled import compiled
from poise.dynamics.engine import Engine
from poise.dynamics.jacobian import body_jacobian
from poise.dynamics.limits import JointLimits, limit_rows
from poise.dynamics.mass import unpack_mass
from poise.dynamics.momentum import momentum_map
from poise.dynamics.tree import Tree
from poise.geometry.linear import times
from poise.geometry.quat_jit import world_rotation_between
from poise.records import EngineIndices, Indices, Matrix, Real, Record, Vector
from poise.solvers.cholesky import add_rows, backward, factor, forward, forward_rows
from poise.solvers.dot import applied, dot

FOOT, MOMENTUM = 1e7, 1e5  # weights [s²/m², s²/rad²] against about one of a joint
SPIN = 10.0  # [kg m²]: H over this counts like an angular velocity
PLACE = 1e-4  # of the root's position: it goes where the rest puts it
MARGIN = np.radians(2.0)  # hinges stop this far from their limits: a knee is never quite straight
ARMS = 0.5  # least weight of a joint: what the character's tracking calls loose is not thrown about
STOP = 1e4  # weight of a ball joint at its limit: above the joints, below the momenta
NEAR = 20.0  # [1/s]: a ball joint comes no faster to its limit than this times what is left
BACK = 0.03  # share of an excess that is taken back in a frame: a captured pose may begin beyond
ROUNDS = 3  # of finding out which limits act


@dataclass
class Feet(Record):
    """Targets of all supports for the end of the frame."""

    local: Matrix  # (S, 3) point of each support's body that is led [m]
    place: Matrix  # (S, 3) where it goes, world [m]
    turn: Matrix  # (S, 4) orientation of the body
    weight: Matrix  # (S, 2) of place and turn, over ``FOOT``

    def __post_init__(self) -> None:
        self.seal()


class Follower(Record):
    """Buffers for one character; ``prepare`` gives the velocity of one frame, ``finish`` that with other momenta."""

    engine: Engine
    c: Vector
    xquat: Matrix
    bodies: Indices  # of the supports
    mass: Real
    weights: Vector
    hinge_q: EngineIndices
    hinge_v: EngineIndices
    low: Vector  # of the hinges, inside their limits [rad]
    high: Vector
    balls: Matrix  # limits of the ball joints that are kept, as in ``JointLimits``
    M: Matrix
    A_G: Matrix
    bias: Vector
    L: Matrix  # factor of the problem without its momenta
    free: Vector  # its minimiser
    Z: Matrix
    S: Matrix  # cost of momenta y = [c_dot, H / SPIN] is ½ (y - y_free)ᵀ S (y - y_free)
    y_free: Vector
    y: Vector
    v: Vector

    def __init__(
        self, character: Character, root_turn: float = 30.0, legs: float = 0.1, balls: bool = False
    ) -> None:
        """``root_turn``, ``legs``: weights of the root's orientation and of the legs; a joint has one.

        ``balls``: whether ball joints other than those of the feet are kept inside their limits, too.
        """
        self.character = character
        self.model = model = character.model
        self.data = mujoco.MjData(model)
        self.tree = Tree(model, character.body_names[0])
        nv = model.nv
        self.supports = [character.support(name) for name in character.stance]
        self.bodies = np.array([self.tree.body(s.body) for s in self.supports], np.int64)
        self.weights = np.ones(nv)
        for name, weight in character.track_weights.items():
            j = character.joint(name)
            first = model.jnt_dofadr[j]
            self.weights[first : first + model.body_dofnum[model.jnt_bodyid[j]]] = max(weight, ARMS)
        self.upper = np.ones(nv)  # 1 for what is not a leg
        for support in self.supports:
            for body in chain(character, support.body):
                first = model.body_dofadr[body]
                self.weights[first : first + model.body_dofnum[body]] = legs
                self.upper[first : first + model.body_dofnum[body]] = 0.0
        self.weights[:3], self.weights[3:6] = PLACE, root_turn
        hinges = [j for j in range(model.njnt) if model.jnt_type[j] == HINGE and model.jnt_limited[j]]
        self.hinge_q, self.hinge_v = model.jnt_qposadr[hinges], model.jnt_dofadr[hinges]
        self.low, self.high = model.jnt_range[hinges].T.copy() + np.array([[MARGIN], [-MARGIN]])
        limits = JointLimits(self.tree, character).balls if balls else np.zeros((0, 12))
        ankles = [model.body_dofadr[model.body(s.body).id] for s in self.supports]
        self.balls = limits[
            ~np.isin(limits[:, 0], ankles)
        ]  # a foot stays as it is led, whatever its ankle says
        self.M, self.A_G, self.bias = np.zeros((nv, nv)), np.zeros((6, nv)), np.zeros(6)
        self.v, self._v_ref = np.zeros(nv), np.zeros(nv)
        self.L, self.free, self.Z = np.zeros((nv, nv)), np.zeros(nv), np.zeros((6, nv))
        self.S, self.y_free, self.y = np.zeros((6, 6)), np.zeros(6), np.zeros(6)
        root, self.mass = self.tree.body0, self.tree.mass
        self.engine = Engine(model, self.data, self.tree)
        self.c, self.xquat = self.data.subtree_com[root], self.data.xquat[root : root + self.tree.nbody]
        self.seal()

    def at(self, q: np.ndarray) -> None:
        """Kinematics, mass and momentum matrix at a configuration."""
        data, model = self.data, self.model
        data.qpos[:] = q
        mujoco.mj_kinematics(model, data)
        mujoco.mj_comPos(model, data)
        mujoco.mj_makeM(model, data)
        _momentum(self)

    def momentum(self, v: np.ndarray) -> np.ndarray:
        """L and H (6,) of a velocity at the present configuration."""
        return times(self.A_G, v)

    def prepare(
        self,
        q: np.ndarray,
        v_ref: np.ndarray,
        feet: Feet,
        c_dot: np.ndarray,
        H: np.ndarray,
        h: float,
        spin: float = 1.0,
    ) -> np.ndarray:
        """Velocity (nv,) of the frame that begins at q, after ``at(q)``; momenta may be changed afterwards.

        Args:
            q: The configuration. v_ref: (nv,) the pose's wish.
            feet: Where they must be after h seconds.
            c_dot: (3,) velocity of the centre of mass [m/s]. H: (3,) angular momentum [kg m²/s].
            h: Length of the frame [s].
            spin: How much H counts: 1 as much as the centre of mass, 0 not at all.
        """
        _scaled(c_dot, H, self.y)
        _prepare(self, feet, q, v_ref, spin, h)
        return self.v

    def finish(self, c_dot: np.ndarray, H: np.ndarray) -> np.ndarray:
        """Velocity (nv,) of the frame with these momenta; valid until the next call."""
        _scaled(c_dot, H, self.y)
        _finish(self)
        return self.v

    def pull(self, q: np.ndarray, q_ref: np.ndarray, per: float) -> np.ndarray:
        """Velocity (nv,) that brings q to q_ref in ``per`` seconds; valid until the next call."""
        mujoco.mj_differentiatePos(self.model, self._v_ref, per, q, q_ref)
        return self._v_ref


@compiled
def _momentum(body):
    engine, zero = body.engine, np.zeros(6)
    unpack_mass(engine.inertia, engine.rownnz, engine.rowadr, engine.colind, 0, body.M)
    R, r = engine.xmat[0].reshape(3, 3), body.c - engine.xpos[0]
    momentum_map(body.M, engine.armature, zero, R, r, zero[:3], body.A_G, body.bias)


@compiled
def _scaled(c_dot, H, y):
    for k in range(3):
        y[k], y[3 + k] = c_dot[k], H[k] / SPIN


@compiled
def _prepare(follower, feet, q, v_ref, spin, h):
    """Factor the problem without its momenta, find which hinges stop, and what the momenta cost."""
    P, r, J = _rows(follower, feet, v_ref, h)
    L, free, Z, S, v = follower.L, follower.free, follower.Z, follower.S, follower.v
    hinge_q, hinge_v, low, high = follower.hinge_q, follower.hinge_v, follower.low, follower.high
    nv, hinges = v.shape[0], hinge_q.shape[0]
    held = np.zeros(hinges, np.int8)
    rows = 2 * follower.balls.shape[0]
    excess, gradient = np.zeros(rows), np.zeros((rows, 3))
    dof, width, stopped = np.zeros(rows, np.int64), np.zeros(rows, np.int64), np.zeros(rows, np.bool_)
    limit_rows(np.zeros((0, 4)), follower.balls, q, excess, dof, width, gradient)
    for _ in range(ROUNDS):
        L[:, :] = P
        for i in range(nv):
            free[i] = -r[i]
        for k in range(hinges):
            if held[k]:
                wall = (low[k] if held[k] < 0 else high[k]) - q[hinge_q[k]]
                L[hinge_v[k], hinge_v[k]] += FOOT
                free[hinge_v[k]] += FOOT * wall / h
        _stop(L, free, stopped, excess, dof, gradient, h)
        if not factor(L):
            v[:], free[:], Z[:, :], S[:, :] = v_ref, v_ref, 0.0, 0.0
            return
        forward(L, free)
        backward(L, free)
        Z[:, :] = J
        forward_rows(L, Z)
        for i in range(6):
            for j in range(6):
                S[i, j] = dot(Z[i], Z[j], nv)
        for k in range(3):
            S[k, k] += 1.0 / MOMENTUM
            S[3 + k, 3 + k] += 1.0 / (MOMENTUM * max(spin, 1e-12))
        _invert(S)
        follower.y_free[:] = applied(J, free)
        _finish(follower)
        more = False
        for k in range(hinges):
            after = q[hinge_q[k]] + h * v[hinge_v[k]]
            side = -1 if after < low[k] - 1e-6 else (1 if after > high[k] + 1e-6 else 0)
            if side != 0 and held[k] == 0:
                held[k], more = side, True
        for k in range(rows):
            left = _ahead(v, dof[k], gradient[k]) - _allowed(excess[k], h)
            if left > 1e-6 / h and not stopped[k]:
                stopped[k], more = True, True
        if not more:
            break


@compiled
def _allowed(excess, h):
    """Fastest that an excess may grow [rad/s]: up to the limit, and back from beyond it little by little."""
    return -NEAR * excess if excess < 0.0 else -BACK * excess / h


@compiled
def _ahead(v, i, gradient):
    return gradient[0] * v[i] + gradient[1] * v[i + 1] + gradient[2] * v[i + 2]


@compiled
def _stop(P, b, stopped, excess, dof, gradient, h):
    """Rows of the ball joints that are stopped, added to P and b."""
    for k in range(stopped.shape[0]):
        if stopped[k]:
            i = dof[k]
            for m in range(3):
                b[i + m] += STOP * gradient[k, m] * _allowed(excess[k], h)
                for n in range(3):
                    P[i + m, i + n] += STOP * gradient[k, m] * gradient[k, n]


@compiled
def _invert(S):
    """S becomes its inverse; symmetric and positive definite."""
    n, L = S.shape[0], S.copy()
    factor(L)
    for k in range(n):
        S[k] = 0.0
        S[k, k] = 1.0
        forward(L, S[k])
        backward(L, S[k])


@compiled
def _rows(follower, feet, v_ref, h):
    """P and r of pose and feet, and the matrix J (6, nv) of the scaled momenta."""
    engine, weights, nv = follower.engine, follower.weights, v_ref.shape[0]
    P, r = np.zeros((nv, nv)), np.empty(nv)
    for i in range(nv):
        P[i, i] = weights[i]
        r[i] = -weights[i] * v_ref[i]
    J, b, w, left = np.empty((6, nv)), np.empty(6), np.empty(6), np.empty(3)
    for s in range(follower.bodies.shape[0]):
        body = follower.bodies[s]
        at = engine.xpos[body] + applied(engine.xmat[body].reshape(3, 3), feet.local[s])
        body_jacobian(engine.cdof, engine.affects[body], follower.c, at, 0, J)
        world_rotation_between(follower.xquat[body], feet.turn[s], left)
        for k in range(3):
            b[k], b[3 + k] = (feet.place[s, k] - at[k]) / h, left[k] / h
            w[k], w[3 + k] = FOOT * feet.weight[s, 0], FOOT * feet.weight[s, 1]
        add_rows(P, r, J, b, w)
    for k in range(3):
        for i in range(nv):
            J[k, i], J[3 + k, i] = follower.A_G[k, i] / follower.mass, follower.A_G[3 + k, i] / SPIN
    return P, r, J


@compiled
def _finish(follower):
    """v = free + P⁻¹ Jᵀ S (y - y_free), with P = L Lᵀ and Z = J L⁻ᵀ."""
    v = follower.v
    pull = applied(follower.S, follower.y - follower.y_free)
    for i in range(v.shape[0]):
        v[i] = dot(follower.Z[:, i], pull, 6)
    backward(follower.L, v)
    v += follower.free
