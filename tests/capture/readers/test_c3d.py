"""C3D markers, against files made in code for each processor, and against ezc3d."""

from __future__ import annotations

import struct
import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mocap import need
from poise.capture.readers import c3d
from poise.capture.readers.c3d_bytes import DEC, INTEL, MIPS
from poise.errors import BadInput

POINTS = np.array([[[1.5, -2.0, 3.25], [4, 5, 6]], [[1.75, -2, 3], [4, 5, 6.5]], [[2, -2, 2.75], [4, 5, 7]]])
PROCESSORS = (INTEL, DEC, MIPS)


def real(values, processor: int) -> bytes:
    raw = np.asarray(values, np.float32)
    if processor == MIPS:
        return raw.astype(">f4").tobytes()
    if processor == INTEL:
        return raw.astype("<f4").tobytes()
    return (raw * np.float32(4)).view("<u2").reshape(-1, 2)[:, ::-1].tobytes()


def parameter(group: int, name: str, kind: int, shape: list[int], raw: bytes, order: str) -> bytes:
    body = struct.pack("bB", kind, len(shape)) + bytes(shape) + raw + b"\0"
    return (
        struct.pack("bb", len(name), group) + name.encode() + struct.pack(f"{order}H", len(body) + 2) + body
    )


def make(points: np.ndarray = POINTS, *, processor: int = INTEL, floats: bool = True, analog: int = 0,
         labels: str = "LFT RGT ", residuals: np.ndarray | None = None, hz: float = 100.0) -> bytes:  # fmt: skip
    order = ">" if processor == MIPS else "<"
    frames, markers = points.shape[:2]
    scale = 0.25
    head = bytes([2, 0x50]) + struct.pack(f"{order}4H", markers, analog, 1, frames) + b"\0\0"
    head += (
        real([-scale if floats else scale], processor)
        + struct.pack(f"{order}2H", 3, 0)
        + real([hz], processor)
    )
    group = struct.pack("bb", 5, -1) + b"POINT" + struct.pack(f"{order}H", 3) + b"\0"
    group += parameter(1, "LABELS", -1, [4, len(labels) // 4], labels.encode(), order)
    group += parameter(1, "UNITS", -1, [2], b"mm", order) + parameter(1, "Y_SCREEN", -1, [2], b"+Z", order)
    words = np.zeros((frames, 4 * markers + analog))
    rest = np.zeros((frames, markers, 1)) if residuals is None else residuals[..., None]
    whole = np.concatenate([points if floats else points / scale, rest], axis=-1)
    words[:, : 4 * markers] = whole.reshape(frames, -1)
    body = real(words, processor) if floats else words.astype(f"{order}i2").tobytes()
    return head.ljust(512, b"\0") + (bytes([1, 80, 1, processor]) + group + b"\0").ljust(512, b"\0") + body


@pytest.mark.parametrize("processor", PROCESSORS)
@pytest.mark.parametrize("floats", [True, False])
@pytest.mark.parametrize("analog", [0, 3])
def test_every_processor_and_number_reads_the_same(processor: int, floats: bool, analog: int) -> None:
    c = c3d.parse(make(processor=processor, floats=floats, analog=analog))
    assert c.names == ("LFT", "RGT") and c.hz == 100.0 and c.unit == "mm" and c.up == "Z" and c.notes == ()
    assert c.metres_per_unit == 0.001 and c.seen.all()
    np.testing.assert_allclose(c.points, POINTS, atol=1e-6)


def test_gaps_are_filled_and_told() -> None:
    lost = np.zeros((3, 2))
    lost[1, 0] = -1
    c = c3d.parse(make(residuals=lost))
    np.testing.assert_allclose(c.points[1, 0], (POINTS[0, 0] + POINTS[2, 0]) / 2)
    assert not c.seen[1, 0] and "1 gaps" in c.notes[0]


def test_a_marker_never_seen_is_left_out_and_twins_get_names() -> None:
    points = np.concatenate([POINTS, POINTS, 0 * POINTS[:, :1]], axis=1)
    c = c3d.parse(make(points, labels="LFT RGT LFT "))
    assert c.names == ("LFT", "RGT", "LFT_2", "marker4") and "1 markers are never seen" in c.notes[0]


def test_a_cut_file_gives_what_it_holds_and_says_so() -> None:
    c = c3d.parse(make()[:-20])
    assert len(c) == 2 and "3 frames said, 2 found" in c.notes[0]


@pytest.mark.parametrize(
    ("byte", "value", "why"),
    [(1, 7, "not a C3D file"), (0, 200, "parameters"), (515, 9, "processor 9"), (2, 0, "0 markers"),
     (8, 0, "0 frames"), (16, 99, "frames are said"), (3, 255, "markers in")],
)  # fmt: skip
def test_damage_is_refused_with_its_place(byte: int, value: int, why: str) -> None:
    data = bytearray(make())
    data[byte] = value
    with pytest.raises(BadInput, match=r"byte \d+") as error:
        c3d.parse(bytes(data))
    assert why in str(error.value)


@settings(max_examples=300)
@given(
    changes=st.lists(st.tuples(st.integers(0, 1200), st.integers(0, 255)), min_size=1, max_size=5),
    size=st.integers(0, 1300),
    processor=st.sampled_from(PROCESSORS),
)
def test_broken_files_read_or_are_refused(changes, size: int, processor: int) -> None:
    data = bytearray(make(processor=processor))
    for byte, value in changes:
        data[byte % len(data)] = value
    tracemalloc.start()
    told = "byte "
    try:
        c = c3d.parse(bytes(data[: max(size, 1) if size < 1200 else None]))
        assert np.isfinite(c.points).all() and len(set(c.names)) == c.points.shape[1]
    except BadInput as error:
        told = str(error)
    finally:
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert peak < 5e6 and "byte " in told


def test_a_missing_file_is_bad_input(tmp_path) -> None:
    with pytest.raises(BadInput, match="cannot read"):
        c3d.read(tmp_path / "none.c3d")


def test_the_real_file_agrees_with_ezc3d() -> None:
    (path,) = need("c3d/02_01.c3d")
    ezc3d = pytest.importorskip("ezc3d", reason="ezc3d is not installed (pip install 'poise[test]')")
    c, theirs = c3d.read(path), ezc3d.c3d(str(path))
    assert c.names == tuple(theirs["parameters"]["POINT"]["LABELS"]["value"]) and len(c) == 343
    np.testing.assert_allclose(c.points, theirs["data"]["points"][:3].transpose(2, 1, 0), atol=1e-6)
