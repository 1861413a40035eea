"""Every scene, on every character, with every motion file: a take or a message, never a failure of ours."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from mocap import folder
from poise.character.morphologies import CHARACTERS
from poise.cli import app as cli
from poise.scenes.registry import SCENES

ENDINGS = (".bvh", ".amc", ".c3d")
SECONDS = "0.1"


def ended(monkeypatch, *words: str) -> int:
    """Exit code of a command."""
    monkeypatch.setattr(sys, "argv", ["poise", *words])
    try:
        cli.main()
    except SystemExit as exit_:
        return int(exit_.code or 0)
    return 0


def files() -> list[Path]:
    return sorted(p for p in folder().rglob("*") if p.suffix in ENDINGS)


@pytest.mark.slow
@pytest.mark.parametrize("scene", sorted(SCENES))
@pytest.mark.parametrize("character", [None, *sorted(CHARACTERS)])
def test_a_scene_on_a_character(scene: str, character: str | None, monkeypatch, capsys):
    body = [] if character is None else ["--character", character]
    assert ended(monkeypatch, "run", scene, *body, "--seconds", SECONDS) in (0, 2), capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize("scene", sorted(SCENES))
@pytest.mark.parametrize("character", [None, *sorted(CHARACTERS)])
def test_a_scene_with_every_file(scene: str, character: str | None, monkeypatch, capsys):
    found = files()
    if not found:
        pytest.skip("motion capture not found (set POISE_MOCAP)")
    body = [] if character is None else ["--character", character]
    wrong = {}
    for path in found:
        code = ended(monkeypatch, "run", scene, *body, "--motion", str(path), "--seconds", SECONDS)
        said = capsys.readouterr().err
        if code not in (0, 2):
            wrong[path.name] = said.strip().splitlines()[-1:]
    assert not wrong
