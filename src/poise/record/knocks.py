"""Knocks: contacts of a take other than stances, and other than what the clip that it follows touches itself."""

from __future__ import annotations

import mujoco
import numpy as np

from poise.motion.clip import Clip
from poise.motion.collide import meet
from poise.record.limbs import SIDES
from poise.record.recording import Recording

SMALL = 50.0  # [N]: a softer contact is not asked whose it is
NEAR = 0.01  # [m]: parts that are so close in the clip touch there,
ABOUT = 0.1  # [s] before or after
EDGE = 2  # records about a lift-off and a landing in which a sole may touch


def hardest(take: Recording, clip: Clip) -> float:
    """Force of the hardest contact before a fall that is no stance and not the clip's own [N]; nan where unrecorded."""
    if "knock" not in take:
        return float("nan")
    until = len(take) if take.fall_time is None else int(np.searchsorted(take.time, take.fall_time - ABOUT))
    knocks, found = take["knock"][:until], 0.0
    for i in np.argsort(-knocks[:, 0]):
        force, one, two = knocks[i]
        if force <= SMALL or not _own(clip, _time(take, clip, i), int(one), int(two)):
            found = float(force)
            break
    return max(found, scuff(take, until))


def scuff(take: Recording, until: int) -> float:
    """Hardest touch of a sole that is in the air as its behaviour has it [N]."""
    if "clip" not in take or "sole_force" not in take:
        return 0.0
    most, names = 0.0, take.series["sole_force"].names
    for k, side in enumerate(SIDES):
        if f"foot_{side}" not in names:
            continue
        air = take["clip"][:until, 2 + k] == 0
        for by in range(1, EDGE + 1):
            air[by:] &= air[:-by].copy()
            air[:-by] &= air[by:].copy()
        most = max(
            most, float(np.max(take["sole_force"][:until, names.index(f"foot_{side}")][air], initial=0.0))
        )
    return most


def _time(take: Recording, clip: Clip, i: int) -> float:
    """Where in the clip a record is [s]."""
    t = take["clip"][i, 0] if "clip" in take else take.time[i] - take.time[0]
    return clip.start + min(max(float(t), 0.0), clip.seconds)


def _own(clip: Clip, t: float, one: int, two: int) -> bool:
    """Whether two bodies of the character, counted from its root, touch in the clip about a time."""
    if min(one, two) < 0:
        return False
    model, data = clip.character.model, mujoco.MjData(clip.character.model)
    ones, twos = (np.flatnonzero(model.geom_bodyid == body + 1) for body in (one, two))
    return meet(clip, data, (t - ABOUT, t, t + ABOUT), ones, twos, NEAR)
