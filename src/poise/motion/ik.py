"""Inverse kinematics: the pose nearest to a given one that keeps supports planted and the centre of mass in place.

Damped Gauss-Newton in the tangent space of q: rows J dq = error of supports, centre of mass and points with large
weights, the wanted pose with weights near one, joint limits as rows while they are exceeded.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import mujoco
import numpy as np

from poise.geometry import quat
from poise.motion import layout
from poise.motion.limits import Limits

if TYPE_CHECKING:
    from poise.character.character import Character

HARD = 1e6  # weight of supports and centre of mass [per m², per rad²]; the pose has about one per rad²
LEG_WEIGHT = 0.1  # legs give way first
PLACE_WEIGHT = 1e-4  # the root goes where it must [per m²]
LIMIT_MARGIN = np.radians(1.0)  # reference poses stay this far inside the limits [rad]
STEP_MAX = 0.3  # [rad, m] per iteration
CONVERGED = 1e-7  # [rad, m] size of the last step
ITERATIONS = 40


@dataclass(frozen=True)
class Targets:
    """What a pose must reach.

    Args:
        bodies: Body name -> position (3,) of its frame [m] and its rotation (4,), in the world.
        com: Centre of mass x, y (or x, y, z) [m]; None leaves it free.
        points: Effector name -> position (3,) [m].
        level: Body name -> rotation (4,) alone.
        root_height: z of the root [m]; None leaves it free.
    """

    bodies: Mapping[str, tuple[np.ndarray, np.ndarray]] = field(default_factory=dict)
    com: np.ndarray | None = None
    points: Mapping[str, np.ndarray] = field(default_factory=dict)
    level: Mapping[str, np.ndarray] = field(default_factory=dict)
    root_height: float | None = None


class Solver:
    """Keeps the buffers; one per thread. ``solve`` is a pure function of its arguments."""

    def __init__(self, character: Character) -> None:
        self.character = character
        self.model = character.model
        self.data = mujoco.MjData(self.model)
        self.weights = pose_weights(character)
        self.limits = Limits(character, LIMIT_MARGIN)
        sizes = {layout.FREE: 6, layout.BALL: 3}
        self.spans = [
            slice(a, a + sizes.get(int(kind), 1))
            for a, kind in zip(self.model.jnt_dofadr, self.model.jnt_type, strict=True)
        ]

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
        pull, held = np.empty(model.nv), {}
        for _ in range(ITERATIONS):
            J, error = self.rows(q, targets)
            mujoco.mj_differentiatePos(model, pull, 1.0, q, q_ref)
            A = HARD * (J.T @ J)
            b = HARD * (J.T @ error) + weights * pull
            A.flat[:: model.nv + 1] += weights
            self._hold_limits(q, held, A, b)
            step = np.linalg.solve(A, b)
            _release(held, step)
            size = np.abs(step).max()
            mujoco.mj_integratePos(model, q, step, min(1.0, STEP_MAX / max(size, 1e-12)))
            if size < CONVERGED:
                break
        return q

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
            errors += [place - data.xpos[body], _turn_left(data.xquat[body], turn)]
        for name, turn in targets.level.items():
            J = np.zeros((3, model.nv))
            body = self.character.body(name)
            mujoco.mj_jacBody(model, data, None, J, body)
            blocks.append(J)
            errors.append(_turn_left(data.xquat[body], turn))
        for name, place in targets.points.items():
            body_name, local = self.character.point(name)
            J, body = np.zeros((3, model.nv)), model.body(body_name).id
            point = data.xpos[body] + data.xmat[body].reshape(3, 3) @ local
            mujoco.mj_jac(model, data, J, None, point, body)
            blocks.append(J)
            errors.append(place - point)
        if targets.com is not None:
            J = np.zeros((3, model.nv))
            mujoco.mj_jacSubtreeCom(model, data, J, 1)
            blocks.append(J[: len(targets.com)])
            errors.append(targets.com - data.subtree_com[1][: len(targets.com)])
        if targets.root_height is not None:
            J = np.zeros((1, model.nv))
            J[0, 2] = 1.0
            blocks.append(J)
            errors.append(np.array([targets.root_height - q[2]]))
        if not blocks:
            return np.zeros((0, model.nv)), np.zeros(0)
        return np.vstack(blocks), np.concatenate(errors)

    def _hold_limits(self, q: np.ndarray, held: dict[int, Row], A: np.ndarray, b: np.ndarray) -> None:
        """Add a row along the way back for every joint beyond its limits, and for those held there before."""
        back = self.limits.excess(q)
        if not held and not back.any():
            return
        for j, span in enumerate(self.spans):
            size = float(np.linalg.norm(back[span]))
            if size > 0:
                held[j] = Row(span, back[span] / size, size)
            elif j in held:
                held[j] = held[j]._replace(left=0.0)
        for span, way, left in held.values():
            A[span, span] += HARD * np.outer(way, way)
            b[span] += HARD * left * way


class Row(NamedTuple):
    """A joint at its limit: its degrees of freedom, the way back inside, and how far it is beyond [rad]."""

    span: slice
    way: np.ndarray
    left: float


def _release(held: dict[int, Row], step: np.ndarray) -> None:
    """Let go of limits that would have to pull outwards."""
    for j in [j for j, (span, way, left) in held.items() if way @ step[span] > left]:
        del held[j]


def solve(character: Character, q_ref: np.ndarray, targets: Targets) -> np.ndarray:
    """Pose nearest to q_ref that meets the targets."""
    return Solver(character).solve(q_ref, targets)


def pose_weights(character: Character, supports: Sequence[str] | None = None) -> np.ndarray:
    """Weight (nv,) of keeping each degree of freedom as wanted: low on the way from the supports to the root."""
    model = character.model
    weights = np.ones(model.nv)
    for name in character.stance if supports is None else supports:
        body = character.body(character.support(name).body)
        while model.body_parentid[body] != 0:
            first = model.body_dofadr[body]
            weights[first : first + model.body_dofnum[body]] = LEG_WEIGHT
            body = model.body_parentid[body]
    weights[:3] = PLACE_WEIGHT
    return weights


def _turn_left(now: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """World rotation vector that takes ``now`` to ``wanted``."""
    return quat.to_rotvec(quat.multiply(wanted, quat.conjugate(now)))
