"""Many takes at once in one process."""

from __future__ import annotations

from operator import attrgetter, itemgetter

import numpy as np
import pytest

import poise


def scenes() -> list:
    walks = [poise.scene("walk", seconds=0.8, seed=seed, pose_noise=1e-3) for seed in range(3)]
    return [*walks, poise.scene("balance-push", seconds=0.8), poise.scene("reactive-step", seconds=0.8)]


def test_threads_give_the_takes_of_one_by_one():
    together = poise.batch(scenes(), jobs=3)
    for one, other in zip(map(poise.simulate, scenes()), together):
        for name in ("q", "v", "tau", "cp"):
            np.testing.assert_array_equal(one[name], other[name])


def test_only_what_is_asked_for_is_kept():
    assert poise.batch(scenes()[3:], keep=attrgetter("fell")) == [False, False]


@pytest.mark.slow
def test_processes_give_the_same():
    ends = poise.batch(scenes()[:2], jobs=2, keep=itemgetter("q"), processes=True)
    for one, end in zip(map(poise.simulate, scenes()), ends):
        np.testing.assert_array_equal(one["q"], end)
