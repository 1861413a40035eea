"""The pose a body stands in: a keyframe of its file, its zero pose, or one found by putting its legs down."""

from __future__ import annotations

from dataclasses import dataclass, replace

import mujoco
import numpy as np

from poise.character.foreign.anatomy import Anatomy, Leg
from poise.character.foreign.soles import Sole, leg_length, sole
from poise.character.foreign.source import Notes
from poise.character.foreign.stance import Foothold, Stance, bounds, follow
from poise.errors import BadInput
from poise.geometry import polygon, quat

WORDS = ("stand", "home", "stance", "default", "neutral", "idle", "init", "nominal")
STRETCH_FLAT, STRETCH_POINT = (
    0.97,
    0.85,
)  # of a leg's reach: how far found poses stretch legs with soles, with points
LEVEL = 0.06  # [rad] that soles may tilt in a pose that is taken as it is
UNEVEN = 0.02  # of the centre of mass's height: how much feet may differ in height in such a pose
BENT, STRAIGHT = 0.4, 0.99  # of a leg's reach: shorter legs squat, longer ones cannot give way
OFF_CENTRE = 0.6  # of the way from the support's middle to its border that a centre of mass may be off
LINE = 0.02  # of the centre of mass's height: how far it may be off a support that is a line
TOUCHING = 0.012  # of the centre of mass's height: parts this near to the ground are put down
LIKELIER = 1.2  # the worth of a stand in the orientation that the file gives, over others
ROLLS = 3  # times that feet are put down anew, since round ones roll
PARTNER = 0.1  # relative difference of the masses of two legs of a pair
GOOD = 0.02  # [leg lengths, rad, root mean square]: a pose this near to its footholds is taken
CLEAR = 0.05  # of the same: parts that are no feet stay at least this far above the ground
TURNS = [
    quat.from_rotvec(0.5 * np.pi * np.array(r))
    for r in ((0, 0, 0), (1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (2, 0, 0))
]


@dataclass(frozen=True)
class Pose:
    """A configuration with its legs and soles, and where it came from."""

    q: np.ndarray
    legs: list[Leg]
    soles: list[Sole]
    source: str
    why: str


def choose(anatomy: Anatomy, keys: dict[str, np.ndarray], notes: Notes) -> Pose:
    """The best pose to stand in: a keyframe, else the zero pose, else one that is found, turned upright if need be.

    Args:
        anatomy: The body.
        keys: Keyframes by name, configurations of the body alone.
    """
    for named in (True, False):  # those whose name says so first
        poses = [_as_is(anatomy, q, f"keyframe {k!r}") for k, q in keys.items() if named == _says_standing(k)]
        good = [pose for pose in poses if pose is not None]
        if good:
            pose = max(good, key=lambda p: float(anatomy.posed(p.q).subtree_com[1][2] - _floor(anatomy, p.q)))
            notes("rest pose", pose.source, pose.why)
            return pose
    if keys:
        notes("keyframes passed over", list(keys), "in none of them does the body stand on its feet")
    low, high = bounds(anatomy.model)
    zero = np.clip(anatomy.model.qpos0, low, high)
    follow(anatomy.model, zero)
    pose = _upright(anatomy, zero, notes)
    notes("rest pose", pose.source, pose.why)
    return pose


def of_pose(anatomy: Anatomy, q: np.ndarray, source: str) -> Pose:
    """A pose that the user gave: legs and soles as they are in it."""
    data = anatomy.posed(q)
    legs = anatomy.legs(data)
    if not legs:
        raise BadInput(f"{source}: no limb ends below the rest of the body, so there is nothing to stand on")
    return Pose(q, legs, [sole(anatomy, data, leg) for leg in legs], source, "given")


def _upright(anatomy: Anatomy, zero: np.ndarray, notes: Notes) -> Pose:
    """The zero pose or one found from it, as the file has the body, or turned so that its legs point down."""
    pose = _as_is(anatomy, zero, "zero pose") or found(anatomy, zero, "legs")
    if pose is not None and not _spare_legs(anatomy, pose):
        return pose
    good: list[tuple[float, int, Pose]] = []
    for i, turn in enumerate(TURNS):
        q = zero.copy()
        q[3:7] = quat.multiply(turn, zero[3:7])
        pose = found(anatomy, q, "legs")
        if pose is None or _spare_legs(anatomy, pose):
            lower = found(anatomy, _legs_dropped(anatomy, q), "limbs that reach lowest")
            pose = max((p for p in (pose, lower) if p), key=lambda p: _worth(anatomy, p), default=None)
        if pose is not None:
            good.append((_worth(anatomy, pose) * (LIKELIER if i == 0 else 1.0), i, pose))
    if not good:
        raise BadInput(
            "no pose found in which this body stands on two or more legs, whichever way it is turned; "
            "give supports= (names of bodies) and rest= (a keyframe's name, or joint angles)"
        )
    _, i, pose = max(good, key=lambda g: g[0])
    if i:
        notes(
            "up",
            quat.to_rotvec(TURNS[i]).round(3).tolist(),
            "rotation of the root: only so it stands on its legs",
        )
    return pose


def _spare_legs(anatomy: Anatomy, pose: Pose) -> bool:
    """Whether other limbs are just like the legs, as on a four-legged body that stands on two."""
    data = anatomy.posed(pose.q)
    mass = {leg.base: float(anatomy.model.body_subtreemass[leg.base]) for leg in pose.legs}
    used = {p for leg in pose.legs for p in anatomy.below(leg.base)}
    limbs = anatomy.limbs(data, [p for p in anatomy.ends() if p not in used], -np.inf)
    return any(
        abs(float(anatomy.model.body_subtreemass[limb.base]) - mass[leg.base]) < PARTNER * mass[leg.base]
        and len(limb.dofs) == len(leg.dofs)
        for limb in limbs
        for leg in pose.legs
    )


def _worth(anatomy: Anatomy, pose: Pose) -> float:
    """How much of a stand a pose is: mass of the legs that have a partner, times height of the centre of mass."""
    mass = [sum(float(anatomy.model.body_mass[p]) for p in anatomy.below(leg.base)) for leg in pose.legs]
    alike = [
        any(
            abs(m - o) < PARTNER * m and len(a.dofs) == len(b.dofs)
            for b, o in zip(pose.legs, mass)
            if b is not a
        )
        for a, m in zip(pose.legs, mass)
    ]
    legs = sum(m for m, good in zip(mass, alike) if good)
    return legs * float(anatomy.posed(pose.q).subtree_com[1][2] - _floor(anatomy, pose.q))


def _says_standing(name: str) -> bool:
    return any(word in name.lower() for word in WORDS)


def _floor(anatomy: Anatomy, q: np.ndarray) -> float:
    return min(anatomy.lowest(anatomy.posed(q)).values())


def found(anatomy: Anatomy, q: np.ndarray, how: str) -> Pose | None:
    """Legs straight down from their hips, a little bent, soles level, feet under the centre of mass; None if it falls."""
    data = anatomy.posed(q)
    legs = anatomy.legs(data)
    if len(legs) < 2:
        return None
    soles = [sole(anatomy, data, leg) for leg in legs]
    pose = _put_down(anatomy, q, legs, soles)
    if _trouble(anatomy, pose, legs, soles) is not None:
        return None
    flat = sum(s.normal is not None for s in soles)
    why = (
        f"{len(legs)} {how}, put down and a little bent, {flat} of them with level soles; no keyframe stands"
    )
    return Pose(pose, legs, soles, "found", why)


def dropped(anatomy: Anatomy, q: np.ndarray) -> np.ndarray:
    """The pose with every limb as far down as it goes."""
    data = anatomy.posed(q)
    limbs = anatomy.limbs(data, anatomy.ends(), -np.inf)
    soles = [Sole(limb.feet[0], _tip(anatomy, data, limb.feet[0]), None) for limb in limbs]
    down = [Foothold(limb, s, _deep(anatomy, data, limb)) for limb, s in zip(limbs, soles)]
    return Stance(anatomy, limbs).reach(q, down)[0] if limbs else q


def _legs_dropped(anatomy: Anatomy, q: np.ndarray) -> np.ndarray:
    """The pose with those limbs down that then reach lowest, and the others as they were."""
    down = dropped(anatomy, q)
    step = np.zeros(anatomy.model.nv)
    mujoco.mj_differentiatePos(anatomy.model, step, 1.0, q, down)
    legs = {d for leg in anatomy.legs(anatomy.posed(down)) for d in leg.dofs}
    step[[d for d in range(anatomy.model.nv) if d not in legs]] = 0.0
    made = q.copy()
    mujoco.mj_integratePos(anatomy.model, made, step, 1.0)
    return made


def levelled(anatomy: Anatomy, pose: Pose, notes: Notes) -> Pose:
    """The pose with its soles exactly level on one plane, and the centre of mass over them."""
    middle, off = _off_centre(anatomy, anatomy.posed(pose.q), pose.legs)
    shifts = [anatomy.posed(pose.q).subtree_com[1][:2] - middle] if off > OFF_CENTRE else []
    for shift in [*shifts, np.zeros(2)]:
        q = _level(anatomy, pose, shift)
        if _trouble(anatomy, q, pose.legs, pose.soles) is None:
            if float(np.abs(shift).max()) > 1e-3:
                notes(
                    "feet moved",
                    [round(float(x), 3) for x in shift],
                    "the centre of mass was not over them [m]",
                )
            return replace(pose, q=q)
    return pose


def _level(anatomy: Anatomy, pose: Pose, shift: np.ndarray) -> np.ndarray:
    """Feet moved by so much along the ground and put on one plane; round ones roll, so that takes a few goes."""
    stance, q = Stance(anatomy, pose.legs), pose.q
    start = anatomy.posed(q)
    goals = [_centre(start, s)[:2] + shift for s in pose.soles]
    floor = float(np.mean([_bottom(anatomy, start, leg) for leg in pose.legs]))
    for _ in range(ROLLS):
        data = anatomy.posed(q)
        heights = [
            _centre(data, s)[2] + floor - _bottom(anatomy, data, leg) for s, leg in zip(pose.soles, pose.legs)
        ]
        places = [np.array([*xy, z]) for xy, z in zip(goals, heights)]
        q, _ = stance.reach(
            q, [Foothold(*h, *_heading(start, h[1])) for h in zip(pose.legs, pose.soles, places)]
        )
    return q


def _bottom(anatomy: Anatomy, data: mujoco.MjData, leg: Leg) -> float:
    lowest = anatomy.lowest(data)
    return min(lowest[p] for p in anatomy.below(leg.base) if p in lowest)


def _as_is(anatomy: Anatomy, q: np.ndarray, source: str) -> Pose | None:
    """The pose where the body stands on its feet in it, else None."""
    if not np.isfinite(q).all():
        return None
    data = anatomy.posed(q)
    legs = anatomy.legs(data)
    soles = [sole(anatomy, data, leg) for leg in legs]
    if _trouble(anatomy, q, legs, soles) is not None:
        return None
    stretch = _stretch(anatomy, q, legs, soles)
    if min(stretch) < BENT or (source == "zero pose" and max(stretch) > STRAIGHT):
        return None
    return Pose(q, legs, soles, source, f"it stands on {len(legs)} feet in it")


def _trouble(anatomy: Anatomy, q: np.ndarray, legs: list[Leg], soles: list[Sole]) -> str | None:
    """Why a body would not stand in a pose; None where it would."""
    if len(legs) < 2:
        return "fewer than two legs"
    data, others = anatomy.posed(q), set(anatomy.parts)
    lowest = anatomy.lowest(data)
    bottoms = [min(lowest[f] for f in leg.feet) for leg in legs]
    floor = min(bottoms)
    height = float(data.subtree_com[1][2]) - floor
    if height <= 0.0 or np.ptp(bottoms) > UNEVEN * height:
        return "feet at different heights"
    if max(_tilt(data, s) for s in soles) > LEVEL:
        return "soles that are not level"
    others -= {p for leg in legs for p in anatomy.below(leg.base)}
    if any(lowest[p] < floor + CLEAR * height for p in others if p in lowest):
        return "the trunk on the ground"
    ring = polygon.hull(np.concatenate([_underside(anatomy, data, leg, height) for leg in legs])[:, :2])
    if polygon.signed_distance(ring, data.subtree_com[1][:2]) > LINE * height:
        return "the centre of mass off its feet"
    return None


def _put_down(anatomy: Anatomy, q: np.ndarray, legs: list[Leg], soles: list[Sole]) -> np.ndarray:
    """The pose in which the legs stand a little bent, from the start that comes nearest to it."""
    stance = Stance(anatomy, legs)
    data = anatomy.posed(q)
    hips = [anatomy.anchor(data, leg.base)[2] for leg in legs]
    stretched = _down(anatomy, stance, q, legs, soles)
    ends = [_centre(anatomy.posed(stretched), s) for s in soles]
    anchors = np.array([anatomy.anchor(data, leg.base)[:2] for leg in legs])
    for end, aside in zip(ends, anchors - anchors.mean(axis=0)):  # no nearer to the middle than the hips
        width = float(np.linalg.norm(aside))
        out = aside / max(width, 1e-9)
        end[:2] += max(0.0, width - float((end[:2] - anchors.mean(axis=0)) @ out)) * out
    bent = [STRETCH_FLAT if s.normal is not None else STRETCH_POINT for s in soles]
    floor = max(hip - f * (hip - end[2]) for hip, end, f in zip(hips, ends, bent))
    best, least = q, np.inf
    for seed in _seeds(anatomy, legs, stretched, q):
        if least < GOOD:
            break  # the likelier starts come first
        pose, error = seed, np.inf
        for _ in range(3):  # the centre of mass moves a little with the legs
            now = anatomy.posed(pose)
            middle = _off_centre(anatomy, now, legs)[0] if error < np.inf else np.mean(ends, axis=0)[:2]
            shift = now.subtree_com[1][:2] - middle
            base = ends if error == np.inf else [_centre(now, s) for s in soles]
            places = [np.array([*(e[:2] + shift), floor]) for e in base]
            holds = [Foothold(*h, *_heading(data, h[1])) for h in zip(legs, soles, places)]
            pose, error = stance.reach(pose, holds)
        cost = error + 0.01 * float(np.abs(pose - q)[7:].mean())
        if cost < least:
            best, least = pose, cost
    return best


def _down(anatomy: Anatomy, stance: Stance, q: np.ndarray, legs: list[Leg], soles: list[Sole]) -> np.ndarray:
    """The pose with the legs as far down as they go with their soles level."""
    data = anatomy.posed(q)
    holds = [Foothold(leg, s, _deep(anatomy, data, leg), *_heading(data, s)) for leg, s in zip(legs, soles)]
    return stance.reach(q, holds, 5.0)[0]


def _deep(anatomy: Anatomy, data: mujoco.MjData, leg: Leg) -> np.ndarray:
    """A place lower than a leg can reach, free along the ground."""
    return np.array(
        [np.nan, np.nan, anatomy.anchor(data, leg.base)[2] - 1.1 * leg_length(anatomy, data, leg)]
    )


def _heading(data: mujoco.MjData, s: Sole) -> tuple[np.ndarray, np.ndarray]:
    """A level direction of a sole, in the frame of its part and in the world as it is now."""
    R = data.xmat[s.part].reshape(3, 3)
    ahead = np.array([1.0, 0.0, 0.0])
    return R.T @ ahead, ahead


def _stretch(anatomy: Anatomy, q: np.ndarray, legs: list[Leg], soles: list[Sole]) -> list[float]:
    """Distance of each sole below its hip, as a part of the most it can be."""
    data = anatomy.posed(q)
    longest = anatomy.posed(_down(anatomy, Stance(anatomy, legs), q, legs, soles))
    hips = [anatomy.anchor(data, leg.base)[2] for leg in legs]
    return [(h - _centre(data, s)[2]) / max(h - _centre(longest, s)[2], 1e-9) for h, s in zip(hips, soles)]


def _underside(anatomy: Anatomy, data: mujoco.MjData, leg: Leg, height: float) -> np.ndarray:
    points = np.concatenate([anatomy.points(data, p) for p in anatomy.below(leg.base)])
    return points[points[:, 2] < points[:, 2].min() + TOUCHING * height]


def _tilt(data: mujoco.MjData, s: Sole) -> float:
    if s.normal is None:
        return 0.0
    return float(np.arccos(np.clip((data.xmat[s.part].reshape(3, 3) @ s.normal)[2], -1, 1)))


def _centre(data: mujoco.MjData, s: Sole) -> np.ndarray:
    return data.xpos[s.part] + data.xmat[s.part].reshape(3, 3) @ s.centre


def _tip(anatomy: Anatomy, data: mujoco.MjData, part: int) -> np.ndarray:
    """The point of a part that is farthest from its joint, in its own frame."""
    points, _ = anatomy.shape[part]
    joint = (anatomy.anchor(data, part) - data.xpos[part]) @ data.xmat[part].reshape(3, 3)
    return points[int(np.linalg.norm(points - joint, axis=1).argmax())]


def _off_centre(anatomy: Anatomy, data: mujoco.MjData, legs: list[Leg]) -> tuple[np.ndarray, float]:
    """Middle of what the feet span, and how far the centre of mass is from it as a part of the way to the border."""
    height = float(data.subtree_com[1][2]) - min(anatomy.lowest(data).values())
    ring = polygon.hull(np.concatenate([_underside(anatomy, data, leg, height) for leg in legs])[:, :2])
    middle = polygon.centroid(ring)
    way = data.subtree_com[1][:2] - middle
    border = -polygon.signed_distance(ring, middle)
    return middle, float(np.linalg.norm(way) / max(border, 1e-9))


def _seeds(anatomy: Anatomy, legs: list[Leg], stretched: np.ndarray, q: np.ndarray) -> list[np.ndarray]:
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
                step += 0.3 * sign * forward / most
        mujoco.mj_integratePos(model, pose, step, 1.0)
        seeds.append(np.clip(pose, low, high))
    return [*seeds, stretched, q]
