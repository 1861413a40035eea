"""A clip on a body of other proportions."""

import numpy as np
import pytest

from poise.character import Character
from poise.dynamics.limits import beyond
from poise.errors import BadInput
from poise.motion import library
from poise.motion.clip import Clip
from poise.motion.feet import skate
from poise.motion.retarget import retarget


@pytest.fixture(scope="module")
def adult():
    return Character.named("adult")


def test_on_the_same_body_nothing_changes(adult):
    squat = library.squat(adult, 0.2, 1.6).trim(0.0, 1.6).resample(30.0)
    made = retarget(squat, adult, lock=False)
    assert np.abs(made.q - squat.q).max() < 1e-6


@pytest.mark.parametrize("name", ["chicken", "insectoid"])
def test_on_another_body_the_feet_are_true(adult, name):
    squat = library.squat(adult, 0.15, 1.6).trim(0.0, 1.6).resample(30.0)
    made = retarget(squat, Character.named(name))
    feet = skate(made)
    assert feet.slide_m < 2e-3 and feet.sink_m < 2e-3 and feet.tilt_deg < 0.5
    assert max(beyond(made.character, q) for q in made.q[::10]) < 0.02


def test_limbs_turn_alike(adult):
    wave = library.butterfly(adult, 1.6).trim(0.0, 1.6).resample(30.0)
    insect = Character.named("insectoid")
    made = retarget(wave, insect, lock=False)
    i, a = insect.body("upper_arm_l"), adult.body("upper_arm_l")
    for frame in (0, 12, 30):
        want, got = adult.posed(wave.q[frame]), insect.posed(made.q[frame])
        down = np.array([0.0, 0.0, -1.0])
        assert got.xmat[i].reshape(3, 3) @ down == pytest.approx(want.xmat[a].reshape(3, 3) @ down, abs=0.2)


def test_bodies_with_nothing_in_common_are_refused(adult):
    from poise.character import Limb, build, capsule

    shape = capsule((0, 0, 0), (0, 0, 0.1), 0.1, (1, 1, 1, 1))

    ball = build("ball", [Limb("ball", "", "root", (0, 0, 0.1), 1.0, (shape,))], stance=())
    with pytest.raises(BadInput, match="share too few parts"):
        retarget(Clip.still(adult), ball)


def test_a_body_on_its_hands_takes_no_movement_of_one_on_its_feet(adult):
    with pytest.raises(BadInput, match="'acrobat' stands on hand_l and hand_r, 'adult' on foot_l and foot_r"):
        retarget(Clip.still(adult), Character.named("acrobat"))
