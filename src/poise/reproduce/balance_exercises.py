"""[Balance] section 9: one set of gains for all bodies and exercises, and what the angular objective does there."""

from __future__ import annotations

from typing import Any

import numpy as np

import poise
from poise.reproduce.balance import BODIES, EXERCISES, SHOVE, claim
from poise.reproduce.claim import Finding, all_stood, captured, end, few, number, table, take

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


UNABLE = "unable to complete the motions without the angular balance objective enabled (9)"
NOISE = 0.005  # [rad] of the starting pose
CLIPS: dict[str, tuple[str, str, dict[str, float]]] = {
    "22_14, two deep squats": ("squat", "22_14", {}),
    "13_30, its two squats": ("squat", "13_30", {"motion__start": 12.3, "motion__end": 16.4}),
    "135_11, sixth kick": ("side-kick", "135_11", {}),
    "135_11, first kick": ("side-kick", "135_11", {"motion__start": 1.3, "motion__end": 4.5}),
    "135_11, second kick": ("side-kick", "135_11", {"motion__start": 3.5, "motion__end": 6.7}),
    "135_11, fourth kick": ("side-kick", "135_11", {"motion__start": 9.34, "motion__end": 12.54}),
}


def without(clip: str, mode: str = "paper", seed: int = 0) -> tuple[str, bool]:
    """How a captured exercise ends with and without the angular objective, and whether it is needed.

    A ``seed`` above zero begins it with noise in its pose.
    """
    scene, file, window = CLIPS[clip]
    options: dict[str, Any] = {"control__mode": mode, "motion": captured(f"bvh/{file}.bvh"), **window}
    noise: dict[str, Any] = {"seed": seed, "pose_noise": NOISE} if seed else {}
    on, off = (take(scene, angular=flag, **options, **noise) for flag in (True, False))
    return f"{clip}{f', noise {seed}' if seed else ''} {end(on)} / {end(off)}", off.fell and not on.fell


def captured_angular(clips: tuple[str, ...], own: tuple[str, str, float], why: str) -> Finding:
    """Held where the first of some captured clips needs it from every start; the others, and ours, beside it."""
    first, *others = clips
    seen = [without(first, seed=seed) for seed in few((0, 1, 2, 3), (0, 1))]
    texts = [text for text, _ in [*seen, *map(without, few(others, others[:1]))]]
    scene, key, tempo = own
    ours = [take(scene, angular=flag, control__mode="paper", **{key: tempo}) for flag in (True, False)]
    texts.append(f"our own clip {end(ours[0])} / {end(ours[1])}")
    return Finding(f"mode paper, with / without: {'; '.join(texts)}", all(needed for _, needed in seen), why)


table("balance", captured_angular, (
    ("squat-angular", f"Squat: {UNABLE}", 60.0, ("22_14, two deep squats", "13_30, its two squats"),
     ("squat", "period", 2.0),
     "captured, as the paper's was, with motions that required large induced momenta: held where 22_14 (pelvis down to "
     "0.36 m, heels up) needs it from each start, as captured and with 0.005 rad of noise; 13_30's squats and our own, "
     "which is made for this body, are followed without"),
    ("side-kick-angular", f"Side kick: {UNABLE}", 90.0,
     ("135_11, sixth kick", "135_11, second kick", "135_11, first kick", "135_11, fourth kick"),
     ("side-kick", "duration", 4.0),
     "captured, as the paper's was: held where the sixth kick of 135_11 needs it from each start. As captured it does, "
     "with 0.005 rad of noise it falls either way, and the other kicks do as captured"),
))  # fmt: skip


@claim(
    cost=30.0,
    why="no captured one is at hand; ours, key-framed for this body, is followed to 0.012 rad without, at any tempo",
)
def butterfly_angular() -> Finding:
    """Butterfly: unable to complete the motions without the angular balance objective enabled (9)"""
    texts, needed = [], []
    for tempo in (1.6, 0.8, 0.5, 0.4):
        on, off = (take("butterfly", angular=f, control__mode="paper", period=tempo) for f in (True, False))
        texts.append(f"{tempo:g} s {end(on)} / {end(off)}")
        needed.append(off.fell and not on.fell)
    return Finding(f"mode paper, with / without: {', '.join(texts)}", all(needed))


@claim(
    cost=30.0,
    why="least squares on constraint contact fails less than the paper's ground: squats stand without. In 135_11 the "
    "centre of mass is 14 cm off its clip half a second before the foot lands, and 200-260 N m are wanted to keep the "
    "pressure in the sole",
)
def captured_angular_fast() -> Finding:
    """The same of captured exercises, least squares at 60 Hz on constraint contact"""
    names = ("22_14, two deep squats", "13_30, its two squats", "135_11, sixth kick")
    seen = [without(name, "fast") for name in names]
    return Finding(
        f"mode fast, with / without: {'; '.join(text for text, _ in seen)}", all(n for _, n in seen)
    )


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
