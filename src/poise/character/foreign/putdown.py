"""Poses that are found: legs put down under the body, a little bent, soles level."""

from __future__ import annotations

from dataclasses import replace

import mujoco
import numpy as np

from poise.character.foreign.anatomy import FoundLeg, ModelAnatomy
from poise.character.foreign.judge import Pose, bottom, off_centre, trouble
from poise.character.foreign.soles import FoundSole, leg_length, sole
from poise.character.foreign.source import Notes
from poise.character.foreign.stance import Foothold, FoundStance, bounds

STRETCH, STRETCH_MANY = 0.97, 0.85  # of a leg's reach; the second for points of more than two legs
OFF_CENTRE = 0.6  # of the way from the support's middle to its border that a centre of mass may be off
ROLLS = 3  # times that feet are put down anew, since round ones roll
SWAYS = 3  # times that they are moved under the centre of mass, which moves with the legs
GOOD = 0.002  # [leg lengths, rad, root mean square]: a pose this near to its footholds is taken
BEND = 0.3  # [rad] by which the joint that does most starts to bend a leg


def found(anatomy: ModelAnatomy, q: np.ndarray, how: str) -> Pose | None:
    """The legs of a pose straight down from their hips, a little bent, feet under the body; None if it would fall."""
    data = anatomy.posed(q)
    legs = anatomy.legs(data)
    if len(legs) < 2:
        return None
    soles = [sole(anatomy, data, leg) for leg in legs]
    flat = sum(s.normal is not None for s in soles)
    why = f"{len(legs)} {how}, put down and a little bent, {flat} with level soles; no keyframe stands"
    pose = Pose(_put_down(anatomy, q, legs, soles), legs, soles, "found", why)
    pose = replace(pose, q=_level(anatomy, pose, np.zeros(2)))
    return pose if trouble(anatomy, pose.q, legs, soles) is None else None


def legs_dropped(anatomy: ModelAnatomy, q: np.ndarray) -> np.ndarray:
    """The pose with those limbs let down that then reach lowest, and the others as they were."""
    data = anatomy.posed(q)
    limbs = anatomy.limbs(data, anatomy.ends(), -np.inf)
    if not limbs:
        return q
    soles = [FoundSole(limb.feet[0], _tip(anatomy, data, limb.feet[0]), None) for limb in limbs]
    deep = [Foothold(limb, s, _deep(anatomy, data, limb)) for limb, s in zip(limbs, soles)]
    down, _ = FoundStance(anatomy, limbs).reach(q, deep)
    step = np.zeros(anatomy.model.nv)
    mujoco.mj_differentiatePos(anatomy.model, step, 1.0, q, down)
    legs = {d for leg in anatomy.legs(anatomy.posed(down)) for d in leg.dofs}
    step[[d for d in range(anatomy.model.nv) if d not in legs]] = 0.0
    made = q.copy()
    mujoco.mj_integratePos(anatomy.model, made, step, 1.0)
    return made


def levelled(anatomy: ModelAnatomy, pose: Pose, notes: Notes) -> Pose:
    """The pose with its soles exactly level on one plane, and the centre of mass over them."""
    middle, off = off_centre(anatomy, anatomy.posed(pose.q), pose.legs, pose.soles)
    shifts = [anatomy.posed(pose.q).subtree_com[1][:2] - middle] if off > OFF_CENTRE else []
    for shift in [*shifts, np.zeros(2)]:
        q = _level(anatomy, pose, shift)
        if trouble(anatomy, q, pose.legs, pose.soles) is None:
            if float(np.abs(shift).max()) > 1e-3:
                notes("feet moved", shift.round(3).tolist(), "the centre of mass was not over them [m]")
            return replace(pose, q=q)
    return pose


def stretch(anatomy: ModelAnatomy, pose: Pose) -> list[float]:
    """Distance of each sole below its hip, as a part of the most it can be."""
    data = anatomy.posed(pose.q)
    longest = anatomy.posed(_down(anatomy, FoundStance(anatomy, pose.legs), pose.q, pose.legs, pose.soles))
    hips = [anatomy.anchor(data, leg.base)[2] for leg in pose.legs]
    return [
        (h - _centre(data, s)[2]) / max(h - _centre(longest, s)[2], 1e-9) for h, s in zip(hips, pose.soles)
    ]


def _level(anatomy: ModelAnatomy, pose: Pose, shift: np.ndarray) -> np.ndarray:
    """Feet moved by so much along the ground and put on one plane."""
    stance, q = FoundStance(anatomy, pose.legs), pose.q
    start = anatomy.posed(q)
    goals = [_centre(start, s)[:2] + shift for s in pose.soles]
    ground = float(np.mean([bottom(anatomy, start, leg) for leg in pose.legs]))
    for _ in range(ROLLS):
        data = anatomy.posed(q)
        both = list(zip(pose.legs, pose.soles))
        heights = [_centre(data, s)[2] + ground - bottom(anatomy, data, leg) for leg, s in both]
        places = [np.array([*xy, z]) for xy, z in zip(goals, heights)]
        holds = [Foothold(leg, s, x, *_heading(start, s)) for (leg, s), x in zip(both, places)]
        q, _ = stance.reach(q, holds)
    return q


