"""Processes on this machine."""

from __future__ import annotations

import math
import os

import pytest

from poise.errors import PoiseError
from poise.sweeps.local import Pool
from poise.threads import cores


@pytest.mark.parametrize("jobs", [1, 2])
def test_every_task_has_its_result(jobs):
    with Pool(math.sqrt, jobs) as pool:
        assert dict(pool.each([1.0, 4.0, 9.0])) == {0: 1.0, 1: 2.0, 2: 3.0}
        assert dict(pool.each([16.0])) == {0: 4.0}
        assert dict(pool.each([])) == {}


def test_errors_of_a_task_come_back():
    with pytest.raises(ValueError, match=r"math domain|nonnegative"), Pool(math.sqrt, 2) as pool:
        list(pool.each([-1.0]))


def test_a_killed_worker_is_reported():
    with pytest.raises(PoiseError, match="killed"), Pool(os._exit, 2) as pool:
        list(pool.each([1]))


def test_all_cores_by_default():
    assert Pool(math.sqrt).jobs == cores() >= 1
