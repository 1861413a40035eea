"""How fast it is, as ratios: against placo, mink and pink, and against bare MuJoCo, in one run, taking turns."""

from __future__ import annotations

from typing import Any

import numpy as np

import poise
from poise.bench.cold import cold_start_cpu_s
from poise.bench.ik import PEERS, inverse_kinematics
from poise.bench.peer import INSTALL, Peer, installed, interpreter, standing_task
from poise.bench.plan import planning
from poise.bench.rig import DT, Rig
from poise.console import say

ROUNDS = 30
TICKS = 80  # per round
MU = 0.8  # friction that placo counts on
SCENE_SECONDS = 3.0
TURNS = 5  # of each scene; the best counts, which the machine disturbed least
SCENES = ("stand", "balance-push", "squat", "platform", "grapple", "walk")
PLAIN: dict[str, dict[str, Any]] = {
    "walk": {"style": "plain"}
}  # as in all versions; `walk_people` is the default


def bench(quick: bool = False) -> dict[str, Any]:
    """All timings; a peer that is not installed is None, with the command that installs it on stderr."""
    rounds, ticks = (2, 100) if quick else (ROUNDS, TICKS)
    body = poise.Character.named("adult")
    whole = {mode: Rig(body, mode, every_step=True) for mode in ("robust", "fast")}
    loops = {mode: Rig(body, mode) for mode in ("robust", "fast")}
    python = interpreter()
    found = installed(python, PEERS)
    asked = standing_task(body, MU)
    placo = Peer(python, "placo_dynamics", body, asked) if python and "placo" in found else None
    times: dict[str, list[list[float]]] = {}

    def keep(name: str, us: list[float]) -> None:
        times.setdefault(name, []).append(us)

    peer_dof = None
    try:
        for turn in range(rounds + 2):
            for mode in whole:
                keep(f"tick_{mode}", whole[mode].ticks_us(ticks))
                if placo and mode == "robust":
                    answer = placo.times_us(ticks)
                    peer_dof = answer["dof"]
                    keep("placo", answer["us"])
                keep(f"loop_{mode}", loops[mode].loop_us(ticks))
                keep(f"bare_{mode}", loops[mode].bare_us())
            if turn == 1:
                times.clear()  # caches and clocks warm up
    finally:
        if placo:
            placo.close()
    if len(found) < len(PEERS):
        say(f"{', '.join(name for name in PEERS if name not in found)} not installed: {INSTALL}")
    return (
        _result(times, body.model.nv, peer_dof)
        | inverse_kinematics(python, found, body, rounds)
        | {"real_time_factor": real_time_factors(quick)}
        | {"cold_start_cpu_s": None if quick else cold_start_cpu_s()}
        | planning(quick)
    )


def _result(times: dict[str, list[list[float]]], dof: int, peer_dof: int | None) -> dict[str, Any]:
    """Medians; a ratio is the median over turns of the ratio within a turn, since clocks change between turns."""

    def typical(name: str) -> float:
        return float(np.median(np.concatenate(times[name])))

    def ratio(one: str, other: str, middle=np.median) -> float:
        return float(
            np.median([middle(a) / middle(b) for a, b in zip(times[one], times[other], strict=True)])
        )

    def cost(name: str) -> float:  # objectives are refreshed now and then: the mean is what a second costs
        return float(np.median([np.mean(us) for us in times[name]]))

    return {
        "dof": dof,
        "tick_us": typical("tick_robust"),
        "tick_p95_us": float(np.percentile(np.concatenate(times["tick_robust"]), 95)),
        "tick_fast_us": typical("tick_fast"),
        "placo_tick_us": typical("placo") if "placo" in times else None,
        "placo_dof": peer_dof,
        "tick_over_placo": ratio("tick_robust", "placo") if "placo" in times else None,
        "dt_s": DT,
        "mj_step_us": typical("bare_fast"),
        "loop_us": cost("loop_fast"),
        "loop_over_mj_step": ratio("loop_fast", "bare_fast", np.mean),
        "loop_robust_us": cost("loop_robust"),
        "loop_robust_over_mj_step": ratio("loop_robust", "bare_robust", np.mean),
    }


def real_time_factors(quick: bool = False) -> dict[str, float]:
    """Simulated over elapsed time of whole scenes, recording included, one core: the best of some turns."""
    seconds, turns = (1.0, 1) if quick else (SCENE_SECONDS, TURNS)
    poise.simulate(quick_scene())  # compiled functions are loaded once
    names = [name for name in SCENES if name in poise.SCENES]
    scenes = {name: poise.scene(name, seconds=seconds, **PLAIN.get(name, {})) for name in names}
    scenes["walk_people"] = poise.scene("walk", seconds=seconds)
    best = dict.fromkeys(scenes, 0.0)
    for _ in range(turns):
        for name, scene in scenes.items():
            best[name] = max(best[name], poise.simulate(scene).real_time_factor)
    return best


def quick_scene() -> Any:
    """A moment of standing: touches everything once."""
    return poise.scene("stand", seconds=0.2)


def measure_tick(mode: str, n: int) -> tuple[float, float]:
    """Median of a whole tick and of one bare `mj_step` [µs]."""
    body = poise.Character.named("adult")
    rig = Rig(body, mode, every_step=True)
    rig.ticks_us(20)
    tick = float(np.median(rig.ticks_us(n)))
    rig.loop_us(n)
    return tick, float(np.median(rig.bare_us()))


def describe(result: dict[str, Any]) -> str:
    """The timings for people."""
    own = f"{result['tick_us']:.0f} µs (95 % below {result['tick_p95_us']:.0f})"
    placo = result["placo_tick_us"]
    peer = (
        f"placo {placo:.0f} µs, ratio {result['tick_over_placo']:.2f}"
        if placo
        else f"placo not installed: {INSTALL}"
    )
    speeds = ", ".join(f"{name} {x:.1f}" for name, x in result["real_time_factor"].items())
    return "\n".join(
        [
            f"whole tick, {result['dof']} dof: {own}; {peer}",
            f"closed loop, mode fast:   {result['loop_us']:.0f} µs a step of {1000 * result['dt_s']:g} ms,"
            f" {result['loop_over_mj_step']:.2f} x bare mj_step ({result['mj_step_us']:.0f} µs)",
            f"closed loop, mode robust: {result['loop_robust_us']:.0f} µs, {result['loop_robust_over_mj_step']:.2f} x",
            f"a pose by inverse kinematics, µs: {_figures({'poise': result.get('ik_us')} | _poses(result), '.0f')}",
            f"times real time: {speeds}",
            f"first run, nothing compiled, processor s: {_figures({'stand': result.get('cold_start_cpu_s')}, '.0f')}",
            f"planning, seconds for 60 frames: {_figures(result.get('offline_s_per_60_frames', {}), '.3f')}",
            f"planned frames a second, full body: {_figures(result.get('online_fps', {}), '.0f')}",
        ]
    )


def _poses(result: dict[str, Any]) -> dict[str, float | None]:
    return {name: result.get(f"{name}_ik_us") for name in PEERS}


def _figures(values: dict[str, float | None], form: str) -> str:
    return ", ".join(
        f"{name} {'not measured' if x is None else format(x, form)}" for name, x in values.items()
    )
