"""[Balance] section 9: one set of gains for all bodies and exercises, and what the angular objective does there."""

from __future__ import annotations

from typing import Any

import numpy as np

import poise
from poise.reproduce.balance import BODIES, EXERCISES, SHOVE, claim
from poise.reproduce.claim import Finding, all_stood, captured, end, number, table, take

SCENES = ("stand", "balance-push", *EXERCISES, "head-drag", "cup", "grapple", "platform")


@claim(cost=15.0, why="default mode, one core, recording included")
def real_time() -> Finding:
    """All simulations run in real time (9)"""
    speeds = {scene: take(scene).real_time_factor for scene in SCENES}
    speeds |= {f"stand {body}": take("stand", body, seconds=5.0).real_time_factor for body in BODIES[1:]}
    slowest = min(speeds, key=lambda name: speeds[name])
    text = (
        f"slowest of {len(speeds)}: {slowest}, {speeds[slowest]:.1f} x real time;"
        f" median {np.median(list(speeds.values())):.1f}"
    )
    return Finding(text, speeds[slowest] > 1.0)


@claim(cost=10.0, why="the adult's gains and objective weights; only tracking weights are the body's own")
def morphologies() -> Finding:
    """The method is general to non-human morphologies (abstract, 9)"""
    texts, stood = [], True
    for body in BODIES[1:]:
        dv = 0.25 * poise.Character.named(body).mass / 0.1  # N for 0.25 m/s
        pushes = [
            f"torso:{dv * np.cos(a):.3f},{dv * np.sin(a):.3f},0@1.0+0.1" for a in np.arange(4) * np.pi / 2
        ]
        takes = [take("balance-push", body, push=p, seconds=5.1) for p in pushes]
        survived = sum(not t.fell for t in takes)
        quiet = take("stand", body, seconds=30.0)
        texts.append(f"{body} {end(quiet)} for 30 s, survives {survived} of 4 shoves of 0.25 m/s")
        stood &= survived == 4 and not quiet.fell
    return Finding("; ".join(texts), stood)


@claim(cost=15.0, why="no scene sets a gain; see src/poise/scenes")
def tuning() -> Finding:
    """Only tracking weights are tuned between characters and clips (9)"""
    takes = {scene: take(scene) for scene in SCENES}
    fallen = [scene for scene, t in takes.items() if t.fell]
    text = f"{len(SCENES) - len(fallen)} of {len(SCENES)} scenes run to their end with one set of gains" + (
        f"; fell: {', '.join(fallen)}" if fallen else ""
    )
    return Finding(text, not fallen)


@claim(cost=6.0, why="squat stands on both feet, side-kick on one")
def supports() -> Finding:
    """Single-support and double-support motions both work (9)"""
    return all_stood({scene: take(scene) for scene in ("squat", "side-kick")})


@claim(cost=8.0, why="both solve at 60 Hz and hold v̇ in between")
def sixty_hertz() -> Finding:
    """Recomputing the optimisation at 60 Hz is enough (9)"""
    modes = ("fast", "paper")
    takes = {f"mode {m}": take("balance-push", push=SHOVE, seconds=5.0, control__mode=m) for m in modes}
    return all_stood(takes, "250 N shove: ")


def exercise(scene: str, key: str, tempos: tuple[float, ...]) -> Finding:
    """Look for a tempo at which the paper's own pipeline completes an exercise with the angular objective only."""
    texts = []
    for tempo in tempos:
        options: dict[str, Any] = {"control__mode": "paper", key: tempo}
        on, off = (take(scene, angular=flag, **options) for flag in (True, False))
        texts.append(f"{tempo:g} s {end(on)} / {end(off)}")
        if off.fell and not on.fell:
            return Finding(
                f"mode paper, with / without: {', '.join(texts)}", True, f"needed at {tempo:g} s a cycle"
            )
    others = [take(scene, angular=False, control__mode=mode) for mode in ("robust", "fast")]
    rest = "" if any(t.fell for t in others) else "; modes robust and fast complete it without"
    error = number(take(scene, angular=False, control__mode="paper", **{key: tempos[0]}), "tracking_rmse_rad")
    return Finding(
        f"mode paper, with / without: {', '.join(texts)}",
        False,
        f"no such tempo found{rest}. The paper blames the model's error: this clip is made for this body, and is "
        f"followed to {error:.3f} rad without; captured ones do need it in mode paper (balance.captured-angular-paper)",
    )


