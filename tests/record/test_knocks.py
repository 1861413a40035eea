"""Knocks of a take that follows a clip: stances and what the clip touches itself do not count."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from poise.character import Character
from poise.motion.clip import Clip
from poise.record.knocks import Knock, hardest, knocks
from poise.record.recording import Series


class Made(SimpleNamespace):
    """A take of a few records."""

    def __getitem__(self, name: str) -> np.ndarray:
        return self.series[name].values

    def __contains__(self, name: str) -> bool:
        return name in self.series

    def __len__(self) -> int:
        return len(self.time)


def made(knock: tuple[float, float, float], sole: float = 0.0) -> Any:
    """Twenty records in the middle of which something knocks, and a sole in the air touches."""
    n, feet = 20, ("foot_l", "foot_r")
    knocks, force, clip = np.zeros((n, 3)), np.full((n, 2), 300.0), np.ones((n, 4))
    clip[5:, 3], force[5:, 1] = 0.0, 0.0
    knocks[10], force[12, 1] = knock, sole
    series = {"knock": knocks, "sole_force": force, "clip": clip}
    return Made(
        time=np.arange(n) * 0.01,
        fall_time=None,
        series={k: Series(v, "", "", feet) for k, v in series.items()},
    )


def test_what_touches_in_the_clip_is_the_clips():
    body = Character.named("adult")
    clip = Clip(body, np.array([0.0, 2.0]), np.array([body.q_rest, body.q_rest]))
    one, two = (body.body(name) - 1 for name in ("forearm_l", "forearm_r"))
    assert hardest(made((80.0, one, two)), clip) == 80.0  # they hang apart
    upper, fore = (body.body(name) - 1 for name in ("upper_arm_l", "forearm_l"))
    assert hardest(made((80.0, upper, fore)), clip) == 0.0  # an elbow is in the arm
    assert hardest(made((80.0, one, -1)), clip) == 80.0  # the ground is nobody's


def test_a_sole_that_scuffs_knocks():
    body = Character.named("adult")
    assert hardest(made((0.0, 0.0, 0.0), 120.0), Clip.still(body)) == 120.0


def test_blows_are_named_and_one_that_lasts_is_one():
    body = Character.named("adult")
    one = body.body("forearm_l") - 1
    take = made((80.0, one, -1), 120.0)
    take.series["knock"].values[11] = 90.0, one, -1
    assert knocks(take, Clip.still(body)) == [
        Knock(11, 90.0, "forearm_l", "ground"),
        Knock(12, 120.0, "foot_r", "ground"),
    ]
