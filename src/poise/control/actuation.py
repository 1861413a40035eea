"""Torques to controls: which actuators of a model drive a character, in what order, with what gear and limits."""

from __future__ import annotations

from typing import TYPE_CHECKING

import mujoco
import numpy as np

from poise.character.actuator import JOINTS, axis_of, is_torque, torque_range
from poise.control.servo import Servos, is_servo
from poise.dynamics.tree import Tree
from poise.errors import BadInput
from poise.geometry.linear import norm

if TYPE_CHECKING:
    from poise.character import Character

UNBOUNDED = 10.0  # of weight times height: torque limit where neither the model nor the character knows one
LISTED = 6  # actuators named in a refusal
BODY = int(mujoco.mjtTrn.mjTRN_BODY)  # adhesion: no torque, left at zero


class Actuation:
    """The motors of a character in somebody's model.

    Attributes:
        low, high: (nv,) torque limits of each degree of freedom, zero where nothing drives it [N m].
        direct: Whether controls are the torques, one by one in order, and nothing needs to be sorted.
        servos: Actuators that are asked for places or speeds; none unless they may be.
    """

    def __init__(self, tree: Tree, character: Character, data: mujoco.MjData, servos: bool = False):
        self.model, self.tree, self.character = tree.model, tree, character
        self._servos = servos
        self._refuse(data)
        driven: dict[int, list[int]] = {}
        for a in range(tree.model.nactuator):
            if (
                int(tree.model.actuator_trntype[a]) in JOINTS
                and tree.model.actuator_trnid[a, 0] in tree.joints
            ):
                driven.setdefault(self._dof(a), []).append(a)
        if not driven:
            raise BadInput(
                "the model has no torque motors on the character's joints; add <motor> actuators, "
                "or simulate the character's own model, which has them"
            )
        self.low, self.high = np.zeros(tree.nv), np.zeros(tree.nv)
        self._known = self._own_limits()
        rows = [row for dof, actuators in driven.items() for row in self._share(dof, actuators)]
        self._ctrl_at = np.array([r[0] for r in rows])
        self._dof_at = np.array([r[1] for r in rows])
        self._up, self._down = np.array([r[2] for r in rows]), np.array([r[3] for r in rows])
        mine = sorted(a for actuators in driven.values() for a in actuators)
        self.servos = Servos(tree.model, data, [a for a in mine if is_servo(tree.model, a)])
        order = self._ctrl_at == self._dof_at - 6
        plain = (self._up == 1.0) & (self._down == 1.0)
        self.direct = bool(
            tree.model.nu == tree.nv - 6 == len(rows)
            and not self.servos
            and order.all()
            and plain.all()
            and (np.diff(self._dof_at) == 1).all()
        )

    def controls(self, tau: np.ndarray, out: np.ndarray) -> None:
        """Fill the controls that give joint torques (nv,)."""
        wanted = tau[self._dof_at]
        out[self._ctrl_at] = wanted * np.where(wanted > 0.0, self._up, self._down)

    def _refuse(self, data: mujoco.MjData) -> None:
        """An error that names the actuators which drive the character's joints and are no torques."""
        model, tree = self.model, self.tree
        dofs = set(range(tree.dof0, tree.dof0 + tree.nv))
        other = []
        for a in range(model.nactuator):
            start, count = int(data.moment_rowadr[a]), int(data.moment_rownnz[a])
            touches = bool(dofs & {int(d) for d in data.moment_colind[start : start + count]})
            known = is_torque(model, a) or (self._servos and is_servo(model, a))
            if touches and int(model.actuator_trntype[a]) != BODY and not known:
                other.append(f"{model.actuator(a).name or a!r} ({_kind(model, a)})")
        if not other:
            return
        more = f" and {len(other) - LISTED} more" if len(other) > LISTED else ""
        named = "actuator" if len(other) == 1 else "actuators"
        raise BadInput(
            f"{named} {', '.join(other[:LISTED])}{more}: not a torque motor, so Poise, which commands torques, cannot "
            "drive it. Servos of single joints are driven by Controller(..., servos=True). Else give the model <motor> "
            "actuators, e.g. spec = poise.character.foreign.with_motors(file) and "
            "spec.compile(), which puts motors with the same limits in their place; or simulate the character's own "
            "model, which has motors"
        )

    def _dof(self, a: int) -> int:
        joint = self.model.actuator_trnid[a, 0]
        return int(self.model.jnt_dofadr[joint]) - self.tree.dof0 + axis_of(self.model, a)

    def _own_limits(self) -> dict[int, tuple[float, float]]:
        """Degree of freedom to the torque range of the character's own motors."""
        model = self.character.model
        found = {}
        for a in range(model.nactuator):
            span = torque_range(model, a)
            if span is not None and is_torque(model, a):
                found[int(model.jnt_dofadr[model.actuator_trnid[a, 0]]) + axis_of(model, a)] = span
        return found

    def _share(self, dof: int, actuators: list[int]) -> list[tuple[int, int, float, float]]:
        """Limits of one degree of freedom; (control, dof, control per torque if positive, else) of each motor."""
        model = self.model
        spans = [torque_range(model, a) or self._fallback(dof) for a in actuators]
        low, high = sum(s[0] for s in spans), sum(s[1] for s in spans)
        joint = model.actuator_trnid[actuators[0], 0]
        self.low[dof], self.high[dof] = low, high
        if model.jnt_actfrclimited[joint]:
            self.low[dof] = max(low, float(model.jnt_actfrcrange[joint, 0]))
            self.high[dof] = min(high, float(model.jnt_actfrcrange[joint, 1]))
        rows = []
        for a, (weak, strong) in zip(actuators, spans):
            unit = 1.0 / float(model.actuator_gainprm[a, 0] * model.actuator_gear[a, axis_of(model, a)])
            up = strong / high if high > 0 else 1.0 / len(actuators)
            down = weak / low if low < 0 else 1.0 / len(actuators)
            rows.append((int(model.actuator_ctrladr[a]), dof, unit * up, unit * down))
        return rows

    def _fallback(self, dof: int) -> tuple[float, float]:
        weight = self.tree.mass * float(norm(self.model.opt.gravity))
        most = UNBOUNDED * weight * max(float(self.character.com_rest[2]), 1e-3)
        return self._known.get(dof, (-most, most))


def _kind(model: mujoco.MjModel, a: int) -> str:
    """What an actuator is, in a word or two."""
    if model.actuator_dyntype[a] == mujoco.mjtDyn.mjDYN_MUSCLE:
        return "muscle"
    if model.actuator_dyntype[a] != mujoco.mjtDyn.mjDYN_NONE:
        return "filtered"
    if model.actuator_biastype[a] == mujoco.mjtBias.mjBIAS_AFFINE:
        return "position servo" if model.actuator_biasprm[a, 1] else "velocity servo"
    if int(model.actuator_trntype[a]) not in JOINTS:
        return "through " + mujoco.mjtTrn(model.actuator_trntype[a]).name.removeprefix("mjTRN_").lower()
    return "several axes or a control of its own kind"
