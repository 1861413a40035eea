"""What animators ask of a clip that reacts: window, blend, loop, parts that hold, an exact first frame."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

import poise
from mocap import need
from motion_files import file_of, human, save, walk
from poise.capture.readers import bvh
from poise.character.constants import BALL, HINGE
from poise.errors import BadInput
from poise.formats import own_skeleton
from poise.formats.shown import shown
from poise.record.metrics import tracking_angles
from poise.scenes.direction import FIRM, held, parts_of
from rigs import HZ, sway, written

SHOVE = "torso:80,0,0@0.5+0.1"


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    """A person who sways once round, as a loop."""
    return written(tmp_path_factory.mktemp("direction"), sway(1.5))


@pytest.fixture(scope="module")
def walking(tmp_path_factory):
    made = file_of(walk(human(), HZ, 2.0), unit=0.01, up="Y", order="zxy", hz=HZ)
    return save(made, tmp_path_factory.mktemp("walking"))


@pytest.fixture(scope="module")
def run(file):
    """Takes of the swaying person."""

    @cache
    def simulate(**options):
        return poise.simulate(poise.scene("react", motion=file, **options))

    return simulate


def joints(capture) -> np.ndarray:
    return capture.world[0]


def both(take) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Joints as written and as in the file (T, J, 3) [m], and the times of the frames [s]."""
    made = own_skeleton.framed(take)
    clip = own_skeleton._as_read(made.intake)
    return joints(made.motion), joints(clip.at(made.motion.times)), made.motion.times


def pop(at: np.ndarray) -> float:
    """Largest change of a joint's velocity from one frame to the next [m/s]."""
    return float(np.linalg.norm(np.diff(at, 2, axis=0) * HZ, axis=-1).max())


def test_the_first_frame_is_that_of_the_clip_with_its_velocity(run):
    at, clip, _ = both(run(push=SHOVE))
    assert np.linalg.norm(at[0] - clip[0], axis=-1).max() < 1e-6
    assert np.linalg.norm((at[1] - at[0]) - (clip[1] - clip[0]), axis=-1).max() * HZ < 0.02
    assert np.linalg.norm(at - clip, axis=-1).max() > 0.02  # pushed


def test_outside_the_window_is_the_clip_itself(run, file, tmp_path):
    take = run(push=SHOVE, window="0.3:1.2", blend=0.2)
    take.save(tmp_path / "out.bvh")
    a, b = bvh.read(file), bvh.read(tmp_path / "out.bvh")
    assert len(a) == len(b) and take.info["seconds"] == pytest.approx(0.9)
    outside = (np.arange(len(a)) / HZ <= 0.3) | (np.arange(len(a)) / HZ >= 1.2)
    assert np.abs(a.values[outside] - b.values[outside]).max() < 1e-6
    at, clip, times = both(take)
    apart = np.linalg.norm(at - clip, axis=-1).max(axis=1)
    assert apart[(times > 0.7) & (times < 0.9)].max() > 0.02
    assert take.metrics["return_gap_m"] > 0.01


def test_the_push_comes_at_its_time_in_the_clip(run):
    assert [p for p in run(push=SHOVE, window="0.3:1.2").info["pushes"]] == ["torso:80.0,0.0,0.0@0.2+0.1"]


def test_neither_pose_nor_velocity_pops(run):
    soft, clip, _ = both(run(push=SHOVE, window="0.3:1.2", blend=0.3))
    hard, _, _ = both(run(push=SHOVE, window="0.3:1.2", blend=0.0))
    assert pop(soft) < pop(clip) + 0.12
    assert pop(hard) > 3 * pop(soft)


def test_a_loop_stays_a_loop(run):
    at, clip, _ = both(run(push=SHOVE, loop=True))
    assert np.linalg.norm(at[-1] - at[0], axis=-1).max() < 0.002
    assert np.linalg.norm((at[1] - at[0]) - (at[-1] - at[-2]), axis=-1).max() * HZ < 0.05
    assert np.linalg.norm(at - clip, axis=-1).max() > 0.02
    open_end, _, _ = both(run(push=SHOVE))
    assert np.linalg.norm(open_end[-1] - open_end[0], axis=-1).max() > 0.002


def arm_error(take) -> float:
    """Of shoulders, elbows and wrists [rad]."""
    model = own_skeleton.framed(take).character.model
    names = [model.joint(j).name for kind in (HINGE, BALL) for j in np.flatnonzero(model.jnt_type == kind)]
    mine = [k for k, n in enumerate(names) if n.startswith(("shoulder", "elbow", "wrist"))]
    return float(np.sqrt((tracking_angles(take)[:, mine] ** 2).mean()))


