"""[Balance] sections 8 and 10: clamps, the first pass, point constraints, joint limits, slip."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

import poise
from poise.character.constants import GRAVITY
from poise.reproduce.balance import NO_CLAMP, SHOVE, claim
from poise.reproduce.claim import Finding, end, number, take, variant

HARD_SHOVE = "torso:0,330,0@1.0+0.1"


@claim(cost=4.0, why="the real force is that of contact; 99 % of the records counted")
def normal_clamp() -> Finding:
    """Clamping L̇ keeps the normal force within 0.2 and 1.8 of the weight (8, eq. 15)"""
    recording = take("platform")
    weight = GRAVITY * poise.Character.named(recording.info["character"]).mass
    wanted = (recording["linear_momentum_rate_des"][:, 2] + weight) / weight
    real = recording["contact_force"][:, 2] / weight
    low, high = np.nanpercentile(real, [0.5, 99.5])
    bounded = bool(np.nanmin(wanted) > 0.19 and np.nanmax(wanted) < 1.81)
    text = (
        f"platform ride, parts of the weight: wanted {np.nanmin(wanted):.2f} to {np.nanmax(wanted):.2f},"
        f" real {low:.2f} to {high:.2f}"
    )
    return Finding(text, bounded and low > 0.1 and high < 1.9)


@claim(cost=30.0)
def friction_clamp() -> Finding:
    """Clamping L̇ to the friction cone keeps supports from sliding (8, eq. 16)"""
    cases: list[tuple[str, str, dict[str, Any]]] = [
        (f"shove {n} N, paper", "balance-push",
         {"control__mode": "paper", "friction": 0.1, "push": f"torso:0,{n},0@1.0+0.1", "seconds": 3.5})
        for n in (100, 150, 200)
    ]  # fmt: skip
    cases += [
        (f"platform, {mode}", "platform", {"control__mode": mode}) for mode in ("paper", "fast", "robust")
    ]
    texts, better = [], []
    for name, scene, options in cases:
        on, off = take(scene, **options), variant(scene, {"mu": NO_CLAMP}, **options)
        a, b = number(on, "foot_slip_m"), number(off, "foot_slip_m")
        texts.append(f"{name} {1000 * a:.1f} ({end(on)}) / {1000 * b:.1f} ({end(off)})")
        better.append(not on.fell and (a < b or off.fell))
    return Finding(
        f"slip at μ = 0.1 with / without the clamp [mm]: {'; '.join(texts)}",
        all(better),
        f"less slip in {sum(better)} of {len(better)} cases; the cones of modes fast and robust act without it",
    )


@claim(cost=25.0)
def two_pass() -> Finding:
    """A first pass that finds an ideal CP gives better tracking (8)"""
    texts, better = [], {"paper": 0, "robust": 0}
    for scene in ("squat", "butterfly"):
        for mode in better:
            on, off = (take(scene, two_pass=flag, control__mode=mode) for flag in (True, False))
            a, b = number(on, "tracking_rmse_rad"), number(off, "tracking_rmse_rad")
            better[mode] += (a < b or off.fell) and not on.fell
            texts.append(f"{scene} {mode} {a:.4f} / {b:.4f}{' (fell)' if on.fell or off.fell else ''}")
    return Finding(
        f"tracking error with / without [rad]: {'; '.join(texts)}",
        better["paper"] == 2,
        f"better in {better['paper']} of 2 in the paper's own pipeline, in {better['robust']} of 2 in mode robust",
    )


@claim(
    cost=4.0,
    why="change of L less the integral of the ground force sampled at 100 Hz; a hand on the head would show",
)
def internal_points() -> Finding:
    """Point constraints are met by joint torques alone, no outside force (8)"""
    recording = take("head-drag")
    force = unexplained_force(recording)
    text = (
        f"head-drag: horizontal force that the ground does not explain, over windows of 1 s: at most {force:.1f} N;"
        f" the head is {100 * number(recording, 'drag_error_m'):.1f} cm from its target on average"
    )
    return Finding(text, force < 5.0)


def unexplained_force(recording: poise.Recording, window: int = 100) -> float:
    """Largest mean force over a window of records that is not the ground's, horizontally [N]."""
    L, f, dt = recording["linear_momentum"][:, :2], recording["contact_force"][:, :2], recording.dt
    gained = np.vstack([np.zeros(2), np.cumsum(0.5 * dt * (f[1:] + f[:-1]), axis=0)])
    rest = L - gained
    return float(np.linalg.norm(rest[window:] - rest[:-window], axis=1).max() / (window * dt))


@claim(cost=8.0, why="swing and twist of ball joints; 1 is the limit")
def joint_limits() -> Finding:
    """Joint limits are necessary against impossible postures (8)"""
    body = poise.Character.named("adult")
    free = replace(body, limits={})
    takes = [
        poise.simulate(poise.scene("balance-push", b, push=HARD_SHOVE, seconds=3.0)) for b in (body, free)
    ]
    reach = [reach_of_limits(body, t) for t in takes]
    text = (
        f"330 N to the left: joints reach {reach[0]:.2f} of their limit with limits ({end(takes[0])}),"
        f" {reach[1]:.2f} without ({end(takes[1])})"
    )
    return Finding(text, reach[0] < 1.1 < reach[1])


def reach_of_limits(body: poise.Character, recording: poise.Recording) -> float:
    """How far any ball joint went, as a part of its limit, over a take."""
    furthest = 0.0
    for name, limit in body.limits.items():
        at = body.model.joint(name).qposadr[0]
        for quat in recording["q"][:, at : at + 4]:
            furthest = max(furthest, *limit.reach(quat))
    return furthest


@claim(
    cost=4.0,
    why="medians, same body, taking turns; mode robust only calls the QP when a constraint is active",
)
def cheap() -> Finding:
    """Without inequality constraints the solve is cheaper than a QP (4, 7, 10)"""
    from poise.bench.rig import Rig

    rigs = {mode: Rig(poise.Character.named("adult"), mode, every_step=True) for mode in ("fast", "robust")}
    times: dict[str, list[float]] = {mode: [] for mode in rigs}
    for _ in range(5):
        for mode, rig in rigs.items():
            times[mode] += rig.ticks_us(200)
    fast, robust = (float(np.median(times[mode])) for mode in ("fast", "robust"))
    text = f"one tick: {fast:.0f} µs as least squares (mode fast), {robust:.0f} µs as QP with cones (mode robust)"
    return Finding(text, fast < robust)


@claim(
    cost=4.0,
    why="mode paper knows no friction but the clamp, mode fast fits its contact forces inside cones; limit 1 cm",
)
def slip() -> Finding:
    """Without slip-free constraints the balance objectives still avoid slip on ordinary ground (10)"""
    takes = {
        mode: take("balance-push", push=SHOVE, seconds=4.0, control__mode=mode) for mode in ("fast", "paper")
    }
    slips = {mode: number(t, "foot_slip_m") for mode, t in takes.items()}
    text = ", ".join(f"{mode} {1000 * s:.1f} mm ({end(takes[mode])})" for mode, s in slips.items())
    text = f"largest drift of a sole after a 250 N shove: {text}"
    return Finding(text, all(s < 0.01 for s in slips.values()))
