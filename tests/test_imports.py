"""The import contract: each part of the package uses only those below it."""

from __future__ import annotations

import ast
from pathlib import Path

import poise

ROOT = Path(poise.__file__).parent
LAYERS = [  # from the bottom up
    "errors", "gate", "console", "compiled", "records", "threads", "packed", "files", "geometry", "solvers",
    "character", "dynamics", "motion", "control", "worlds", "record", "simulate", "capture", "behaviours", "draw",
    "formats", "scenes", "environments", "sweeps", "inspect", "bench", "reproduce", "stage", "cli",
]  # fmt: skip
SKILLS = ["balance", "stepping", "rolling", "falling", "planned", "example_steps", "anticipation"]
FACADES = {  # methods that users expect on a class of a lower layer; each imports inside the function
    ("poise.character.character", "capture"): "Character.from_bvh",
    ("poise.record.recording", "formats"): "Recording.save and load",
    ("poise.record.recording", "draw"): "Recording.plot",
}


def modules() -> dict[str, Path]:
    found = {}
    for path in ROOT.rglob("*.py"):
        parts = ["poise", *path.relative_to(ROOT).with_suffix("").parts]
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def arrows() -> set[tuple[str, str]]:
    """(importer, imported), lazy imports and those for types too."""
    known = modules()
    found = set()
    for name, path in known.items():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            targets = []
            if isinstance(node, ast.ImportFrom) and node.module:
                targets = [f"{node.module}.{alias.name}" for alias in node.names]
            elif isinstance(node, ast.Import):
                targets = [alias.name for alias in node.names]
            for target in targets:
                while target and target not in known:
                    target = target.rpartition(".")[0]
                if target:
                    found.add((name, target))
    return found


def wrong(order: list[str], depth: int, prefix: str) -> list[tuple[str, str]]:
    """Arrows between parts of a package that point upwards."""
    up = []
    for importer, imported in sorted(arrows()):
        a, b = importer.split("."), imported.split(".")
        if not (importer.startswith(prefix) and imported.startswith(prefix)) or min(len(a), len(b)) <= depth:
            continue
        if a[depth] in order and b[depth] in order and order.index(b[depth]) > order.index(a[depth]):
            up.append((importer, imported))
    return up


def test_every_part_has_a_layer():
    parts = {name.split(".")[1] for name in modules() if "." in name}
    assert parts - {"__main__"} == set(LAYERS)


def test_nothing_uses_what_is_above_it():
    up = [(a, b) for a, b in wrong(LAYERS, 1, "poise.") if (a, b.split(".")[1]) not in FACADES]
    assert up == []


def test_the_named_exceptions_are_needed():
    up = {(a, b.split(".")[1]) for a, b in wrong(LAYERS, 1, "poise.")}
    assert up == set(FACADES) and len(FACADES) <= 5


def test_skills_build_on_one_another_in_one_direction():
    assert wrong(SKILLS, 2, "poise.behaviours.") == []
