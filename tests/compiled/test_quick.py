"""The quick way of compiling gives what numba's own way gives, and the same from cold and from disk."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from poise.compiled import compiled, quick
from poise.console import Progress

TAKE = """
import hashlib, poise
take = poise.simulate(poise.scene("stand", seconds=0.1))
print(hashlib.sha256(b"".join(take[name].tobytes() for name in ("q", "v", "tau"))).hexdigest())
"""

ANOTHER = """
import numba
from numba.core.codegen import CPUCodeLibrary
numba.__version__ = "{version}"
before = dict(vars(CPUCodeLibrary))
from poise.compiled import compiled, quick
twice = compiled(lambda x: 2 * x)
print(twice(3.0), quick.ON, dict(vars(CPUCodeLibrary)) == before)
"""


@compiled
def inner(x, out):
    out[:] = x[: len(out)]


@compiled
def outer(x, out):
    inner(x, out)
    return np.sqrt(out @ out)


def test_this_numba_was_tried() -> None:
    assert quick.ON and not quick.tried("0.6.0")


@pytest.mark.parametrize("version", ["0.99.0", "1.0.0rc1", "0+unknown"])
def test_another_numba_is_left_as_it_is(version: str, tmp_path: Path) -> None:
    env = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    code = ANOTHER.format(version=version)
    done = subprocess.run([sys.executable, "-c", code], env=env, text=True, capture_output=True, check=True)
    assert done.stdout.split() == ["6.0", "False", "True"]


def test_only_what_python_calls_is_coded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("poise.compiled.cache.Kept.load_overload", lambda *asked: None)  # nothing is on disk
    out = np.zeros(2)
    assert outer(np.array([3.0, 4.0, 5.0]), out) == 5.0
    (form,) = inner.overloads.values()
    assert quick.deferred(form.library)
    inner(np.array([1.0, 2.0]), out)
    assert out.tolist() == [1.0, 2.0] and not any(quick.deferred(f.library) for f in inner.overloads.values())


def test_a_call_that_was_met_before_is_not_searched_again(monkeypatch: pytest.MonkeyPatch) -> None:
    searched = []
    theirs = quick.THEIRS["get_call_type"]
    monkeypatch.setattr(quick, "_signatures", {})
    monkeypatch.setitem(
        quick.THEIRS, "get_call_type", lambda f, *call: searched.append(f) or theirs(f, *call)
    )
    monkeypatch.setattr("poise.compiled.cache.Kept.load_overload", lambda *asked: None)  # nothing is on disk
    of_both = compiled(lambda x, y: x * x + y * y * y)
    assert of_both(2.0, 3.0) == 31.0
    assert len(searched) == 2  # one product of two numbers, one sum


def test_shapes_that_differ_are_refused() -> None:
    with pytest.raises(ValueError, match="different shape"):
        outer(np.ones(2), np.zeros(3))


def test_the_person_who_waits_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    @compiled
    def new(x):
        return x + 1.0

    progress = Progress("simulating")
    monkeypatch.setattr("poise.console.QUIET_REFRESH_S", 0.0)
    monkeypatch.setattr(progress, "terminal", False)
    monkeypatch.setattr(new._cache, "load_overload", lambda *_: None)
    monkeypatch.setattr(new._cache, "save_overload", lambda *_: None)
    assert new(1.0) == 2.0
    progress.close()
    assert (
        "simulating" in (said := capsys.readouterr().err) and "compiling (once): " in said and " of " in said
    )


@pytest.mark.slow
def test_the_first_take_equals_the_next_bit_for_bit(tmp_path: Path) -> None:
    env = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    first, second = (
        subprocess.run(
            [sys.executable, "-c", TAKE], env=env, text=True, capture_output=True, check=True
        ).stdout
        for _ in range(2)
    )
    assert first == second and len(first.strip()) == 64