NEEDED = "cannot be completed without the angular objective (9)"
table("balance", exercise, (
    ("butterfly-angular", f"Butterfly {NEEDED}", 30.0, "butterfly", "period", (1.6, 0.8, 0.5, 0.4)),
    ("squat-angular", f"Squat {NEEDED}", 30.0, "squat", "period", (2.0, 1.2, 1.0, 0.9, 0.8)),
    ("side-kick-angular", f"Side kick {NEEDED}", 30.0, "side-kick", "duration", (6.0, 4.0, 3.0)),
))  # fmt: skip


def captured_exercise(mode: str) -> Finding:
    """Captured clips in place, with and without the angular objective; needed where only the first stands."""
    texts, needed = [], []
    for scene, file in (("squat", "22_14"), ("squat", "13_30"), ("side-kick", "135_11")):
        options: dict[str, Any] = {"control__mode": mode, "motion": captured(f"bvh/{file}.bvh")}
        on, off = (take(scene, angular=flag, **options) for flag in (True, False))
        texts.append(f"{scene} {file} {end(on)} / {end(off)}")
        needed.append(off.fell and not on.fell)
    return Finding(
        f"captured, with / without: {'; '.join(texts)}",
        all(needed),
        f"needed in {sum(needed)} of {len(needed)}; {LOST[mode]}",
    )


LOST = {
    "fast": "in 135_11 the centre of mass is 14 cm off its clip half a second before the foot lands, and 200-260 N m "
    "are wanted to keep the pressure in the sole",
    "paper": "13_30 lifts its feet by 0.49 m in turn, and the first lands at 0.8 m/s: 2.6 weights on joints that "
    "follow exactly lift the other sole by 14 mm, with and without. Landed feet that yield for 20-100 ms fall sooner",
}
table("balance", captured_exercise, (
    ("captured-angular-fast", f"Captured exercises: {NEEDED}; mode fast", 30.0, "fast"),
    ("captured-angular-paper", f"Captured exercises: {NEEDED}; mode paper", 60.0, "paper"),
))  # fmt: skip


def tracked(angular: bool, most: float) -> Finding:
    """Tracking errors of the exercises, all below a limit [rad rms]."""
    errors = {scene: number(take(scene, angular=angular), "tracking_rmse_rad") for scene in EXERCISES}
    text = ", ".join(f"{scene} {e:.3f} rad" for scene, e in errors.items())
    return Finding(text, all(e < most for e in errors.values()), f"limit {most:g} rad rms over all joints")


table("balance", tracked, (
    ("tracks-without", "With tracking and linear objectives alone, joint angles are tracked accurately (9)",
     6.0, False, 0.1),
    ("keyframed", "Moderately balanced keyframed motion is tracked with its style (9)", 6.0, True, 0.15),
))  # fmt: skip


@claim(cost=6.0, why="minor: standing, and less than 0.05 rad rms")
def angular_cost() -> Finding:
    """The angular objective costs only a minor reduction in tracking accuracy (9)"""
    pairs = {scene: [take(scene, angular=flag) for flag in (True, False)] for scene in EXERCISES}
    texts, minor = [], True
    for scene, (on, off) in pairs.items():
        a, b = number(on, "tracking_rmse_rad"), number(off, "tracking_rmse_rad")
        texts.append(f"{scene} {a:.3f} ({end(on)}) / {b:.3f} ({end(off)})")
        minor &= not on.fell and a < b + 0.05
    return Finding(f"tracking error with / without [rad]: {', '.join(texts)}", minor)


@claim(cost=6.0, why="style lost: at least twice the tracking error")
def energetic() -> Finding:
    """Motions that are too energetic lose their style (9)"""
    periods = (1.6, 0.8, 0.4)
    takes = [take("butterfly", period=p) for p in periods]
    errors = [number(t, "tracking_rmse_rad") for t in takes]
    text = ", ".join(f"{p:g} s a cycle {e:.3f} rad ({end(t)})" for p, e, t in zip(periods, errors, takes))
    return Finding(f"butterfly, {text}", errors[-1] > 2 * errors[0])
