"""How hard a push can be, in every direction, before a scene's character falls.

The limit in a direction is the largest value on the grid such that every value up to it is survived by at
least 4 of 5 replicas. One lucky trajectory is worth nothing.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import poise
from poise.console import dumps
from poise.control.behaviour import Behaviour
from poise.errors import BadInput
from poise.sweeps import trial as trials
from poise.sweeps.ledger import Ledger, key
from poise.sweeps.local import Pool
from poise.sweeps.trial import PUSH_S, Trial

GRID_MS = 0.05  # step of the grid of push strengths [m/s]
MAX_MS = 2.0  # where a sweep gives up looking for a fall [m/s]
NEEDED_SHARE = 0.8  # of the replicas: 4 of 5

Spot = tuple[str, int]  # direction, level on the grid
Report = Callable[[int, str], None]  # trials done, what is known so far


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
    cells: dict[
        str, list[str]
    ]  # direction -> what most replicas did at each value of the grid that was tried

    def summary(self) -> dict[str, Any]:
        """The JSON object of `poise pushmap --json`."""
        return asdict(self)


def pushmap(
    scene: str = "balance-push",
    character: str | None = None,
    directions: int = 8,
    replicas: int = 5,
    options: dict[str, Any] | None = None,
    seed: int = 0,
    max_ms: float = MAX_MS,
    folder: Path | None = None,
    jobs: int | None = None,
    phases: int = 1,
    report: Report = lambda done, note: None,
) -> PushMap:
    """Measure the limits; with a folder, results are kept there and a second run goes on from them.

    With several phases every direction is measured at that many instants of a gait; names are then degrees@phase.
    """
    options = dict(options or {})
    _check(directions=directions, replicas=replicas, max_ms=max_ms, seed=seed, phases=phases)
    built = poise.scene(scene, character=character, seed=seed, **options)  # complains before the long part
    mass = built.character.mass
    ledger = Ledger(folder / "trials.jsonl" if folder else None)
    names = {
        n: (a, t)
        for t, after in onsets(_period(built), phases).items()
        for n, a in _directions(directions, after)
    }

    def task(spot: tuple[float, float], level: int, replica: int) -> Trial:
        value = round(GRID_MS * level, 6)
        return trials.draw(scene, character, options, mass, spot[0], value, replica, seed, spot[1])

    with Pool(trials.run, jobs) as pool:
        levels, verdicts = _climb(names, replicas, round(max_ms / GRID_MS), task, ledger, pool, report)
    limits = {name: round(GRID_MS * level, 6) for name, level in levels.items()}
    result = PushMap(
        scene=scene,
        character=built.character.name,
        replicas=replicas,
        grid_ms=GRID_MS,
        limits_ms=limits,
        limits_n={name: round(value * mass / PUSH_S, 3) for name, value in limits.items()},
        strategies={name: _strategy(verdicts.get((name, level), [])) for name, level in levels.items()},
        cells=_cells(levels, verdicts),
        capped=[name for name, level in levels.items() if level == round(max_ms / GRID_MS)],
    )
    if folder:
        _write(result, mass, folder, built)
    return result


def _climb(
    names: dict[str, tuple[float, float]],
    replicas: int,
    top: int,
    task: Callable[[tuple[float, float], int, int], Trial],
    ledger: Ledger,
    pool: Pool[Trial, dict[str, Any]],
    report: Report,
) -> tuple[dict[str, int], dict[Spot, list[dict[str, Any]]]]:
    """Raise every direction's push until it fails; returns the highest level held and all results.

    Directions climb together in waves. When few are left, a wave looks several levels ahead to keep all
    workers busy; that changes the time taken, never the result.
    """
    held = dict.fromkeys(names, 0)
    climbing = dict(names) if top > 0 else {}
    found: dict[Spot, list[dict[str, Any]]] = {}
    done = 0
    while climbing:
        ahead = max(1, math.ceil(pool.jobs / (len(climbing) * replicas)))
        spots = [(n, held[n] + up) for n in climbing for up in range(1, ahead + 1) if held[n] + up <= top]
        for batch in (range(needed(replicas)), range(needed(replicas), replicas)):
            open_ = [spot for spot in spots if not decided(found.get(spot, []), replicas)]
            wave = [(spot, task(names[spot[0]], spot[1], replica)) for spot in open_ for replica in batch]
            for spot, result in _results(wave, ledger, pool):
                found.setdefault(spot, []).append(result)
                done += 1
                report(done, " ".join(f"{name}°:{GRID_MS * level:.2f}" for name, level in held.items()))
        for name in list(climbing):
            while survives(found.get((name, held[name] + 1), []), replicas):
                held[name] += 1
            if (name, held[name] + 1) in found or held[name] >= top:
                del climbing[name]
    return held, found


def _results(
    wave: list[tuple[Spot, Trial]], ledger: Ledger, pool: Pool[Trial, dict[str, Any]]
) -> Iterator[tuple[Spot, dict[str, Any]]]:
    """Results of a wave: first those that are known, then the others as they are ready."""
    missing = []
    for spot, trial in wave:
        name = key(asdict(trial))
        if name in ledger.known:
            yield spot, ledger.known[name]
        else:
            missing.append((spot, trial, name))
    for index, result in pool.each([trial for _, trial, _ in missing]):
        spot, _, name = missing[index]
        ledger.add(name, result)
        yield spot, result


def needed(replicas: int) -> int:
    """How many replicas must survive: 4 of 5."""
    return math.ceil(NEEDED_SHARE * replicas - 1e-9)


def decided(results: list[dict[str, Any]], replicas: int) -> bool:
    """Whether the replicas still to run could change the verdict; those that could not are not run."""
    survived = sum(r["survived"] for r in results)
    return survived >= needed(replicas) or len(results) - survived > replicas - needed(replicas)


def survives(results: list[dict[str, Any]], replicas: int) -> bool:
    """Whether enough replicas of one push came through."""
    return bool(results) and sum(r["survived"] for r in results) >= needed(replicas)


def _strategy(results: list[dict[str, Any]]) -> str:
    """What most surviving replicas did at the limit."""
    counts = Counter(r["strategy"] for r in results if r["survived"])
    return counts.most_common(1)[0][0] if counts else "none"


def _period(scene: Any) -> float | None:
    """Of a stride [s], where the scene's behaviour repeats itself."""
    behaviour = scene.behaviour
    return behaviour.period if isinstance(behaviour, Behaviour) else None


