"""The zero-moment point of a clip, and leaning to keep it in the support."""

import numpy as np
import pytest

from poise.character.character import Character
from poise.motion import Clip, library
from poise.motion.dynamic import lean, outside, zero_moment_point

ADULT = Character.named("adult")


def test_at_rest_it_is_below_the_centre_of_mass():
    assert np.allclose(zero_moment_point(Clip.still(ADULT), 0.0), ADULT.com_rest[:2], atol=1e-6)


def test_a_rigid_body_pushed_along_follows_the_pendulum():
    """p = c - z / g a for a body that slides without turning."""
    times = np.linspace(0, 1, 101)
    q = np.tile(ADULT.q_rest, (101, 1))
    q[:, 1] += 0.5 * 0.6 * times**2
    clip = Clip(ADULT, times, q)
    shift = 0.3 * 0.25 - ADULT.com_rest[2] / 9.81 * 0.6
    wanted = ADULT.com_rest[:2] + np.array([0, shift])
    assert np.allclose(zero_moment_point(clip, 0.5), wanted, atol=1e-6)


def test_nothing_to_do_means_no_lean():
    clip = library.squat(ADULT)
    assert not outside(clip).any() and not lean(clip).any()


@pytest.mark.parametrize("duration", [3.5, 5.0])
def test_leaning_keeps_the_kick_on_its_foot(duration):
    stiff, leaning = (library.side_kick(ADULT, duration, leans=n) for n in (0, 2))
    assert np.abs(outside(stiff, 0.0)).max() > 0.05
    assert np.abs(outside(leaning, 0.0)).max() < 0.002
    assert np.allclose(leaning.q[0], stiff.q[0], atol=1e-6)


def test_motions_are_made_once():
    assert library.squat(ADULT) is library.squat(ADULT) and library.squat(ADULT) is not library.squat(
        ADULT, 0.28
    )
