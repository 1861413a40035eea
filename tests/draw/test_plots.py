"""Figures: written whole, with content, for full and for sparse takes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from poise.draw import plots
from poise.draw.polar import CURVES
from poise.errors import BadInput


def colours(path) -> set:
    with Image.open(path) as image:
        small = image.convert("RGB")
        return {colour for _, colour in small.getcolors(small.width * small.height) or []}


def near(path, wanted: str) -> bool:
    rgb = np.array([int(wanted[i : i + 2], 16) for i in (1, 3, 5)])
    return any(np.abs(np.array(colour) - rgb).max() < 6 for colour in colours(path))


def test_the_figure_shows_all_lines(take, tmp_path, caplog):
    path = tmp_path / "take.png"
    take.plot(path)
    assert not caplog.records  # matplotlib has nothing to complain of
    with Image.open(path) as image:
        assert image.size == (1800, 1260)
    assert all(near(path, colour) for colour in plots.AXES.values())
    assert all(near(path, colour) for _, colour, _ in plots.RATES.values())
    assert [p.name for p in tmp_path.iterdir()] == ["take.png"]


def test_a_take_with_few_series_and_nan_is_drawn(take, tmp_path):
    values = np.full_like(take["cp"], np.nan)
    sparse = replace(
        take, series={"com": take.series["com"], "cp": take.series["cp"]._replace(values=values)}
    )
    plots.plot(sparse, tmp_path / "sparse.svg")
    text = (tmp_path / "sparse.svg").read_text()
    assert "<svg" in text and text.rstrip().endswith("</svg>")
    plots.plot(replace(take, fell=True, fall_time=1.2), tmp_path / "fell.pdf")
    assert (tmp_path / "fell.pdf").read_bytes().startswith(b"%PDF")


def test_polar_draws_each_curve_and_both_rings(tmp_path):
    on = {a: 0.4 + 0.1 * (a % 90 > 0) for a in range(0, 360, 45)}
    plots.polar({"on": on, "off": {a: 0.3 for a in on}}, tmp_path / "map.svg", mass=75.0)
    plots.polar({"on": on, "off": {a: 0.3 for a in on}}, tmp_path / "map.png", mass=75.0)
    assert near(tmp_path / "map.png", CURVES[0]) and near(tmp_path / "map.png", CURVES[1])
    plots.polar({str(a): v for a, v in on.items()}, tmp_path / "one.png")
    assert near(tmp_path / "one.png", CURVES[0]) and not near(tmp_path / "one.png", CURVES[1])


def test_polar_of_nothing_and_of_zero(tmp_path):
    plots.polar({}, tmp_path / "empty.png")
    plots.polar({0.0: 0.0, 90.0: 0.0}, tmp_path / "zero.png", mass=75)
    assert len(list(tmp_path.iterdir())) == 2


def test_bad_paths_are_bad_input(take, tmp_path):
    with pytest.raises(BadInput, match=r"\.png"):
        plots.plot(take, tmp_path / "figure.docx")
    with pytest.raises(BadInput, match="does not exist"):
        plots.plot(take, tmp_path / "nowhere" / "figure.png")
