"""Torque limits of a body that somebody else drives, and motors that keep to them."""

from __future__ import annotations

from dataclasses import dataclass

import mujoco
import numpy as np

from poise.character.actuator import JOINTS, add_joint_motors, is_torque, torque_range
from poise.character.constants import BALL, SLIDE
from poise.character.foreign.anatomy import ModelAnatomy
from poise.character.foreign.source import Source
from poise.errors import unknown

CHOICES = ("auto", "torque")
LEG_TORQUE = 0.5  # of weight times height of the centre of mass: a leg's or spine's where none is given
LIFT = 5.0  # times what holds a limb out sideways: the same for other limbs
HELPED = 1.5  # times what an ankle alone can hold still: hips and arms help it
WEAKEST = 1e-3  # of weight times height
ROTOR = 2e-4  # of mass times height²: a rotor's inertia where none is given, as our own bodies have it
SWAY = 0.1  # [rad]: how far joints are turned to see which of them an actuator moves


@dataclass(frozen=True)
class MotorDrive:
    """What the file says about the drive of one joint: whether it has one, and the range of its torque [N m]."""

    driven: bool
    limit: tuple[float, float] | None


def drives(source: Source, joints: dict[int, str]) -> dict[str, MotorDrive]:
    """Joint name to its drive, from the file's actuators, joint limits and efforts."""
    model = source.model
    moved = touched(model)
    none = not any(j in joints for j in moved)
    made: dict[str, MotorDrive] = {}
    for j, name in joints.items():
        direct = [a for a in moved.get(j, []) if int(model.actuator_trntype[a]) in JOINTS]
        known = [x for x in (torque_range(model, a) for a in direct) if x is not None]
        whole = known and len(known) == len(direct)
        limit = (sum(x[0] for x in known), sum(x[1] for x in known)) if whole else None
        if model.jnt_actfrclimited[j]:
            low, high = model.jnt_actfrcrange[j]
            limit = (max(limit[0], low), min(limit[1], high)) if limit else (float(low), float(high))
        if name in source.efforts:
            limit = (-source.efforts[name], source.efforts[name])
        made[name] = MotorDrive(none or j in moved, limit if limit and limit[0] < limit[1] else None)
    return made


def set_levers(anatomy: ModelAnatomy, drive: dict[str, MotorDrive]) -> None:
    """How far from its joint each end of a limb can help to bear half of the body, where its torque limit is known."""
    model = anatomy.model
    weight = float(model.body_mass.sum() * np.linalg.norm(model.opt.gravity))
    for end in anatomy.ends():
        for part in anatomy.above(end)[:3]:  # toes hang on a foot
            joints = range(model.body_jntadr[part], model.body_jntadr[part] + model.body_jntnum[part])
            known = [drive[model.joint(j).name].limit for j in joints if model.joint(j).name in drive]
            limits = [min(-limit[0], limit[1]) for limit in known if limit is not None]
            if limits:
                anatomy.lever[part] = HELPED * 2.0 * max(limits) / weight


def touched(model: mujoco.MjModel) -> dict[int, list[int]]:
    """Joint to the actuators that move it, directly or through tendons and sites."""
    found: dict[int, list[int]] = {}
    data = mujoco.MjData(model)
    mujoco.mj_integratePos(model, data.qpos, np.full(model.nv, SWAY), 1.0)
    mujoco.mj_fwdPosition(model, data)
    for a in range(model.nactuator):
        if int(model.actuator_trntype[a]) in JOINTS:
            found.setdefault(int(model.actuator_trnid[a, 0]), []).append(a)
            continue
        row = slice(data.moment_rowadr[a], data.moment_rowadr[a] + data.moment_rownnz[a])
        dofs = data.moment_colind[row][np.abs(data.actuator_moment[row]) > 1e-9]
        for j in {int(model.dof_jntid[d]) for d in dofs}:
            found.setdefault(j, []).append(a)
    return found


