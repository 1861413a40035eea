"""Single guesses: first frame, thorax, rate, unit, pops, floor and contacts, reference; and overriding them."""

from __future__ import annotations

from dataclasses import replace
from inspect import signature
from pathlib import Path

import numpy as np
import pytest

import motion_files as made
from mocap import need
from poise.capture import Intake, load, rate
from poise.capture import rate as rates
from poise.capture.anatomy import names
from poise.capture.readers import bvh
from poise.errors import BadInput
from poise.geometry import quat


def file(capture=None, **how) -> bvh.Bvh:
    how = {"unit": 0.01, "up": "Y", "order": "zxy", "hz": 60.0} | how
    return made.file_of(capture or made.walk(made.human(), 60), **how)


def guess(take: Intake, what: str):
    (found,) = [g for g in take.guesses if g.what == what]
    return found


def test_every_guess_has_evidence_and_a_way_to_override(tmp_path: Path) -> None:
    take = load(made.save(file(), tmp_path))
    assert [g.what for g in take.guesses] == [
        "artificial first frame", "thorax", "up axis", "metres per unit", "frame rate", "single-frame pops",
        "reference stand", "facing", "floor", "contacts",
    ]  # fmt: skip
    for g in take.guesses:
        assert g.evidence and g.value and g.override.partition("=")[0] in signature(load).parameters


@pytest.mark.parametrize(
    ("given", "what", "field", "value"),
    [
        ({"metres_per_unit": 0.02}, "metres per unit", "metres_per_unit", 0.02),
        ({"up": "Z"}, "up axis", "up_axis", "Z"),
        ({"up": "+x"}, "up axis", "up_axis", "X"),
        ({"rate": 24}, "frame rate", "true_hz", 24),
        ({"drop_first": True}, "artificial first frame", "tpose_first_frame", True),
        ({"floor": -0.5}, "floor", "floor_m", -0.5),
        ({"facing": 90}, "facing", "header_hz", 60.0),
        ({"reference": 7}, "reference stand", "markers", False),
        ({"reference": "rest"}, "reference stand", "markers", False),
    ],
)
def test_overrides_are_obeyed(tmp_path: Path, given, what: str, field: str, value) -> None:
    take = load(made.save(file(), tmp_path), **given)
    assert (
        getattr(take, field) == pytest.approx(value)
        if not isinstance(value, str)
        else getattr(take, field) == value
    )
    assert guess(take, what).evidence == "given"


def test_an_overridden_facing_turns_the_motion(tmp_path: Path) -> None:
    path = made.save(file(), tmp_path)
    plain, turned = load(path), load(path, facing=90)
    wanted = quat.rotate(quat.from_rotvec([0, 0, -np.pi / 2]), plain.capture.world[0])
    np.testing.assert_allclose(turned.capture.world[0], wanted, atol=1e-6)


@pytest.mark.parametrize(
    "given",
    [{"rate": 0}, {"contact_speed": -1}, {"rate": -5}, {"rate": np.nan}, {"metres_per_unit": 0},
     {"metres_per_unit": np.inf}, {"up": "W"}, {"floor": np.nan}, {"facing": np.inf}, {"reference": 10**6},
     {"reference": "sitting"}],
)  # fmt: skip
def test_overrides_that_mean_nothing_are_refused(tmp_path: Path, given) -> None:
    with pytest.raises(BadInput, match=next(iter(given)) if "up" not in given else "axis 'W' not found"):
        load(made.save(file(), tmp_path), **given)


def test_endings_that_are_not_known_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"endings: \.amc, \.asf, \.bvh, \.c3d"):
        load(tmp_path / "take.fbx")


def test_a_captured_first_frame_in_the_rest_pose_is_kept(tmp_path: Path) -> None:
    """A clip that moves out of its rest pose smoothly has no artificial frame."""
    body = made.human()
    take = made.walk(body, 60)
    part = np.linspace(0, 1, len(take))[:, None]
    eased = quat.slerp(
        np.tile(quat.IDENTITY, (len(take), len(body), 1)), take.rotations, np.tile(part, (1, len(body)))
    )
    capture = replace(take, rotations=eased)
    assert not load(made.save(file(capture), tmp_path)).tpose_first_frame


