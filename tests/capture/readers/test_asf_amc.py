"""Acclaim skeletons and motions."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mocap import need
from poise.capture.readers import asf_amc, bvh
from poise.errors import BadInput
from poise.geometry import quat
from poise.geometry.skeleton import forward

ASF = """# comment
:version 1.10
:name TEST
:units
  mass 1.0
  length 0.5
  angle deg
:documentation
   begin is a word here
:root
   order TX TY TZ RX RY RZ
   axis XYZ
   position 0 0 0
   orientation 0 0 0
:bonedata
  begin
     id 1
     name hip
     direction 0 -1 0
     length 2
     axis 0 0 20  XYZ
    dof rx ry rz
    limits (-160.0 20.0)
           (-70.0 70.0)
           (-inf inf)
  end
  begin
     id 2
     name knee
     direction 1 0 0
     length 3
     axis 30 0 0 XYZ
    dof rz rx
    limits (-1 1) (-2 2)
  end
  begin
     id 3
     name stump
     direction 0 0 1
     length 1
     axis 0 0 0 XYZ
  end
:hierarchy
  begin
    root hip stump
    hip knee
  end
"""
AMC = """#!OML:ASF somewhere
:FULLY-SPECIFIED
:DEGREES
1
root 1 2 3 10 20 30
hip 40 50 60
knee 70 80
2
root 1 2 4 11 21 31
hip 41 51 61
knee 71 81
"""


def write(folder: Path, asf: str = ASF, amc: str = AMC) -> Path:
    (folder / "07.asf").write_text(asf)
    (folder / "07_01.amc").write_text(amc)
    return folder / "07_01.amc"


def turn(axis: str, degrees: float) -> np.ndarray:
    return quat.from_euler(np.radians([degrees]), axis)


def test_bones_turn_about_their_own_axes(tmp_path: Path) -> None:
    motion = asf_amc.read(write(tmp_path))
    rotations, positions = asf_amc.local(motion)
    empty = asf_amc.template(motion.asf)
    assert empty.names == ("root", "hip", "knee", "stump") and empty.parents.tolist() == [-1, 0, 1, 0]
    np.testing.assert_allclose(empty.offsets, [[0, 0, 0], [0, 0, 0], [0, -2, 0], [0, 0, 0]])
    np.testing.assert_allclose(empty.ends, [[3, 0, 0], [0, 0, 1]])
    np.testing.assert_allclose(positions[0, 0], [1, 2, 3])
    C = turn("z", 20)
    M = quat.multiply(turn("z", 60), quat.multiply(turn("y", 50), turn("x", 40)))
    wanted = quat.multiply(quat.multiply(C, M), quat.conjugate(C))
    assert np.abs(quat.difference(rotations[0, 1], wanted)).max() < 1e-12
    C, M = turn("x", 30), quat.multiply(turn("x", 80), turn("z", 70))
    wanted = quat.multiply(quat.multiply(C, M), quat.conjugate(C))
    assert np.abs(quat.difference(rotations[0, 2], wanted)).max() < 1e-12
    np.testing.assert_allclose(rotations[0, 3], quat.IDENTITY)


def test_limits_and_units_are_kept(tmp_path: Path) -> None:
    asf = asf_amc.read(write(tmp_path)).asf
    assert asf.length == 0.5
    np.testing.assert_allclose(asf.bones[0].limits, [*np.radians([(-160, 20), (-70, 70)]), (-np.inf, np.inf)])
    np.testing.assert_allclose(asf.bones[1].limits, np.radians([(-1, 1), (-2, 2)]))
    assert asf.bones[2].dof == () and asf.bones[2].limits == ()


def test_radians_in_either_file(tmp_path: Path) -> None:
    wanted = asf_amc.local(asf_amc.read(write(tmp_path)))[0]
    lines = []
    for line in AMC.replace(":DEGREES", ":RADIANS").split("\n"):
        words = line.split()
        if len(words) > 1 and words[0] in ("root", "hip", "knee"):
            kept = 3 if words[0] == "root" else 0
            numbers = [float(w) for w in words[1:]]
            numbers[kept:] = np.radians(numbers[kept:]).tolist()
            line = " ".join([words[0], *map(repr, numbers)])
        lines.append(line)
    asf = ASF.replace("angle deg", "angle rad").replace(
        "0 0 20", f"0 0 {np.radians(20)!r}".replace("np.float64", "")
    )
    asf = asf.replace("30 0 0", f"({float(np.radians(30))!r}) 0 0")
    rotations = asf_amc.local(asf_amc.read(write(tmp_path, asf, "\n".join(lines))))[0]
    assert np.abs(quat.difference(rotations, wanted)).max() < 1e-9


def test_another_order_of_axes_is_another_frame(tmp_path: Path) -> None:
    asf = asf_amc.read(write(tmp_path, ASF.replace("0 0 20  XYZ", "10 20 30 ZXY"))).asf
    wanted = quat.multiply(turn("y", 30), quat.multiply(turn("x", 20), turn("z", 10)))
    assert np.abs(quat.difference(asf.bones[0].axis, wanted)).max() < 1e-12


def test_the_skeleton_is_found_beside_or_given(tmp_path: Path) -> None:
    path = write(tmp_path)
    (tmp_path / "08.asf").write_text(ASF.replace("length 3", "length 5"))
    assert asf_amc.skeleton_beside(path).name == "07.asf"
    given_ = asf_amc.read(path, skeleton=tmp_path / "08.asf")
    assert given_.asf.bones[1].vector.tolist() == [5, 0, 0]
    other = path.rename(tmp_path / "walk.amc")
    with pytest.raises(BadInput, match=r"07\.asf, 08\.asf; give one with skeleton="):
        asf_amc.read(other)
    (tmp_path / "08.asf").unlink()
    assert asf_amc.skeleton_beside(other).name == "07.asf"


@pytest.mark.parametrize(
    ("name", "old", "new", "line", "why"),
    [
        ("asf", "direction 0 -1 0", "direction 0 -1", 19, "2 numbers"),
        ("asf", "direction 0 -1 0", "direction 0 nan 0", 19, "nan"),
        ("asf", "     length 2\n", "", 16, "without 'length'"),
        ("asf", "dof rx ry rz", "dof rx ry l", 22, "'l' not understood"),
        ("asf", "dof rx ry rz", "dof rx rx rz", 22, "twice"),
        ("asf", "(-1 1) (-2 2)", "(-1 1)", 34, "2 limits for 2 dof"),
        ("asf", "0 0 20  XYZ", "0 0 20 XYY", 21, "axis order"),
        ("asf", "hip knee", "hip leg", 46, "'leg' is not in"),
        ("asf", "root hip stump", "root hip", 46, "hang on nothing: stump".replace(": ", " in ':hierarchy': ")),
        ("asf", "hip knee", "hip knee\n knee hip", 47, "two parents"),
        ("asf", ":bonedata", ":bones", 1, "not an ASF file"),
        ("asf", "name knee", "name hip", 36, "two bones"),
        ("amc", "hip 41 51 61", "hip 41 51", 10, "asks for 3"),
        ("amc", "hip 41 51 61", "hip 41 51 x", 10, "'x'"),
        ("amc", "hip 41 51 61", "hip 41 51 inf", 10, "inf"),
        ("amc", "hip 41 51 61\n", "", 10, "expected 'hip'"),
        ("amc", "knee 71 81\n", "", 10, "ends after 2 bones"),
        ("amc", "hip 40", "tail 40", 6, "'tail' not found"),
        ("amc", "1\nroot", "root", 4, "number of a frame"),
        ("amc", "knee 70 80", "hip 70 80 1", 7, "twice"),
    ],
)  # fmt: skip
def test_what_would_be_wrong_is_refused_with_its_line(
    name: str, old: str, new: str, line: int, why: str, tmp_path
) -> None:
    texts = {"asf": ASF, "amc": AMC}
    assert old in texts[name]
    texts[name] = texts[name].replace(old, new, 1)
    with pytest.raises(BadInput) as error:
        asf_amc.read(write(tmp_path, **texts))
    assert why in str(error.value)
    if line > 1:
        assert f"line {line}:" in str(error.value)


def test_odd_files_are_read_with_a_note(tmp_path: Path) -> None:
    motion = asf_amc.read(write(tmp_path, amc=AMC.replace("\n2\n", "\n7\n")))
    assert len(motion) == 2 and "not numbered" in motion.notes[0]
    still = AMC.replace("knee 70 80\n", "").replace("knee 71 81\n", "")
    assert "no motion for: knee" in asf_amc.read(write(tmp_path, amc=still)).notes[0]
    latin = AMC.replace("somewhere", "Größe").replace("\n", "\r\n").encode("latin-1")
    write(tmp_path).write_bytes(latin)
    assert len(asf_amc.read(tmp_path / "07_01.amc")) == 2


ODD = [
    "nan",
    "inf",
    "1e12",
    "-1",
    "",
    "begin",
    "end",
    "root",
    "(",
    ":hierarchy",
    ":bonedata",
    "9" * 300,
    "é",
    "1",
    "dof rx",
]


@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    changes=st.lists(
        st.tuples(st.booleans(), st.floats(0, 0.999), st.floats(0, 0.999), st.sampled_from(ODD)),
        min_size=1,
        max_size=4,
    )
)
def test_broken_files_read_or_are_refused_with_a_line(changes, tmp_path: Path) -> None:
    texts = [ASF, AMC]
    for which, where, word, odd in changes:
        lines = texts[which].split("\n")
        k = int(where * len(lines))
        words = lines[k].split(" ")
        words[int(word * len(words))] = odd
        lines[k] = " ".join(words)
        texts[which] = "\n".join(lines)
    path = write(tmp_path, *texts)
    tracemalloc.start()
    told = "line "
    try:
        rotations, positions = asf_amc.local(asf_amc.read(path))
        assert np.isfinite(rotations).all() and np.isfinite(positions).all()
    except BadInput as error:
        told = str(error)
    finally:
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert peak < 5e6 and "line " in told


@pytest.mark.parametrize("take", ["02_01", "02_04", "49_18"])
def test_legs_and_spine_agree_with_the_bvh_of_the_same_take(take: str) -> None:
    """And arms and head once the thorax is there: everything above it is off by exactly that bone."""
    amc, other = need(f"asf_amc/{take}.amc", f"bvh/{take}.bvh")
    motion, b = asf_amc.read(amc), bvh.read(other)
    empty = asf_amc.template(motion.asf)
    ours = forward(empty.parents, *reversed(asf_amc.local(motion)))[0]
    theirs = forward(b.parents, *reversed(bvh.local(b)))[0][1:]
    pairs = {
        "LeftUpLeg": "lfemur",
        "LeftLeg": "ltibia",
        "LeftFoot": "lfoot",
        "RightToeBase": "rtoes",
        "Spine1": "thorax",
    }
    for joint, bone in pairs.items():
        assert np.abs(ours[:, empty.names.index(bone)] - theirs[:, b.names.index(joint)]).max() < 1e-4
    thorax = np.linalg.norm(next(bone.vector for bone in motion.asf.bones if bone.name == "thorax"))
    for joint, bone in {"Head": "head", "LeftHand": "lwrist"}.items():
        apart = np.linalg.norm(ours[:, empty.names.index(bone)] - theirs[:, b.names.index(joint)], axis=-1)
        np.testing.assert_allclose(apart, thorax, atol=1e-3)
