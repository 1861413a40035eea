"""Inverse kinematics: the pose nearest to a given one that keeps supports planted and the centre of mass in place.

Damped Gauss-Newton in the tangent space of q: rows J dq = error of supports, centre of mass and points with large
weights, the wanted pose with weights near one, joint limits as linear inequalities.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import mujoco
import numpy as np

from poise.character.character import Character
from poise.character.limbs import chain
from poise.compiled import compiled
from poise.dynamics.limits import JointLimits
from poise.geometry.linear import times
from poise.geometry.quat_jit import world_rotation_between
from poise.solvers.cholesky import backward, factor, forward
from poise.solvers.qp import FREE, Program

HARD = 1e6  # weight of supports and centre of mass [per m², per rad²]; the pose has about one per rad²
LEG_WEIGHT = 0.1  # legs give way first
PLACE_WEIGHT = 1e-4  # the root goes where it must [per m²]
LIMIT_MARGIN = np.radians(1.0)  # reference poses stay this far inside the limits [rad]
ERROR_MAX = 0.1  # [m, rad] of a target seen by one iteration: farther, the linear rows mislead
DAMPING = 0.03  # [per rad², per m²] least, while steps do not shrink
STEP_MAX = 0.3  # [rad, m] per iteration
CONVERGED = 1e-7  # [rad, m] size of the last step
ITERATIONS = 40
LIMIT_NEAR = 0.7  # [rad]: limits farther off than a step can go are left out
LIMIT_SLACK = 1e-9  # [rad] by which a step may pass a limit before it is held
SOFT = 8  # DAQP's mark of a limit that may be exceeded at a price: limits may contradict each other


@dataclass(frozen=True)
class Targets:
    """What a pose must reach: bodies their position (3,) [m] and rotation (4,) in the world; None leaves free."""

    bodies: Mapping[str, tuple[np.ndarray, np.ndarray]] = field(default_factory=dict)
    com: np.ndarray | None = None  # centre of mass x, y (or x, y, z) [m]
    com_share: float = 1.0  # of the bodies' weight that it has; less lets it give way first
    points: Mapping[str, np.ndarray] = field(default_factory=dict)  # effector name -> position (3,) [m]
    level: Mapping[str, np.ndarray] = field(default_factory=dict)  # body name -> rotation (4,) alone
    root_height: float | None = None  # z of the root [m]


class Solver:
    """Keeps the buffers; one per thread. ``solve`` is a pure function of its arguments."""

    def __init__(self, character: Character, converged: float = CONVERGED) -> None:
        self.character, self.converged = character, converged
        self.model = character.model
        self.data = mujoco.MjData(self.model)
        self.weights = pose_weights(character)
        self.limits = JointLimits.of(character, LIMIT_MARGIN)
        self._program = Program(soft=1.0 / HARD)

    def solve(
        self,
        q_ref: np.ndarray,
        targets: Targets,
        q_start: np.ndarray | None = None,
        weights: np.ndarray | None = None,
    ) -> np.ndarray:
        """Pose nearest to q_ref that meets the targets; q_start is a guess (q_ref when missing)."""
        model, weights = self.model, self.weights if weights is None else weights
        q = np.array(q_ref if q_start is None else q_start, float)
        pull, last, damping = np.empty(model.nv), np.inf, 0.0
        for _ in range(ITERATIONS):
            J, error = self.rows(q, targets)
            mujoco.mj_differentiatePos(model, pull, 1.0, q, q_ref)
            A, b, step = np.empty((model.nv, model.nv)), np.empty(model.nv), np.empty(model.nv)
            if not _newton(J, error, weights, pull, damping, A, b, step):
                raise np.linalg.LinAlgError("the weights of a pose are singular")
            step = self._within(q, A, b, step)
            size = np.abs(step).max()
            mujoco.mj_integratePos(model, q, step, min(1.0, STEP_MAX / max(size, 1e-12)))
            if size < self.converged:
                break
            circling = size > 0.8 * last
            damping, last = max(4 * damping, DAMPING) if circling else 0.3 * damping, size
        return q

    def place(self, q: np.ndarray, body: str) -> tuple[np.ndarray, np.ndarray]:
        """Position (3,) and rotation (4,) of a body's frame in the world."""
        self.data.qpos[:] = q
        mujoco.mj_kinematics(self.model, self.data)
        i = self.character.body(body)
        return self.data.xpos[i].copy(), self.data.xquat[i].copy()

    def rows(self, q: np.ndarray, targets: Targets) -> tuple[np.ndarray, np.ndarray]:
        """Jacobian (m, nv) and error (m,) of the targets at q: J dq = error."""
        model, data = self.model, self.data
        data.qpos[:] = q
        mujoco.mj_kinematics(model, data)
        mujoco.mj_comPos(model, data)
        blocks, errors = [], []
        for name, (place, turn) in targets.bodies.items():
            J = np.zeros((6, model.nv))
            body = self.character.body(name)
            mujoco.mj_jacBody(model, data, J[:3], J[3:], body)
            blocks.append(J)
            errors += [place - data.xpos[body], _error(data.xquat[body], turn)]
        for name, turn in targets.level.items():
            J = np.zeros((3, model.nv))
            body = self.character.body(name)
            mujoco.mj_jacBody(model, data, None, J, body)
            blocks.append(J)
            errors.append(_error(data.xquat[body], turn))
        for name, place in targets.points.items():
            body_name, local = self.character.point(name)
            J, body = np.zeros((3, model.nv)), model.body(body_name).id
            point = data.xpos[body] + times(data.xmat[body].reshape(3, 3), local)
            mujoco.mj_jac(model, data, J, None, point, body)
            blocks.append(J)
            errors.append(place - point)
        if targets.com is not None:
            J = np.zeros((3, model.nv))
            mujoco.mj_jacSubtreeCom(model, data, J, 1)
            root = np.sqrt(targets.com_share)
            blocks.append(root * J[: len(targets.com)])
            errors.append(root * (targets.com - data.subtree_com[1][: len(targets.com)]))
        if targets.root_height is not None:
            J = np.zeros((1, model.nv))
            J[0, 2] = 1.0
            blocks.append(J)
            errors.append(np.array([targets.root_height - q[2]]))
        if not blocks:
            return np.zeros((0, model.nv)), np.zeros(0)
        return np.vstack(blocks), np.concatenate(errors)

    def _within(self, q: np.ndarray, A: np.ndarray, b: np.ndarray, step: np.ndarray) -> np.ndarray:
        """A step, or where it leaves the limits g + G step <= 0 the one inside of least ½ stepᵀ A step - bᵀ step."""
        if self.limits.worst(q) < -2 * np.abs(step).max():  # too far from every limit to reach it
            return step
        g, G = self.limits.inequalities(q)
        if not np.any(g + times(G, step) > LIMIT_SLACK):
            return step
        near = g > -LIMIT_NEAR
        rows, upper = np.ascontiguousarray(G[near]), -g[near]
        lower, soft = np.full(len(upper), -FREE), np.full(len(upper), SOFT, np.int32)
        program = self._program.solve(A, -b, rows, lower, upper, soft)
        return program.x if program.solved else step


