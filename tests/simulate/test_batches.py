"""Many takes at once, in this process and in helpers beside it."""

from __future__ import annotations

import sys
from dataclasses import replace
from operator import attrgetter

import numpy as np
import pytest

import poise
from poise.behaviours import Balance
from poise.errors import BadInput
from poise.simulate import batches
from poise.simulate.helper import Helper


def scenes() -> list:
    walks = [poise.scene("walk", seconds=0.8, seed=seed, pose_noise=1e-3) for seed in range(3)]
    return [*walks, poise.scene("balance-push", seconds=0.8), poise.scene("reactive-step", seconds=0.8)]


def same(together: list, scenes: list) -> None:
    for one, other in zip(map(poise.simulate, scenes), together, strict=True):
        for name in ("q", "v", "tau", "cp"):
            np.testing.assert_array_equal(one[name], other[name])


def test_threads_give_the_takes_of_one_by_one():
    same(poise.batch(scenes(), jobs=3, processes=False), scenes())


def test_only_what_is_asked_for_is_kept():
    assert poise.batch(scenes()[3:], keep=attrgetter("fell")) == [False, False]


def test_few_takes_start_no_helper(monkeypatch):
    monkeypatch.setattr(batches, "Helper", None)
    assert len(poise.batch(scenes()[3:], jobs=2)) == 2


def test_enough_takes_start_as_many_helpers_as_pay():
    share = batches.Share(replace(scenes()[3], seconds=20.0, seed=k) for k in range(9))
    assert share.seconds(60.0) == 60.0
    assert [item[0] for item in iter(share._take, None)] == list(range(9))


def test_helpers_give_the_same_whatever_can_travel():
    class Own(Balance):
        """Of this script: no helper knows it."""

    own = replace(scenes()[3], behaviour=Own())
    given = [*scenes()[:3], own]
    found = poise.batch(iter(given), jobs=2, keep=lambda take: take, processes=True)
    same(found, [*scenes()[:3], scenes()[3]])


def test_what_only_the_script_can_keep_is_kept_here(monkeypatch):
    def steps(take):
        return take.steps

    steps.__module__, steps.__qualname__ = "__main__", "steps"
    monkeypatch.setattr(sys.modules["__main__"], "steps", steps, raising=False)
    with Helper() as helper:
        assert [helper.run(scene, steps) for scene in scenes()[3:]] == [0, 0] and helper.alive


class Dying(Helper):
    """Killed before it is asked for the first time."""

    def __init__(self) -> None:
        super().__init__()
        self._process.kill()
        self._process.wait()


def test_what_a_lost_helper_had_begun_is_done_here(monkeypatch):
    monkeypatch.setattr(batches, "Helper", Dying)
    same(poise.batch(scenes()[3:], jobs=2, processes=True), scenes()[3:])


def test_a_scene_that_cannot_begin_is_told():
    def made():
        yield scenes()[3]
        raise BadInput("no more of them")

    with pytest.raises(BadInput, match="no more of them"):
        poise.batch(made(), jobs=1)
