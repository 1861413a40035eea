"""Roam: stands, steps where pushed, walks where told; on directions and speeds that nothing was tuned on."""

from __future__ import annotations

import numpy as np
import pytest

import poise
from poise.errors import BadInput


def session(seed: int = 5) -> poise.Session:
    made = poise.Session(poise.scene("roam", seconds=2.0, seed=seed, pose_noise=0.001))
    made.step(0.4)
    return made


@pytest.mark.parametrize("angle", [20, 110, 200, 290])
def test_it_steps_where_it_is_pushed(angle: int):
    s = session()
    s.push("torso", (420 * np.cos(np.radians(angle)), 420 * np.sin(np.radians(angle)), 0.0), 0.1)
    s.step(3.5)
    assert not s.fell and np.linalg.norm(s.row["com_velocity"]) < 0.15
    assert s.controller.behaviour.steps >= 1


def test_it_walks_stands_and_still_recovers():
    s = session()
    s.command(speed=0.6)
    s.step(5.0)
    assert s.recording(last=1.5)["com_velocity"][:, 0].mean() == pytest.approx(0.6, abs=0.1)
    s.command(speed=0.0, side=0.0, turn=0.0)
    s.step(2.5)
    assert np.linalg.norm(s.row["com_velocity"]) < 0.05
    s.push("torso", (-350.0, 150.0, 0.0), 0.1)
    s.step(3.0)
    assert not s.fell


@pytest.mark.parametrize("goal", [(1.2, -0.9), (-0.8, 0.3), (0.25, 0.15)])
def test_it_goes_to_a_place(goal: tuple[float, float]):
    s = session()
    s.command(x=goal[0], y=goal[1])
    s.step(12.0)
    assert not s.fell and np.linalg.norm(s.state.c[:2] - goal) < 0.25
    assert np.linalg.norm(s.row["com_velocity"]) < 0.1


def test_bad_places_are_refused():
    s = session()
    for wishes in ({"x": 1.0}, {"x": 1.0, "y": np.nan}, {"x": 1.0, "y": 0.0, "speed": 1.0}):
        with pytest.raises(BadInput, match="place to go"):
            s.command(**wishes)
