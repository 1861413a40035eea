"""Single steps found in a clip by its contact labels."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from poise.behaviours.example_steps.legs import TwoLegs
from poise.behaviours.example_steps.profile import Timing
from poise.behaviours.example_steps.step import Step, cut
from poise.motion.clip import Clip
from poise.motion.feet import stances

BEFORE, AFTER = 0.5, 0.5  # [s] of double stance that belong to a step at the most
SHORTEST = 0.06  # [s] of double stance on either side: with less, it is a run
SWINGS = (0.15, 1.6)  # [s] that a foot is in the air
SHARE = 0.5  # of the double stance between two steps that belongs to each


def steps_in(clip: Clip, source: str = "", legs: TwoLegs | None = None) -> list[Step]:
    """All steps of a clip: one foot leaves the ground and comes down while the other stands."""
    legs = legs or TwoLegs(clip.character)
    out = []
    for swing in (0, 1):
        for timing in timings(clip, legs.names[swing], legs.names[1 - swing]):
            out.append(cut(clip, legs, swing, timing, f"{source} {timing.lift:.2f} s".strip()))
    return out


def timings(clip: Clip, foot: str, other: str) -> list[Timing]:
    """When the steps of one foot begin, lift, land and end."""
    spans, support = stances(clip, foot), stances(clip, other)
    found = []
    for (a0, lift), (land, a1) in pairwise(spans):
        stood = [(s, e) for s, e in support if s <= lift - SHORTEST and e >= land + SHORTEST]
        if not stood or not SWINGS[0] <= land - lift <= SWINGS[1]:
            continue
        s, e = stood[0]
        before, after = min(lift - a0, lift - s), min(a1 - land, e - land)
        if min(before, after) < SHORTEST:
            continue
        edge = [x in (clip.start, clip.end) for x in (max(a0, s), min(a1, e))]
        before = min(BEFORE, before if edge[0] else SHARE * before)
        after = min(AFTER, after if edge[1] else SHARE * after)
        found.append(Timing(lift - before, lift, land, land + after))
    return found


def in_order(clip: Clip, legs: TwoLegs) -> list[tuple[int, Timing]]:
    """Steps of both feet as they come: (swing, times)."""
    both = [(i, t) for i in (0, 1) for t in timings(clip, legs.names[i], legs.names[1 - i])]
    return sorted(both, key=lambda step: step[1].lift)


def moved(step: Step, least: float = 0.04) -> bool:
    """Whether the foot of a step came down elsewhere than it left [m]."""
    return (
        float(np.linalg.norm(step.goal[:2] - step.start[:2])) >= least
        or abs(step.goal[2] - step.start[2]) > 0.1
    )
