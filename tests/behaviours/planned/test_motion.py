"""From clips to references, courses and controllers: feet that rest, goals that legs reach, files that fit."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from poise.behaviours.planned.contacts import standing
from poise.behaviours.planned.course import course, landings, lengths
from poise.behaviours.planned.reference import reference
from poise.behaviours.planned.segments import Controller, controller, cuts
from poise.behaviours.planned.stairs import height_at, treads
from poise.character.limbs import chain, length
from poise.errors import BadInput
from poise.motion.clip import Clip
from poise.motion.gait import LONG, Gait, walk
from poise.motion.parts import runs


def up(rise: float, n: int = 3, axis: int = 2) -> np.ndarray:
    steps = np.zeros((n + 1, 3))
    steps[1:, axis] = rise
    return steps


def test_a_walk_is_cut_in_its_double_supports(ref):
    period = round(Gait().period / ref.h)
    marks = cuts(ref)
    assert np.abs(np.diff(marks) - period).max() <= 3
    assert ref.feet.on.any(axis=2)[marks].all()


def test_states_agree_with_each_other(ref):
    """L is m times the velocity of c; ∫H grows by H."""
    velocity = np.gradient(ref.x[:, :3], ref.h, axis=0)
    np.testing.assert_allclose(ref.x[2:-2, 3:6] / ref.character.mass, velocity[2:-2], atol=0.02)
    np.testing.assert_allclose(np.gradient(ref.x[:, 6:9], ref.h, axis=0)[2:-2], ref.x[2:-2, 9:], atol=0.4)


def test_points_that_carry_rest_on_the_ground(ref):
    feet = ref.feet
    for stance in feet.stances:
        span = slice(stance.first, stance.last + 1)
        on, corners = feet.on[span, stance.support], feet.corners[span, stance.support]
        for k in range(on.shape[1]):
            if on[:, k].any():
                assert np.ptp(corners[on[:, k], k], axis=0).max() < 1e-9
        assert np.abs(corners[on][:, 2]).max() < 1e-9
        assert on.any(axis=1).all()


def test_feet_on_their_prints_do_not_slide(ref):
    """The frames of the feet put the corners that carry where they rest."""
    from poise.geometry import quat

    feet = ref.feet
    for s, name in enumerate(ref.character.stance):
        points = ref.character.support(name).points
        now = feet.place[:, s, None] + quat.rotate(feet.turn[:, s, None], points)
        on = feet.on[:, s, : len(points)]
        assert np.abs((now - feet.corners[:, s, : len(points)])[on]).max() < 1e-6


def test_a_clip_without_contact_is_refused(adult):
    clip = Clip(
        adult, np.arange(60) / 60, np.tile(adult.q_rest, (60, 1)), contacts={"foot_l": (), "foot_r": ()}
    )
    with pytest.raises(BadInput, match="no foot touches the floor"):
        reference(clip)
    with pytest.raises(BadInput, match="too short"):
        reference(walk(adult, steps=2), seconds=0.02)


def test_gaps_too_short_to_fly_become_double_support():
    down = np.ones((200, 2), bool)
    down[80:, 0], down[:85, 1] = False, False  # five frames on no foot
    down[150:, 1] = False
    down[190:, 0] = True  # forty frames on none: a flight
    corners = np.zeros((200, 2, 4, 3))
    corners[..., 2] = np.where(down, 0.0, 0.3)[..., None]
    found = standing(down, corners, 1 / 120)
    assert np.asarray(found.any(axis=1))[:149].all() and found[80:85].all()
    assert not found[155:185].any()


@pytest.mark.parametrize("gait", [Gait(), LONG, Gait(length=0.45, period=0.6)], ids=["walk", "long", "short"])
def test_gaits_are_smooth_and_periodic(adult, gait):
    clip = walk(adult, gait, 4)
    stride = round(2 * gait.period * 120)
    np.testing.assert_allclose(clip.q[stride, 3:], clip.q[0, 3:], atol=0.03)
    assert np.abs(np.diff(clip.q[:, 7:], axis=0)).max() < 0.2  # [rad] a frame
    assert (
        np.abs(clip.velocity(gait.period)[0] - (clip.q[stride, 0] - clip.q[0, 0]) / (2 * gait.period)) < 0.4
    )


def test_bad_gaits_are_refused(adult):
    with pytest.raises(BadInput, match="step length"):
        Gait(length=2.0)
    with pytest.raises(BadInput, match="double support"):
        Gait(period=0.01)


def test_a_course_shifts_footprints_and_later_ones_along(ref, control):
    way = course(ref, control, up(0.2, 2))
    steps = landings(ref)
    np.testing.assert_allclose(way.rises[steps[:5]], [0.0, 0.2, 0.4, 0.4, 0.4])
    flat = course(ref, control)
    assert np.abs(flat.shift).max() == 0.0 and flat.lowered.min() > -0.05
    np.testing.assert_allclose(way.goal[-1, 2] - way.lowered[-1], 0.4)


def test_a_swinging_foot_clears_the_stair(ref, control):
    way = course(ref, control, up(0.2))
    ground = treads(ref, way)
    assert [t.height for t in ground] == pytest.approx([0.0, 0.2, 0.4, 0.6])
    assert height_at(ground, np.array([-3.0, 50.0])) == pytest.approx([0.0, 0.6])
    for s in range(2):
        for a, b in runs(~ref.feet.on[:, s].any(axis=1)):
            ankle = way.place[a:b, s]
            assert (ankle[:, 2] > height_at(ground, ankle[:, 0])).all()


def test_goals_come_down_where_legs_are_too_short(ref, control):
    low = [-course(ref, control, up(rise)).lowered.min() for rise in (0.0, 0.15, 0.3, 0.5)]
    assert low == sorted(low) and low[0] < 0.03 < low[2]
    legs = [length(ref.character, chain(ref.character, foot)) for foot in ("foot_l", "foot_r")]
    assert legs == pytest.approx([0.85, 0.85], abs=1e-6)


def test_step_lengths(ref):
    assert lengths(ref)[1:, 0] == pytest.approx(0.68 * 0.844, abs=0.02)


def test_a_controller_is_saved_and_loaded_for_its_clip_alone(ref, control, adult, tmp_path):
    file = tmp_path / "walk.npz"
    control.save(file)
    back = Controller.load(file, ref)
    assert back.digest == control.digest and back.weights == control.weights
    for a, b in zip(back.segments, control.segments, strict=True):
        assert (a.start, a.cut, a.end, a.iterations) == (b.start, b.cut, b.end, b.iterations)
        np.testing.assert_array_equal(a.policy.Kx, b.policy.Kx)
        assert a.policy.h == b.policy.h
    with pytest.raises(BadInput, match="another clip"):
        Controller.load(file, reference(walk(adult, Gait(length=0.6), 4)))
    (tmp_path / "bad.npz").write_bytes(b"nothing")
    with pytest.raises(BadInput, match="not a plan"):
        Controller.load(tmp_path / "bad.npz")


def test_a_motion_ends_before_a_piece_that_has_no_solution(ref):
    """Feet moved away under the third step: the first pieces are kept, with a note."""
    far = ref.feet.corners.copy()
    far[150:] += [0.0, 3.0, 0.0]
    found = controller(replace(ref, feet=replace(ref.feet, corners=far)))
    assert 1 <= len(found.segments) < len(cuts(ref)) - 1
    assert "cannot be planned" in found.notes[0] and "ends there" in found.notes[0]
