"""BVH in its dialects: read, written, turned into rotations and back."""

from __future__ import annotations

import os
import time
import tracemalloc
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mocap import need
from poise.capture.readers import bvh
from poise.errors import BadInput
from poise.geometry import quat
from poise.geometry.skeleton import forward

HEAD = """HIERARCHY
ROOT Hips
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT Chest
  {
    OFFSET 0 5.5 -1e-1
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 0 2 0
    }
  }
}
MOTION
"""
ROWS = ["1 2 3 10 20 30 40 50 60", "1.5 2 3 11 21 31 41 51 61"]
TEXT = HEAD + "Frames: 2\nFrame Time: 0.01\n" + "\n".join(ROWS) + "\n"


def parse(text: str) -> bvh.Bvh:
    return bvh.parse(text.encode())


def test_reads_hierarchy_channels_and_frames() -> None:
    b = parse(TEXT)
    assert b.names == ("Hips", "Chest") and b.parents.tolist() == [-1, 0]
    np.testing.assert_array_equal(b.offsets, [[0, 0, 0], [0, 5.5, -0.1]])
    np.testing.assert_array_equal(b.ends, [[0, 2, 0]])
    assert b.end_parents.tolist() == [1] and len(b.channels[0]) == 6 and b.frame_time == 0.01
    np.testing.assert_array_equal(b.values, [[float(x) for x in row.split()] for row in ROWS])
    assert b.notes == ()


@pytest.mark.parametrize(
    "text",
    [
        TEXT.replace("\n", "\r\n"),
        TEXT.replace("\n", "\r"),
        HEAD.replace("\n", "\r\n") + TEXT[len(HEAD) :],
        "\ufeff" + TEXT,
        TEXT.rstrip("\n"),
        TEXT.replace("  ", "\t"),
        TEXT.replace("Hips\n{", "Hips {").replace("Chest\n  {", "Chest{"),
        TEXT.replace("JOINT", "joint").replace("ROOT", "Root").replace("OFFSET", "Offset").replace("MOTION", "Motion"),
        TEXT.replace("Frame Time: 0.01", "Frame Time:\t1.0e-2"),
        TEXT.replace("Frame Time: 0.01", "Frame Time:0.01").replace("Frames: 2", "Frames:2"),
        TEXT.replace("Xposition", "XPOSITION").replace("Zrotation", "zrotation"),
        TEXT.replace("10 20", "10\n20").replace("11 21", "11\n21"),
        TEXT + "\n\n  \n",
        HEAD + "\nFrame Time: 0.01\nFrames: 2\n".replace("Frame Time: 0.01\nFrames: 2", "Frames: 2\n\nFrame Time: 0.01")
        + "\n".join(ROWS),
    ],
    ids=["crlf", "cr", "mixed", "bom", "no last newline", "tabs", "brace on the line", "case", "exponent", "no blank",
         "channel case", "wrapped", "blank end", "blank lines"],
)  # fmt: skip
def test_dialects_read_the_same(text: str) -> None:
    wanted, b = parse(TEXT), parse(text)
    assert b.names == wanted.names and b.frame_time == wanted.frame_time and b.notes == ()
    np.testing.assert_array_equal(b.values, wanted.values)
    np.testing.assert_array_equal(b.offsets, wanted.offsets)


def test_sixteen_bit_text_and_latin_names() -> None:
    named = TEXT.replace("Chest", "Brustkörper")
    for data in (named.encode("utf-16"), named.encode("latin-1"), named.encode("utf-8")):
        assert bvh.parse(data).names[1] == "Brustkörper"
    assert bvh.parse(named.encode("latin-1")).encoding == "latin-1"


def test_names_with_blanks_and_twins_are_kept_for_writing(tmp_path: Path) -> None:
    text = TEXT.replace("JOINT Chest", "JOINT Left  Arm")
    text = text.replace("    End Site", "    JOINT Hips\n    {\n      OFFSET 0 1 0\n    }\n    End Site")
    b = parse(text)
    assert b.names == ("Hips", "Left Arm", "Hips_2") and b.labels == ("Hips", "Left Arm", "Hips")
    assert "second joint named 'Hips'" in b.notes[0] and "line 10" in b.notes[0]
    bvh.write(b, tmp_path / "a.bvh")
    assert bvh.read(tmp_path / "a.bvh").labels == b.labels


def test_unique_names_do_not_meet_a_name_that_exists() -> None:
    joints = [f"    JOINT {n}\n    {{\n      OFFSET 0 1 0\n    }}\n" for n in ("a", "a_2", "a", "a")]
    text = TEXT.replace("    End Site", "".join(joints) + "    End Site")
    names = parse(text).names
    assert len(set(names)) == len(names) == 6 and names[2:4] == ("a", "a_2")


@pytest.mark.parametrize("said", ["1", "7", "100000000", "3.5", "-4"])
def test_a_wrong_number_of_frames_is_noted_not_believed(said: str) -> None:
    b = parse(TEXT.replace("Frames: 2", f"Frames: {said}"))
    assert len(b) == 2 and "2 frames found" in b.notes[0]