@compiled
def _newton(J, error, weights, pull, damping, A, b, step):
    """Normal equations A step = b of the targets and the pull to the pose, and the step; false where A is singular."""
    n = A.shape[0]
    for i in range(n):
        b[i] = weights[i] * pull[i]
        for j in range(n):
            A[i, j] = 0.0
        A[i, i] = weights[i] + damping
    for k in range(J.shape[0]):
        seen = HARD * min(max(error[k], -ERROR_MAX), ERROR_MAX)
        for i in range(n):
            if J[k, i] != 0.0:
                b[i] += J[k, i] * seen
                for j in range(n):
                    A[i, j] += HARD * J[k, i] * J[k, j]
    F = A.copy()
    if not factor(F):
        return False
    step[:] = b
    forward(F, step)
    backward(F, step)
    return True


def pose_weights(character: Character, supports: Sequence[str] | None = None) -> np.ndarray:
    """Weight (nv,) of keeping each degree of freedom as wanted: low on the way from the supports to the root."""
    model = character.model
    weights = np.ones(model.nv)
    for name in character.stance if supports is None else supports:
        for body in chain(character, character.support(name).body):
            first = model.body_dofadr[body]
            weights[first : first + model.body_dofnum[body]] = LEG_WEIGHT
    weights[:3] = PLACE_WEIGHT
    return weights


def _error(now: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """World rotation vector (3,) from one quaternion to another [rad]."""
    out = np.empty(3)
    world_rotation_between(now, wanted, out)
    return out
