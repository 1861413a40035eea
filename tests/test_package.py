"""The names a user types, and how long they take."""

from __future__ import annotations

import subprocess
import sys

import pytest

import poise


def test_import_loads_nothing_heavy():
    code = "import poise, sys; print([m for m in ('numpy', 'mujoco', 'numba', 'matplotlib') if m in sys.modules])"
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "[]"


@pytest.mark.parametrize("name", poise.__all__)
def test_every_name_exists(name):
    assert getattr(poise, name) is not None


def test_simulate_stays_a_function_after_its_module_is_imported():
    code = "import poise.simulate, poise; print(callable(poise.simulate))"
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "True"


def test_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="simulate"):
        poise.nothing  # noqa: B018
