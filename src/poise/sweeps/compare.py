"""The same push map with several values of one option, on one sheet."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from poise.errors import BadInput
from poise.gate import parse_value
from poise.sweeps.pushmap import PushMap, pushmap


def compare(
    scene: str,
    character: str | None,
    options: dict[str, Any],
    what: str | None,
    folder: Path | None,
    **how: Any,
) -> dict[str, PushMap]:
    """Maps by value of the option that differs; with None in its place there is one map, called "".

    Args:
        what: ``key=a,b``: the option and its values. folder: Of the results, one folder a value inside it.
        how: Further arguments of ``pushmap``.
    """
    if what is None:
        return {"": pushmap(scene, character, options=options, folder=folder, **how)}
    key, _, values = what.partition("=")
    names = [v.strip() for v in values.split(",") if v.strip()]
    if not key or len(names) < 2:
        raise BadInput(
            f"--compare {what!r}; give an option and at least two values: supervisor=momentum,pendulum"
        )
    maps = {}
    for name in names:
        inside = None if folder is None else folder / f"{key}-{name}"
        if inside is not None:
            inside.mkdir(parents=True, exist_ok=True)
        maps[name] = pushmap(
            scene, character, options={**options, key: parse_value(name)}, folder=inside, **how
        )
    if folder is not None:
        _overlay(maps, key, folder)
    return maps


def _overlay(maps: dict[str, PushMap], key: str, folder: Path) -> None:
    from poise.draw.polar import polar

    first = next(iter(maps.values()))
    curves = {f"{key} {name}": _curve(result) for name, result in maps.items()}
    some = next((n for n, v in first.limits_ms.items() if v > 0), None)
    mass = None if some is None else first.limits_n[some] * 0.1 / first.limits_ms[some]
    polar(curves, folder / "compare.png", mass, f"{first.scene}, {first.character}: largest push survived")


def _curve(result: PushMap) -> dict[float, float]:
    """Least limit of all phases by direction."""
    out: dict[float, float] = {}
    for name, limit in result.limits_ms.items():
        angle = float(name.partition("@")[0])
        out[angle] = min(limit, out.get(angle, limit))
    return out
