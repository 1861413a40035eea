"""Cycles: files, shapes, complaints; the shipped ones; mixing."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mocap import need
from poise.behaviours.rolling.captured import KEYS, cycle_of, mixed
from poise.behaviours.rolling.cycle import CHANNELS, STYLES, Cycle, named, periodic, shipped
from poise.behaviours.rolling.joints import Joints
from poise.behaviours.rolling.speeds import Gears
from poise.character import Character
from poise.errors import BadInput


def test_round_trip(tmp_path: Path) -> None:
    cycle = Cycle(
        "parkour", {"hip": (10.0, 20.0, 30.0), "knee": (5.0,)}, 1.5, 0.8, 3.0, -4.0, 12.0, 0.0, {"hip": 0.5}
    )
    cycle.save(tmp_path / "c.yaml")
    assert Cycle.load(tmp_path / "c.yaml") == cycle


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("style: forward\nkeys: {hip: [1, x]}", "hip"),
        ("style: forward\nkeys: {hipp: [1]}", "hipp"),
        ("style: forwrd\nkeys: {hip: [1]}", "forwrd"),
        ("style: forward\nspeed: fast\nkeys: {hip: [1]}", "speed"),
        ("style: forward\nkees: {hip: [1]}", "keys"),
        ("style: [", "YAML"),
    ],
)
def test_complaints_name_the_key(text: str, says: str, tmp_path: Path) -> None:
    file = tmp_path / "bad.yaml"
    file.write_text(text)
    with pytest.raises(BadInput, match=says):
        Cycle.load(file)


def test_shipped_cycles_are_of_known_styles_and_guesses_exist() -> None:
    assert {c.style for c in shipped().values()} == set(STYLES)
    assert all(shipped("guesses")[style].style == style for style in STYLES)
    with pytest.raises(BadInput, match="forward"):
        named("forwards")


def test_spline_is_periodic_and_goes_through_its_keys() -> None:
    values = np.array([1.0, 3.0, -2.0, 0.5])
    curve = periodic(values, 120)
    np.testing.assert_allclose(curve[::30], values, atol=1e-12)
    assert abs(curve[-1] - curve[0]) < 0.2


def test_sides_mirror() -> None:
    body = Character.named("adult")
    table = Cycle("forward", {"hip_out": (10.0,), "shoulder": (90.0,)}).table(body)
    at = {n: Joints(body).place(n) for joints in CHANNELS.values() for n, _ in joints}
    assert None not in at.values()
    assert table[0, at["hip_x_l"]] == -table[0, at["hip_x_r"]] == pytest.approx(np.deg2rad(10))
    assert table[0, at["shoulder_y_l"]] == table[0, at["shoulder_y_r"]] < 0


def test_gears_start_at_the_speed_asked_for_and_follow_it() -> None:
    body = Character.named("adult")
    slow, fast = (Cycle("forward", {"hip": (h,)}, speed=v) for h, v in ((10.0, 1.0), (30.0, 2.0)))
    gears = Gears([fast, slow], body, 1.25, 1 / 60)
    assert gears.mix == pytest.approx(0.25)
    pose = np.zeros(Joints(body).size)
    gears.pose(0.3, pose)
    assert pose[Joints(body).place("hip_y_l")] == pytest.approx(-np.deg2rad(15))
    for i in range(300):
        gears.update(1.0 * i / 60)  # slower than asked
    assert gears.mix > 0.3


def test_a_captured_roll_gives_its_movement_and_not_how_far_it_is_bent():
    own, taken = (
        Cycle("forward", {"hip": (100.0, 120.0), "knee": (90.0,)}),
        Cycle("forward", {"hip": (20.0, 60.0)}),
    )
    for share in (0.0, 0.25, 1.0):
        keys = mixed(own, taken, share).keys
        assert np.mean(keys["hip"]) == pytest.approx(110.0) and set(keys["knee"]) == {90.0}
    assert np.ptp(mixed(own, taken, 1.0).keys["hip"]) == pytest.approx(
        np.ptp(periodic(np.array([20.0, 60.0]), KEYS))
    )


def test_a_roll_that_goes_the_other_way_is_told_so():
    (path,) = need("bvh/90_01.bvh")
    with pytest.raises(BadInput, match=r"by \d+° this way at the most, by 4\d\d° the other"):
        cycle_of(path, "forward")
