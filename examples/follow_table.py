"""Follow every motion file of a folder, with noise, and write what happened into docs/following-table.md."""

from __future__ import annotations

import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np

import poise
from poise.behaviours.following.follow import Follow
from poise.behaviours.stepping.legs import Legs
from poise.character.constants import BALL, HINGE
from poise.record.knocks import hardest
from poise.record.metrics import tracking_angles

REPLICAS, NOISE = 5, 0.01  # [rad] of every joint at the start
AFTER = 0.3  # [s] of a fall that are looked at
DOCS = Path(__file__).resolve().parents[1] / "docs" / "following-table.md"
BESIDE = Path(__file__).resolve().parents[2] / "shared" / "mocap"
HEAD = """# Every clip of a folder, followed

`make follow-table` writes this page: every BVH and AMC file found, all collisions on, {count} runs, each with {noise}
rad of noise on every joint at the start. *kept*: replicas that came to the clip's end with a DCM error below 0.25 m
there. The rest are medians over the replicas: *pose* of all joints, *upper* of those above the legs, *knock* of the
hardest contact before any fall that is neither a stance nor what the clip touches itself; *prep* is the CPU time of
reading, rigging and scoring, *x* the simulated seconds per second of CPU time. *why* is the note of the first fall, or
the reason given before the run.

| file | s | kept | DCM cm | slip cm | landing cm | pose rad | upper rad | knock N | CM moved cm | prep s | x | why |
|---|---|---|---|---|---|---|---|---|---|---|---|---|
"""
FIGURES = {  # column to metric and factor
    "DCM": ("xi_error_rms_m", 100), "slip": ("foot_slip_m", 100), "landing": ("landing_error_m", 100),
    "pose": ("tracking_rmse_rad", 1), "upper": ("upper", 1), "knock": ("knock", 1), "shift": ("shift_max_m", 100),
    "prep": ("prep", 1), "x": ("x", 1),
}  # fmt: skip
DIGITS = {"pose": 3, "upper": 3, "knock": 0}


def follow(task: tuple[str, tuple[int, ...]]) -> list[dict | str]:
    """Figures of the replicas of a file, or why there are none."""
    file, seeds = task
    began = time.process_time()
    try:
        scene = poise.scene("react", motion=file, pose_noise=NOISE)
    except poise.BadInput as error:
        return [str(error).split(": ", 1)[-1].split(". Choose", maxsplit=1)[0]]
    prep = time.process_time() - began
    return [{"prep": prep} | replica(replace(scene, seed=seed)) for seed in seeds]


def replica(scene: poise.Scene) -> dict:
    """Figures of one take."""
    ready = time.process_time()
    take = poise.simulate(replace(scene, world=replace(scene.world, presses=True), after_fall=AFTER))
    took, m = time.process_time() - ready, take.metrics
    behaviour = scene.behaviour
    clip = behaviour.score.clip if isinstance(behaviour, Follow) else behaviour.clip  # pyright: ignore[reportAttributeAccessIssue]
    good = not take.fell and m.get("kept_share", 1.0) > 0.98 and m.get("xi_error_end_m", 0.0) < 0.25
    why = next((note for note in take.notes if note.startswith("fell")), "")
    return {**m, "good": good, "why": why, "s": float(take.time[-1]), "x": float(take.time[-1]) / took,
            "clip": clip.seconds, "knock": hardest(take, clip), "upper": upper(take, scene.character),
            "blew_up": take.blew_up is not None}  # fmt: skip


def upper(take: poise.Recording, character: poise.Character) -> float:
    """Root mean square angle between the joints above the legs and the clip's before a fall [rad]."""
    model, legs = character.model, {b for leg in Legs(character).both for b in leg.bodies}
    order = [j for kind in (HINGE, BALL) for j in range(model.njnt) if model.jnt_type[j] == kind]
    own = [i for i, j in enumerate(order) if model.body(model.jnt_bodyid[j]).name not in legs]
    kept = take.time <= (np.inf if take.fall_time is None else take.fall_time)
    return float(np.sqrt(np.nanmean(tracking_angles(take)[kept][:, own] ** 2)))


def row(name: str, found: list[dict | str]) -> str:
    """One line of the table."""
    takes = [take for take in found if isinstance(take, dict)]
    if not takes:
        return f"| {name} | | – |{' |' * len(FIGURES)} {found[0]} |"
    mid = {
        k: nth * float(np.nanmedian([take.get(key, np.nan) for take in takes]))
        for k, (key, nth) in FIGURES.items()
    }
    figures = " | ".join(f"{x:.{DIGITS.get(k, 1)}f}" for k, x in mid.items()).replace("nan", "–")
    why = next((take["why"] for take in takes if take["why"]), "")
    kept, long = sum(take["good"] for take in takes), np.median([take["s"] for take in takes])
    return f"| {name} | {long:.1f} | {kept}/{len(takes)} | {figures} | {why} |"


def main() -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else os.environ.get("POISE_MOCAP", BESIDE))
    files = sorted(path for kind in ("*.bvh", "*.amc") for path in folder.rglob(kind))
    tasks = [(str(path), tuple(range(REPLICAS))) for path in files]
    with ProcessPoolExecutor(max_workers=os.cpu_count()) as pool:
        found = list(pool.map(follow, tasks))
    rows = [row(path.name, own) for path, own in zip(files, found)]
    DOCS.write_text(HEAD.format(count=REPLICAS, noise=NOISE) + "\n".join(rows) + "\n")
    takes = [take for own in found for take in own if isinstance(take, dict)]
    kept = sum(take["good"] for take in takes)
    print(f"{kept} of {len(takes)} takes kept to their clips' ends; wrote {DOCS.name}")


if __name__ == "__main__":
    main()
