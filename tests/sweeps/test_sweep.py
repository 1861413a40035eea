"""A scene over a grid: rows, files, pictures, and going on."""

from __future__ import annotations

import csv
import json

import pytest

from poise.errors import BadInput
from poise.sweeps import point as points
from poise.sweeps import sweep, table


@pytest.fixture
def counted(monkeypatch):
    """Points that were simulated, of a stand-in that falls for pushes above 0.3 m/s."""
    seen = []

    def run(point):
        seen.append(point)
        told = {**point.common, **point.values}
        held = told.get("push.speed", 0.0) < 0.3
        return {"replica": point.replica, "seed": point.seed, "survived": held, "score": 2.0, "list": [1, 2]}

    monkeypatch.setattr(points, "run", run)
    return seen


def test_rows_come_in_the_order_of_the_grid(counted, tmp_path):
    made = sweep(
        "stand", ["friction=0.4,0.8", "seconds=1:3:3"], 2, tmp_path, jobs=1, metrics=("survived", "score")
    )
    assert [(r["friction"], r["seconds"], r["replica"]) for r in made.rows[:3]] == [
        (0.4, 1, 0), (0.4, 1, 1), (0.4, 2, 0),
    ]  # fmt: skip
    with (tmp_path / "sweep.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 12 and rows[0]["list"] == "[1, 2]" and rows[0]["survived"] == "True"
    assert json.loads((tmp_path / "sweep.json").read_text())["means"]["score"] == [2.0] * 6
    assert (tmp_path / "command.txt").read_text().count("\n") > 4
    assert (tmp_path / "score.png").stat().st_size > 1000


def test_known_takes_are_not_made_again(counted, tmp_path):
    sweep("stand", {"friction": [0.4, 0.8]}, 2, tmp_path, jobs=1)
    whole = (tmp_path / "sweep.csv").read_bytes()
    lines = (tmp_path / "trials.jsonl").read_text().splitlines()
    (tmp_path / "trials.jsonl").write_text("\n".join([lines[2], lines[0], lines[1][:20]]))
    sweep("stand", {"friction": [0.4, 0.8]}, 2, tmp_path, jobs=1)
    assert len(counted) == 4 + 2
    assert (tmp_path / "sweep.csv").read_bytes() == whole


def test_directions_are_drawn_as_a_wheel(counted, tmp_path):
    grid = {"push.direction": [0, 90, 180, 270], "push.speed": [0.1, 0.4]}
    made = sweep("stand", grid, 1, tmp_path, jobs=1)
    assert [share for _, share in made.mean("survived")] == [1.0, 0.0] * 4
    assert (tmp_path / "survived.png").stat().st_size > 1000


def test_a_real_take_has_the_verdict_and_the_metrics():
    made = sweep("stand", {"push.direction": [90]}, 2, common={"push.speed": 0.05, "seconds": 0.2}, jobs=1)
    first, second = made.rows
    assert first["survived"] and not first["fell"] and first["foot_slip_m"] < 0.01
    assert first["seed"] != second["seed"] and "real_time_factor" not in first
    unpushed = sweep("stand", {"seconds": [0.1]}, 2, jobs=1)
    assert [row["seed"] for row in unpushed.rows] == [0, 1]


def test_bad_sweeps_are_refused():
    with pytest.raises(BadInput, match="knob"):
        sweep("stand", {"knob": [1, 2]}, jobs=1)
    with pytest.raises(BadInput, match="replicas"):
        sweep("stand", {"friction": [0.5]}, 0, jobs=1)
    with pytest.raises(BadInput, match=r"push\.speed"):
        sweep("stand", {"push.direction": [0]}, jobs=1)


def test_an_unknown_metric_is_named(counted):
    with pytest.raises(BadInput, match="height"):
        sweep("stand", {"friction": [0.5]}, metrics=("height",), jobs=1)


def test_means_leave_out_what_is_missing():
    rows = [{"a": 1, "x": 2.0}, {"a": 1, "x": None}, {"a": 2}]
    (_, one), (_, two) = table.mean(rows, ["a"], "x")
    assert one == 2.0 and two != two
