"""The made-up take, as a fixture."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest

from poise.record import Recording


def _takes():
    path = Path(__file__).parents[1] / "record" / "takes.py"
    spec = importlib.util.spec_from_file_location("takes", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["takes"] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def takes():
    """The module that makes takes."""
    return sys.modules.get("takes") or _takes()


@pytest.fixture(scope="session")
def take(takes) -> Recording:
    """Two seconds of a body that is pushed."""
    return takes.take()


@pytest.fixture
def plain(monkeypatch: pytest.MonkeyPatch):
    """Draw without any graphics library."""
    from poise.record import render

    monkeypatch.setenv(render.FORCE, "plain")
    render.backend.cache_clear()
    yield
    render.backend.cache_clear()
