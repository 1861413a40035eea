"""How long a million takes take: a simulation of a cluster on paper, with the costs that were measured here.

Workers ask a scheduler for bundles of takes; scheduler and ledger serve one after the other; workers die and come back.
"""

from __future__ import annotations

import heapq
import sys

import numpy as np

TAKES, BUNDLE = 1_000_000, 16
TAKE_S, SPREAD = 0.24, 0.25  # [s] of a standing push on one core, and its relative spread
SCHEDULER_S = 0.000165  # [s] of the scheduler for one take, sent in bundles
LEDGER_S = 0.00066  # [s] of the client for one take: its key, its row, its line on disk
START_S = 30.0  # [s] until a worker has started, with its kernels from the cache
LIFE_H, BACK_S = 24.0, 120.0  # mean life of a worker [h], and until another takes its place [s]


def simulate(workers: int, seed: int = 0) -> tuple[float, float, int]:
    """Hours until all takes are known, share of that in which workers work, bundles that were lost and done again."""
    rng = np.random.default_rng(seed)
    free = [(START_S * rng.uniform(0.5, 1.5), w) for w in range(workers)]
    heapq.heapify(free)
    dies = rng.exponential(3600 * LIFE_H, workers)
    left, lost, served, worked, end = -(-TAKES // BUNDLE), 0, 0.0, 0.0, 0.0
    serial = BUNDLE * max(SCHEDULER_S, LEDGER_S)  # two processes: the slower one sets the pace
    noise = SPREAD * TAKE_S * BUNDLE**0.5
    while left:
        t, worker = heapq.heappop(free)
        served = max(t, served) + serial
        duration = max(0.1 * TAKE_S * BUNDLE, BUNDLE * TAKE_S + noise * rng.standard_normal())
        done = served + duration
        if done > dies[worker]:
            lost += 1
            back = max(dies[worker], t) + BACK_S
            dies[worker] = back + rng.exponential(3600 * LIFE_H)
            heapq.heappush(free, (back, worker))
            continue
        left -= 1
        worked, end = worked + duration, max(end, done)
        heapq.heappush(free, (done, worker))
    return end / 3600, worked / (end * workers), lost


def main() -> None:
    print("| workers | hours | busy | bundles lost | core-hours |\n|---|---|---|---|---|")
    for workers in (
        (int(a) for a in sys.argv[1:]) if len(sys.argv) > 1 else (2, 32, 128, 256, 512, 1024, 2048)
    ):
        hours, busy, lost = simulate(workers)
        print(f"| {workers} | {hours:.2f} | {100 * busy:.0f} % | {lost} | {hours * workers:.0f} |")


if __name__ == "__main__":
    main()
