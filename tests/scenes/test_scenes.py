"""One contract for every scene: builds, runs a second, is finite and repeatable, and says what it measures."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import numpy as np
import pytest

import poise
from poise.errors import BadInput
from poise.record import Recording
from poise.scenes import SCENES
from poise.worlds import Push

STANDARD = (
    "tracking_rmse_rad",
    "foot_slip_m",
    "penetration_max_m",
    "torque_peak_nm",
    "h_peak_kgm2s",
    "com_speed_final_ms",
    "torque_power_above_20hz",
)
OWN = {
    "balance-push": ("recovered", "arm_h_share"),
    "head-drag": ("drag_error_m",),
    "cup": ("cup_tilt_deg", "head_tilt_deg"),
    "platform": ("platform_slip_m",),
    "anticipate": ("hit", "damage_j", "damage_without_j", "chosen", "decision_ms"),
}
HANDS = {"cup"}  # scenes that need hands, which the other bodies do not have
UNIT = re.compile(r"_(rad|rads|m|nm|kgm2s|ms|deg|s|n|ns|j|us|w|g|bw)$")
PURE = {  # yes or no, shares, counts, a class
    "recovered", "arm_h_share", "solver_failures", "spin_class", "spin_zs_share", "walk_steps", "h_over_mvh",
    "hit", "result", "struck", "chosen", "back_in_gait", "stalled", "stands", "stalls",
    "revolutions", "revolutions_total", "revolutions_after_push", "air_time_share", "back_every_revolution",
    "head_share", "prone", "falls", "up_again", "state_final", "torque_power_above_20hz",
}  # fmt: skip
MAY_BE_NAN = {
    "sole_cp",
    "cp",
    "cmp",
    "support_points",
    "spin",
    "gait",
    "footprint",
    "soles",
    "xi",
}  # without contact, or without a step
SECONDS = {"head-drag": 2.2}  # its error is measured from the second second on


def of_file(*files: str) -> set[str]:
    """Scenes that these files of poise.scenes hold."""
    return {name for name, make in SCENES.items() if make.__module__.rpartition(".")[2] in files}


LED = of_file("abstract", "example_steps")  # without a physics loop
PHYSICS = [name for name in SCENES if name not in LED]
CLOCKS = {"decision_ms", "plan_ms"}  # of the wall
STANDING = [
    name for name in PHYSICS if name not in (*of_file("rolling"), *of_file("life"))
]  # the others lie, roll, leave the ground
WORKS = [
    "stand", "balance-push", "butterfly", "squat", "side-kick", "head-drag", "cup", "grapple", "platform",
]  # fmt: skip


@cache
def take_of(name: str, seed: int = 0) -> Recording:
    return poise.simulate(poise.scene(name, seconds=SECONDS.get(name, 1.0), seed=seed))


def test_the_nine_scenes_of_the_paper_are_there():
    assert set(WORKS) <= set(SCENES)


@pytest.mark.parametrize("name", PHYSICS)
def test_runs_and_is_finite(name: str):
    take = take_of(name)
    seconds = SECONDS.get(name, 1.0)
    assert (
        take.time[0] == 0.0
        and take.time[-1] == pytest.approx(seconds)
        and len(take) == round(100 * seconds) + 1
    )
    assert not take.fell and take.fall_time is None and take.notes == []
    for key, series in take.series.items():
        assert series.values.shape == (len(take), len(series.names)), key
        assert series.unit and series.frame, key
        assert np.isfinite(series.values).all() or key in MAY_BE_NAN, key
    if name in STANDING:
        assert np.isfinite(take["cp"][5:]).all()


@pytest.mark.parametrize("name", PHYSICS)
def test_repeatable_bit_for_bit(name: str):
    """The same scene built again, and the same Scene object run twice, give the same numbers."""
    first = take_of(name)
    scene = poise.scene(name, seconds=SECONDS.get(name, 1.0))
    for _ in range(2):
        again = poise.simulate(scene)
        assert all(again.metrics[key] == first.metrics[key] for key in first.metrics if key not in CLOCKS)
        for key in first.series:
            np.testing.assert_array_equal(again[key], first[key], err_msg=key)


@pytest.mark.parametrize("name", PHYSICS)
def test_metrics_are_there_with_their_units(name: str):
    metrics = take_of(name).metrics
    for key in (*STANDARD, *OWN.get(name, ())):
        assert key in metrics
    for key, value in metrics.items():
        assert key in PURE or UNIT.search(key), key
        assert isinstance(value, (bool, str)) or np.isfinite(np.atleast_1d(value)).all(), key  # type: ignore[arg-type]


@pytest.mark.parametrize("name", PHYSICS)
def test_is_built_again_from_its_recording(name: str):
    """``info`` is enough to make the scene again."""
    info = take_of(name).info
    scene = poise.scene(
        info["scene"], info["character"], info["pushes"], info["seconds"], info["seed"], **info["options"]
    )
    assert [str(p) for p in scene.world.pushes] == info["pushes"]
    assert (scene.name, scene.seconds, scene.world.dt) == (name, info["seconds"], info["dt"])


@pytest.mark.parametrize("name", STANDING)
def test_feet_and_torques_are_within_bounds(name: str):
    metrics = take_of(name).metrics
    assert metrics["penetration_max_m"] < 0.005 and metrics["foot_slip_m"] < 0.02  # type: ignore[operator]
    assert metrics["torque_peak_nm"] < 400 and metrics["solver_failures"] == 0  # type: ignore[operator]


@pytest.mark.parametrize("name", SCENES)
def test_every_scene_says_what_it_is(name: str):
    doc = SCENES[name].__doc__
    assert doc and doc.strip().endswith(".") and "\n" not in doc.strip()


@pytest.mark.parametrize("name", STANDING)
def test_unknown_options_are_refused_by_name(name: str):
    with pytest.raises(BadInput, match=r"'weights\.trcking' not found.*did you mean 'weights\.tracking'"):
        poise.scene(name, **dict[str, Any]({"weights.trcking": 1.0}))


@pytest.mark.parametrize("name", PHYSICS)
def test_shorter_than_its_measure(name: str):
    """A take that ends before anything is measured is still a take."""
    assert len(poise.simulate(poise.scene(name, seconds=0.1))) == 11


@pytest.mark.parametrize("character", ["insectoid", "chicken"])
@pytest.mark.parametrize("name", [n for n in WORKS if n not in ("grapple", "head-drag")])
def test_other_bodies_play_it_or_are_refused(name: str, character: str):
    if name in HANDS:
        with pytest.raises(BadInput, match="hand_r"):
            poise.scene(name, character, seconds=0.6)
        return
    assert np.isfinite(poise.simulate(poise.scene(name, character, seconds=0.6))["q"]).all()


@pytest.mark.slow
@pytest.mark.parametrize("name", PHYSICS)
def test_runs_to_its_end_without_a_fall(name: str):
    take = poise.simulate(poise.scene(name))
    assert not take.fell, take.fall_time
    assert take.notes == []
    if name in of_file("rolling"):  # they lie, so that nothing counts as a fall: they must get round
        assert take.metrics.get("prone") or float(take.metrics.get("revolutions_total") or 0) >= 1


def test_unknown_scenes_are_refused_by_name():
    with pytest.raises(
        BadInput, match=r"'platfrom' not found.*did you mean 'platform'.*scenes: .*balance-push"
    ):
        poise.scene("platfrom")


def test_unknown_characters_are_refused_by_name():
    with pytest.raises(BadInput, match=r"'adlut' not found.*adult"):
        poise.scene("stand", character="adlut")


@pytest.mark.parametrize("name", ["stand", "grapple", "platform"])
def test_pushes_on_unknown_bodies_are_refused(name: str):
    with pytest.raises(BadInput, match=r"'tosro' not found.*did you mean 'torso'"):
        poise.scene(name, push="tosro:1,0,0@0+1")


def test_pushes_are_taken_in_every_form():
    push = Push("torso", (1.0, 0.0, 0.0), 0.5, 0.1)
    for given in (push, str(push), [push], [str(push)]):
        assert poise.scene("balance-push", push=given).world.pushes == (push,)
    assert poise.scene("balance-push", push=[]).world.pushes == ()
    assert len(poise.scene("balance-push").world.pushes) == 1
    with pytest.raises(BadInput, match="neither a Push nor text"):
        poise.scene("stand", push=[3])  # type: ignore[list-item]


@pytest.mark.parametrize("seconds", [0.0, -1.0, np.nan, np.inf])
def test_durations_must_be_sensible(seconds: float):
    with pytest.raises(BadInput, match="duration above zero"):
        poise.scene("stand", seconds=seconds)


@pytest.mark.parametrize(
    "bad",
    [
        pytest.param({"seed": -1}, id="seed"),
        pytest.param({"seed": "x"}, id="seed text"),
        pytest.param({"seconds": "x"}, id="seconds"),
        pytest.param({"push": 3}, id="push"),
        pytest.param({"pose_noise": np.nan}, id="pose_noise"),
        pytest.param({"control.refresh_hz": np.nan}, id="refresh_hz"),
        pytest.param({"weights.tracking": -1.0}, id="weight"),
        pytest.param({"gains.track": np.nan}, id="gain"),
    ],
)
def test_bad_values_are_refused_where_they_enter(bad: dict):
    with pytest.raises(BadInput):
        poise.scene("stand", **bad)


def test_input_untouched():
    options: dict[str, Any] = {"control.mode": "fast", "friction": 0.7}
    pushes = ["torso:1,0,0@0+1"]
    scene = poise.scene("stand", push=pushes, **options)
    poise.simulate(poise.scene("stand", push=pushes, seconds=0.05, **options))
    assert options == {"control.mode": "fast", "friction": 0.7} and pushes == ["torso:1,0,0@0+1"]
    assert scene.options == options and scene.options is not options


@pytest.mark.parametrize("character", ["dinosaur", "chicken"])
def test_a_body_without_a_chest_cannot_roll(character: str):
    for name in ("roll-forward", "roll-over"):
        with pytest.raises(poise.BadInput, match="no chest"):
            poise.scene(name, character=character)