def test_drop_first_false_keeps_the_artificial_frame(tmp_path: Path) -> None:
    path = made.save(file(tpose=True), tmp_path)
    assert (
        load(path).tpose_first_frame
        and len(load(path, drop_first=False).capture) == len(load(path).capture) + 1
    )


def test_header_rates_are_the_usual_ones_they_stand_for() -> None:
    for text, hz in (("0.0083333", 120), ("0.008333", 120), ("0.033333", 30), ("0.0333333", 30), ("0.033367", 29.97),
                     ("0.041667", 24), ("0.04", 25), ("0.016667", 60), ("0.01", 100), ("0.0041667", 240)):  # fmt: skip
        assert rates.header(1 / float(text)) == hz
    assert rates.header(111.0) == 111.0


@pytest.mark.parametrize(
    ("name", "hz"),
    [
        ("77_09", 60.0),
        ("02_01", 120.0),
        ("90_08", 60.0),
        ("90_05", 120.0),
        ("141_01", 60.0),
        ("033_01", 60.0),
        ("87_03", 60.0),
    ],
)
def test_the_list_of_rates_by_name(name: str, hz: float) -> None:
    found = rate.cmu_rate(Path(f"{name}.bvh"))
    assert found is not None and found[0] == hz and "CMU list, by file name" in found[1]


def test_the_list_is_for_its_own_skeletons_only(tmp_path: Path) -> None:
    """A file of that name with other joints goes by its header."""
    assert rate.cmu_rate(Path("walk.bvh")) is None
    take = load(made.save(file(hz=120.0), tmp_path, "77_09.bvh"))
    assert take.true_hz == 120 and not rate.is_cmu(take.capture.skeleton.names)
    assert guess(take, "frame rate").evidence.startswith("header")


def test_a_name_off_the_list_leaves_the_header(tmp_path: Path) -> None:
    """The rate of 77_09 is known by its name alone: without it the header is believed, and that cannot be helped."""
    (path,) = need("bvh/77_09.bvh")
    copy = tmp_path / "duck.bvh"
    copy.write_bytes(path.read_bytes())
    take = load(copy)
    assert take.true_hz == 120 and "no flight to check it" in guess(take, "frame rate").evidence


def test_a_real_flight_at_half_its_rate_is_found_out(tmp_path: Path) -> None:
    """CMU 13_11 with every other frame and the header of all: the flight tells."""
    (path,) = need("bvh/13_11.bvh")
    b = bvh.read(path)
    half = b.with_values(np.concatenate([b.values[:1], b.values[1::2]]))
    take = load(made.save(half, tmp_path, "take.bvh"))
    assert take.true_hz == 60 and "at the header's 120 Hz" in guess(take, "frame rate").evidence


@pytest.mark.parametrize(("length", "size"), [(0.45, 0.0254 / 0.45), (1.0, 0.0254)])
def test_units_of_acclaim_files_are_inches_over_length(tmp_path: Path, length: float, size: float) -> None:
    (path,) = need("asf_amc/02.asf")
    text = path.read_text().replace("length 0.45", f"length {length}", 1)
    lines = [
        f"     length {float(line.split()[1]) * length / 0.45}"
        if line.strip().startswith("length") and i > 10
        else line
        for i, line in enumerate(text.split("\n"))
    ]
    (tmp_path / "02.asf").write_text("\n".join(lines))
    assert load(tmp_path / "02.asf").metres_per_unit == pytest.approx(size)


@pytest.mark.parametrize("unit", [0.01, 0.001])
def test_a_size_that_no_unit_makes_human_goes_by_its_flights(tmp_path: Path, unit: float) -> None:
    """A giant of 4.4 m: every unit gives an odd size, and one of them makes it fall with g."""
    take = load(made.save(file(made.jump(made.human(4.4), 120), unit=unit, hz=120), tmp_path))
    assert take.metres_per_unit == unit and take.true_hz == 120
    assert "flights fall with g" in guess(take, "metres per unit").evidence


