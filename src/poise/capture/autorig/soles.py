"""Soles: which way up a foot is when it stands, how high its joint is above the floor, and how large its sole."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from poise.capture.anatomy.parts import Anatomy, Part
from poise.capture.autorig.masses import STATURE
from poise.capture.autorig.plan import Plan
from poise.character.bodies import adult
from poise.character.shapes import Sole
from poise.geometry import quat
from poise.geometry.linear import norm, times

STANCE_FRAMES = 5  # frames of standing that are worth something
TILT = np.radians(8)  # frames that are more out of line than this are not standing flat
STANCE_TRUST = np.radians(35)  # a stance that is farther from the standing pose is not believed
LOW = 20  # percentile of the heights in which it stands flat: a step or a stair is not the floor
STEP = 0.06  # [m]: feet that stand farther apart in height are not on one floor
HUMAN_ANKLE = (0.4, 1.5)  # bounds of the height of an ankle, over the adult's scaled to size
HUMAN_TOE = (0.75, 1.3)  # the same of the length from ankle to toe
TOES = 0.045  # of the stature: length of toes that a skeleton without them lacks


@dataclass(frozen=True)
class FlatFoot:
    """How a foot stands in the clip."""

    up: np.ndarray  # direction in the frame of its joint that is up (3,)
    height: float | None  # of its joint above the floor [m]; None where the clip does not show it
    evidence: str  # in words


def stance(anatomy: Anatomy, part: Part) -> FlatFoot:
    """How a foot stands, from the frames in which heel and toe are on the ground."""
    figure = anatomy.figure
    if part.joint < 0:
        return FlatFoot(np.array([0.0, 0.0, 1.0]), 0.0, "made up")
    pose = quat.rotate(quat.conjugate(figure.turned[part.joint]), np.array([0.0, 0.0, 1.0]))
    at, turned = figure.capture.world
    frames = _standing(anatomy, part)
    up = quat.rotate(quat.conjugate(turned[frames, part.joint]), np.array([0.0, 0.0, 1.0]))
    mean = np.median(up, axis=0) if len(up) else pose
    flat = frames[times(up, mean / max(float(norm(mean)), 1e-9)) > np.cos(TILT)] if len(up) else frames
    if len(flat) < STANCE_FRAMES:
        return FlatFoot(pose, None, "no frames in which it stands; as in the standing pose")
    up = quat.rotate(quat.conjugate(turned[flat, part.joint]), np.array([0.0, 0.0, 1.0])).mean(axis=0)
    up /= norm(up)
    tilt = float(np.arccos(np.clip(times(up, pose), -1.0, 1.0)))
    off = f"{np.degrees(tilt):.1f}° from the standing pose"
    if tilt > STANCE_TRUST:
        return FlatFoot(pose, None, f"stance frames are {off}; as in that")
    height = float(np.percentile(at[flat, part.joint, 2], LOW))
    return FlatFoot(up, height, f"{len(flat)} frames of standing, {off}")


def level(plan: Plan, stances: dict[str, FlatFoot]) -> dict[str, FlatFoot]:
    """The same stances with heights of a pair's feet as unequal as makes its hips level, within what was measured.

    Fitted skeletons have legs of different lengths, which part of the difference between their feet makes up for; the
    other part is the clip's.
    """
    made = dict(stances)
    for name, seen in stances.items():
        other = stances.get(name[:-2] + "_r") if name.endswith("_l") else None
        known = [s.height for s in (seen, other) if s is not None and s.height is not None]
        if other is None or not known:
            continue
        heights = known if len(known) == 2 else known * 2
        if abs(heights[0] - heights[1]) > STEP:
            heights = [min(heights)] * 2
        measured = heights[0] - heights[1]
        ankles = [float(plan.place(plan.anatomy.part(foot))[2]) for foot in (name, name[:-2] + "_r")]
        apart = float(np.clip(ankles[0] - ankles[1], min(0.0, measured), max(0.0, measured)))
        mean = float(np.mean(heights))
        made[name] = replace(seen, height=mean + apart / 2)
        made[name[:-2] + "_r"] = replace(other, height=mean - apart / 2)
    return made


def sole(plan: Plan, part: Part, seen: FlatFoot, stature: float, human: bool) -> tuple[Sole, str]:
    """The sole of a foot in its frame, and why it is so."""
    points = plan.points(part) - plan.place(part)
    scale = stature / STATURE
    return _human(points, seen, scale) if human else _other(plan, points, seen, stature)


def _standing(anatomy: Anatomy, part: Part) -> np.ndarray:
    """Frames in which all labelled joints of a foot rest on the ground."""
    figure = anatomy.figure
    inside = {figure.skeleton.names[j] for j in figure.below[part.joint]}
    labels = [on for name, on in figure.contacts.items() if name in inside]
    return np.flatnonzero(np.all(labels, axis=0)) if labels else np.zeros(0, np.int64)


def _human(points: np.ndarray, seen: FlatFoot, scale: float) -> tuple[Sole, str]:
    shape, usual = adult.SOLE_SHAPE, adult.ANKLE_HEIGHT * scale
    why = seen.evidence
    depth = usual
    if seen.height is not None:
        depth = float(np.clip(seen.height, HUMAN_ANKLE[0] * usual, HUMAN_ANKLE[1] * usual))
        if depth != seen.height:
            why += f"; its height of {100 * seen.height:.1f} cm is not a human's"
    low, high = (bound * shape.toe * scale for bound in HUMAN_TOE)
    ahead = float(points[:, 0].max())
    toe = next((x for x in (ahead, ahead + TOES * scale * STATURE) if low <= x <= high), shape.toe * scale)
    width = (shape.width[0] * scale, shape.width[1] * scale)
    return Sole(shape.heel * scale, toe, width, depth, shape.radius * scale), why


def _other(plan: Plan, points: np.ndarray, seen: FlatFoot, size: float) -> tuple[Sole, str]:
    """A sole under all of a foot's points, not smaller than the body needs."""
    feet = len(plan.anatomy.feet)
    least = size * (0.10 if feet == 2 else 0.06)
    depth = max(-float(points[:, 2].min()), seen.height or 0.0, 0.012 * size)
    heel, toe = float(points[:, 0].min()) - 0.3 * least, float(points[:, 0].max()) + 0.2 * least
    grow = max(0.0, least - (toe - heel)) / 2
    width = max(float(np.ptp(points[:, 1])), 0.5 * least)
    sized = Sole(heel - grow, toe + grow, (width, width), depth, min(0.015, 0.4 * depth))
    return sized, f"{seen.evidence}; as large as the foot's bones, at least {100 * least:.0f} cm"