def add_motors(
    spec: mujoco.MjSpec,
    anatomy: ModelAnatomy,
    q: np.ndarray,
    legs: set[int],
    drive: dict[str, MotorDrive],
    source: Source,
    kind: str,
) -> None:
    """One torque motor on each driven degree of freedom, in their order; the rest swings freely."""
    if kind not in CHOICES:
        raise unknown("actuators", kind, CHOICES)
    model, sized, idle, bare = anatomy.model, [], [], []
    by_size = _by_size(anatomy, q, legs)
    for j in range(1, model.njnt):
        name = model.joint(j).name
        wanted = drive.get(name, MotorDrive(True, None))
        if not wanted.driven and kind == "auto" and not _tied(model, j):
            idle.append(name)
            continue
        limit = wanted.limit
        if limit is None:
            limit = (-by_size[j], by_size[j])
            sized.append(name)
        add_joint_motors(spec, name, [limit] * (3 if model.jnt_type[j] == BALL else 1))
        if model.jnt_type[j] != SLIDE and model.dof_armature[model.jnt_dofadr[j]] == 0.0:
            bare.append(name)
    if bare:
        _add_rotors(
            spec, ROTOR * float(model.body_mass.sum()) * _height(anatomy, anatomy.posed(q)) ** 2, bare, source
        )
    if sized:
        source.notes("torque limits by size", len(sized), f"the file gives none for {_few(sized)}")
    if idle:
        source.notes("joints without a drive", idle, "the file drives others; these swing freely")


def _add_rotors(spec: mujoco.MjSpec, inertia: float, joints: list[str], source: Source) -> None:
    """No motor is without a rotor; without one, a light foot is flung by a torque that the ground fails to answer."""
    for name in joints:
        spec.joint(name).armature = inertia
    text = f"the file gives none for {_few(joints)} [kg m²]"
    source.notes("rotor inertia by size", round(inertia, 6), text)


def tell_servos(source: Source, joints: dict[int, str]) -> None:
    """Note the actuators that are no torques: our own body has motors instead."""
    model = source.model
    mine = {a for j, actuators in touched(model).items() if j in joints for a in actuators}
    other = [model.actuator(a).name or f"actuator {a}" for a in sorted(mine) if not is_torque(model, a)]
    if other:
        text = f"not torques: position or velocity servos, muscles, tendons, filters; e.g. {_few(other)}"
        source.notes("actuators replaced by motors", len(other), text)


def _by_size(anatomy: ModelAnatomy, q: np.ndarray, legs: set[int]) -> dict[int, float]:
    model, data = anatomy.model, anatomy.posed(q)
    weight = float(model.body_mass.sum() * np.linalg.norm(model.opt.gravity))
    height = _height(anatomy, data)
    found: dict[int, float] = {}
    for j in range(1, model.njnt):
        part = int(model.jnt_bodyid[j])
        below = anatomy.below(part)
        load = float(model.body_subtreemass[part] * np.linalg.norm(model.opt.gravity))
        reach = max(float(np.linalg.norm(data.xipos[p] - data.xanchor[j])) for p in below)
        turns = model.jnt_type[j] != SLIDE
        most = LEG_TORQUE * weight * height if turns else 2 * weight
        carries = part in legs or bool(set(below) & legs)
        limb, least = LIFT * load * (reach if turns else 1.0), WEAKEST * weight * (height if turns else 1.0)
        found[j] = most if carries else float(np.clip(limb, least, most))
    return found


def _height(anatomy: ModelAnatomy, data: mujoco.MjData) -> float:
    """Of the centre of mass above the lowest point [m]."""
    return float(data.subtree_com[1][2]) - min(anatomy.lowest(data).values(), default=0.0)


def _tied(model: mujoco.MjModel, j: int) -> bool:
    """Whether an equality puts a joint where another one wants it."""
    kind = model.eq_type == mujoco.mjtEq.mjEQ_JOINT
    return bool((kind & (model.eq_obj1id == j)).any())


def _few(names: list[str]) -> str:
    return ", ".join(names[:4]) + (f" and {len(names) - 4} more" if len(names) > 4 else "")
