"""Files: chosen by ending, whole or absent, and with the content that was promised."""

from __future__ import annotations

import csv
import re
import subprocess
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from PIL import Image

from poise import formats
from poise.draw.shot import Shot
from poise.errors import BadInput
from poise.files import atomic
from poise.formats import moments
from poise.formats.writers import gif as gifs
from poise.formats.writers import mp4, npz, png
from poise.record import Recording


def same(a: np.ndarray, b: np.ndarray) -> bool:
    return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()


def test_npz_gives_back_every_bit(take, tmp_path):
    take.save(tmp_path / "take.npz")
    back = Recording.load(tmp_path / "take.npz")
    assert same(back.time, take.time)
    assert list(back.series) == list(take.series)
    for name, series in take.series.items():
        assert same(back[name], series.values)
        assert back.series[name][1:] == series[1:]
    assert back.info == take.info and back.model_xml == take.model_xml and back.notes == take.notes
    assert back.metrics["tracking_rmse_rad"] == 0.25 and back.metrics["strange"] is None  # nan is no JSON
    assert (back.fell, back.fall_time, back.steps, back.real_time_factor) == (False, None, 0, 12.5)


def test_npz_keeps_nan_infinity_and_the_smallest_numbers(take, tmp_path):
    odd = np.array([[np.nan, np.inf, -0.0], [5e-324, np.pi, -1e308]])
    few = replace(take, time=np.array([0.0, 0.1]), series={"com": take.series["com"]._replace(values=odd)})
    few.save(tmp_path / "odd.npz")
    assert same(Recording.load(tmp_path / "odd.npz")["com"], odd)


def test_two_saves_are_the_same_file(take, tmp_path):
    take.save(tmp_path / "a.npz")
    take.save(tmp_path / "b.npz")
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()


