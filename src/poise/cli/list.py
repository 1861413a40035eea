"""``poise list``: what exists by name, with one line of description each."""

from __future__ import annotations

from inspect import getdoc, getmembers, isabstract, isclass
from typing import Annotated, Any

import typer

import poise
from poise.cli.options import Json
from poise.console import dumps
from poise.errors import unknown

KINDS = ("scenes", "characters", "behaviours")


def list_(
    kind: Annotated[
        str | None, typer.Argument(help="scenes, characters or behaviours; all by default.")
    ] = None,
    json: Json = False,
) -> None:
    """Show the scenes, characters and behaviours that exist."""
    if kind is not None and kind not in KINDS:
        raise unknown("kind", kind, KINDS)
    found = {name: catalogue(name) for name in ([kind] if kind else KINDS)}
    if json:
        print(dumps(found))
        return
    for name, entries in found.items():
        print(name)
        width = max(map(len, entries), default=0)
        for entry, text in entries.items():
            print(f"  {entry:{width}}  {text}")


def catalogue(kind: str) -> dict[str, str]:
    """Names of one kind, each with the first line of its docstring."""
    if kind == "behaviours":
        base = poise.behaviours.Behaviour
        classes = getmembers(poise.behaviours, isclass)
        found = {name: c for name, c in classes if issubclass(c, base) and not isabstract(c)}
    else:
        found = poise.SCENES if kind == "scenes" else poise.CHARACTERS
    return {name: _first_line(item) for name, item in sorted(found.items())}


def _first_line(item: Any) -> str:
    lines = (getdoc(item) or "").splitlines()
    return lines[0].replace("``", "") if lines else ""
