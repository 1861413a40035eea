"""Beyond [Abstract]: the plan moves a simulated body. How far it walks and climbs, and what pushes it takes there."""

from __future__ import annotations

import math

import poise
from poise.reproduce.claim import Finding, captured, claims_of, end, few, number, take

claim = claims_of("abstract")

PUSH = 0.3  # [m/s]
ONSETS = (2.1, 2.45)  # [s], in different phases of a step
CLIMBS = (0.06, 0.12, 0.15)  # [m]
NOISE = 0.005  # [rad]
STARTS = 5
DIRECTIONS = range(0, 360, 45)


@claim(cost=30, why="one take each")
def physics_walk() -> Finding:
    """beyond the paper: the planned momenta and contacts walk a simulated body 20 steps and up three stairs
    of 0.12 m"""
    seen = take("ofc-walk", physics=True, push=(), seconds=13.0)
    climbed = {
        rise: not take("ofc-stairs", physics=True, rise=rise, seconds=5.0, after_fall=0.0).fell
        for rise in CLIMBS
    }
    stairs = ", ".join(f"{rise:g} m {'climbed' if up else 'fell'}" for rise, up in climbed.items())
    walked = f"{seen.steps} steps{' and fell' if seen.fell else ''}, largest slip {number(seen, 'foot_slip_m'):.2f} m"
    return Finding(f"{walked}; stairs: {stairs}", seen.steps >= 20 and not seen.fell and climbed[0.12])


@claim(
    cost=40,
    why="one take each, captured walks as they are and with 5 mrad of noise in the first pose; held: no fall in 7 s as "
    "they are, and 10 steps in four of five starts",
)
def physics_motions() -> Finding:
    """beyond the paper: on a simulated body a squat sinks 0.15 m, long steps step, stairs of 0.12 m lead down, and
    captured walks go on for 10 steps"""
    squat, long = take("ofc-squat", physics=True), take("ofc-long-step", physics=True)
    down = take("ofc-stairs", physics=True, rise=-0.12, seconds=5.0)
    sunk = float(squat["com"][0, 2] - squat["com"][:, 2].min())
    texts = [f"squat {end(squat)}, sinks {sunk:.2f} m", f"long step {end(long)}, {long.steps} steps"]
    texts += [f"three stairs down {end(down)}"]
    held = not squat.fell and sunk >= 0.15 and not long.fell and not down.fell
    for file in ("02_01", "136_21"):
        seen = [_captured_walk(file, seed) for seed in range(STARTS)]
        first = seen[0]
        far = sum(not k.fell and k.steps >= 10 for k in seen)
        texts.append(
            f"{file} {end(first)}, {first.steps} steps; 10 steps and no fall in 7 s in {far} of {STARTS} starts"
        )
        held &= not first.fell and first.steps >= 10 and far >= 0.8 * STARTS
    return Finding("; ".join(texts), held)


def _captured_walk(file: str, seed: int) -> poise.Recording:
    """Seven seconds; the first seed begins as captured."""
    return take(
        "ofc-walk", physics=True, push=(), seconds=7.0, after_fall=0.0, motion=captured(f"bvh/{file}.bvh"), seed=seed,
        pose_noise=NOISE if seed else 0.0,
    )  # fmt: skip


@claim(cost=60, why="two onsets, one replica each; landings move by what the push has done")
def physics_push() -> Finding:
    """beyond the paper: walking so, the simulated body takes 0.3 m/s from eight sides"""
    planned, plain = _survived("ofc-walk", physics=True), _survived("walk", speed=0.5)
    most = len(DIRECTIONS) * len(few(ONSETS, ONSETS[:1]))
    text = f"{planned} of {most}; the plain walk at about the same speed {plain} of {most}"
    return Finding(text, planned == most)


def _survived(scene: str, **options) -> int:
    newtons = PUSH * poise.Character.named("adult").mass / 0.1
    alive = 0
    for onset in few(ONSETS, ONSETS[:1]):
        for angle in map(math.radians, DIRECTIONS):
            push = poise.Push(
                "torso", (newtons * math.cos(angle), newtons * math.sin(angle), 0.0), onset, 0.1
            )
            alive += not take(scene, push=push, seconds=onset + 4.1, after_fall=0.0, **options).fell
    return alive
