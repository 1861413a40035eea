"""Shared by all tests: a stand-in for the simulator, so that tools are tested without physics, and a made-up take."""

from __future__ import annotations

import importlib.util
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import settings

import poise
from poise.errors import BadInput, unknown
from poise.record.recording import Recording, Series

settings.register_profile("poise", deadline=None)  # the first example may compile what it calls
settings.load_profile("poise")

MASS = 50.0  # kg, of the stand-in


class FakePhysics:
    """Falls when a push exceeds `limit(angle_deg)` [m/s]; keeps what it was asked."""

    def __init__(self) -> None:
        self.limit: Callable[[float], float] = lambda angle: 0.3
        self.scenes: list[SimpleNamespace] = []
        self.speed: float | None = 0.01

    def scene(self, name: str, character: str | None = None, push: Any = None, seconds: float | None = None,
              seed: int = 0, **options: Any) -> SimpleNamespace:  # fmt: skip
        if name != "stand-in":
            raise unknown("scene", name, ["stand-in"])
        if seconds is not None and seconds <= 0:
            raise BadInput(f"seconds must be above zero; given {seconds}")
        body = SimpleNamespace(name=character or "adult", mass=MASS, com_rest=(0.0, 0.0, 1.0), stance=())
        built = SimpleNamespace(
            name=name,
            character=body,
            mass=MASS,
            push=push,
            seconds=seconds or 1.0,
            seed=seed,
            options=options,
            behaviour=None,
        )
        self.scenes.append(built)
        return built

    def simulate(self, scene: SimpleNamespace, progress: Any = None) -> Recording:
        pushes = [p for p in scene.push or [] if not isinstance(p, str)]
        dv = sum(np.linalg.norm(p.force) * p.duration / MASS for p in pushes)
        angle = np.degrees(np.arctan2(pushes[0].force[1], pushes[0].force[0])) if pushes else 0.0
        fell = bool(dv > self.limit(angle))
        time = np.arange(0, scene.seconds + 1e-9, 0.01)
        series = {
            name: Series(
                np.random.default_rng(scene.seed).standard_normal((len(time), 2)), "1", "world", ("a", "b")
            )
            for name in ("q", "v", "tau")
        }
        info = {"scene": scene.name, "character": scene.character.name, "seconds": scene.seconds, "seed": scene.seed,
                "options": scene.options, "pushes": [str(p) for p in scene.push or []], "version": "0"}  # fmt: skip
        metrics = {"com_speed_final_ms": self.speed, "tracking_rmse_rad": float("nan"), "h_peak_kgm2s": 6.0}
        return Recording(
            info, "<mujoco/>", time, series, metrics, fell, 0.5 if fell else None, 0, 10.0, ["a note"]
        )


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> FakePhysics:
    """poise.scene and poise.simulate replaced by the stand-in."""
    physics = FakePhysics()
    push = lambda **fields: SimpleNamespace(**fields)  # noqa: E731
    for name, value in {"scene": physics.scene, "simulate": physics.simulate, "Push": push}.items():
        monkeypatch.setitem(vars(poise), name, value)
    return physics


def _takes():
    path = Path(__file__).parent / "record" / "takes.py"
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
def poise_(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture, tmp_path: Path):
    """Run a command in a folder of its own; returns exit code, stdout, stderr and CPU time [s]."""
    from poise.cli import app as cli

    monkeypatch.chdir(tmp_path)

    def run(*words: object) -> tuple[int, str, str, float]:
        monkeypatch.setattr(sys, "argv", ["poise", *map(str, words)])
        code, begun = 0, time.process_time()
        try:
            cli.main()
        except SystemExit as exit_:
            code = int(exit_.code or 0)
        out = capsys.readouterr()
        return code, out.out, out.err, time.process_time() - begun

    return run
