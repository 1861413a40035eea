"""Motions made in code and written in any unit, axes, channel order and rate: what they were is found again."""

from __future__ import annotations

import csv
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import motion_files as made
from mocap import need
from poise.capture import Intake, axes, load
from poise.capture.readers import bvh
from poise.geometry.skeleton import Capture

UNITS = [1.0, 0.01, 0.001, 0.0254, 0.3048, 0.0254 / 0.45]
RATES = [24.0, 25.0, 30.0, 50.0, 60.0, 90.0, 100.0, 120.0, 240.0]
ORDERS = ["".join(p) for p in permutations("xyz")]
FILES = settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])


def nameless(capture: Capture) -> tuple[str, ...]:
    return tuple(f"骨{k}" for k in range(len(capture.skeleton)))


def same(take: Intake, capture: Capture, within: float = 1e-6) -> None:
    """The same places, but for the height of the floor."""
    apart = take.capture.world[0] - capture.world[0]
    assert np.abs(apart[..., :2]).max() < within
    assert np.ptp(apart[..., 2]) < within and abs(apart[0, 0, 2] + take.floor_m) < within


@FILES
@given(
    unit=st.sampled_from(UNITS),
    up=st.sampled_from(axes.NAMES),
    order=st.sampled_from(ORDERS),
    hz=st.sampled_from(RATES),
    size=st.floats(1.5, 2.0),
    jumps=st.booleans(),
    tpose=st.booleans(),
    six=st.booleans(),
)
def test_a_human_is_found_again(tmp_path: Path, unit, up, order, hz, size, jumps, tpose, six) -> None:
    capture = (made.jump if jumps else made.walk)(made.human(size), hz)
    file = made.file_of(
        capture, unit=unit, up=up, order=order, hz=hz, names=nameless(capture), tpose=tpose, six=six
    )
    take = load(made.save(file, tmp_path))
    assert (take.metres_per_unit, take.up_axis, take.true_hz) == (unit, up, hz)
    assert take.tpose_first_frame == tpose and take.pops == () and not take.thorax_repaired
    assert 0 <= take.floor_m < 0.03
    same(take, capture)


@FILES
@given(
    true=st.sampled_from(RATES),
    header=st.sampled_from(RATES),
    unit=st.sampled_from(UNITS),
    flight=st.floats(0.0, 0.2),
)
def test_a_flight_finds_the_true_rate(tmp_path: Path, true, header, unit, flight) -> None:
    """To within the rates that a flight can tell apart: 24 from 25 it cannot. A flight needs some ten frames."""
    capture = made.jump(made.human(), true, flight + (0.42 if true < 40 else 0.3))
    file = made.file_of(capture, unit=unit, up="Y", order="zyx", hz=header)
    take = load(made.save(file, tmp_path))
    assert take.metres_per_unit == unit and abs(take.header_hz - header) < 1e-6  # pyright: ignore
    assert abs(take.true_hz / true - 1) < 0.12
    if abs(header / true - 1) < 0.1:
        assert take.true_hz == header


@FILES
@given(unit=st.sampled_from([1.0, 0.01, 0.001]), up=st.sampled_from(axes.NAMES), size=st.floats(0.5, 2.0))
def test_a_beast_on_all_fours_is_found_again(tmp_path: Path, unit, up, size) -> None:
    capture = made.prowl(made.beast(size), 60)
    take = load(
        made.save(
            made.file_of(capture, unit=unit, up=up, order="zxy", hz=60, names=nameless(capture)), tmp_path
        )
    )
    assert (take.metres_per_unit, take.up_axis, take.true_hz) == (unit, up, 60.0)
    same(take, capture)


@FILES
@given(
    unit=st.sampled_from(UNITS),
    up=st.sampled_from(axes.NAMES),
    order=st.sampled_from(ORDERS),
    six=st.booleans(),
)
def test_load_save_load_is_the_same(tmp_path: Path, unit, up, order, six) -> None:
    capture = made.walk(made.human(), 60, 1.5)
    first = load(made.save(made.file_of(capture, unit=unit, up=up, order=order, hz=60, six=six), tmp_path))
    bvh.write(first.back(first.capture.rotations, first.capture.positions), tmp_path / "b.bvh")
    again = load(tmp_path / "b.bvh")
    assert np.abs(first.capture.world[0] - again.capture.world[0]).max() < 1e-6
    assert np.abs(first.capture.times - again.capture.times).max() < 1e-9
    assert [g.value for g in first.guesses] == [g.value for g in again.guesses]


