"""Broken BVH files: each reads, or is refused with the line and the reason. Nothing crashes, hangs or grows."""

from __future__ import annotations

import tracemalloc
import warnings
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from motion_files import file_of, human, walk
from poise import capture as intake
from poise.capture.readers import bvh
from poise.errors import BadInput

ODD = ["nan", "inf", "-inf", "1e12", "1e400", "-1", "0", "", "1e-320", "0x10", "1_0", "9" * 400, "{", "}", "\x00", "é",
       ",", "MOTION", "ROOT r", "JOINT j", "End Site", "OFFSET 0 0 0", "CHANNELS 3 Zrotation Xrotation Yrotation",
       "CHANNELS 999999999", "Frames: 1e12", "Frames: 99999999999", "Frame Time: 1e-300", "Frame Time: 0.5",
       "Xposition", "Frames:", "1 2 3"]  # fmt: skip
MEMORY = 30e6  # bytes; the file has some 10 000


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("fuzz") / "a.bvh"
    bvh.write(file_of(walk(human(), 30, 1.0), unit=0.01, up="Y", order="zxy", hz=30, tpose=True), path)
    return path.read_bytes()


@st.composite
def damage(draw: st.DrawFn) -> list[tuple[str, float, str]]:
    """A few changes: what to do, where in the file (0 to 1), and with what."""
    kinds = st.sampled_from(
        ["word", "word", "line", "cut line", "twice", "byte", "cut", "header word", "header word"]
    )
    return [
        (draw(kinds), draw(st.floats(0, 0.999)), draw(st.sampled_from(ODD)))
        for _ in range(draw(st.integers(1, 4)))
    ]


def broken(data: bytes, changes: list[tuple[str, float, str]]) -> bytes:
    for kind, where, text in changes:
        lines = data.split(b"\n")
        head = next((k for k, line in enumerate(lines) if b"Frame Time" in line), len(lines) - 1) + 1
        k = int(where * (head if kind == "header word" else len(lines)))
        if kind in ("word", "header word"):
            words = lines[k].split(b" ")
            words[int(where * 977) % len(words)] = text.encode()
            lines[k] = b" ".join(words)
        elif kind == "line":
            lines.insert(k, text.encode())
        elif kind == "cut line":
            del lines[k]
        elif kind == "twice":
            lines.insert(k, lines[k])
        data = b"\n".join(lines)
        at = int(where * len(data))
        if kind == "byte":
            data = data[:at] + text.encode("latin-1", "replace")[:1] + data[at + 1 :]
        elif kind == "cut":
            data = data[:at]
    return data


def check(error: BadInput) -> None:
    assert "line " in str(error) and len(str(error)) < 700, error


@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(changes=damage())
def test_a_broken_file_reads_or_is_refused_with_its_line(sample: bytes, changes) -> None:
    tracemalloc.start()
    try:
        b = bvh.parse(broken(sample, changes))
        assert b.values.shape[1] == sum(map(len, b.channels)) and len(b.names) == len(set(b.names))
    except BadInput as error:
        check(error)
    finally:
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert peak < MEMORY


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(changes=damage())
def test_a_broken_file_loads_or_is_refused_with_its_line(sample: bytes, changes, tmp_path: Path) -> None:
    path = tmp_path / "a.bvh"
    path.write_bytes(broken(sample, changes))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            take = intake.load(path)
        except BadInput as error:
            check(error)
            return
        made = take.back(take.capture.rotations, take.capture.positions)
    assert len(made) == len(take.capture)


@settings(max_examples=40)
@given(data=st.binary(max_size=400))
def test_any_bytes_are_refused_with_a_line(data: bytes) -> None:
    with pytest.raises(BadInput, match="line "):
        bvh.parse(data)


@pytest.mark.parametrize("numbers", ["0 0 0", "1e9 1e9 1e9", "1e-300 0 0", "-0 -0 -0"])
def test_bodies_of_no_size_or_any_size_load(sample: bytes, numbers: str, tmp_path: Path) -> None:
    path = tmp_path / "a.bvh"
    lines = [b"\tOFFSET " + numbers.encode() if b"OFFSET" in line else line for line in sample.split(b"\n")]
    path.write_bytes(b"\n".join(lines))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(intake.load(path).capture) > 0


@pytest.mark.parametrize("joints", [1, 2])
@pytest.mark.parametrize("frames", [1, 2, 3, 5, 8, 14])
def test_the_smallest_files_load(joints: int, frames: int, tmp_path: Path) -> None:
    child = "JOINT b\n{\nOFFSET 0 1 0\nCHANNELS 1 Xrotation\n}\n" if joints == 2 else ""
    head = f"HIERARCHY\nROOT a\n{{\nOFFSET 0 0 0\nCHANNELS 3 Xposition Yposition Zposition\n{child}}}\n"
    rows = "\n".join(" ".join(["0.5"] * (2 + joints)) for _ in range(frames))
    path = tmp_path / "a.bvh"
    path.write_text(f"{head}MOTION\nFrames: {frames}\nFrame Time: 0.1\n{rows}\n")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        take = intake.load(path)
    assert (
        len(take.capture) == frames
        and len(take.back(take.capture.rotations, take.capture.positions)) == frames
    )


def test_a_file_without_frames_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.bvh"
    path.write_text(
        "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n}\nMOTION\nFrames: 0\nFrame Time: 0.1\n"
    )
    with pytest.raises(BadInput, match="line 10: the file ends without a frame"):
        intake.load(path)