def _put_down(
    anatomy: ModelAnatomy, q: np.ndarray, legs: list[FoundLeg], soles: list[FoundSole]
) -> np.ndarray:
    """The pose in which the legs stand a little bent, from the start that comes nearest to it."""
    stance, data = FoundStance(anatomy, legs), anatomy.posed(q)
    stretched = _down(anatomy, stance, q, legs, soles)
    ends = _apart(anatomy, data, legs, [_centre(anatomy.posed(stretched), s) for s in soles])
    hips = [anatomy.anchor(data, leg.base)[2] for leg in legs]
    bent = [STRETCH_MANY if s.normal is None and len(legs) > 2 else STRETCH for s in soles]
    ground = max(hip - part * (hip - end[2]) for hip, end, part in zip(hips, ends, bent))
    headings = [_heading(data, s) for s in soles]
    best, least = q, np.inf
    for seed in _seeds(anatomy, legs, stretched, q):
        if least < GOOD:
            break  # the likelier starts come first
        pose, error, feet, middle = seed, np.inf, ends, np.mean(ends, axis=0)[:2]
        for _ in range(SWAYS):
            shift = anatomy.posed(pose).subtree_com[1][:2] - middle
            places = [np.array([*(foot[:2] + shift), ground]) for foot in feet]
            holds = [Foothold(*h[:3], *h[3]) for h in zip(legs, soles, places, headings)]
            pose, error = stance.reach(pose, holds)
            now = anatomy.posed(pose)
            feet, middle = [_centre(now, s) for s in soles], off_centre(anatomy, now, legs, soles)[0]
        cost = error + 0.01 * float(np.abs(pose - q)[7:].mean())
        if cost < least:
            best, least = pose, cost
    return best


def _apart(
    anatomy: ModelAnatomy, data: mujoco.MjData, legs: list[FoundLeg], ends: list[np.ndarray]
) -> list[np.ndarray]:
    """Places of the feet, no nearer to the middle of the body than their hips."""
    hips = np.array([anatomy.anchor(data, leg.base)[:2] for leg in legs])
    middle, made = hips.mean(axis=0), []
    for end, aside in zip(ends, hips - middle):
        width = float(np.linalg.norm(aside))
        out = np.append(aside / max(width, 1e-9), 0.0)
        made.append(end + max(0.0, width - float((end[:2] - middle) @ out[:2])) * out)
    return made


def _down(
    anatomy: ModelAnatomy, stance: FoundStance, q: np.ndarray, legs: list[FoundLeg], soles: list[FoundSole]
) -> np.ndarray:
    """The pose with the legs as far down as they go with their soles level."""
    data = anatomy.posed(q)
    holds = [Foothold(leg, s, _deep(anatomy, data, leg), *_heading(data, s)) for leg, s in zip(legs, soles)]
    return stance.reach(q, holds, 5.0)[0]


def _deep(anatomy: ModelAnatomy, data: mujoco.MjData, leg: FoundLeg) -> np.ndarray:
    """A place lower than a leg can reach, free along the ground."""
    low = anatomy.anchor(data, leg.base)[2] - 1.1 * leg_length(anatomy, data, leg)
    return np.array([np.nan, np.nan, low])


def _heading(data: mujoco.MjData, s: FoundSole) -> tuple[np.ndarray, np.ndarray]:
    """A level direction, in the frame of a sole's part as it is now and in the world."""
    ahead = np.array([1.0, 0.0, 0.0])
    return data.xmat[s.part].reshape(3, 3).T @ ahead, ahead


def _centre(data: mujoco.MjData, s: FoundSole) -> np.ndarray:
    return data.xpos[s.part] + data.xmat[s.part].reshape(3, 3) @ s.centre


def _tip(anatomy: ModelAnatomy, data: mujoco.MjData, part: int) -> np.ndarray:
    """The point of a part that is farthest from its joint, in its own frame."""
    points, _ = anatomy.shape[part]
    joint = (anatomy.anchor(data, part) - data.xpos[part]) @ data.xmat[part].reshape(3, 3)
    return points[int(np.linalg.norm(points - joint, axis=1).argmax())]


def _seeds(
    anatomy: ModelAnatomy, legs: list[FoundLeg], stretched: np.ndarray, q: np.ndarray
) -> list[np.ndarray]:
    """Poses to start bending from: the middle of every leg forward, or backward; as stretched; as given."""
    seeds, model = [], anatomy.model
    low, high = bounds(model)
    data = anatomy.posed(stretched)
    for sign in (1.0, -1.0):
        pose, step = stretched.copy(), np.zeros(model.nv)
        for leg in legs:
            chain = [p for p in reversed(anatomy.above(leg.feet[0])) if set(anatomy.dofs(p)) & set(leg.dofs)]
            heights = np.array([anatomy.anchor(data, p)[2] for p in chain])
            knee = chain[int(np.abs(heights - 0.5 * (heights[0] + heights.min())).argmin())]
            J = np.zeros((3, model.nv))
            mujoco.mj_jac(model, data, J, None, anatomy.anchor(data, knee), knee)
            forward = np.where(np.isin(np.arange(model.nv), leg.dofs), J[0], 0.0)
            most = float(np.abs(forward).max())
            if most > 1e-6:
                step += BEND * sign * forward / most
        mujoco.mj_integratePos(model, pose, step, 1.0)
        seeds.append(np.clip(pose, low, high))
    return [*seeds, stretched, q]
