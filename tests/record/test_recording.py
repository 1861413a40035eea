"""Recording and Recorder."""

from __future__ import annotations

import json
import time
from dataclasses import replace

import numpy as np
import pytest

from poise.errors import BadInput
from poise.record import Recorder

SPEC = {"com": ("m", "world", ("x", "y", "z")), "depth": ("m", "world", ("depth",))}


def test_views_are_kept_row_by_row():
    recorder = Recorder(SPEC, 2)
    com = recorder.view("com")
    for i in range(5):  # more than was announced
        com[:] = i, 2 * i, 3 * i
        recorder.write("depth", 0.1 * i)
        recorder.advance(0.01 * i)
    take = recorder.finish({"scene": "x"}, "<mujoco/>")
    assert take["com"].tolist() == [[i, 2 * i, 3 * i] for i in range(5)]
    assert take["depth"][:, 0].tolist() == [0.1 * i for i in range(5)]
    assert take.time.tolist() == [0.01 * i for i in range(5)]
    assert take.dt == 0.01
    assert take.series["com"].unit == "m" and take.series["com"].names == ("x", "y", "z")


def test_what_was_never_written_is_nan_and_what_was_written_once_is_held():
    recorder = Recorder(SPEC, 3)
    recorder.write("com", [1, 2, 3])
    for t in (0.0, 0.1):
        recorder.advance(t)
    take = recorder.finish({}, "")
    assert np.isnan(take["depth"]).all()
    assert (take["com"] == [1, 2, 3]).all()


def test_a_finished_take_is_read_only_and_apart_from_the_recorder():
    recorder = Recorder(SPEC, 1)
    recorder.write("com", 1.0)
    recorder.advance(0.0)
    take = recorder.finish({}, "")
    recorder.write("com", 9.0)
    recorder.advance(0.1)
    assert len(take) == 1 and (take["com"] == 1).all()
    with pytest.raises(ValueError, match="read-only"):
        take["com"][0, 0] = 5


def test_an_unknown_series_names_those_that_exist(take):
    with pytest.raises(BadInput, match=r"'comm' not found \(did you mean 'com'\?\).*angular_momentum"):
        take["comm"]
    assert "com" in take and "comm" not in take
    with pytest.raises(BadInput, match="depth"):
        Recorder(SPEC, 1).view("width")


def test_summary_is_the_contract_and_valid_json(take):
    said = json.loads(json.dumps(take.summary(), allow_nan=False))
    keys = [
        "scene",
        "character",
        "seconds",
        "seed",
        "fell",
        "fall_time",
        "steps",
        "real_time_factor",
        "metrics",
    ]
    assert list(said) == keys
    assert said["scene"] == "sway" and said["fell"] is False and said["fall_time"] is None
    assert said["metrics"] == {"tracking_rmse_rad": 0.25, "recovered": True, "strange": None}


def test_summary_says_how_long_a_take_was_that_ended_before_its_time(take):
    longer = replace(take, info=take.info | {"seconds": take.time[-1] + 9.0})
    assert longer.summary()["seconds"] == pytest.approx(take.time[-1])


def test_summary_knows_numpy_numbers(take):
    take = type(take)(
        {"seed": np.int64(3)}, "", take.time, {}, metrics={"a_m": np.float64(2), "b": np.bool_(True)}
    )
    said = json.loads(json.dumps(take.summary()))
    assert said["seed"] == 3 and said["metrics"] == {"a_m": 2.0, "b": True}
    assert said["real_time_factor"] is None


def test_a_record_is_cheap(takes):
    spec = takes.spec(60, 52, 46)
    recorder = Recorder(spec, 2000)
    views = [recorder.view(name) for name in spec]
    rows = [np.ones(len(view)) for view in views]
    best = np.inf
    for _ in range(20):
        start = time.perf_counter()
        for i in range(50):
            for view, row in zip(views, rows):
                view[:] = row
            recorder.advance(0.01 * i)
        best = min(best, (time.perf_counter() - start) / 50)
    assert best < 100e-6  # about 10 µs on an idle core; wide, since tests share theirs
