"""How hard a push can be, in every direction, before a scene's character falls.

The limit in a direction is the largest value on the grid such that every value up to it is survived by at
least 4 of 5 replicas. One lucky trajectory is worth nothing.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import poise
from poise.console import dumps
from poise.control.behaviour import Behaviour
from poise.files import put
from poise.sweeps.climb import GRID_MS, Level, PushSearch, Report, Spot, climb
from poise.sweeps.ledger import Ledger, sign
from poise.sweeps.trial import ONSET_S, PUSH_S, WALKING_S, Case


@dataclass(frozen=True)
class PushMap:
    """Limits per direction; keys of the dictionaries are degrees, 0 = forward, 90 = left."""

    scene: str
    character: str
    replicas: int
    grid_ms: float
    limits_ms: dict[str, float]
    limits_n: dict[str, float]  # for a push of 0.1 s
    strategies: dict[str, str]
    capped: list[str]  # directions in which even the largest value tried was survived
    cells: dict[str, list[str]]  # what most replicas did at each value of the grid that was tried

    def summary(self) -> dict[str, Any]:
        """The JSON object of `poise pushmap --json`."""
        return asdict(self)


def pushmap(
    scene: str = "balance-push",
    character: str | None = None,
    options: dict[str, Any] | None = None,
    folder: Path | None = None,
    report: Report = lambda done, note: None,
    **how: Any,
) -> PushMap:
    """Measure the limits; with a folder, results are kept there and a second run goes on from them.

    With several phases every direction is measured at that many instants of a gait; names are then degrees@phase.

    Args:
        how: Fields of ``PushSearch``: directions, replicas, seed, max_ms, phases, jobs, cluster.
    """
    search = PushSearch(**how)
    search.check()
    options = dict(options or {})
    built = poise.scene(scene, character=character, seed=search.seed, **options)
    mass = built.mass
    case = Case(scene, character, options, mass, search.seed)
    behaviour = built.behaviour
    period = (
        behaviour.period if isinstance(behaviour, Behaviour) else None
    )  # of a stride [s], where there is one
    spots = {
        name: Spot(angle, onset)
        for onset, ending in onsets(period, search.phases).items()
        for name, angle in _directions(search.directions, ending)
    }
    ledger = Ledger(folder / "trials.jsonl" if folder else None)
    levels, found = climb(case, spots, search, ledger, report)
    limits = {name: round(GRID_MS * level, 6) for name, level in levels.items()}
    result = PushMap(
        scene, built.character.name, search.replicas, GRID_MS, limits,
        limits_n={name: round(value * mass / PUSH_S, 3) for name, value in limits.items()},
        strategies={name: _strategy(found.get((name, level), [])) for name, level in levels.items()},
        capped=[name for name, level in levels.items() if level == search.top],
        cells=_cells(levels, found),
    )  # fmt: skip
    if folder:
        _write(result, mass, folder, built)
    return result


def _strategy(results: list[dict[str, Any]]) -> str:
    """What most surviving replicas did at the limit."""
    counts = Counter(r["strategy"] for r in results if r["survived"])
    return counts.most_common(1)[0][0] if counts else "none"


def onsets(period: float | None, phases: int) -> dict[float, str]:
    """When pushes begin [s], and the ending of their names: spread over a stride of one that walks."""
    if period is None:
        return {ONSET_S: ""}
    share = {k / phases: f"@{k / phases:g}" if phases > 1 else "" for k in range(phases)}
    return {WALKING_S + part * period: name for part, name in share.items()}


def _directions(count: int, ending: str) -> list[tuple[str, float]]:
    return [(f"{a:g}{ending}", float(a)) for a in (360 * i / count for i in range(count))]


def _cells(levels: dict[str, int], found: dict[Level, list[dict[str, Any]]]) -> dict[str, list[str]]:
    """What most replicas did, from the weakest push to the first that was not survived."""
    rows = {}
    for name, level in levels.items():
        tried = [found[name, k] for k in range(1, level + 2) if (name, k) in found]
        rows[name] = [Counter(r.get("strategy", "none") for r in row).most_common(1)[0][0] for row in tried]
    return rows


def _write(result: PushMap, mass: float, folder: Path, built: Any) -> None:
    from poise.draw.polar import polar, strategy_map
    from poise.sweeps.anchors import anchors

    sign(folder)
    put(folder / "pushmap.json", dumps(result.summary(), indent=2) + "\n")
    title = f"{result.scene}, {result.character}: largest push survived"
    phases = {name.partition("@")[2] for name in result.limits_ms}
    curves = {p and f"at {p} of a stride": {float(n.partition("@")[0]): v for n, v in result.limits_ms.items()
                                            if n.partition("@")[2] == p} for p in sorted(phases)}  # fmt: skip
    polar(curves, folder / "pushmap.png", mass, title)
    for phase in sorted(phases):
        rows = {n.partition("@")[0]: row for n, row in result.cells.items() if n.partition("@")[2] == phase}
        name = f"strategies-{phase}.png" if phase else "strategies.png"
        strategy_map(rows, GRID_MS, folder / name, mass, f"{result.scene}, {result.character}: what it did",
                     anchors(built.character))  # fmt: skip
