"""The doctor: what it finds and what it advises."""

from __future__ import annotations

import pytest

from poise.cli import doctor


@pytest.fixture
def found() -> dict:
    return {
        "poise": "0", "python": "3.11", "platform": "x", "cores": 2,
        "packages": dict.fromkeys((*doctor.REQUIRED, *doctor.OPTIONAL), "1"), "renderer": "own",
        "numba_cache": {"folder": "f", "writable": True, "functions": 3},
        "picture_ms": 90.0, "first_start_s": 2.0, "second_start_s": 0.1, "tick_us": 80.0, "mj_step_us": 20.0,
    }  # fmt: skip


def test_healthy_machine_needs_nothing(found):
    assert doctor.advice(found) == []
    text = doctor.describe(found | {"advice": []})
    assert "nothing to do" in text
    assert "solver_failures" in text  # the explanation of held solutions


def test_each_finding_has_its_advice(found):
    found["packages"]["imageio-ffmpeg"] = None
    found["numba_cache"]["writable"] = False
    found["second_start_s"] = 60.0
    said = " ".join(doctor.advice(found))
    for word in ("poise[video]", "NUMBA_CACHE_DIR", "warm start"):
        assert word in said


def test_versions():
    assert doctor.version("numpy")
    assert doctor.version("no-such-package") is None


@pytest.mark.slow
def test_examination_of_this_machine():
    found = doctor.examine()
    assert found["tick_us"] > 0
    assert found["renderer"] == "own" and found["picture_ms"] > 0
    assert doctor.describe(found)
