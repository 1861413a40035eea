"""The benchmark: its keys, and that a missing peer is no error."""

from __future__ import annotations

import pytest

import poise
from poise import bench
from poise.bench import peer
from poise.bench.ik import CLOSE, PEERS, Poses, pose_task
from poise.bench.rig import Rig


def test_bare_steps_follow_the_closed_loop():
    rig = Rig(poise.Character.named("adult"), "fast")
    assert len(rig.loop_us(30)) == len(rig.bare_us()) == len(rig.controls) == 30
    assert min(rig.ticks_us(5)) > 0


def test_contract_without_a_peer(monkeypatch, capsys):
    monkeypatch.setattr(bench, "interpreter", lambda: None)
    monkeypatch.setattr(bench, "SCENES", ("stand",))
    result = bench.bench(quick=True)
    assert result["placo_tick_us"] is None
    assert result["tick_over_placo"] is None
    assert result["mink_ik_us"] is None and result["ik_over_pink"] is None and result["ik_us"] > 0
    assert peer.INSTALL in capsys.readouterr().err
    for key in ("tick_us", "mj_step_us", "loop_over_mj_step"):
        assert result[key] > 0
    assert result["real_time_factor"]["stand"] > 0
    assert result["online_fps"]["walk"] > 0 and result["offline_s_per_60_frames"]["squat"] > 0
    assert "placo not installed" in bench.describe(result)


def test_poses_end_where_they_were_asked_to():
    body = poise.Character.named("adult")
    assert Poses(body, pose_task(body)).times_us(8)["error"] < 1e-4


@pytest.mark.slow
@pytest.mark.parametrize("name", PEERS)
def test_peers_do_the_same_task(name):
    python = peer.interpreter()
    if python is None or name not in peer.installed(python, PEERS):
        pytest.skip(f"{name} is not there: {peer.INSTALL}")
    body = poise.Character.named("adult")
    other = peer.Peer(python, f"{name}_ik", body, pose_task(body))
    answer = other.times_us(8)
    other.close()
    assert answer["error"] < CLOSE and answer["dof"] == body.model.nv and len(answer["us"]) == 8


def test_ratios_use_the_same_run():
    """A turn on a slow clock and one on a fast clock: the ratio within each is what counts."""
    times = {
        "tick_robust": [[50.0] * 9, [100.0] * 9],
        "tick_fast": [[40.0]],
        "placo": [[100.0] * 9, [200.0] * 9],
    }
    times |= {
        "loop_fast": [[30.0, 50.0], [60.0, 100.0]],
        "bare_fast": [[20.0, 20.0], [40.0, 40.0]],
        "loop_robust": [[60.0]],
        "bare_robust": [[20.0]],
    }
    result = bench._result(times, 46, 46)
    assert result["tick_over_placo"] == pytest.approx(0.5)
    assert result["loop_over_mj_step"] == pytest.approx(2.0)
    assert "ratio 0.50" in bench.describe(result | {"real_time_factor": {"stand": 20.0}})
