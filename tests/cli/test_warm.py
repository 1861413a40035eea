"""Compiling ahead: each scene for a moment, refusals passed over."""

from __future__ import annotations

import pytest

from poise.cli import warm


def test_a_scene_that_refuses_needs_nothing() -> None:
    assert warm.moment(("no-such-scene", {})) == "no-such-scene refused"


def test_all_scenes_are_played_and_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("poise.SCENES", {}, raising=False)
    monkeypatch.setattr(warm, "ALSO", [("no-such-scene", {})])
    said: list[tuple[float, str]] = []
    count = warm.compile_all(jobs=1, report=lambda share, note: said.append((share, note)))
    assert count > 50
    assert [note.split(",")[0] for _, note in said] == ["stand", "no-such-scene refused"]
    assert all(share == 1.0 for share, _ in said)