def broken_files(take, folder):
    take.save(folder / "good.npz")
    data = (folder / "good.npz").read_bytes()
    (folder / "half.npz").write_bytes(data[: len(data) // 2])
    (folder / "empty.npz").write_bytes(b"")
    (folder / "text.npz").write_text("hello")
    flipped = bytearray(data)
    flipped[len(data) // 3] ^= 0xFF
    (folder / "flipped.npz").write_bytes(flipped)
    np.savez(folder / "foreign.npz", x=np.zeros(3))
    np.savez(folder / "other.npz", take=np.array('{"format": "else"}'), time=np.zeros(3))
    np.savez(folder / "list.npz", take=np.array("[1, 2]"), time=np.zeros(3))
    np.save(folder / "array.npy", np.zeros(3))
    (folder / "array.npy").rename(folder / "array.npz")
    np.savez(folder / "pickle.npz", take=np.array([{"format": npz.FORMAT}], dtype=object))
    return sorted(set(folder.glob("*.npz")) - {folder / "good.npz"})


def test_a_damaged_or_foreign_npz_is_bad_input(take, tmp_path):
    files = broken_files(take, tmp_path)
    assert len(files) == 9
    for path in files:
        with pytest.raises(BadInput, match=path.name) as caught:
            npz.load(path)
        assert "\n" not in str(caught.value)
    with pytest.raises(BadInput, match="no such file"):
        npz.load(tmp_path / "missing.npz")


def test_csv_has_one_column_for_each_number(take, tmp_path):
    take.save(tmp_path / "take.csv")
    with open(tmp_path / "take.csv", newline="") as file:
        header, *rows = csv.reader(file)
    assert header[0] == "time[s]" and "com.z[m]" in header and "penetration[m]" in header
    assert len(rows) == len(take)
    assert len(header) == 1 + sum(len(s.names) for s in take.series.values()) == len(rows[0])
    column = [float(row[header.index("angular_momentum.y[kg m2/s]")]) for row in rows]
    assert column == take["angular_momentum"][:, 1].tolist()  # exactly


def test_png_is_a_sheet_of_twelve_frames_with_the_push(take, tmp_path):
    take.save(tmp_path / "take.png")
    with Image.open(tmp_path / "take.png") as sheet:
        pixels = np.asarray(sheet.convert("RGB")).astype(int)
    (width, height), gap = png.SIZE, png.GAP
    assert pixels.shape == (2 * (height + gap) + gap, 6 * (width + gap) + gap, 3)
    pushed = []
    for i in range(12):
        x, y = gap + i % 6 * (width + gap), gap + i // 6 * (height + gap)
        frame = pixels[y : y + height, x : x + width]
        assert frame.std() > 15  # not blank
        assert (frame[:40, :110].sum(axis=2) < 300).sum() > 30  # the time stamp
        pushed.append(int((frame[..., 0] - frame[..., 1] > 80).sum() > 100))
    assert 1 <= sum(pushed) <= 4


def test_every_push_has_a_moment_of_its_own(take):
    pushes = [f"torso:100,0,0@{t}+0.02" for t in (0.11, 0.93, 1.4)]
    times = moments.moments(replace(take, info=take.info | {"pushes": pushes}), 12)
    assert len(times) == 12 and (np.diff(times) > 0).all() and times[[0, -1]].tolist() == [0, 2]
    for start in (0.11, 0.93, 1.4):
        assert ((times >= start) & (times <= start + 0.02)).any()


def test_mp4_has_the_right_frames_and_rate(takes, tmp_path):
    path = tmp_path / "take.mp4"
    mp4.save(takes.take(1.0), path, Shot(size=(160, 120)))
    said = subprocess.run(
        [mp4.ffmpeg(), "-i", str(path), "-f", "null", "-"], capture_output=True, text=True
    ).stderr
    assert "h264" in said and "yuv420p" in said and "160x120" in said and "30 fps" in said
    assert re.findall(r"frame=\s*(\d+)", said)[-1] == "31"
    raw = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-"]
    out = subprocess.run([mp4.ffmpeg(), "-i", str(path), *raw], capture_output=True).stdout
    frames = np.frombuffer(out, dtype=np.uint8).reshape(31, 120, 160, 3).astype(int)
    assert frames[0].std() > 15 and np.abs(frames[30] - frames[0]).mean() > 0.5


def test_gif_moves_at_the_speed_of_life(takes, tmp_path):
    path = tmp_path / "take.gif"
    with atomic(path) as part:
        gifs.save(takes.take(1.0), part, Shot(size="120x90"))
    gif: Any = Image.open(path)
    with gif:
        total, reds = 0, 0
        for i in range(gif.n_frames):
            gif.seek(i)
            total += gif.info["duration"]
            r, g, _ = np.moveaxis(np.asarray(gif.convert("RGB")).astype(int), -1, 0)
            reds = max(reds, int((r - g > 80).sum()))
        assert gif.size == (120, 90) and gif.info["loop"] == 0
        assert total == 21 * 50  # equal frames may be joined, time may not be lost
        assert gif.n_frames > 8
        assert reds > 10  # the arrow keeps its colour
        gif.seek(0)
        first = np.asarray(gif.convert("RGB")).astype(int)
        gif.seek(gif.n_frames // 2)
        assert np.abs(np.asarray(gif.convert("RGB")) - first).mean() > 0.5


def test_size_rate_and_camera_may_be_chosen(takes, tmp_path):
    path, take = tmp_path / "take.mp4", takes.take(0.5)
    take.save(path, size="98x70", fps=60, camera="side", ghost=True)
    said = subprocess.run([mp4.ffmpeg(), "-i", str(path)], capture_output=True, text=True).stderr
    assert "98x70" in said and "60 fps" in said
    for wrong in ({"size": "wide"}, {"size": "4x4"}, {"fps": 0}, {"camera": "moon"}, {"size": (1, 2, 3)}):
        with pytest.raises(BadInput):
            take.save(path, **wrong)


def test_a_sheet_is_never_in_step_with_the_motion(takes):
    take = takes.take(11.0)
    q, t = take["q"].copy(), take.time
    q[:, 3:7] = np.stack([np.cos(np.pi * t), 0 * t, np.sin(np.pi * t), 0 * t], axis=1)  # a turn every second
    rolls = replace(take, series=take.series | {"q": take.series["q"]._replace(values=q)})
    chosen, even = moments.moments(rolls, 12), np.linspace(0, 11, 12)
    apart = moments._differences(rolls, np.linspace(0, 11, 200)).mean()
    for times, least in ((chosen, 0.5), (even, 0.0)):
        neighbours = np.diagonal(moments._differences(rolls, times), 1)
        assert neighbours.min() >= least * apart
    assert neighbours.max() < 0.1 * apart  # evenly spaced, all look the same
    assert np.diff(chosen).min() >= 0.2 and np.diff(chosen).max() <= 2.0


def test_frame_times_are_exact(take):
    assert moments.film_times(take, 30).tolist() == (np.arange(61) / 30).tolist()
    assert len(moments.film_times(replace(take, time=take.time[:1]), 30)) == 1


def test_an_unknown_ending_lists_those_that_exist(take, tmp_path):
    for name in ("take.avi", "take", "take.npz.bak"):
        with pytest.raises(
            BadInput, match=r"\.bvh, \.csv, \.gif, \.glb, .*\.mp4, \.npz, \.png, \.usda, \.usdc"
        ):
            take.save(tmp_path / name)
    take.save(tmp_path / "LOUD.CSV")
    assert [p.name for p in tmp_path.iterdir()] == ["LOUD.CSV"]


def test_places_that_cannot_be_written_are_bad_input(tmp_path, monkeypatch):
    with pytest.raises(BadInput, match=r"folder .*nowhere' does not exist"):
        formats.check_writable(tmp_path / "nowhere" / "take.npz")
    (tmp_path / "folder.npz").mkdir()
    with pytest.raises(BadInput, match="it is a folder"):
        formats.check_writable(tmp_path / "folder.npz")
    (tmp_path / "file").write_text("x")
    with pytest.raises(BadInput, match="is not a folder"):
        formats.check_writable(tmp_path / "file" / "take.npz")

    def refuse(**_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("tempfile.mkstemp", refuse)
    with pytest.raises(BadInput, match=r"cannot write in folder .*Permission denied"):
        formats.check_writable(tmp_path / "take.npz")


def test_checking_leaves_nothing_and_keeps_what_is_there(tmp_path):
    (tmp_path / "take.csv").write_text("mine")
    formats.check_writable(tmp_path / "take.csv")
    assert [p.name for p in tmp_path.iterdir()] == ["take.csv"]
    assert (tmp_path / "take.csv").read_text() == "mine"


@pytest.mark.parametrize(
    "error", [RuntimeError("no"), KeyboardInterrupt(), OSError(28, "No space left on device")]
)
def test_a_writer_that_fails_leaves_nothing_behind(take, tmp_path, monkeypatch, error):
    def fail(recording, path):
        path.write_text("half of")
        raise error

    monkeypatch.setattr("poise.formats.writers.csv.save", fail)
    (tmp_path / "old.csv").write_text("old")
    expected = BadInput if isinstance(error, OSError) else type(error)
    for name in ("new.csv", "old.csv"):
        with pytest.raises(expected):
            take.save(tmp_path / name)
    assert [p.name for p in tmp_path.iterdir()] == ["old.csv"]
    assert (tmp_path / "old.csv").read_text() == "old"


def test_a_drawing_that_fails_ends_ffmpeg_and_leaves_nothing(take, tmp_path, monkeypatch):
    def frames(*_):
        yield np.zeros((540, 960, 3), dtype=np.uint8)
        raise RuntimeError("no more paint")

    monkeypatch.setattr("poise.draw.render.frames", frames)
    with pytest.raises(RuntimeError, match="no more paint"):
        take.save(tmp_path / "take.mp4")
    assert list(tmp_path.iterdir()) == []


def test_without_imageio_ffmpeg_mp4_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "imageio_ffmpeg", None)
    with pytest.raises(BadInput, match=re.escape('pip install "poise[video]"')):
        formats.check_writable(tmp_path / "take.mp4")


def test_an_empty_take_is_not_written(take, tmp_path):
    empty = replace(take, time=take.time[:0], series={})
    with pytest.raises(BadInput, match="no records"):
        empty.save(tmp_path / "take.npz")
    assert list(tmp_path.iterdir()) == []


def test_a_new_file_has_ordinary_permissions(take, tmp_path):
    take.save(tmp_path / "take.csv")
    (tmp_path / "plain").touch()
    assert (tmp_path / "take.csv").stat().st_mode == (tmp_path / "plain").stat().st_mode


def test_readme_and_help_name_every_ending():
    from pathlib import Path

    from poise.cli.options import WRITE

    readme = Path(__file__).parents[2].joinpath("README.md").read_text(encoding="utf-8")
    line = next(text for text in readme.splitlines() if text.startswith("- Out go"))
    assert set(re.findall(r"\.\w+", line.split("`")[1])) == set(formats.ENDINGS)
    assert set(re.findall(r"\.\w+", WRITE)) == {*formats.ENDINGS, ".parts"}
