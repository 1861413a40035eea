"""Shared by the tests of planning: modules beside them, and a walk that is planned once."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest

import poise
from poise.behaviours.planned.ddp import solve
from poise.behaviours.planned.policy import policy
from poise.behaviours.planned.reference import reference
from poise.behaviours.planned.segments import controller
from poise.motion.gait import Gait, walk


def _module(name: str):
    path = Path(__file__).parent / f"{name}.py"
    spec = importlib.util.spec_from_file_location(f"planning_{name}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[f"planning_{name}"] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def problems():
    """Problems made of numbers alone."""
    return _module("problems")


@pytest.fixture(scope="session")
def oracle():
    """IPOPT on the same problem."""
    pytest.importorskip("casadi")
    return _module("oracle")


@pytest.fixture(scope="session")
def plan(problems):
    """The step of ``problems.walk``, solved."""
    return solve(problems.walk())


@pytest.fixture(scope="session")
def feedback(plan):
    return policy(plan)


@pytest.fixture(scope="session")
def adult():
    return poise.Character.named("adult")


@pytest.fixture(scope="session")
def ref(adult):
    """Eight steps of the adult."""
    return reference(walk(adult, Gait(), 8))


@pytest.fixture(scope="session")
def control(ref):
    return controller(ref)
