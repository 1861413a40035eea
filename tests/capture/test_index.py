"""Every file of the motion capture folder against what is known of it: units, axes, rate, first frame, size."""

from __future__ import annotations

import csv
from collections.abc import Callable

import numpy as np
import pytest

from mocap import need
from poise.capture import Intake, load
from poise.capture.readers import bvh
from poise.geometry import quat
from poise.geometry.skeleton import forward

Loaded = Callable[[str], Intake]
# Rates that the file alone cannot tell: no flight in it, and a header that is wrong or missing. They come from the
# published list of the database, by the file's name, or from what most files of the format have.
NOT_IN_THE_FILE = {"bvh/77_09.bvh", "asf_amc/02_01.amc", "asf_amc/49_18.amc", "asf_amc/11_01.amc"}


def _rows() -> list[dict[str, str]]:
    with open(need("index.csv")[0], newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def _right(take: Intake, row: dict[str, str]) -> dict[str, bool]:
    joints = len(take.capture.skeleton) - take.markers
    return {
        "unit": abs(take.metres_per_unit / float(row["metres_per_unit"]) - 1) < 1e-3,
        "up": take.up_axis == row["up_axis"],
        "rate": not row["true_hz"] or take.true_hz == float(row["true_hz"]),
        "first frame": take.tpose_first_frame == (row["first_frame_tpose"] == "yes"),
        "frames": not row["usable_frames"] or len(take.capture) == int(row["usable_frames"]),
        "joints": joints == int(row["joints"]),
    }


def test_every_file_is_understood(loaded: Loaded) -> None:
    rows = _rows()
    wrong, points = [], 0
    print()
    for row in rows:
        right = _right(loaded(row["file"]), row)
        points += sum(right.values())
        missed = [name for name, ok in right.items() if not ok]
        wrong += [f"{row['file']}: {', '.join(missed)}"] if missed else []
        known = "  (rate by list, not by the file)" if row["file"] in NOT_IN_THE_FILE else ""
        print(f"{row['file']:45s} {sum(right.values())}/{len(right)} {', '.join(missed)}{known}")
    print(f"score {points} of {6 * len(rows)}")
    assert not wrong and len(rows) == 48


def test_rates_that_the_file_cannot_tell_say_so(loaded: Loaded) -> None:
    for name in NOT_IN_THE_FILE:
        (evidence,) = [g.evidence for g in loaded(name).guesses if g.what == "frame rate"]
        assert "CMU list, by file name" in evidence, name


def test_rates_with_flights_are_proved_by_them(loaded: Loaded) -> None:
    for row in _rows():
        if row["rate_evidence"] == "flight":
            (evidence,) = [g.evidence for g in loaded(row["file"]).guesses if g.what == "frame rate"]
            assert "fall" in evidence and "m/s²" in evidence, row["file"]


def _goes_back(loaded: Loaded, rows: list[dict[str, str]]) -> None:
    for row in rows:
        take = loaded(row["file"])
        made = take.back(take.capture.rotations, take.capture.positions)
        first = int(take.tpose_first_frame)
        ours, theirs = (
            forward(b.parents, *reversed(bvh.local(b)))[0]
            for b in (made, take.source.with_values(take.source.values[first:]))
        )
        mended = np.zeros(len(ours), bool)
        for pop in take.pops:
            mended[pop.frame - first : pop.frame - first + pop.frames] |= pop.repaired
        assert np.abs(ours - theirs)[~mended].max() < 1e-6 * np.abs(theirs).max(), row["file"]
        assert made.frame_time == take.source.frame_time and made.channels == take.source.channels


def test_motions_go_back_to_their_files(loaded: Loaded) -> None:
    rows = [row for row in _rows() if row["format"] == "BVH" and int(row["frames"]) < 600]
    _goes_back(loaded, rows)
    assert len(rows) > 15


@pytest.mark.slow
def test_every_motion_goes_back_to_its_file(loaded: Loaded) -> None:
    _goes_back(loaded, [row for row in _rows() if row["format"] == "BVH"])


def test_every_motion_stands_on_the_floor_and_faces_ahead(loaded: Loaded) -> None:
    """Where a foot rests, its lowest point is near z = 0; in the first frame the pelvis of the reference faces x."""
    for row in _rows():
        take = loaded(row["file"])
        if (
            row["kind"].startswith("roll")
            or row["kind"] in ("breakdance", "skeleton", "stairs_up_down")
            or take.markers
        ):
            continue
        names = take.capture.skeleton.names
        at = take.capture.world[0]
        low = [at[take.contacts[n], names.index(n), 2] for n in take.contacts]
        assert abs(np.percentile(np.concatenate(low), 20)) < 0.08, row["file"]
        own = take.reference_positions
        soles = [own[names.index(n), 2] for n in take.contacts]
        assert -0.001 < min(soles) < 0.12 and own[:, 2].max() > 1.1, row["file"]
        if not take.feet or take.feet[0].toe is None:
            continue
        toes = [own[names.index(f.toe)] - own[names.index(f.heel)] for f in take.feet if f.toe]
        ahead = np.mean(toes, axis=0)
        assert ahead[0] > 0.85 * np.linalg.norm(ahead[:2]), row["file"]


def test_the_thorax_is_put_back_where_it_is_missing(loaded: Loaded) -> None:
    for row in _rows():
        missing = row["file"].startswith("bvh/") or "131_01" in row["file"]
        assert loaded(row["file"]).thorax_repaired == missing, row["file"]


def test_one_take_in_three_conventions_is_one_motion() -> None:
    """Facing and floor are given: they are found anew from each file, and differ in the fourth digit."""
    files = need(*(f"variants/131_01_{n}.bvh" for n in ("motionbuilder", "max", "max_metres")))
    builder, top, metres = (load(file, facing=3.0, floor=0.05) for file in files)
    names = {"LeftUpLeg": "LeftHip", "LeftFoot": "LeftAnkle", "RightToeBase": "RightToe", "Spine1": "Chest2",
             "Head": "Head", "LeftArm": "LeftShoulder", "RightHand": "RightWrist"}  # fmt: skip
    for other in (top, metres):
        for a, b in names.items():
            one = builder.capture.world[0][:, builder.capture.skeleton.index(a)]
            two = other.capture.world[0][: len(one), other.capture.skeleton.index(b)]
            assert np.abs(one - two).max() < 2e-5, (a, b)
    assert "frames 993 to 994 are the same" in metres.notes
    assert len(metres.capture) == len(builder.capture) + 1


def test_one_take_in_three_formats_is_one_motion(loaded: Loaded) -> None:
    b, a, c = loaded("bvh/02_01.bvh"), loaded("asf_amc/02_01.amc"), loaded("c3d/02_01.c3d")
    for joint, bone in {"LeftFoot": "lfoot", "RightLeg": "rtibia", "Spine1": "thorax"}.items():
        apart = (
            b.capture.world[0][:, b.capture.skeleton.index(joint)]
            - a.capture.world[0][:, a.capture.skeleton.index(bone)]
        )
        assert np.abs(apart).max() < 0.02, joint  # floors and facings are found from either file
    head = [t.capture.world[0][:, t.capture.skeleton.index(n), 2] for t, n in ((b, "Head"), (a, "head"))]
    assert np.abs(head[0] - head[1]).max() < 0.02  # with the thorax put back
    ankle = b.source.names.index("LeftFoot")
    joint = forward(b.source.parents, *reversed(bvh.local(b.source)))[0][1:, ankle] * b.metres_per_unit
    marker = (
        c.source.points[:, [n.endswith(":LANK") for n in c.source.names].index(True)][:, [1, 2, 0]] * 0.001
    )
    away = np.linalg.norm(joint - marker, axis=-1)
    assert abs(away.mean() - 0.047) < 0.002 and away.std() < 0.0005


@pytest.mark.parametrize(
    ("name", "frame", "joint"),
    [("bvh/90_01.bvh", 338, "RightFoot"), ("bvh/90_28.bvh", 424, "RightFoot"), ("bvh/111_21.bvh", 1581, "LeftFoot"),
     ("bvh/08_07.bvh", 7, "Hips")],
)  # fmt: skip
def test_known_jumps_are_told(loaded: Loaded, name: str, frame: int, joint: str) -> None:
    assert any(p.frame == frame and p.joint == joint and not p.repaired for p in loaded(name).pops)


def test_smoothed_pops_leave_no_jump(loaded: Loaded) -> None:
    count = 0
    for name in ("bvh/83_20.bvh", "bvh/90_05.bvh", "bvh/49_06.bvh"):
        take = loaded(name)
        for pop in (p for p in take.pops if p.repaired):
            j, a = take.capture.skeleton.index(pop.joint), pop.frame - 1
            q = take.capture.rotations[a - 1 : a + pop.frames + 1, j]
            assert np.linalg.norm(quat.difference(q[:-1], q[1:]), axis=-1).max() < 0.6 * pop.size
            count += 1
    assert count >= 10


def test_contacts_of_known_clips(loaded: Loaded) -> None:
    still, one_leg, jump, stairs = (loaded(f"bvh/{n}.bvh") for n in ("113_21", "49_18", "02_04", "83_27"))
    assert all(mask.all() for mask in still.contacts.values())
    assert one_leg.contacts["LeftFoot"].all() and not one_leg.contacts["RightFoot"][500:].any()
    assert not any(
        mask[115:170].any() for mask in jump.contacts.values()
    )  # the flight is 112 to 175 of the file
    assert all(mask[:90].all() and mask[420:].all() for mask in jump.contacts.values())
    top = stairs.capture.world[0][:, stairs.capture.skeleton.index("LeftFoot"), 2]
    assert stairs.contacts["LeftFoot"][-100:].all() and top[-1] > 0.3
    assert {f.heel for f in still.feet} == {"LeftFoot", "RightFoot"}


def test_floors_of_known_clips(loaded: Loaded) -> None:
    """The platform of subject 83, and the floor below the stairs that the same subject climbs."""
    for name in ("83_19", "83_20", "83_21", "83_55"):
        assert 0.15 < loaded(f"bvh/{name}.bvh").floor_m < 0.175
    assert 0.06 < loaded("bvh/83_27.bvh").floor_m < 0.08
    for name in ("90_01", "111_21", "90_28", "128_10"):  # feet up to 0.38 m below it
        assert -0.04 < loaded(f"bvh/{name}.bvh").floor_m < 0.05
