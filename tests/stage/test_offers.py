"""The stage uses only what a session offers, does no physics, and stays readable."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import poise.stage

HOME = Path(poise.stage.__file__).parent
INSIDE = {"arena", "controller", "take", "recorder"}  # of a session: its own business
LONGEST = 300  # lines of a file


@pytest.mark.parametrize("path", sorted(HOME.glob("*.py")), ids=lambda p: p.name)
def test_only_what_a_session_offers_is_used(path: Path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    inside = [n.attr for n in ast.walk(tree) if isinstance(n, ast.Attribute) and n.attr in INSIDE]
    private = [
        n.attr
        for n in ast.walk(tree)
        if isinstance(n, ast.Attribute)
        and n.attr.startswith("_")
        and ast.unparse(n.value).endswith("session")
    ]
    assert inside == [] and private == []


@pytest.mark.parametrize("path", sorted(HOME.glob("*.py")), ids=lambda p: p.name)
def test_no_physics_is_done(path: Path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    used = {a.name.split(".")[0] for n in ast.walk(tree) if isinstance(n, ast.Import) for a in n.names}
    used |= {n.module for n in ast.walk(tree) if isinstance(n, ast.ImportFrom) and n.module}
    below = ("mujoco", "poise.control", "poise.dynamics", "poise.solvers")
    assert not any(name.startswith(below) for name in used)


def test_no_file_is_too_long():
    for path in [*HOME.rglob("*.py"), *HOME.rglob("*.js"), *HOME.rglob("*.css")]:
        assert len(path.read_text(encoding="utf-8").splitlines()) <= LONGEST, path.name
