"""``--json`` of every command: one object on the last line of stdout, strict JSON, null where there is no number."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import motion_files
from poise.capture.readers import bvh
from poise.packed import unpacked

CLI = Path(__file__).parents[2] / "src" / "poise" / "cli"
SHORT = ("--seconds", "0.02")  # so short that some metrics have no value
ONE = ("--replicas", "1", "--jobs", "1")


def strict(text: str) -> dict[str, Any]:
    """Parsed as other languages would: NaN and Infinity are no JSON."""

    def refuse(word: str) -> None:
        raise AssertionError(f"{word} in {text[:200]}")

    found = json.loads(text, parse_constant=refuse)
    assert isinstance(found, dict)
    return found


@pytest.fixture
def clip(tmp_path: Path) -> Path:
    walk = motion_files.walk(motion_files.human(), 30.0, 0.7)
    bvh.write(motion_files.file_of(walk, unit=0.01, up="Y", order="ZXY", hz=30.0), tmp_path / "clip.bvh")
    return tmp_path / "clip.bvh"


@pytest.mark.parametrize("words", [
    ("list",), ("run", "stand", *SHORT), ("run", "anticipate", *SHORT), ("run", "get-up", *SHORT),
    ("run", "stand", "--seconds", "0.3", "--push", "head:5e8,0,0@0.1+0.5"), ("react", "clip.bvh", *SHORT),
    ("inspect", "clip.bvh"), ("pushmap", "stand", "--directions", "1", "--max-ms", "0.05", *ONE, "-o", "map"),
    ("sweep", "stand", "--grid", "friction=0.5,0.9", *SHORT, *ONE, "-o", "grid"),
], ids=lambda words: " ".join(words[:2]))  # fmt: skip
def test_the_last_line_is_strict_json(words, poise_, clip):
    code, out, err, _ = poise_(*words, "--json")
    assert code in (0, 1), err
    assert strict(out.splitlines()[-1])


def test_files_are_strict_too(poise_, clip, tmp_path):
    """The head of a take, the rows of a sweep and the report of a file."""
    assert poise_("run", "anticipate", *SHORT, "-o", "take.npz")[0] == 0
    assert strict(str(unpacked(tmp_path / "take.npz")["take"]))["metrics"]["decision_ms"] is None
    assert strict(poise_("replay", "take.npz", "--json")[1].splitlines()[-1])
    assert poise_("sweep", "anticipate", "--grid", "friction=0.5,0.9", *SHORT, *ONE, "-o", "grid")[0] == 0
    for path in (tmp_path / "grid").glob("*.jsonl"):
        assert [strict(line) for line in path.read_text().splitlines()]
    assert ",nan" not in (tmp_path / "grid" / "sweep.csv").read_text()
    assert poise_("inspect", "clip.bvh", "-o", "report.json")[0] == 0
    assert strict((tmp_path / "report.json").read_text())


def test_no_command_writes_json_by_itself():
    assert not [path.name for path in CLI.glob("*.py") if "json.dumps" in path.read_text()]
