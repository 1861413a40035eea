"""Legs put down: the pose near a given one in which every sole is level and at its place on one plane."""

from __future__ import annotations

from dataclasses import dataclass

import mujoco
import numpy as np

from poise.character.foreign.anatomy import Anatomy, Leg
from poise.character.foreign.soles import Sole

ITERATIONS = 60
CONVERGED = 1e-5  # [rad, m]
STEP = 0.2  # [rad, m] most in one iteration
DAMPING = 1e-3
POSTURE = 2e-3  # weight of staying as it was, per rad²
MARGIN = 0.05  # of a joint's range that poses keep free at each end
WIDEST_MARGIN = 0.05  # [rad, m]


@dataclass(frozen=True)
class Foothold:
    """Where a sole should be: position (3,) of its centre [m], None along an axis that is free."""

    leg: Leg
    sole: Sole
    place: np.ndarray  # nan where free


class Stance:
    """Damped Gauss-Newton over the legs' own joints; the trunk stays where it is."""

    def __init__(self, anatomy: Anatomy, legs: list[Leg]):
        self.anatomy, self.model = anatomy, anatomy.model
        self.free = np.zeros(self.model.nv, dtype=bool)
        for leg in legs:
            self.free[list(leg.dofs)] = True
        self.low, self.high = bounds(self.model)
        self._data = mujoco.MjData(self.model)

    def reach(self, q: np.ndarray, holds: list[Foothold], weight_level: float = 1.0) -> tuple[np.ndarray, float]:
        """Pose that meets the footholds as well as the legs can, and what error is left [m or rad, root mean square].

        Starts from q and stays near it where the footholds leave a choice.
        """
        model, q, start = self.model, q.copy(), q
        pull, whole, error = np.zeros(model.nv), np.zeros(model.nv), np.inf
        index = np.flatnonzero(self.free)
        for posture, damping in ((POSTURE, DAMPING), (0.0, 0.03 * DAMPING)):  # first a good pose, then an exact one
            for _ in range(ITERATIONS):
                rows, e = self._rows(q, holds, weight_level)
                J = rows[:, index]
                error = float(np.sqrt(np.mean(e**2))) if len(e) else 0.0
                mujoco.mj_differentiatePos(model, pull, 1.0, q, start)
                A = J.T @ J + (posture + damping) * np.eye(len(index))
                step = np.linalg.solve(A, J.T @ np.clip(e, -STEP, STEP) + posture * pull[index])
                size = float(np.abs(step).max(initial=0.0))
                whole[index] = step * min(1.0, STEP / max(size, 1e-12))
                before = q.copy()
                mujoco.mj_integratePos(model, q, whole, 1.0)
                self.limit(q)
                if float(np.abs(q - before).max()) < CONVERGED:
                    break
        return q, error

    def limit(self, q: np.ndarray) -> None:
        """Bring hinges and slides inside their ranges, and followers of other joints to where those put them."""
        np.clip(q, self.low, self.high, out=q)
        follow(self.model, q)

    def _rows(self, q: np.ndarray, holds: list[Foothold], weight_level: float) -> tuple[np.ndarray, np.ndarray]:
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
            rows.append(J[:3][wanted])
            errors.append((hold.place - x)[wanted])
            if hold.sole.normal is not None:
                tilt = np.cross(R @ hold.sole.normal, [0.0, 0.0, 1.0])
                rows.append(weight_level * J[3:5])
                errors.append(weight_level * tilt[:2])
        return np.concatenate(rows), np.concatenate(errors)


def bounds(model: mujoco.MjModel) -> tuple[np.ndarray, np.ndarray]:
    """Lowest and highest value of each coordinate, a little inside the ranges; infinite where there is none."""
    low, high = np.full(model.nq, -np.inf), np.full(model.nq, np.inf)
    for j in range(model.njnt):
        if model.jnt_limited[j] and model.jnt_type[j] in (mujoco.mjtJoint.mjJNT_HINGE, mujoco.mjtJoint.mjJNT_SLIDE):
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
