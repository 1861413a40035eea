"""[Balance] sections 2, 9 and 10: how much it takes, and what it takes less without."""

from __future__ import annotations

from typing import Any

import numpy as np

from poise.reproduce.balance import AFTER, NO_CLAMP, SHOVE, claim
from poise.reproduce.claim import Finding, end, few, number, table, take, variant


@claim(cost=4.0, why="pushes of 0.1 s, forward")
def topples() -> Finding:
    """Forces that are too aggressive topple it, since it cannot step (9)"""
    forces = (250, 500, 1000)
    takes = [take("balance-push", push=f"torso:{n},0,0@1.0+0.1", seconds=5.0) for n in forces]
    text = ", ".join(f"{n} N {end(t)}" for n, t in zip(forces, takes))
    return Finding(text, takes[-1].fell and not takes[0].fell)


@claim(
    cost=8.0,
    why="held: in mode paper, the paper's own pipeline, a tenth more H and twice the arms' H; in mode robust cones "
    "leave no other way to the wanted L̇ than through H, so its arms move without the objective, too",
)
def secondary() -> Finding:
    """Lifelike secondary motion appears that linear control alone does not show (9)"""
    texts, held = [], False
    for mode in ("paper", "fast", "robust"):
        takes = [
            take("balance-push", push=SHOVE, seconds=5.0, angular=f, control__mode=mode)
            for f in (True, False)
        ]
        whole = [number(t, "h_peak_kgm2s") for t in takes]
        arms = [float(np.linalg.norm(t["arm_angular_momentum"][t.time > AFTER], axis=1).max()) for t in takes]
        texts.append(
            f"{mode} {whole[0]:.1f} / {whole[1]:.1f}, of the arms {arms[0]:.1f} / {arms[1]:.1f}"
            f" ({end(takes[0])} / {end(takes[1])})"
        )
        if mode == "paper":
            held = whole[0] > 1.1 * whole[1] and arms[0] > 2 * arms[1] and not takes[0].fell
    return Finding(f"peak H with / without the angular objective: {'; '.join(texts)}", held)


@claim(cost=8.0, why="same stiffness at every step size")
def small_steps() -> Finding:
    """Stiff penalty contact needs small integration steps (10)"""
    steps, push = (0.0005, 0.002, 0.005, 0.01), "torso:150,0,0@1.0+0.1"
    texts, verdicts = [], []
    for name, scene, shove in (("standing", "stand", None), ("150 N shove", "balance-push", push)):
        takes = [take(scene, push=shove, seconds=3.5, control__mode="paper", dt=dt) for dt in steps]
        texts.append(f"{name}: " + ", ".join(f"{1000 * dt:g} ms {end(t)}" for dt, t in zip(steps, takes)))
        verdicts.append(takes[-1].fell and not takes[0].fell)
    return Finding(f"mode paper, {'; '.join(texts)}", all(verdicts))


@claim(cost=16.0)
def compliance() -> Finding:
    """Without clamps the motion teeters and answers ground forces poorly (10)"""
    texts, verdict = [], {}
    for mode in ("paper", "fast"):
        options: dict[str, Any] = {"control__mode": mode, "scale": 1.5, "seconds": 8.0, "foresee": False}
        on, off = take("platform", **options), variant("platform", {"mu": NO_CLAMP}, **options)
        verdict[mode] = off.fell and not on.fell
        texts.append(f"{mode} {end(on)} / {end(off)}")
    held = [mode for mode, good in verdict.items() if good]
    return Finding(
        f"platform moving 1.5 x as far, with / without the tangential clamp: {'; '.join(texts)}",
        verdict["paper"],
        f"shows in mode {', '.join(held)}"
        if held
        else "the clamp makes no difference between standing and falling",
    )


LIMITS = (
    "tracking and CM against the same and CP; four directions, three replicas (--quick: one, but three in mode paper, "
    "where one gave 0.39 / 0.36), all must survive; half a grid step in the mean counts"
)


def limits_gain(mode: str) -> Finding:
    """Push limits with and without the angular objective."""
    from poise.sweeps import pushmap

    on, off = (
        pushmap(
            "balance-push",
            directions=4,
            replicas=3 if mode == "paper" else few(3, 1),
            options={"angular": flag, "control.mode": mode},
            jobs=1,
        )
        for flag in (True, False)
    )
    a, b = np.mean(list(on.limits_ms.values())), np.mean(list(off.limits_ms.values()))
    text = ", ".join(f"{name}° {on.limits_ms[name]:.2f} / {off.limits_ms[name]:.2f}" for name in on.limits_ms)
    return Finding(
        f"mode {mode}, limits with / without [m/s]: {text}; mean {a:.2f} / {b:.2f}",
        bool(a >= b + 0.025 - 1e-9),
        ""
        if mode != "robust"
        else f"{LIMITS}; here cones alone spend 96 % as much H (see balance.secondary)",
    )


table("balance", limits_gain, (
    ("more-robust", "Guiding CM and CP together is more robust in extreme balance than CM alone (2)", 60.0, "robust"),
    ("more-robust-fast", "The same, least squares at 60 Hz on constraint contact", 60.0, "fast"),
    ("more-robust-paper", "The same, the paper's own pipeline (penalty ground, 60 Hz, 2 kHz)", 240.0, "paper"),
), why=LIMITS)  # fmt: skip
