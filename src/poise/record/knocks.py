"""Knocks: contacts of a take other than stances, and other than what the clip that it follows touches itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

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
PAUSE = 0.08  # [s]: two blows between the same parts that are closer are one


class Knock(NamedTuple):
    """One blow, at its hardest."""

    at: int  # the record
    force: float  # [N]
    one: str  # bodies, or "ground"
    two: str


def knocks(take: Recording, clip: Clip) -> list[Knock]:
    """Blows of more than ``SMALL`` before a fall that are no stances and not the clip's own, in order of time."""
    until, found = _until(take), list[Knock]()
    for i in np.flatnonzero(take["knock"][:until, 0] > SMALL).tolist():
        force, one, two = take["knock"][i]
        if not _own(clip, _time(take, clip, i), int(one), int(two)):
            found.append(Knock(i, float(force), _name(clip, int(one)), _name(clip, int(two))))
    for side, force in _scuffs(take, until):
        found += [
            Knock(int(i), float(force[i]), f"foot_{side}", "ground") for i in np.flatnonzero(force > SMALL)
        ]
    return _blows(sorted(found), take.time)


def _blows(found: list[Knock], time: np.ndarray) -> list[Knock]:
    """Records in order as blows, each at its hardest."""
    out: list[Knock] = []
    last: dict[tuple[str, str], tuple[int, int]] = {}  # of two parts, the blow and its latest record
    for knock in found:
        key = knock.one, knock.two
        n, before = last.get(key, (-1, -1))
        if n < 0 or time[knock.at] - time[before] > PAUSE:
            n = len(out)
            out.append(knock)
        elif knock.force > out[n].force:
            out[n] = knock
        last[key] = n, knock.at
    return out


def _name(clip: Clip, body: int) -> str:
    """Name of a body that is counted from the root."""
    return "ground" if body < 0 else clip.character.model.body(body + 1).name


def hardest(take: Recording, clip: Clip) -> float:
    """Force of the hardest contact before a fall that is no stance and not the clip's own [N]; nan where unrecorded."""
    if "knock" not in take:
        return float("nan")
    until = _until(take)
    rows, found = take["knock"][:until], 0.0
    for i in np.argsort(-rows[:, 0]):
        force, one, two = rows[i]
        if force <= SMALL or not _own(clip, _time(take, clip, i), int(one), int(two)):
            found = float(force)
            break
    return max(found, scuff(take, until))


def scuff(take: Recording, until: int) -> float:
    """Hardest touch of a sole that is in the air as its behaviour has it [N]."""
    return max((float(np.max(force, initial=0.0)) for _, force in _scuffs(take, until)), default=0.0)


def _scuffs(take: Recording, until: int) -> Iterator[tuple[str, np.ndarray]]:
    """Of each foot its side, and the force (until,) on its sole while its behaviour has it in the air [N]."""
    if "clip" not in take or "sole_force" not in take:
        return
    names = take.series["sole_force"].names
    for k, side in enumerate(SIDES):
        if f"foot_{side}" not in names:
            continue
        air = take["clip"][:until, 2 + k] == 0
        for by in range(1, EDGE + 1):
            air[by:] &= air[:-by].copy()
            air[:-by] &= air[by:].copy()
        yield side, np.where(air, take["sole_force"][:until, names.index(f"foot_{side}")], 0.0)


def _until(take: Recording) -> int:
    """How many records there are before a fall."""
    return len(take) if take.fall_time is None else int(np.searchsorted(take.time, take.fall_time - ABOUT))


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
