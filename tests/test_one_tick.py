"""One tick reads straight down: the files that it visits are those that CONTRIBUTING draws, in that order."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import poise
from one_tick import calls_of_a_tick, switches

TEXT = (Path(__file__).parents[1] / "CONTRIBUTING.md").read_text(encoding="utf-8")
CASES = {  # scene, options, a moment [s], most files, most switches between files
    "walk": ({"style": "plain"}, 2.5, 17, 45),  # a foot is in the air
    "balance-push": ({}, 1.3, 13, 24),  # after the push
}


def drawn(scene: str) -> list[str]:
    """Files of the drawing of a scene's tick."""
    found = re.search(rf"One tick of `{scene}`.*?```\n(.*?)```", TEXT, re.DOTALL)
    assert found, f"no drawing of {scene} in CONTRIBUTING"
    return re.findall(r"[a-z_/]+\.py", found.group(1))


@pytest.mark.parametrize("scene", CASES)
def test_a_tick_takes_the_path_that_is_drawn(scene: str):
    options, t, most_files, most_switches = CASES[scene]
    calls = calls_of_a_tick(poise.scene(scene, **options), t)
    files = list(dict.fromkeys(file for file, _ in calls))
    assert files == drawn(scene)
    assert len(files) <= most_files and switches(calls) <= most_switches
