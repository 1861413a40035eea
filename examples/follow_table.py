"""Follow every motion file of a folder, with noise, and write what happened into docs/following-table.md."""

from __future__ import annotations

import os
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np

import poise

REPLICAS, NOISE = 5, 0.01  # [rad] of every joint at the start
DOCS = Path(__file__).resolve().parents[1] / "docs" / "following-table.md"
BESIDE = Path(__file__).resolve().parents[2] / "shared" / "mocap"
HEAD = """# Every clip of a folder, followed

`make follow-table` writes this page: every BVH and AMC file found, all collisions on, {count} runs, each with {noise}
rad of noise on every joint at the start. *kept*: replicas that came to the clip's end with a DCM error below 0.25 m
there. The rest are medians over the replicas; *why* is the note of the first fall, or the reason given before the run.

| file | s | kept | DCM rms cm | slip cm | landing cm | pose rad | CM moved cm | x real time | why |
|---|---|---|---|---|---|---|---|---|---|
"""


def follow(task: tuple[str, int]) -> dict | str:
    """Figures of one replica, or why there is none."""
    file, seed = task
    try:
        take = poise.simulate(poise.scene("react", motion=file, seed=seed, pose_noise=NOISE))
    except poise.BadInput as error:
        return str(error).split(": ", 1)[-1].split(". Choose", maxsplit=1)[0]
    m = take.metrics
    good = not take.fell and m.get("kept_share", 1.0) > 0.98 and m.get("xi_error_end_m", 0.0) < 0.25
    names = ("xi_error_rms_m", "foot_slip_m", "landing_error_m", "tracking_rmse_rad", "shift_max_m")
    why = next((note for note in take.notes if note.startswith("fell")), "")
    return {"good": good, "why": why, "s": take.time[-1], "x": take.real_time_factor} | {
        k: m.get(k, np.nan) for k in names
    }


def row(name: str, found: list[dict | str]) -> str:
    """One line of the table."""
    if isinstance(found[0], str):
        return f"| {name} | | – | | | | | | | {found[0]} |"
    takes = [take for take in found if isinstance(take, dict)]
    mid = {
        k: float(np.nanmedian([take[k] for take in takes])) if k not in ("good", "why") else 0.0
        for k in takes[0]
    }
    why = next((take["why"] for take in takes if take["why"]), "")
    cm = [f"{100 * mid[k]:.1f}" for k in ("xi_error_rms_m", "foot_slip_m", "landing_error_m")]
    kept = f"{sum(take['good'] for take in takes)}/{len(takes)}"
    rest = f"{mid['tracking_rmse_rad']:.3f} | {100 * mid['shift_max_m']:.1f} | {mid['x']:.1f} | {why}"
    return f"| {name} | {mid['s']:.1f} | {kept} | {' | '.join(cm)} | {rest} |".replace("nan", "–")


def main() -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else os.environ.get("POISE_MOCAP", BESIDE))
    files = sorted(path for kind in ("*.bvh", "*.amc") for path in folder.rglob(kind))
    tasks = [(str(path), seed) for path in files for seed in range(REPLICAS)]
    with ProcessPoolExecutor(max_workers=os.cpu_count()) as pool:
        found = list(pool.map(follow, tasks, chunksize=REPLICAS))
    rows = [row(path.name, found[i * REPLICAS : (i + 1) * REPLICAS]) for i, path in enumerate(files)]
    DOCS.write_text(HEAD.format(count=REPLICAS, noise=NOISE) + "\n".join(rows) + "\n")
    kept = sum(take["good"] for take in found if isinstance(take, dict))
    print(
        f"{kept} of {sum(isinstance(take, dict) for take in found)} takes kept to their clips' ends; wrote {DOCS.name}"
    )


if __name__ == "__main__":
    main()
