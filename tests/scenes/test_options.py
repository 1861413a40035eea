"""Options of scenes: types, ranges, and where they arrive."""

from __future__ import annotations

from typing import Any

import pytest

import poise
from poise.behaviours import Balance, Gains
from poise.errors import BadInput
from poise.scenes.options import Options


def options(**asked) -> Options:
    return Options(asked, None, None)


def test_defaults_and_what_was_asked():
    o = options(a=3, b=True, c="x")
    assert o.take("a", 1.0) == 3.0 and isinstance(o.take("a", 1.0), float)
    assert o.take("b", False) is True
    assert o.take("c", "y") == "x"
    assert o.take("d", 7) == 7
    o.finish()


@pytest.mark.parametrize(
    ("key", "value", "default", "say"),
    [
        ("angular", "maybe", True, "on or off"),
        ("angular", 1, True, "on or off"),
        ("friction", "low", 0.8, "a number"),
        ("friction", True, 0.8, "a number"),
        ("control.mode", 3, "robust", "a word"),
        ("legs", "two", 2, "a whole number"),
    ],
)
def test_wrong_types_are_refused_with_the_default(key: str, value: object, default: object, say: str):
    with pytest.raises(BadInput, match=rf"{key}.*{say}.*default") as caught:
        options(**{key: value}).take(key, default)
    assert repr(value) in str(caught.value) and repr(default) in str(caught.value)


def test_ranges_and_choices():
    with pytest.raises(BadInput, match="out of range; give a number above zero"):
        options(dt=-1.0).positive("dt", 0.002)
    with pytest.raises(BadInput, match=r"'u' not found.*l, r"):
        options(side="u").choice("side", "l", ("l", "r"))


def test_what_nobody_asked_about_is_refused():
    o = options(frction=0.5)
    o.take("friction", 0.8)
    with pytest.raises(BadInput, match=r"'frction' not found \(did you mean 'friction'\?\)"):
        o.finish()


def test_a_record_takes_its_fields_one_by_one():
    o = options(**{"gains.track": 9, "gains.linear": 1.5})
    gains = o.record("gains", Gains())
    assert (gains.track, gains.linear) == (9.0, 1.5) and gains.vertical == Gains().vertical
    o.finish()


def test_options_arrive_in_the_scene():
    scene = poise.scene(
        "stand", **{"angular": False, "friction": 0.4, "control.mode": "fast", "two_pass": False, "weights.arms": 0.7,
                    "gains.linear": 3.0, "pose_noise": 0.01, "dt": 0.001, "control.refresh_hz": 200.0},
    )  # fmt: skip
    behaviour = scene.behaviour
    assert isinstance(behaviour, Balance)
    assert not behaviour.angular and behaviour.weights.arms == 0.7 and behaviour.gains.linear == 3.0
    assert behaviour.mu < 0.4  # the law counts on a little less than there is
    assert scene.world.friction == 0.4 and scene.world.dt == 0.001
    assert scene.control.mode == "fast" and not scene.control.two_pass and scene.control.rate == 200.0
    assert scene.pose_noise == 0.01


def test_paper_mode_brings_its_own_ground():
    paper: dict[str, Any] = {"control.mode": "paper"}
    scene = poise.scene("stand", **paper)
    assert scene.world.contact == "penalty" and scene.world.dt < 0.002
    assert poise.scene("stand", contact="mujoco", **paper).world.contact == "mujoco"


@pytest.mark.parametrize(
    ("scene", "bad", "say"),
    [
        ("stand", {"control.mode": "quick"}, "'quick' not found"),
        ("stand", {"contact": "glue"}, "'glue' not found"),
        ("stand", {"friction": -1.0}, "out of range"),
        ("stand", {"dt": 0.5}, "dt = 0.5 is out of range"),
        ("butterfly", {"legs": 3}, "give 1 or 2"),
        ("butterfly", {"period": 0.0}, "from 0.2 to 60"),
        ("squat", {"depth": 5.0}, "depth"),
        ("side-kick", {"side": "x"}, "'x' not found"),
        ("platform", {"ride": "bus"}, "'bus' not found"),
        ("platform", {"ride": "move", "distance": 9.0}, "from -2 to 2"),
        ("platform", {"ride": "move", "axis": "w"}, "'w' not found"),
    ],
)
def test_impossible_values_are_refused(scene: str, bad: dict, say: str):
    with pytest.raises(BadInput, match=say):
        poise.scene(scene, **bad)
