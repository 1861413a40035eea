"""Real files, loaded once."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest

from mocap import need
from poise.capture import Intake, load


@pytest.fixture(scope="session")
def loaded() -> Callable[[str], Intake]:
    """The intake of a file of the motion capture folder by its name there."""

    @cache
    def get(name: str) -> Intake:
        return load(need(name)[0])

    return get