def test_a_number_of_frames_that_is_none_is_refused() -> None:
    for said in ("1e12", "many", "nan"):
        with pytest.raises(BadInput, match=f"line 17: .*{said}"):
            parse(TEXT.replace("Frames: 2", f"Frames: {said}"))


def test_a_missing_count_of_frames_is_noted() -> None:
    b = parse(TEXT.replace("Frames: 2\n", ""))
    assert len(b) == 2 and "no line 'Frames:'" in b.notes[0]


@pytest.mark.parametrize(
    ("old", "new", "line", "why"),
    [
        ("HIERARCHY\n", "hello\n", 1, "not a BVH file"),
        (TEXT, "", 1, "not a BVH file"),
        ("MOTION\n", "ROOT Other\n{\nOFFSET 0 0 0\n}\nMOTION\n", 16, "second ROOT"),
        ("OFFSET 0 5.5 -1e-1", "OFFSET 0 5.5", 8, "needs 3"),
        ("OFFSET 0 5.5 -1e-1", "OFFSET 0 5,5 1", 8, "5,5"),
        ("OFFSET 0 5.5 -1e-1", "OFFSET 0 nan 1", 8, "nan"),
        ("    OFFSET 0 5.5 -1e-1\n", "", 13, "without OFFSET"),
        ("CHANNELS 3 Z", "CHANNELS 4 Z", 9, "CHANNELS"),
        ("CHANNELS 3 Zrotation", "CHANNELS 3 Zscale", 9, "Zscale"),
        ("CHANNELS 3 Zrotation Xrotation", "CHANNELS 3 Zrotation zrotation", 9, "twice"),
        ("  }\n}\nMOTION", "  }\nMOTION", 15, "braces"),
        ("}\nMOTION", "}\n}\nMOTION", 16, "not expected"),
        ("JOINT Chest", "JOINT", 6, "without a name"),
        ("Chest\n  {", "Chest\n", 6, "expected '{'"),
        ("Frame Time: 0.01", "Frame Time: 0", 18, "Frame Time"),
        ("Frame Time: 0.01", "Frame Time: -1", 18, "Frame Time"),
        ("Frame Time: 0.01", "Frame Time: inf", 18, "inf"),
        ("Frame Time: 0.01\n", "", 18, "Frame Time"),
        ("1.5 2 3 11", "1.5 2 3", 20, "8 numbers"),
        ("1.5 2 3 11", "1.5 2 3 11 12", 20, "10 numbers"),
        ("1 2 3 10", "1 2 3", 19, "8 numbers"),
        ("1.5 2 3 11", "1.5 2 nan 11", 20, "nan"),
        ("1.5 2 3 11", "1.5 2 -inf 11", 20, "-inf"),
        ("1.5 2 3 11", "1.5 2 1e300 11", 20, "1e300"),
        ("1.5 2 3 11", "1.5 2 x 11", 20, "'x'"),
        ("1.5 2 3 11", "1.5 2 1_0 11", 20, "1_0"),
    ],
)  # fmt: skip
def test_what_would_be_wrong_is_refused_with_its_line(old: str, new: str, line: int, why: str) -> None:
    assert old in TEXT
    with pytest.raises(BadInput) as error:
        parse(TEXT.replace(old, new, 1))
    assert f"line {line}:" in str(error.value) and why in str(error.value)


def test_no_file_and_a_folder_are_bad_input(tmp_path: Path) -> None:
    for path in (tmp_path / "none.bvh", tmp_path):
        with pytest.raises(BadInput, match="cannot read"):
            bvh.read(path)


def test_more_joints_than_any_body_has_are_refused_soon() -> None:
    deep = "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\n" + "JOINT b\n{\nOFFSET 0 0 0\n" * 6000
    with pytest.raises(BadInput, match="more than 400 joints"):
        parse(deep)


def test_positions_replace_the_offset() -> None:
    b = parse(TEXT.replace("CHANNELS 3 Zrotation", "CHANNELS 6 Xposition Yposition Zposition Zrotation", 1).replace(
        ROWS[0], "1 2 3 10 20 30 7 8 9 40 50 60").replace(ROWS[1], "1 2 3 10 20 30 7 8 9 40 50 60"))  # fmt: skip
    _, positions = bvh.local(b)
    np.testing.assert_array_equal(positions[0], [[1, 2, 3], [7, 8, 9]])


def test_rotations_follow_the_order_of_the_channels() -> None:
    rotations, positions = bvh.local(parse(TEXT))
    np.testing.assert_allclose(rotations[0, 1], quat.from_euler(np.radians([40, 50, 60]), "zxy"), atol=1e-13)
    np.testing.assert_array_equal(positions[0], [[1, 2, 3], [0, 5.5, -0.1]])


ORDERS = ["".join(p) for p in permutations("xyz")] + ["z", "xy", "yz", ""]


