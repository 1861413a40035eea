"""Parts of a clip found by what the feet do."""

import numpy as np
import pytest

from poise.character import Character
from poise.errors import BadInput
from poise.motion import library, parts
from poise.motion.blend import blend, moved
from poise.motion.clip import Clip


@pytest.fixture(scope="module")
def adult():
    return Character.named("adult")


def still(adult, seconds):
    times = np.linspace(0.0, seconds, round(seconds * 30) + 1)
    return Clip(adult, times, np.tile(adult.q_rest, (len(times), 1)))


def test_one_kick_of_several_is_found(adult):
    kick = library.side_kick(adult, 3.0, "l")
    long = blend(blend(still(adult, 4.0), kick, 0.2, "foot_r"), still(adult, 3.0), 0.2, "foot_r")
    start, end = parts.kick(long)
    lifted = [t for t in long.times if not long.on_ground("foot_l", t)]
    assert start <= lifted[0] - 0.5 and end >= lifted[-1] + 0.5
    assert end - start < 3.5  # the kick itself lifts the foot for about two seconds


def test_a_kick_that_begins_with_a_change_of_feet_is_entered_from_both(adult):
    kick = library.side_kick(adult, 3.0, "l")
    (_, lift), (land, _) = kick.contacts["foot_l"]
    change = {"foot_r": ((0.0, lift - 0.2), (lift, kick.end)), "foot_l": ((0.0, lift), (land, kick.end))}
    quick = Clip(adult, kick.times, kick.q, contacts=change)
    assert parts.kick(quick)[0] >= lift - 0.05  # the foot that stands comes down just then
    start, end = parts.entered_kick(quick)
    assert lift - 0.2 - parts.MARGIN - 0.05 < start < lift - 0.3 and end == parts.kick(quick)[1]
    assert parts.entered_kick(kick) == pytest.approx(parts.kick(kick), abs=0.05)


def test_feet_that_stay_down(adult):
    kick = library.side_kick(adult, 3.0, "l")
    long = blend(kick, still(adult, 5.0), 0.2, "foot_r")
    start, end = parts.standing(long)
    assert end == long.end and all(long.on_ground("foot_l", t) for t in np.linspace(start, end, 40))
    assert parts.in_place(long) == (long.start, long.end)


def test_a_step_ends_what_is_in_place(adult):
    kick = library.side_kick(adult, 2.0, "l")
    there = moved(still(adult, 3.0), (0.3, 0.0, 0.0))
    times = np.concatenate([kick.times, kick.end + 0.05 + there.times])
    contacts = {"foot_l": (*kick.contacts["foot_l"][:1], (kick.end + 0.05, times[-1]))}
    jump = Clip(adult, times, np.concatenate([kick.q, there.q]), contacts=contacts)
    start, end = parts.in_place(jump)
    assert not (start < kick.end - 1.0 and end > kick.end + 0.2)


def test_a_clip_without_the_part_is_refused(adult):
    with pytest.raises(BadInput, match="no kick"):
        parts.kick(still(adult, 2.0))
    flying = Clip(
        adult, np.array([0.0, 1.0, 2.0]), np.tile(adult.q_rest, (3, 1)), contacts={"foot_l": (), "foot_r": ()}
    )
    with pytest.raises(BadInput, match="no part"):
        parts.standing(flying)
