"""A take or a clip, looked at: its numbers beside another's."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import Any

from poise.errors import BadInput
from poise.gate import gate
from poise.record.looks import compared, looks
from poise.record.recording import Recording


def watched(path: str | PathLike[str]) -> Recording:
    """A take (.npz) as it is, or a motion file on the body rigged from it."""
    if Path(path).suffix.lower() == ".npz":
        return Recording.load(path)
    from poise.inspect.inspection import inspect

    take = inspect(path).take
    if take is None:
        raise BadInput(f"'{path}' holds loose markers and no bones: there is nothing to look at")
    return take


def table(take: Recording, other: Recording | None = None) -> dict[str, Any]:
    """The numbers of a take, and beside them those of another one with the correlations of their legs."""
    with gate("the take cannot be looked at: it is damaged, or lacks series"):
        found: dict[str, Any] = {"looks": looks(take)}
        if other is not None:
            found |= {"beside": looks(other), "alike": compared(take, other)}
    return found


def text(found: dict[str, Any], names: tuple[str, str]) -> str:
    """The table for people."""
    own, other = found["looks"], found.get("beside", {})
    lines = [f"{'':26} {names[0][:14]:>14}" + (f" {names[1][:14]:>14}" if other else "")]
    for name in [*own, *(n for n in other if n not in own)]:
        cells = [own.get(name), *([other.get(name)] if other else [])]
        lines.append(f"{name:26} " + " ".join(f"{'-' if x is None else f'{x:.4g}':>14}" for x in cells))
    lines += [f"{name:26} {value:14.3f}" for name, value in found.get("alike", {}).items()]
    if "speed_ms" not in own:
        lines.append("no strides were found: the numbers of a walk are left out")
    return "\n".join(lines)
