"""Raise the push in every direction, step by step on a grid, until too many replicas fall."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from poise.errors import BadInput
from poise.sweeps import trial as trials
from poise.sweeps.ledger import Ledger
from poise.sweeps.trial import Case, PushTrial
from poise.sweeps.work import Work

GRID_MS = 0.05  # step of the grid of push strengths [m/s]
MAX_MS = 2.0  # where a sweep gives up looking for a fall [m/s]
NEEDED_SHARE = 0.8  # of the replicas: 4 of 5

Level = tuple[str, int]  # direction by name, level on the grid
Results = list[dict[str, Any]]  # of the replicas of one push
Report = Callable[[int, str], None]  # trials done, what is known so far


class Spot(NamedTuple):
    """Where a push comes from [degrees, 0 = forward, 90 = left], and when [s]."""

    angle: float
    onset: float


@dataclass(frozen=True)
class PushSearch:
    """How limits are looked for."""

    directions: int = 8
    replicas: int = 5
    seed: int = 0
    max_ms: float = MAX_MS
    phases: int = 1  # instants of a stride at which a walker is pushed
    jobs: int | None = None  # worker processes; all cores by default
    cluster: str | None = None  # address of a scheduler whose workers are used instead

    def check(self) -> None:
        """Refuse what makes no sense."""
        for name, least in {"directions": 1, "replicas": 1, "seed": 0, "phases": 1}.items():
            if getattr(self, name) < least:
                raise BadInput(f"{name} must be at least {least}; given {getattr(self, name)}")
        if not self.max_ms >= GRID_MS or not math.isfinite(self.max_ms):
            step = f"one grid step of {GRID_MS} m/s"
            raise BadInput(f"the largest push must be at least {step}; given {self.max_ms}")

    @property
    def top(self) -> int:
        """The highest level of the grid."""
        return round(self.max_ms / GRID_MS)


def climb(
    case: Case, spots: dict[str, Spot], search: PushSearch, ledger: Ledger, report: Report
) -> tuple[dict[str, int], dict[Level, Results]]:
    """Raise every direction's push until it fails; returns the highest level held and all results.

    Directions climb together in waves. When few are left, a wave looks several levels ahead to keep all
    workers busy; that changes the time taken, never the result.
    """
    replicas, top = search.replicas, search.top
    held = dict.fromkeys(spots, 0)
    climbing = list(spots) if top > 0 else []
    found: dict[Level, Results] = {}
    done = 0
    with Work(trials.run, ledger, search.jobs, search.cluster) as work:
        while climbing:
            ahead = max(1, math.ceil(work.jobs / (len(climbing) * replicas)))
            levels = [
                (n, held[n] + up) for n in climbing for up in range(1, ahead + 1) if held[n] + up <= top
            ]
            for batch in (range(needed(replicas)), range(needed(replicas), replicas)):
                open_ = [level for level in levels if not decided(found.get(level, []), replicas)]
                wave = [(at, _trial(case, spots[at[0]], at[1], replica)) for at in open_ for replica in batch]
                results: dict[int, dict[str, Any]] = {}
                for index, result in work.each([trial for _, trial in wave]):
                    results[index] = result
                    done += 1
                    report(done, " ".join(f"{name}°:{GRID_MS * level:.2f}" for name, level in held.items()))
                for index, (at, _) in enumerate(wave):  # in this order, whichever was ready first
                    found.setdefault(at, []).append(results[index])
            for name in list(climbing):
                while survives(found.get((name, held[name] + 1), []), replicas):
                    held[name] += 1
                if (name, held[name] + 1) in found or held[name] >= top:
                    climbing.remove(name)
    return held, found


def _trial(case: Case, spot: Spot, level: int, replica: int) -> PushTrial:
    return trials.draw(case, spot.angle, round(GRID_MS * level, 6), replica, spot.onset)


def needed(replicas: int) -> int:
    """How many replicas must survive: 4 of 5."""
    return math.ceil(NEEDED_SHARE * replicas - 1e-9)


def decided(results: Results, replicas: int) -> bool:
    """Whether the replicas still to run could change the verdict; those that could not are not run."""
    survived = sum(r["survived"] for r in results)
    return survived >= needed(replicas) or len(results) - survived > replicas - needed(replicas)


def survives(results: Results, replicas: int) -> bool:
    """Whether enough replicas of one push came through."""
    return bool(results) and sum(r["survived"] for r in results) >= needed(replicas)
