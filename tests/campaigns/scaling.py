"""make scaling: what a second core gives, on a machine that does nothing else: a batch, a sweep, a whole push map."""

from __future__ import annotations

import argparse
import resource
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import poise
from poise.sweeps import pushmap, sweep
from poise.threads import cores

WALKS, WALK_S = 64, 15.0  # takes, and seconds of each
DIRECTIONS = [45.0 * k for k in range(8)]
SPEEDS = [
    round(0.016 * k, 3) for k in range(1, 26)
]  # [m/s]: all survived, so that all takes are equally long
REPLICAS = 5  # 8 directions × 25 speeds × 5: a thousand pushes
SAMPLE = slice(2, None, 5)  # of the speeds, for one core: a fifth of the pushes, of the same mean


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--only", default="batch,pushes,map", help="of batch, pushes, map; eight minutes together"
    )
    asked = parser.parse_args().only.split(",")
    poise.simulate(poise.scene("walk", seconds=1.0))  # compiled functions are loaded once
    for name, measure in {"batch": batch, "pushes": pushes, "map": whole_map}.items():
        if name in asked:
            told = " ".join(f"{key}={value:.4g}" for key, value in measure().items())
            print(f"{name}: {told}", flush=True)


def batch() -> Mapping[str, float]:
    """``poise.batch`` of walks: one thread, then all cores."""
    walks = [poise.scene("walk", seconds=WALK_S, seed=k) for k in range(WALKS)]
    one = _seconds(lambda: poise.batch(walks, jobs=1, keep=_speed))
    many = _seconds(lambda: poise.batch(walks, keep=_speed))
    return {"walks": WALKS, "one_s": one, "all_s": many, "cores": cores(), "gain": one / many}


def pushes() -> Mapping[str, float]:
    """``poise sweep`` of a thousand standing pushes on all cores, and of a sample on one; takes a second."""

    def made(speeds: Sequence[float], jobs: int) -> tuple[int, float]:
        grid = {"push.direction": DIRECTIONS, "push.speed": list(speeds)}
        seconds = _seconds(lambda: rows.extend(sweep("balance-push", grid, REPLICAS, jobs=jobs).rows))
        return len(DIRECTIONS) * len(speeds) * REPLICAS, seconds

    rows: list[dict[str, Any]] = []
    few, one = made(SPEEDS[SAMPLE], 1)
    many, both = made(SPEEDS, cores())
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    return {"pushes": many, "fell": sum(r["fell"] for r in rows), "one_per_s": few / one, "all_per_s": many / both,
            "gain": (many / both) / (few / one), "worker_mb": peak}  # fmt: skip


def whole_map() -> Mapping[str, float]:
    """``poise pushmap reactive-step``, eight directions of five replicas, from nothing."""
    return {"minutes": _seconds(lambda: pushmap("reactive-step")) / 60}


def _speed(take: poise.Recording) -> Any:
    return take.metrics["speed_ms"]


def _seconds(work: Callable[[], Any]) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


if __name__ == "__main__":
    main()
