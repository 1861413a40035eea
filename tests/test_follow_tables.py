"""Tables of followed clips: clips made of others, and pushes that were measured before."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"
FILE = """HIERARCHY
ROOT Hips
{
\tOFFSET 0 0 0
\tCHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation
\tJOINT LeftLeg
\t{
\t\tOFFSET 1 -2 3
\t\tCHANNELS 3 Zrotation Yrotation Xrotation
\t\tEnd Site
\t\t{
\t\t\tOFFSET 0 -1 0
\t\t}
\t}
}
MOTION
Frames: 4
Frame Time: 0.01
1 2 3 10 20 30 40 50 60
2 2 3 10 20 30 40 50 60
3 2 3 10 20 30 40 50 60
4 2 3 10 20 30 40 50 60
"""


@pytest.fixture
def made(monkeypatch):
    monkeypatch.syspath_prepend(str(EXAMPLES))
    import follow_held_out  # pyright: ignore[reportMissingImports]

    return follow_held_out.made


def _frames(text: str) -> np.ndarray:
    return np.array([line.split() for line in text.split("Frame Time")[1].splitlines()[1:] if line], float)


def test_a_mirror_exchanges_sides_and_a_second_one_brings_them_back(made):
    once = made(FILE, "mirror")
    assert "JOINT RightLeg" in once and "OFFSET -1.000000 -2.000000 3.000000" in once
    np.testing.assert_allclose(_frames(once)[0], [-1, 2, 3, -10, -20, 30, -40, -50, 60])
    twice = made(once, "mirror")
    assert "JOINT LeftLeg" in twice
    np.testing.assert_allclose(_frames(twice), _frames(FILE))


def test_size_pace_and_rate(made):
    larger = made(FILE, "size 1.2")
    assert "OFFSET 1.200000 -2.400000 3.600000" in larger
    np.testing.assert_allclose(_frames(larger)[0, :4], [1.2, 2.4, 3.6, 10])
    assert "Frame Time: 0.0125" in made(FILE, "pace 0.8")
    slower = made(FILE, "50 Hz")
    assert "Frame Time: 0.02" in slower and "Frames: 2" in slower and _frames(slower)[1, 0] == 3.0


def test_pushes_that_were_measured_are_not_measured_again(monkeypatch, tmp_path):
    monkeypatch.syspath_prepend(str(EXAMPLES))
    import follow_pushes  # pyright: ignore[reportMissingImports]

    kept = tmp_path / "out" / "pushes.jsonl"
    kept.parent.mkdir()
    kept.write_text('["walk.bvh", 0.2, 0.392699, 0.15, true, false]\n')
    monkeypatch.setattr(follow_pushes, "KEPT", kept)
    trial = follow_pushes.Trial("somewhere/walk.bvh", 0.2, np.pi / 8, 0.15)
    assert follow_pushes.measured([trial]) == {trial: (True, False)}
