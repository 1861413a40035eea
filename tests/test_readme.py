"""The snippets of the README and of the tutorial run."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from poise.character import Character
from poise.formats.writers import bvh as bvh_take
from poise.motion import library
from poise.record.kinematic import recording_of

README = Path(__file__).parents[1] / "README.md"
TUTORIAL = README.parent / "docs" / "tutorial.md"
SNIPPETS = [
    pytest.param(code, id=f"{page.stem}-{k}")
    for page in (README, TUTORIAL)
    for k, code in enumerate(re.findall(r"```python\n(.*?)```", page.read_text(), flags=re.S))
]


@pytest.fixture(scope="module")
def idle(tmp_path_factory):
    """A clip of the kind that the README speaks of."""
    path = tmp_path_factory.mktemp("readme") / "idle.bvh"
    bvh_take.save(recording_of(library.twist(Character.named("adult")).trim(0.0, 1.0)), path)
    return path


@pytest.mark.parametrize("code", SNIPPETS)
def test_snippet_runs(code, idle, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shutil.copy(idle, tmp_path)
    code = code.replace("shove.mp4", "shove.png")  # a film takes long to draw, and has its own tests
    exec(compile(code, "page.md", "exec", dont_inherit=True), {"__name__": "__main__"})


def test_pictures_exist():
    for picture in re.findall(r"!\[.*?\]\((.*?)\)", README.read_text()):
        assert (README.parent / picture).exists()
