"""Left and right, arms and ends: what the parts of a body are for, from where they are in its rest pose."""

from __future__ import annotations

import mujoco
import numpy as np

from poise.character.foreign.anatomy import FoundLeg, ModelAnatomy

NEAR = 0.04  # of the height: how well the mirror image of a part must meet its partner
ALIKE = 0.05  # relative difference of their masses
ARM_REACH = 0.15  # of the height: shorter paired limbs are ears, not arms
BACKWARD = 0.01  # of the height: feet whose middle is this far behind their joints point backward
ARM_WORDS = ("arm", "hand", "gripper", "wrist", "wing", "shoulder", "elbow")


def pairs(anatomy: ModelAnatomy, data: mujoco.MjData) -> tuple[list[tuple[int, int]], int]:
    """Left and right parts, and the axis (0 or 1) across which they mirror."""
    found = [(_mirrored(anatomy, data, axis), axis) for axis in (1, 0)]
    return max(found, key=lambda f: len(f[0]))


def _mirrored(anatomy: ModelAnatomy, data: mujoco.MjData, axis: int) -> list[tuple[int, int]]:
    model, parts = anatomy.model, anatomy.parts
    height = float(np.ptp(data.xipos[parts], axis=0).max())
    middle = float(data.xipos[1][axis] + data.xpos[1][axis]) / 2  # most bodies are even about their root
    made, taken = [], set()
    for p in parts[1:]:
        image = data.xipos[p].copy()
        image[axis] = 2 * middle - image[axis]
        if p in taken or abs(image[axis] - data.xipos[p][axis]) < NEAR * height:
            continue
        alike = [
            o
            for o in parts[1:]
            if o != p and o not in taken
            and len(anatomy.above(o)) == len(anatomy.above(p))
            and anatomy.dofs(o) != [] and len(anatomy.dofs(o)) == len(anatomy.dofs(p))
            and abs(model.body_mass[o] - model.body_mass[p]) <= ALIKE * model.body_mass[p]
        ]  # fmt: skip
        best = min(alike, key=lambda o: float(np.linalg.norm(data.xipos[o] - image)), default=None)
        if best is None or np.linalg.norm(data.xipos[best] - image) > NEAR * height:
            continue
        taken |= {p, best}
        left = p if data.xipos[p][axis] > middle else best
        made.append((left, best if left == p else p))
    return made


def arms(
    anatomy: ModelAnatomy, data: mujoco.MjData, legs: list[FoundLeg], partners: list[tuple[int, int]]
) -> list[int]:
    """Parts of paired limbs that carry nothing, and of limbs that are called arms."""
    model = anatomy.model
    walking = {p for leg in legs for p in anatomy.above(leg.base) + anatomy.below(leg.base)}
    height = float(np.ptp(data.xipos[anatomy.parts], axis=0).max())
    paired = {p for pair in partners for p in pair}
    found: set[int] = set()
    for p in anatomy.parts[1:]:
        if p in walking or p in found or anatomy.parent[p] in found:
            found |= {p} if anatomy.parent[p] in found else set()
            continue
        below = anatomy.below(p)
        reach = max(float(np.linalg.norm(data.xipos[o] - anatomy.anchor(data, p))) for o in below)
        called = any(word in model.body(o).name.lower() for o in below for word in ARM_WORDS)
        trunk = any(set(pair) <= set(below) for pair in partners)  # both of a pair hang on it: no limb
        if reach > ARM_REACH * height and (p in paired or called) and not trunk:
            found.add(p)
    return [p for p in anatomy.parts if p in found]


def effectors(
    anatomy: ModelAnatomy, data: mujoco.MjData, names: dict[int, str]
) -> dict[str, tuple[str, np.ndarray]]:
    """End of each limb: the point farthest from its joint; and the top of the head."""
    made: dict[str, tuple[str, np.ndarray]] = {}
    for p in anatomy.ends():
        points, radius = anatomy.shape[p]
        joint = (anatomy.anchor(data, p) - data.xpos[p]) @ data.xmat[p].reshape(3, 3)
        away = points - joint
        far = int((np.linalg.norm(away, axis=1) + radius).argmax())
        step = away[far] / max(float(np.linalg.norm(away[far])), 1e-9)
        made[names[p]] = (names[p], points[far] + radius[far] * step)
    shaped = [p for p in anatomy.parts if len(anatomy.shape[p][0])]
    tops = {p: anatomy.points(data, p)[:, 2] + 2 * anatomy.shape[p][1] for p in shaped}
    if tops:
        p = max(tops, key=lambda k: float(tops[k].max()))
        i = int(tops[p].argmax())
        world = anatomy.points(data, p)[i] + np.array([0.0, 0.0, 2 * anatomy.shape[p][1][i]])
        made["head_top"] = (names[p], (world - data.xpos[p]) @ data.xmat[p].reshape(3, 3))
    return made


def facing(anatomy: ModelAnatomy, data: mujoco.MjData, legs: list[FoundLeg], axis: int) -> str:
    """Which way the body looks: along the plane of symmetry, towards where its feet point; forward if they do not."""
    ahead, toes = 1 - axis, []
    for foot in (f for leg in legs for f in leg.feet):
        along = anatomy.points(data, foot)[:, ahead]
        toes.append(0.5 * (along.min() + along.max()) - anatomy.anchor(data, foot)[ahead])
    height = float(np.ptp(data.xipos[anatomy.parts], axis=0).max())
    backward = len(legs) == 2 and np.mean(toes) < -BACKWARD * height
    return f"{'-' if backward else '+'}{'xy'[ahead]}"