def test_any_number_of_frames_goes_back(tmp_path: Path) -> None:
    capture = made.walk(made.human(), 60, 1.5)
    take = load(made.save(made.file_of(capture, unit=0.01, up="Z", order="zxy", hz=60), tmp_path))
    some = take.capture.frames([3, 40, 41])
    file = take.back(some.rotations, some.positions, frame_time=0.5)
    assert len(file) == 3 and file.frame_time == 0.5
    np.testing.assert_allclose(file.values[:, :3], take.source.values[[3, 40, 41], :3], atol=1e-9)


def test_a_body_that_lies_and_rolls_still_knows_up(tmp_path: Path) -> None:
    """CMU 111_21 without its first frame: by its rest pose and the floor that its lowest point keeps to."""
    b = bvh.read(need("bvh/111_21.bvh")[0])
    take = load(made.save(b.with_values(b.values[1:]), tmp_path))
    assert take.up_axis == "Y" and not take.tpose_first_frame
    (evidence,) = [g.evidence for g in take.guesses if g.what == "floor"]
    assert "nobody stands" in evidence and abs(take.floor_m) < 0.05


def test_a_root_in_the_chest_is_no_leg(tmp_path: Path) -> None:
    """The same body hung from its chest: the legs are still legs."""
    body = made.human()
    order = ["chest", *(f"{s}_{n}" for s in "lr" for n in ("collar", "arm", "elbow", "hand")), "neck", "head", "spine",
             "pelvis", *(f"{s}_{n}" for s in "lr" for n in ("thigh", "shank", "foot", "toe"))]  # fmt: skip
    above = {"chest": None, "spine": "chest", "pelvis": "spine"}
    at = {p.name: p.at for p in made.HUMAN}
    parts = [
        made.Part(n, above.get(n, next(p.parent for p in made.HUMAN if p.name == n)), at[n]) for n in order
    ]
    hung = made.skeleton(parts, made.HUMAN_ENDS, 1.75)
    walk = made.walk(body, 60)
    index = [body.index(n) for n in order]
    capture = made.local(hung, walk.times, walk.world[0][:, body.index("chest")], walk.world[1][:, index])
    take = load(
        made.save(
            made.file_of(capture, unit=0.01, up="Y", order="zxy", hz=60, names=nameless(capture)), tmp_path
        )
    )
    assert take.metres_per_unit == 0.01 and take.up_axis == "Y"
    assert {f.heel for f in take.feet} == {nameless(capture)[order.index(n)] for n in ("l_foot", "r_foot")}


@pytest.mark.parametrize("gone", ["l_hand", "neck", "l_collar"])
def test_bodies_that_lack_a_part_load(tmp_path: Path, gone: str) -> None:
    parts = [p for p in made.HUMAN if p.name != gone and p.parent != gone]
    names = {p.name for p in parts}
    while any(p.parent not in names for p in parts if p.parent):
        parts = [p for p in parts if p.parent is None or p.parent in names]
        names = {p.name for p in parts}
    body = made.skeleton(parts, {n: e for n, e in made.HUMAN_ENDS.items() if n in names}, 1.75)
    whole = made.walk(made.human(), 60)
    index = [whole.skeleton.index(p.name) for p in parts]
    capture = made.local(body, whole.times, whole.positions[:, 0], whole.world[1][:, index])
    take = load(made.save(made.file_of(capture, unit=0.01, up="Y", order="zxy", hz=60), tmp_path))
    assert (take.metres_per_unit, take.up_axis) == (0.01, "Y") and len(take.feet) == 2


@pytest.mark.parametrize("up", axes.NAMES)
def test_a_bird_is_upright_and_faces_ahead(tmp_path: Path, up: str) -> None:
    capture = made.prowl(made.bird(0.5), 60)
    path = made.save(
        made.file_of(capture, unit=0.01, up=up, order="zxy", hz=60, names=nameless(capture)), tmp_path
    )
    take = load(path)
    assert (take.up_axis, take.metres_per_unit) == (up, 0.01) and len(take.feet) == 2
    same(take, capture)