def onsets(period: float | None, phases: int) -> dict[float, str]:
    """When pushes begin [s], and the ending of their names: spread over a stride of one that walks."""
    if period is None:
        return {trials.ONSET_S: ""}
    share = {k / phases: f"@{k / phases:g}" if phases > 1 else "" for k in range(phases)}
    return {trials.WALKING_S + part * period: name for part, name in share.items()}


def _directions(count: int, ending: str) -> list[tuple[str, float]]:
    return [(f"{a:g}{ending}", float(a)) for a in (360 * i / count for i in range(count))]


def _cells(levels: dict[str, int], found: dict[Spot, list[dict[str, Any]]]) -> dict[str, list[str]]:
    """What most replicas did, from the weakest push to the first that was not survived."""
    rows = {}
    for name, level in levels.items():
        tried = [found[name, k] for k in range(1, level + 2) if (name, k) in found]
        rows[name] = [Counter(r.get("strategy", "none") for r in row).most_common(1)[0][0] for row in tried]
    return rows


def _check(directions: int, replicas: int, max_ms: float, seed: int, phases: int) -> None:
    least_of = {
        "directions": (directions, 1),
        "replicas": (replicas, 1),
        "seed": (seed, 0),
        "phases": (phases, 1),
    }
    for name, (value, least) in least_of.items():
        if value < least:
            raise BadInput(f"{name} must be at least {least}; given {value}")
    if not max_ms >= GRID_MS or not math.isfinite(max_ms):
        raise BadInput(f"the largest push must be at least one grid step of {GRID_MS} m/s; given {max_ms}")


def _write(result: PushMap, mass: float, folder: Path, built: Any) -> None:
    from poise.draw.polar import polar
    from poise.draw.strategies import strategy_map
    from poise.sweeps.anchors import anchors

    (folder / "pushmap.json").write_text(dumps(result.summary(), indent=2) + "\n")
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