@pytest.mark.parametrize("push", [SHOVE, "torso:0,80,0@0.5+0.1"])
def test_parts_that_hold_keep_nearer_to_the_clip(run, push):
    free, firm, stiff = run(push=push), run(push=push, hold="arms"), run(push=push, hold="arms=8")
    assert not firm.fell and arm_error(firm) < 0.7 * arm_error(free)
    assert not stiff.fell and arm_error(stiff) < 0.3 * arm_error(free)


def test_parts_are_found_by_word_by_body_and_by_joint(run):
    body = own_skeleton.framed(run(push=SHOVE)).character
    parts = parts_of(body)
    assert {"arms", "legs", "head", "trunk"} <= set(parts)
    assert sorted(n for some in ("arms", "legs", "head", "trunk") for n in parts[some]) == sorted(
        body.body_names
    )
    assert held(body, "arms, head=8") == dict.fromkeys(parts["arms"], FIRM) | dict.fromkeys(
        parts["head"], 8.0
    )
    assert held(body, "l_elbow=2") == {"forearm_l": 2.0}
    for bad in ("wings", "arms=much", "arms=-1", ","):
        with pytest.raises(BadInput):
            held(body, bad)


@pytest.mark.parametrize(
    ("options", "say"),
    [
        ({"window": "1"}, "write A:B"),
        ({"window": "1:0.5"}, "write A:B"),
        ({"window": "0.5:9"}, "asked for 0.5 to 9 s"),
        ({"window": "0.8:1.2", "push": SHOVE}, "outside the window"),
        ({"window": "0.2:1", "motion.start": 0.1}, "give one of them"),
        ({"window": "0.2:1", "motion.speed": 0.5}, "own pace"),
        ({"blend": -1.0}, "from zero on"),
        ({"loop": True, "character": "adult"}, "own skeleton"),
    ],
)
def test_what_makes_no_sense_is_refused(file, options, say):
    with pytest.raises(BadInput, match=say):
        poise.scene("react", motion=file, **options)


def test_pictures_show_the_clip_around_the_window(run, tmp_path):
    take = run(push=SHOVE, window="0.3:1.2")
    seen, made = shown(take), own_skeleton.framed(take)
    assert seen.time[-1] == pytest.approx(1.5) and seen.info["pushes"] == ["torso:80.0,0.0,0.0@0.5+0.1"]
    body = made.character
    feet = [body.posed(q).body("foot_l").xpos for q in seen["q"][[0, 45, 90]]]
    joint = made.motion.skeleton.index("l_foot")
    assert np.abs(feet - made.motion.world[0][[0, 45, 90], joint]).max() < 0.01
    assert shown(run(push=SHOVE)) is run(push=SHOVE)
    take.save(tmp_path / "sheet.png")
    assert (tmp_path / "sheet.png").stat().st_size > 1000


def test_a_take_with_a_window_repeats(run, tmp_path):
    from poise.cli.replay import scene_of
    from poise.record.replay import verify

    take = run(push=SHOVE, window="0.3:1.2")
    take.save(tmp_path / "t.npz")
    loaded = poise.Recording.load(tmp_path / "t.npz")
    assert verify(loaded, poise.simulate(scene_of(loaded.info))).equal


def test_a_window_may_begin_in_any_phase_of_a_walk(walking):
    for start in (0.1, 0.25, 0.4, 0.55):
        take = poise.simulate(poise.scene("react", motion=walking, window=f"{start}:{start + 0.9}"))
        assert not take.fell and float(take.metrics["kept_share"] or 0.0) > 0.95
        assert take.info["seconds"] == pytest.approx(0.9)


def test_a_window_in_a_walk(walking):
    take = poise.simulate(poise.scene("react", motion=walking, window="0.6:1.6"))
    at, clip, times = both(take)
    apart = np.linalg.norm(at - clip, axis=-1).max(axis=1)
    assert not take.fell and len(times) == 120
    assert apart[(times <= 0.6) | (times >= 1.6)].max() < 1e-6 < apart.max()
    assert pop(at) < pop(clip) + 0.5


def test_held_arms_in_a_walk(walking):
    def run(**hold: Any):
        return poise.simulate(poise.scene("react", motion=walking, push="torso:0,60,0@0.8+0.1", **hold))

    free, firm = run(), run(hold="arms")
    assert not firm.fell and arm_error(firm) < 0.5 * arm_error(free)


@pytest.mark.slow
def test_a_window_in_a_captured_walk():
    (path,) = need("bvh/02_01.bvh")
    take = poise.simulate(poise.scene("react", motion=path, window="0.8:2", push="torso:100,0,0@1.2+0.1"))
    at, clip, times = both(take)
    apart = np.linalg.norm(at - clip, axis=-1).max(axis=1)
    assert not take.fell and apart[(times <= 0.8) | (times >= 2)].max() < 1e-6 < apart.max()
    assert pop(at) < pop(clip) + 0.1