@pytest.mark.parametrize("frames", [1, 2])
def test_a_pop_is_smoothed_over_and_left_when_asked(tmp_path: Path, frames: int) -> None:
    capture = made.walk(made.human(), 120)
    bent = capture.rotations.copy()
    joint = capture.skeleton.index("l_elbow")
    bent[150 : 150 + frames, joint] = quat.multiply(
        bent[150 : 150 + frames, joint], quat.from_rotvec([0, 0.7, 0])
    )
    path = made.save(file(replace(capture, rotations=bent), hz=120), tmp_path)
    take, left = load(path), load(path, pops=False)
    (pop,) = take.pops
    assert (pop.frame, pop.frames, pop.joint, pop.repaired) == (150, frames, "l_elbow", True)
    assert np.abs(quat.difference(take.capture.rotations, left.capture.rotations)[150, joint]).max() > 0.5
    off = quat.difference(take.placing.file(take.capture.rotations, take.capture.positions)[0],
                          bvh.local(file(capture, hz=120))[0])  # fmt: skip
    assert np.abs(off).max() < 0.01
    assert not left.pops[0].repaired


def test_a_jump_for_good_is_told_and_left(tmp_path: Path) -> None:
    capture = made.walk(made.human(), 120)
    bent = capture.rotations.copy()
    joint = capture.skeleton.index("l_elbow")
    bent[150:, joint] = quat.multiply(bent[150:, joint], quat.from_rotvec([0, 1.2, 0]))
    take = load(made.save(file(replace(capture, rotations=bent), hz=120), tmp_path))
    assert [(p.frame, p.joint, p.repaired) for p in take.pops] == [(150, "l_elbow", False)]


def test_fast_but_real_motion_is_no_pop(tmp_path: Path) -> None:
    """A forearm that snaps out and back within a tenth of a second."""
    capture = made.walk(made.human(), 120)
    bent = capture.rotations.copy()
    joint = capture.skeleton.index("l_elbow")
    snap = 1.5 * np.exp(-(((np.arange(len(capture)) - 150) / 4.0) ** 2))
    bent[:, joint] = quat.multiply(bent[:, joint], quat.from_rotvec(np.stack([0 * snap, snap, 0 * snap], -1)))
    assert load(made.save(file(replace(capture, rotations=bent), hz=120), tmp_path)).pops == ()


def test_contacts_of_a_walk_and_of_a_jump(tmp_path: Path) -> None:
    hz = 120
    walk = load(made.save(file(made.walk(made.human(), hz), hz=hz), tmp_path))
    for mask in walk.contacts.values():
        assert 0.5 < mask.mean() < 0.9
    on = np.stack([f.heel_down | f.toe_down for f in walk.feet])
    assert on.any(axis=0).mean() > 0.98
    jump = load(made.save(file(made.jump(made.human(), hz), hz=hz), tmp_path))
    first, last = int(1.34 * hz), int(1.68 * hz)  # the flight is 1.3 to 1.72 s
    for mask in jump.contacts.values():
        assert mask[: int(1.25 * hz)].all() and not mask[first:last].any() and mask[int(1.8 * hz) :].all()


def test_contacts_can_be_made_strict(tmp_path: Path) -> None:
    path = made.save(file(made.walk(made.human(), 120), hz=120), tmp_path)
    plain, strict = load(path), load(path, contact_speed=0.05, contact_height=0.01)
    assert all(strict.contacts[n].sum() < plain.contacts[n].sum() for n in plain.contacts)
    assert "given" in guess(strict, "contacts").evidence and "l_foot" in guess(plain, "contacts").value


def test_the_floor_is_found_wherever_the_file_has_it(tmp_path: Path) -> None:
    capture = made.walk(made.human(), 60)
    for height in (-1.0, 0.3, 2.0):
        raised = capture.positions.copy()
        raised[:, 0, 2] += height
        take = load(made.save(file(replace(capture, positions=raised)), tmp_path))
        assert abs(take.floor_m - height - 0.0175) < 0.003
        assert abs(take.capture.end_points[..., 2].min()) < 0.01


