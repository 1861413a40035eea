"""Legs put down: the pose near a given one in which every sole is level and at its place on one plane."""

from __future__ import annotations

from dataclasses import dataclass

import mujoco
import numpy as np

from poise.character.constants import HINGE, SLIDE
from poise.character.foreign.anatomy import FoundLeg, ModelAnatomy
from poise.character.foreign.soles import FoundSole, leg_length

ITERATIONS = 60
CONVERGED = 1e-5  # [rad, m]
STEP = 0.2  # [rad, m] most in one iteration
DAMPING, LEAST_DAMPING, MOST_DAMPING = 1e-3, 1e-6, 1e4
POSTURE = 2e-3  # weight of staying as it was, per rad²
HEADING = 0.3  # weight of a sole's heading, per rad
MARGIN = 0.05  # of a joint's range that poses keep free at each end,
WIDEST_MARGIN = 0.05  # but no more than this [rad, m]
SCALAR = (HINGE, SLIDE)


@dataclass(frozen=True)
class Foothold:
    """Where a sole should be: position (3,) of its centre [m], nan along an axis that is free.

    A level sole also keeps its heading: ``ahead`` is a direction (3,) in the frame of its part, ``heading`` where that
    should point in the world.
    """

    leg: FoundLeg
    sole: FoundSole
    place: np.ndarray
    ahead: np.ndarray | None = None
    heading: np.ndarray | None = None


class FoundStance:
    """Levenberg and Marquardt over the legs' own joints; the trunk stays where it is."""

    def __init__(self, anatomy: ModelAnatomy, legs: list[FoundLeg]):
        self.anatomy, self.model = anatomy, anatomy.model
        self.free = np.zeros(self.model.nv, dtype=bool)
        for leg in legs:
            self.free[list(leg.dofs)] = True
        self.low, self.high = bounds(self.model)
        data = anatomy.posed(self.model.qpos0)
        lengths = [leg_length(anatomy, data, leg) for leg in legs]
        self.unit = max(lengths, default=1.0)  # lengths count in this [m]
        self._data = mujoco.MjData(self.model)

    def reach(
        self, q: np.ndarray, holds: list[Foothold], weight_level: float = 1.0
    ) -> tuple[np.ndarray, float]:
        """Pose near q that meets the footholds as well as the legs can; error left [leg lengths, rad, rms]."""
        index = np.flatnonzero(self.free)
        start, e = q, np.zeros(0)
        for posture in (POSTURE, 0.0):  # first a good pose, then an exact one
            damping = DAMPING
            J, e, pull = self._rows(q, holds, weight_level, start)
            cost = e @ e + posture * (pull @ pull)
            for _ in range(ITERATIONS):
                A = J[:, index].T @ J[:, index] + (posture + damping) * np.eye(len(index))
                step = np.linalg.solve(A, J[:, index].T @ e + posture * pull[index])
                size = float(np.abs(step).max(initial=0.0))
                whole = np.zeros(self.model.nv)
                whole[index] = step * min(1.0, STEP / max(size, 1e-12))
                tried = q.copy()
                mujoco.mj_integratePos(self.model, tried, whole, 1.0)
                self.limit(tried)
                rows = self._rows(tried, holds, weight_level, start)
                now = rows[1] @ rows[1] + posture * (rows[2] @ rows[2])
                if now < cost:
                    moved = float(np.abs(tried - q).max())
                    q, cost, (J, e, pull), damping = tried, now, rows, max(0.3 * damping, LEAST_DAMPING)
                    if moved < CONVERGED:
                        break
                elif damping > MOST_DAMPING:
                    break
                else:
                    damping *= 5.0
        return q, float(np.sqrt(np.mean(e**2))) if len(e) else 0.0

    def limit(self, q: np.ndarray) -> None:
        """Bring hinges and slides inside their ranges, and followers of other joints to where those put them."""
        np.clip(q, self.low, self.high, out=q)
        follow(self.model, q)

    def _rows(
        self, q: np.ndarray, holds: list[Foothold], weight_level: float, start: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Jacobian and error of the footholds at q, and the way back to the start."""
        model, data = self.model, self._data
        data.qpos[:] = q
        mujoco.mj_kinematics(model, data)
        mujoco.mj_comPos(model, data)
        rows, errors = [], []
        for hold in holds:
            part, R = hold.sole.part, data.xmat[hold.sole.part].reshape(3, 3)
            x = data.xpos[part] + R @ hold.sole.centre
            J = np.zeros((6, model.nv))
            mujoco.mj_jac(model, data, J[:3], J[3:], x, part)
            wanted = ~np.isnan(hold.place)
            rows.append(J[:3][wanted] / self.unit)
            errors.append((hold.place - x)[wanted] / self.unit)
            if hold.sole.normal is not None:
                tilt = np.cross(R @ hold.sole.normal, [0.0, 0.0, 1.0])
                rows.append(weight_level * J[3:5])
                errors.append(weight_level * tilt[:2])
                if hold.ahead is not None and hold.heading is not None:
                    rows.append(HEADING * J[5:6])
                    errors.append(HEADING * np.cross(R @ hold.ahead, hold.heading)[2:])
        pull = np.zeros(model.nv)
        mujoco.mj_differentiatePos(model, pull, 1.0, q, start)
        return np.concatenate(rows), np.concatenate(errors), np.where(self.free, pull, 0.0)


def bounds(model: mujoco.MjModel) -> tuple[np.ndarray, np.ndarray]:
    """Lowest and highest value of each coordinate, a little inside the ranges; infinite where there is none."""
    low, high = np.full(model.nq, -np.inf), np.full(model.nq, np.inf)
    for j in range(model.njnt):
        if model.jnt_limited[j] and int(model.jnt_type[j]) in SCALAR:
            a, b = model.jnt_range[j]
            margin = min(WIDEST_MARGIN, MARGIN * (b - a))
            low[model.jnt_qposadr[j]], high[model.jnt_qposadr[j]] = a + margin, b - margin
    return low, high


def follow(model: mujoco.MjModel, q: np.ndarray) -> None:
    """Put joints that an equality ties to another joint where that one wants them."""
    for e in range(model.neq):
        if model.eq_type[e] != mujoco.mjtEq.mjEQ_JOINT or not model.eq_active0[e]:
            continue
        mine = model.jnt_qposadr[model.eq_obj1id[e]]
        x = 0.0
        if model.eq_obj2id[e] >= 0:
            other = model.jnt_qposadr[model.eq_obj2id[e]]
            x = q[other] - model.qpos0[other]
        q[mine] = model.qpos0[mine] + np.polyval(model.eq_data[e, 4::-1], x)
