"""Push bodies that follow clips, from eight sides in four phases: docs/following-pushes.md says who went on."""

from __future__ import annotations

import json
import os
import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import poise

DOCS = Path(__file__).resolve().parents[1] / "docs" / "following-pushes.md"
KEPT = Path("out/pushes.jsonl")  # of an earlier run that was stopped: delete it to measure all anew
BESIDE = Path(__file__).resolve().parents[2] / "shared" / "mocap"
WALKS = ("bvh/02_01.bvh", "bvh/136_21.bvh", "bvh/76_03.bvh", "nc/dataset-1_walk-left_normal_001.bvh")
STEPS = ("bvh/22_14.bvh", "bvh/77_09.bvh", "bvh/69_20.bvh", "bvh/83_20.bvh")
SPEEDS, SIDES, PHASES = (0.2, 0.4), 8, (0.15, 0.35, 0.55, 0.75)  # [m/s] given in 0.1 s; parts of the clip
NEAR, SOON = 0.1, 2.5  # [m] of the DCM from its course, [s] after a push
PAUSE = 0.1  # [s]: a clip that waits for longer is not followed
HEAD = f"""# Clips, pushed while they are followed

`make push-table` writes this page: pushes of 0.1 s on the trunk from {SIDES} sides, at {len(PHASES)} phases of each
clip, all collisions on. *went on*: came to the clip's end with a DCM error below 0.25 m there. *back*: the part of
those that followed the clip again, with a DCM error below {NEAR} m and the clip's time going on, within {SOON} s of
the push, and did so from then on.

| clip | speed given m/s | went on | back | those that did not |
|---|---|---|---|---|
"""


class Trial(NamedTuple):
    """One push."""

    file: str
    speed: float  # [m/s] given to the whole body
    side: float  # [rad] that it goes to
    phase: float  # of the clip


@cache
def scene_of(file: str) -> tuple[poise.Scene, float]:
    """A clip that is followed and pushed, by nothing yet, and the seconds that it is followed for."""
    scene = poise.scene("react", motion=file, push="torso:0,0,0@0+0.1")
    behaviour: Any = scene.behaviour
    clip = behaviour.score.clip if hasattr(behaviour, "score") else behaviour.clip
    return scene, clip.seconds


def push(trial: Trial) -> tuple[bool, bool]:
    """Whether the body went on, and whether it was soon back."""
    scene, seconds = scene_of(trial.file)
    force, at = scene.character.mass * trial.speed / 0.1, trial.phase * seconds
    blow = replace(
        scene.world.pushes[0], force=(force * np.cos(trial.side), force * np.sin(trial.side), 0.0), start=at
    )
    take = poise.simulate(replace(scene, world=replace(scene.world, pushes=(blow,))))
    if "clip" not in take:
        return not take.fell, not take.fell
    off, then = np.hypot(*take["xi_error"].T), take["clip"][:, 0]
    step = take.time[1] - take.time[0]
    ahead = np.append(then[round(PAUSE / step) :], np.full(round(PAUSE / step), np.inf))  # a moment later
    away = take.time[(off > NEAR) | ((ahead <= then) & (take.time > at))]
    back = len(away) == 0 or away[-1] < at + 0.1 + SOON
    return bool(not take.fell and then.max() > 0.97 * seconds and off[-1] < 0.25), bool(back)


def measured(trials: list[Trial]) -> dict[Trial, tuple[bool, bool]]:
    """What came of each trial, those of an earlier run as they were kept."""
    KEPT.parent.mkdir(exist_ok=True)
    lines = KEPT.read_text().splitlines() if KEPT.exists() else []
    kept = {(name, *rest): (went, back) for name, *rest, went, back in map(json.loads, lines)}
    done = {trial: kept[_key(trial)] for trial in trials if _key(trial) in kept}
    left = [trial for trial in trials if trial not in done]
    with ProcessPoolExecutor(max_workers=os.cpu_count()) as pool, KEPT.open("a") as out:
        for trial, found in zip(left, pool.map(push, left, chunksize=4)):
            done[trial] = found
            out.write(json.dumps([*_key(trial), *found]) + "\n")
            out.flush()
    return done


def _key(trial: Trial) -> tuple[str, float, float, float]:
    """A trial, wherever its file is."""
    return Path(trial.file).name, trial.speed, round(trial.side, 6), trial.phase


def main() -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else os.environ.get("POISE_MOCAP", BESIDE))
    sides = [2 * np.pi * (k + 0.5) / SIDES for k in range(SIDES)]
    found = {
        (n, v): [Trial(str(folder / n), v, a, p) for p in PHASES for a in sides]
        for v in SPEEDS
        for n in WALKS + STEPS
    }
    trials = [trial for own in found.values() for trial in own]
    lines, sums = [], {}
    done = measured(trials)
    for (name, speed), own in found.items():
        went = [trial for trial in own if done[trial][0]]
        back = sum(done[trial][1] for trial in went)
        bad = ", ".join(f"{np.degrees(t.side):.0f}° at {t.phase:.2f}" for t in own if t not in went)
        lines.append(f"| {Path(name).stem} | {speed} | {len(went)}/{len(own)} | {back}/{len(went)} | {bad} |")
        kind = "walks" if name in WALKS else "standing and stepping"
        a, b = sums.get((kind, speed), (0, 0))
        sums[kind, speed] = a + len(went), b + len(own)
    lines += [
        f"| **{kind}** | {speed} | {a}/{b} ({100 * a / b:.0f} %) | | |"
        for (kind, speed), (a, b) in sums.items()
    ]
    DOCS.write_text(HEAD + "\n".join(lines) + "\n")
    print("\n".join(lines[-len(sums) :]))


if __name__ == "__main__":
    main()
