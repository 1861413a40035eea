"""What is printed, and where."""

from __future__ import annotations

import json

import numpy as np

from poise.console import Progress, dumps, say


def test_json_is_strict():
    text = dumps(
        {"a": float("nan"), "b": np.float64(2.5), "c": np.arange(2), "d": [float("inf"), True, None, "µ"]}
    )
    assert json.loads(text) == {"a": None, "b": 2.5, "c": [0, 1], "d": [None, True, None, "µ"]}


def test_remarks_go_to_stderr(capsys):
    say("hello")
    progress = Progress("work")
    progress.last -= 100.0
    progress(0.5, "note")
    progress(0.6)  # too soon: nothing
    progress.close()
    out = capsys.readouterr()
    assert out.out == ""
    assert "hello" in out.err
    assert "work  50 %" in out.err
    assert "60 %" not in out.err
