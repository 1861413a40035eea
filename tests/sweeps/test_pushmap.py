"""The rule by which robustness is measured."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from poise.errors import BadInput
from poise.sweeps import trial as trials
from poise.sweeps.climb import GRID_MS, survives
from poise.sweeps.pushmap import pushmap


def draw(value: float = 0.3, angle: float = 90.0, replica: int = 2, seed: int = 7) -> trials.PushTrial:
    return trials.draw(trials.Case("stand-in", None, {}, 50.0, seed), angle, value, replica)


def test_limit_is_the_last_grid_value_below_the_fall(fake):
    fake.limit = lambda angle: 0.32
    result = pushmap("stand-in", directions=4, jobs=1)
    assert result.limits_ms == {"0": 0.3, "90": 0.3, "180": 0.3, "270": 0.3}
    assert result.limits_n["0"] == pytest.approx(0.3 * 50 / 0.1)
    assert result.capped == []


def test_directions_have_limits_of_their_own(fake):
    fake.limit = lambda angle: 0.52 if abs(angle) < 45 else 0.12
    limits = pushmap("stand-in", directions=4, jobs=1).limits_ms
    assert limits == {"0": 0.5, "90": 0.1, "180": 0.1, "270": 0.1}


def test_a_lucky_survival_above_a_failure_does_not_count(fake, monkeypatch):
    honest = trials.run

    def lucky(trial: trials.PushTrial) -> dict:
        return {**honest(trial), "survived": not 0.24 < trial.value_ms < 0.26}

    monkeypatch.setattr(trials, "run", lucky)
    assert pushmap("stand-in", directions=1, jobs=1).limits_ms == {"0": 0.2}


@pytest.mark.parametrize(("failures", "limit"), [(1, 0.4), (2, 0.2)])
def test_one_replica_in_five_may_fall(fake, monkeypatch, failures, limit):
    def run(trial: trials.PushTrial) -> dict:
        weak = trial.replica < failures and trial.value_ms > 0.2
        return {"survived": not weak and trial.value_ms < 0.41, "strategy": "hip"}

    monkeypatch.setattr(trials, "run", run)
    assert pushmap("stand-in", directions=1, replicas=5, jobs=1).limits_ms["0"] == pytest.approx(limit)


def test_replicas_that_cannot_change_the_verdict_are_not_run(fake):
    fake.limit = lambda angle: 0.12
    pushmap("stand-in", directions=1, replicas=5, jobs=1)
    assert len(fake.scenes) == 1 + 3 * 4  # the check, then four replicas each at 0.05, 0.10 and 0.15


def test_survives_needs_four_fifths():
    assert survives([{"survived": i > 0} for i in range(5)], 5)
    assert not survives([{"survived": i > 1} for i in range(5)], 5)
    assert not survives([], 5)
    assert survives([{"survived": True}], 1)
    assert not survives([{"survived": i > 0} for i in range(3)], 3)


def test_a_body_that_never_falls_stops_at_the_cap(fake):
    fake.limit = lambda angle: math.inf
    result = pushmap("stand-in", directions=1, max_ms=0.5, jobs=1)
    assert result.limits_ms == {"0": 0.5}
    assert result.capped == ["0"]


def test_still_moving_is_not_survived(fake):
    fake.speed = 0.2
    assert pushmap("stand-in", directions=1, jobs=1).limits_ms == {"0": 0.0}
    fake.speed = None
    assert pushmap("stand-in", directions=1, jobs=1).strategies == {"0": "none"}


def test_replicas_do_not_depend_on_the_strength():
    weak, strong = draw(0.1), draw(0.5)
    assert (weak.start, weak.height, weak.seed) == (strong.start, strong.height, strong.seed)
    np.testing.assert_allclose(np.array(strong.force), 5 * np.array(weak.force))
    assert weak == draw(0.1)


def test_replicas_stay_within_their_spread_and_differ():
    all_ = [draw(replica=r, seed=s) for r in range(5) for s in range(40)]
    starts, heights = [t.start - 1.0 for t in all_], [t.height for t in all_]
    turns = [math.degrees(math.atan2(t.force[1], t.force[0])) - 90 for t in all_]
    for values, bound in ((starts, 0.05), (heights, 0.03), (turns, 3.0)):
        assert 0.8 * bound < max(np.abs(values)) <= bound
        assert len(set(values)) == len(values)
    assert draw().options == {"pose_noise": 0.001}
    assert draw().seconds == pytest.approx(draw().start + 4.1)


def test_interrupted_sweep_goes_on(fake, tmp_path):
    calls = fake.scenes
    whole = pushmap("stand-in", directions=2, folder=tmp_path, jobs=1)
    first = len(calls)
    lines = (tmp_path / "trials.jsonl").read_text().splitlines()
    kept = len(lines) - 5
    # five results lost, the last of them half written: only those run again
    (tmp_path / "trials.jsonl").write_text("\n".join([*lines[:kept], lines[kept][:30]]))
    again = pushmap("stand-in", directions=2, folder=tmp_path, jobs=1)
    assert again == whole
    assert len(calls) - first == 5 + 1  # and one scene built to check the request
    assert json.loads((tmp_path / "pushmap.json").read_text())["limits_ms"] == whole.limits_ms
    assert (tmp_path / "pushmap.png").stat().st_size > 1000


def test_other_options_are_other_tasks(fake, tmp_path):
    pushmap("stand-in", directions=1, folder=tmp_path, jobs=1)
    lines = len((tmp_path / "trials.jsonl").read_text().splitlines())
    pushmap("stand-in", directions=1, folder=tmp_path, jobs=1, options={"angular": False})
    assert len((tmp_path / "trials.jsonl").read_text().splitlines()) == 2 * lines


@pytest.mark.parametrize(
    "wrong", [{"directions": 0}, {"replicas": 0}, {"max_ms": 0.01}, {"max_ms": math.nan}, {"seed": -1}]
)
def test_bad_requests_are_refused(fake, wrong):
    with pytest.raises(BadInput):
        pushmap("stand-in", jobs=1, **wrong)


def test_unwritable_folder_is_refused(fake, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(BadInput, match="cannot keep results"):
        pushmap("stand-in", folder=tmp_path / "file" / "sub", jobs=1)


def test_grid_is_the_contract():
    assert GRID_MS == 0.05


def test_every_push_that_was_tried_has_a_cell(fake):
    fake.limit = lambda angle: 0.12
    result = pushmap("stand-in", directions=2, jobs=1)
    assert result.cells["0"] == ["hip", "hip", "fall"] == result.cells["180"]


def test_a_walker_is_pushed_at_phases_of_its_stride():
    from poise.sweeps.pushmap import onsets

    assert onsets(1.2, 2) == {4.0: "@0", 4.6: "@0.5"}
    assert onsets(None, 2) == {1.0: ""}


def test_one_map_for_each_value(fake, tmp_path):
    from poise.sweeps import compare

    maps = compare("stand-in", None, {}, "knob=1,2", tmp_path, directions=2, replicas=1, jobs=1)
    assert list(maps) == ["1", "2"] and (tmp_path / "compare.png").exists()
    assert (tmp_path / "knob-1" / "strategies.png").exists()
    with pytest.raises(BadInput, match="two values"):
        compare("stand-in", None, {}, "knob=1", None)


def test_anchors_of_the_adult():
    import poise
    from poise.sweeps.anchors import anchors

    curves = anchors(poise.Character.named("adult"))
    soles = curves["soles in place"]
    assert soles[90.0] == pytest.approx(soles[270.0], rel=0.01) and 0.3 < soles[90.0] < 0.6
    assert 0.2 < soles[0.0] < 0.6 and 0.5 < curves["human side step (Hof 2010)"][90.0] < 0.9