@pytest.mark.parametrize("tpose", [True, False])
def test_the_reference_stands_and_faces_ahead(tmp_path: Path, tpose: bool) -> None:
    """It stands in the T-pose frame or else in the rest pose, which is the same here."""
    capture = made.walk(made.human(), 60)
    spun = capture.rotations.copy()
    spun[:, 0] = quat.multiply(quat.from_rotvec([0, 0, 1.0]), spun[:, 0])
    take = load(made.save(file(replace(capture, rotations=spun), tpose=tpose), tmp_path))
    assert guess(take, "reference stand").value == ("frame 0" if tpose else "rest pose")
    rest = np.array([p.at for p in made.HUMAN]) * 1.75
    np.testing.assert_allclose(
        take.reference_positions - take.reference_positions[0], rest - rest[0], atol=1e-6
    )
    assert take.reference_positions[:, 2].min() == pytest.approx(0.0, abs=1e-9)
    turned = quat.multiply(take.reference, quat.conjugate(take.reference[:1]))
    assert np.abs(quat.to_rotvec(turned)).max() < 1e-6


def test_where_the_rest_pose_cannot_stand_a_calm_frame_is_taken(tmp_path: Path) -> None:
    """Bones that all lie along x at rest, as some tools export them."""
    capture = made.walk(made.human(), 60)
    body = capture.skeleton
    turn = np.tile(quat.IDENTITY, (len(body), 1))  # of each bone's frame, so that its bone lies along x
    for j in range(len(body)):
        tips = body.tips(j)
        if len(tips) and np.linalg.norm(tips[0]) > 0:
            x = tips[0] / np.linalg.norm(tips[0])
            y = np.cross([0, 0, 1.0] if abs(x[2]) < 0.9 else [0, 1.0, 0], x)
            y /= np.linalg.norm(y)
            turn[j] = quat.from_matrix(np.stack([x, y, np.cross(x, y)], axis=-1))
    above = np.maximum(body.parents, 0)
    back = quat.conjugate(turn)
    world = quat.multiply(capture.world[1], turn)
    offsets = quat.rotate(back[above], body.offsets)
    offsets[0] = body.offsets[0]
    lying = replace(body, offsets=offsets, ends=quat.rotate(back[body.end_parents], body.ends))
    bent = made.local(lying, capture.times, capture.positions[:, 0], world)
    take = load(made.save(file(bent), tmp_path))
    assert guess(take, "reference stand").value.startswith("frame ")
    assert np.abs(take.capture.world[0][..., :2] - capture.world[0][..., :2]).max() < 1e-6
    assert take.reference_positions[take.capture.skeleton.index("head"), 2] > 1.3


def test_progress_is_called_to_the_end(tmp_path: Path) -> None:
    seen: list[float] = []
    load(made.save(file(), tmp_path), progress=seen.append)
    assert seen and seen[-1] == 1.0


def test_markers_load_as_points(tmp_path: Path) -> None:
    (path,) = need("c3d/02_01.c3d")
    take = load(path)
    assert take.markers and take.up_axis == "Z" and take.metres_per_unit == 0.001 and take.feet == ()
    assert "it moves that way" in guess(take, "facing").evidence
    moved = take.capture.world[0][-1, 1:].mean(axis=0) - take.capture.world[0][0, 1:].mean(axis=0)
    assert moved[0] > 2.5 and abs(moved[1]) < 0.05


@pytest.mark.parametrize(
    ("one", "two", "left"),
    [("LeftArm", "RightArm", True), ("arm_r", "arm_l", False), ("lShldr", "rShldr", True),
     ("Bein.links", "Bein.rechts", True), ("mixamorig:RightLeg", "mixamorig:LeftLeg", False),
     ("rhipjoint", "lhipjoint", False), ("左足", "右足", True),
     ("Bip01 L Thigh", "Bip01 R Thigh", True), ("bone1", "bone2", None), ("tail", "head", None)],
)  # fmt: skip
def test_names_of_left_and_right(one: str, two: str, left: bool | None) -> None:
    assert names.is_left(one, two) is left
