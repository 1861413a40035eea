"""How a peer is asked for times. Run by the interpreter of .venv-bench: nothing here or beside it needs ours.

Every line read from stdin is a number of solves to time; each answer is one JSON line {"dof", "us": [times], "error"},
so that the caller can take turns with its own timing.
"""

import json
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np


def told() -> tuple[str, dict]:
    """The body's file, and the task."""
    with open(sys.argv[2]) as file:
        return sys.argv[1], json.load(file)


def serve(dof: int, solve: Callable[[int], float], prepare: Callable[[int], None]) -> None:
    """Answer until stdin ends: ``solve`` does the k-th task, and returns how far from its goal it ends [m]."""
    k = 0
    for line in sys.stdin:
        times, errors = [], []
        for _ in range(int(line)):
            prepare(k)
            begun = time.perf_counter()
            errors.append(solve(k))
            times.append(1e6 * (time.perf_counter() - begun))
            k += 1
        print(json.dumps({"dof": dof, "us": times, "error": max(errors)}), flush=True)


def settle(step: Callable[[], np.ndarray], task: dict) -> None:
    """Steps of an inverse kinematics until one is as small as ours are when they end."""
    for _ in range(task["steps"]):
        if np.abs(step()).max() < task["converged"]:
            return


def serve_tasks(
    body: Any, rest: np.ndarray, com: Any, velocity: Callable[[], np.ndarray], task: dict, dof: int
) -> None:
    """Serve a library whose configuration integrates a velocity, as mink's and pink's do: from rest every time."""

    def step() -> np.ndarray:
        v = velocity()
        body.integrate_inplace(v, 1.0)
        return v

    def solve(k: int) -> float:
        body.update(rest)
        com.set_target(np.array(task["com"][k % len(task["com"])]))
        settle(step, task)
        return float(np.abs(com.compute_error(body)).max())

    serve(dof, solve, lambda k: None)