def footless(sides: tuple[str, str]) -> Capture:
    """A human whose legs end straight below the ankle, as the first files of the format had it."""
    parts = [p for p in made.HUMAN if not p.name.endswith("toe")]
    ends = {"l_foot": (0.0, 0.0, -0.03), "r_foot": (0.0, 0.0, -0.03), "head": (0.0, 0.0, 0.13)}
    body = made.skeleton(parts, ends, 1.75)
    whole = made.walk(made.human(), 60)
    index = [whole.skeleton.index(p.name) for p in parts]
    words: dict[str, str] = {"l_": sides[0], "r_": sides[1]}
    names = tuple(words.get(p.name[:2], p.name[:2]) + p.name[2:] for p in parts)
    capture = made.local(body, whole.times, whole.positions[:, 0], whole.world[1][:, index])
    return replace(capture, skeleton=replace(body, names=names))


@pytest.mark.parametrize("sides", [("Left", "Right"), ("linker_", "rechter_"), ("左", "右"), ("x1", "x2")])
def test_legs_without_feet_face_ahead_by_names_or_knees(tmp_path: Path, sides: tuple[str, str]) -> None:
    capture = footless(sides)
    take = load(made.save(made.file_of(capture, unit=0.01, up="Y", order="zxy", hz=60), tmp_path))
    same(take, capture)
    (told,) = [g.evidence for g in take.guesses if g.what == "facing"]
    assert ("knees" if sides[0] == "x1" else "names of left and right") in told
    assert set(take.contacts) == {f"{sides[0]}foot", f"{sides[1]}foot"}


def test_swapped_names_are_told(tmp_path: Path) -> None:
    capture = made.walk(made.human(), 60)
    names = tuple({"l_": "r_", "r_": "l_"}.get(n[:2], n[:2]) + n[2:] for n in capture.skeleton.names)
    right, wrong = (load(made.save(made.file_of(capture, unit=0.01, up="Y", order="zxy", hz=60, names=n), tmp_path))
                    for n in (None, names))  # fmt: skip
    assert right.notes == () and "names say left where the feet say right" in wrong.notes[0]
    same(wrong, capture)


def _restyle(tmp_path: Path, rows: list[dict[str, str]], seed: int) -> None:
    """Real files in other units, axes, orders, rates and without names, some without their first frame."""
    rng = np.random.default_rng(seed)
    for row in rows:
        b = bvh.read(need(row["file"])[0])
        first, step = int(row["first_frame_tpose"] == "yes"), int(rng.choice([1, 2, 4]))
        keep = bool(first and rng.random() < 0.5)
        frames = np.arange(first, len(b), step)
        frames = np.concatenate([[0], frames]) if keep else frames
        unit, up = float(rng.choice(UNITS)), str(rng.choice(axes.NAMES))
        hz = float(row["true_hz"]) / step
        orders = [str(rng.choice(ORDERS)) for _ in b.names]
        scale = float(row["metres_per_unit"]) / unit
        file = made.restyled(b, frames, scale=scale, up=up, orders=orders, hz=hz)
        take = load(made.save(file, tmp_path, "restyled.bvh"))
        assert (take.up_axis, take.tpose_first_frame) == (up, keep), row["file"]
        assert take.true_hz == pytest.approx(hz) and take.metres_per_unit == pytest.approx(unit, rel=1e-3), (
            row["file"]
        )


def _clips() -> list[dict[str, str]]:
    with open(need("index.csv")[0], newline="", encoding="utf-8") as file:
        return [row for row in csv.DictReader(file) if row["format"] == "BVH"]


def test_real_files_restyled_are_found_again(tmp_path: Path) -> None:
    _restyle(tmp_path, [row for row in _clips() if int(row["frames"]) < 450], 1)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [2, 3])
def test_every_real_file_restyled_is_found_again(tmp_path: Path, seed: int) -> None:
    _restyle(tmp_path, _clips(), seed)
