"""A state that leaves all sane bounds ends a take as a result, and only what was sane is written."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import foreign_files
import motion_files
import poise
from mocap import folder
from poise.capture.readers import bvh

ARITHMETIC = ("roll-forward", "--seconds", "0.2", "--seed", "250108", "--push",
              "thigh_l:3062.800811222214,6801.509089692215,5109.488073141681"
              "@0.05513118015703369+10.0^10.0,10.0,0.1")  # fmt: skip


@pytest.fixture
def files(tmp_path):
    """A walk to react to, and a small robot."""
    made = motion_files.walk(motion_files.human(), 30.0, 0.7)
    bvh.write(motion_files.file_of(made, unit=0.01, up="Y", order="ZXY", hz=30.0), tmp_path / "walk.bvh")
    (tmp_path / "robot.xml").write_text(foreign_files.biped())


def sane(path: Path) -> bool:
    """Whether a motion file holds places of metres and angles of some turns, and all of its frames."""
    found = bvh.read(path)
    return bool(
        np.isfinite(found.values).all() and np.abs(found.values).max() < 1e6 and len(found.values) > 1
    )


@pytest.mark.parametrize("words", [
    ARITHMETIC, ("roll-over", "--seconds", "1", "--push", "torso:1.8e8,0,0@0.1+0.5"),
    ("stand", "--seconds", "1", "--push", "head:5e8,0,0@0.1+0.5"),
    ("stand", "--character", "robot.xml", "--seconds", "1", "--push", "torso:5e8,0,0@0.1+0.5"),
    ("react", "--motion", "walk.bvh", "--push", "torso:5e7,0,5e7@0.1+0.5"),
], ids=["arithmetic", "roll-over", "stand", "robot", "react"])  # fmt: skip
def test_a_blow_up_is_a_result(words, poise_, tmp_path, files):
    """It says when, what and why, marks itself, exits 1, and writes sane numbers only; the engine writes no log."""
    code, out, err, _ = poise_("run", *words, "--json", "-o", "take.npz", "-o", "take.csv", "-o", "take.bvh")
    assert code == 1 and "blew up at t = 0." in err and "likely cause" in err
    said = json.loads(out.splitlines()[-1])
    assert said["blew_up"] > 0 and said["fell"]
    take = poise.Recording.load(tmp_path / "take.npz")
    assert take.blew_up == said["blew_up"] and len(take) > 1
    for name in ("q", "v", "com"):
        assert (np.abs(take[name]) < 5000.0).all(), name
    assert "blew up at" in poise_("replay", "take.npz")[1]
    assert sane(tmp_path / "take.bvh") and not {"nan", "inf"} & set(
        (tmp_path / "take.csv").read_text().split(",")
    )
    assert {p.stem for p in tmp_path.iterdir()} == {"take", "walk", "robot"}


@pytest.mark.slow
def test_captured_clips_that_are_shoved_hard_are_written_sane(poise_, tmp_path):
    """Once some of walks and boxing left all bounds within a second, and values of 1e38 were written."""
    clips = sorted(p for p in folder().rglob("*") if p.suffix in (".bvh", ".amc"))
    if not clips:
        pytest.skip("motion capture not found (set POISE_MOCAP)")
    written = 0
    for clip in clips:
        code, _, err, _ = poise_(
            "react", clip, "--seconds", "1", "--push", "torso:3e4,2e4,0@0.3+0.1", "-o", "out.bvh"
        )
        assert code in (0, 1, 2), f"{clip.name}: {err}"
        assert code == 2 or sane(tmp_path / "out.bvh"), clip.name
        written += code != 2
    assert written > 0.8 * len(clips)