@given(
    order=st.sampled_from(ORDERS),
    angles=st.lists(st.tuples(*[st.floats(-400, 400)] * 3), min_size=1, max_size=6),
)
def test_values_of_undoes_local(order: str, angles: list[tuple[float, float, float]]) -> None:
    """Also through gimbal lock, and with fewer than three angles."""
    channels = "".join(f" {axis.upper()}rotation" for axis in order)
    text = TEXT.replace("CHANNELS 3 Zrotation Xrotation Yrotation", f"CHANNELS {len(order)}{channels}", 1)
    empty = parse(text.split("0.01\n")[0] + "0.01\n")
    values = np.array([[1.0, 2, 3, 4, 5, 6, *row[: len(order)]] for row in angles])
    first = bvh.local(empty.with_values(values))
    made = bvh.values_of(empty, *first)
    again = bvh.local(empty.with_values(made))
    assert np.abs(quat.difference(first[0], again[0])).max() < 1e-6
    np.testing.assert_allclose(first[1], again[1], atol=1e-12)


@given(
    turns=st.integers(-3, 3),
    order=st.sampled_from(ORDERS[:6]),
    middle=st.sampled_from([0.0, 60.0, 89.999, 90.0]),
)
def test_angles_go_on_without_jumps(turns: int, order: str, middle: float) -> None:
    """A body that spins keeps counting, even with the middle angle at its lock."""
    text = TEXT.replace("Zrotation Xrotation Yrotation", " ".join(f"{a.upper()}rotation" for a in order), 1)
    b = parse(text)
    values = np.tile(b.values[:1], (60, 1))
    values[:, 3] = np.linspace(0, 360 * turns, 60)
    values[:, 4] = middle
    b = b.with_values(values)
    made = bvh.values_of(b, *bvh.local(b))
    assert np.abs(np.diff(made, axis=0)).max() < 360 * 3 / 59 + 1.0
    assert np.abs(quat.difference(bvh.local(b.with_values(made))[0], bvh.local(b)[0])).max() < 1e-6


def test_written_files_read_back(tmp_path: Path) -> None:
    b = parse(TEXT)
    bvh.write(b, tmp_path / "a.bvh")
    again = bvh.read(tmp_path / "a.bvh")
    assert (again.names, again.channels, again.frame_time) == (b.names, b.channels, b.frame_time)
    for field in ("values", "offsets", "ends", "end_parents", "parents"):
        np.testing.assert_allclose(getattr(again, field), getattr(b, field), rtol=1e-9)


def test_values_must_fit_the_channels() -> None:
    with pytest.raises(BadInput, match=r"expected \(frames, 9\)"):
        parse(TEXT).with_values(np.zeros((3, 8)))


def test_progress_ends_at_one() -> None:
    seen: list[float] = []
    bvh.parse((TEXT + "\n".join(ROWS * 600)).encode(), seen.append)
    assert seen[-1] == 1.0 and seen == sorted(seen) and len(seen) > 3


def test_every_real_file_reads_and_comes_back(tmp_path: Path) -> None:
    (folder,) = need("bvh")
    for path in [
        *sorted(folder.glob("*.bvh"))[::6],
        *need("variants/pirouette_daz.bvh", "nc/dataset-1_kick_normal_001.bvh"),
    ]:
        b = bvh.read(path)
        made = b.with_values(bvh.values_of(b, *bvh.local(b)))
        bvh.write(made, tmp_path / "a.bvh")
        again = bvh.read(tmp_path / "a.bvh")
        ours, theirs = (forward(x.parents, *reversed(bvh.local(x)))[0] for x in (again, b))
        assert np.abs(ours - theirs).max() < 1e-6 * np.abs(theirs).max(), path.name


def test_a_long_file_is_read_fast_and_in_little_memory() -> None:
    (path,) = need("bvh/13_30.bvh")
    took = []
    for _ in range(4):
        start = time.process_time()
        bvh.read(path)
        took.append(time.process_time() - start)
    assert min(took) < 0.3
    tracemalloc.start()
    try:
        bvh.read(path)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 5 * os.path.getsize(path)


def _oracle(path: Path, frames: list[int]) -> None:
    """bvhio puts every joint where we do."""
    bvhio = pytest.importorskip("bvhio", reason="bvhio is not installed (pip install 'poise[dev]')")
    b = bvh.read(path)
    at = forward(b.parents, *reversed(bvh.local(b)))[0]
    root = bvhio.readAsHierarchy(str(path))
    for frame in frames:
        root.loadPose(frame)
        theirs = {joint.Name: np.array(joint.PositionWorld) for joint, _, _ in root.layout()}
        for j, name in enumerate(b.names):
            np.testing.assert_allclose(
                theirs[name], at[frame, j], atol=2e-4 * np.abs(at[frame]).max(), err_msg=name
            )


def test_bvhio_agrees() -> None:
    _oracle(need("bvh/02_01.bvh")[0], [0, 1, 100, 343])


@pytest.mark.slow
def test_bvhio_agrees_on_every_cmu_file() -> None:
    (folder,) = need("bvh")
    for path in sorted(folder.glob("*.bvh")):
        _oracle(path, [0, 1, 50, 200, 300])
