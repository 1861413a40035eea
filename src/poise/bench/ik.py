"""Inverse kinematics, ours and the peers': the same body, feet and trunk in place, the centre of mass moved."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import numpy as np

from poise.bench.peer import Peer
from poise.bench.urdf import rest_angles
from poise.character import Character
from poise.motion import ik

PEERS = ("mink", "pink", "placo")
TRUNK = "torso"
GOALS, SPREAD = 64, (0.03, 0.03, 0.05)  # places of the centre of mass that are asked for, ± about rest [m],
DROP = 0.06  # lower by this [m]: knees that are straight have no inverse
CLOSE = 1e-3  # [m]: a solver that ends farther from its goal did another task
DAMPING = 1e-6  # of the peers' programs: their poses do not hold the root


def pose_task(character: Character) -> dict[str, Any]:
    """What is asked of every solver, and when it has come to its end."""
    rng = np.random.default_rng(0)
    com = character.com_rest + rng.uniform(-1.0, 1.0, (GOALS, 3)) * SPREAD - (0.0, 0.0, DROP)
    feet = [character.support(name).body for name in character.stance]
    return {
        "q": character.q_rest.tolist(), "rest": rest_angles(character), "root": character.q_rest[:3].tolist(),
        "feet": feet, "trunk": TRUNK, "com": com.tolist(), "cost": ik.HARD**0.5, "damping": DAMPING,
        "steps": ik.ITERATIONS, "converged": ik.CONVERGED,
    }  # fmt: skip


class Poses:
    """Our solver, timed as the peers are."""

    def __init__(self, character: Character, task: dict[str, Any]):
        self.solver, self.q, self.goals, self.k = ik.Solver(character), character.q_rest, task["com"], 0
        self.feet = {name: self.solver.place(self.q, name) for name in task["feet"]}
        self.trunk = {TRUNK: self.solver.place(self.q, TRUNK)[1]}

    def times_us(self, n: int) -> dict[str, Any]:
        """As a peer's."""
        times, errors = [], []
        for _ in range(n):
            goal = np.array(self.goals[self.k % len(self.goals)])
            begun = time.perf_counter()
            targets = ik.Targets(bodies=self.feet, com=goal, level=self.trunk)
            q = self.solver.solve(self.q, targets)
            times.append(1e6 * (time.perf_counter() - begun))
            errors.append(float(np.abs(self.solver.rows(q, targets)[1]).max()))
            self.k += 1
        return {"dof": self.solver.model.nv, "us": times, "error": max(errors)}


def inverse_kinematics(
    python: Path | None, found: list[str], character: Character, turns: int
) -> dict[str, Any]:
    """Median times of a pose [µs] by ``NAME_ik_us``, and ours over each peer's; None where a peer is not there."""
    task = pose_task(character)
    solvers: dict[str, Any] = {"poise": Poses(character, task)}
    solvers |= {
        name: Peer(python, f"{name}_ik", character, task) for name in found if python and name in PEERS
    }
    times: dict[str, list[list[float]]] = {name: [] for name in solvers}
    try:
        for turn in range(turns + 1):
            for name, solver in solvers.items():
                answer = solver.times_us(2)
                if turn and answer["error"] < CLOSE:  # the first turn warms up
                    times[name].append(answer["us"])
    finally:
        for name in solvers.keys() - {"poise"}:
            solvers[name].close()
    return _result(times)


def _result(times: dict[str, list[list[float]]]) -> dict[str, Any]:
    """Medians, and medians over turns of the ratio within a turn; None of a solver that did not get there."""

    def over(name: str) -> float | None:
        pairs = zip(times["poise"], times.get(name, []), strict=False)
        ratios = [np.median(a) / np.median(b) for a, b in pairs]
        return float(np.median(ratios)) if ratios else None

    def typical(name: str) -> float | None:
        return float(np.median(times[name])) if times.get(name) else None

    peers = {f"{name}_ik_us": typical(name) for name in PEERS}
    return {"ik_us": typical("poise"), **peers, **{f"ik_over_{name}": over(name) for name in PEERS}}
