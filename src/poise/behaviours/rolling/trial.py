"""One rollout of a cycle, as short as it can be: what the search judges."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import cast

import numpy as np

from poise.behaviours.rolling.course import TURN
from poise.behaviours.rolling.measures import FLIGHT, PAUSE, SETTLE, STUCK
from poise.behaviours.rolling.roll import Roll, Start, launch
from poise.behaviours.rolling.solver import Drive
from poise.character import Character
from poise.character.constants import GRAVITY
from poise.control.controller import Control, Controller
from poise.simulate import rollout
from poise.worlds.world import Arena, World

RATE = 60.0  # [Hz] of control and of what is looked at


@dataclass(frozen=True)
class Trial:
    """What came of a rollout."""

    revolutions: float  # before the first pause, at the furthest
    speed: float  # mean along the course [m/s]
    spin: float  # [rev/s]
    air: float  # share of time without ground force
    tilt: float  # RMS out-of-plane rotation, heading and tilt [rad]
    effort: float  # mean square of torque over its limit
    head: float  # share of time with the head on the ground
    height: float  # highest centre of mass above the ground [m]
    seconds: float  # until the first pause, or the end


class Stage:
    """A world that rollouts share; ``slope`` is that of its ground [rad]."""

    def __init__(self, body: Character, world: World, start: Start, slope: float = 0.0):
        self.body, self.start, self.slope = body, start, slope
        self.arena = Arena(world, body)
        model = self.arena.model
        self._head = np.flatnonzero(model.geom_bodyid == model.body("head").id)

    def run(self, roll: Roll, seconds: float, seed: int) -> Trial:
        """Roll until the time is over or a pause begins."""
        arena, body = self.arena, self.body
        arena.reset(*launch(roll, body, self.start, np.random.default_rng(seed)))
        controller = Controller(body, roll, Control(refresh_hz=RATE))
        every = max(1, round(1 / (RATE * arena.world.dt)))
        rows: list[tuple[float, ...]] = []

        def look() -> bool:
            if not controller.state.finite:
                return True
            rows.append(self._look(controller, roll))
            return len(rows) > RATE * PAUSE and rows[-1][0] - rows[-1 - int(RATE * PAUSE)][0] < STUCK

        rollout(arena, controller, round(seconds / arena.world.dt) - 1, look, every)
        return _judged(np.array(rows))

    def _look(self, controller: Controller, roll: Roll) -> tuple[float, ...]:
        state, attitude, drive = controller.state, roll.attitude, cast(Drive, controller.solver)
        t, _, n = attitude.axes.T
        contact = self.arena.data.contact
        head = bool(np.isin(contact.geom[contact.dist < 0], self._head).any()) if len(contact.dist) else False
        load = float(state.f[:3] @ n) / (GRAVITY * state.m)
        use = drive.solution.tau[6:] / drive.high[6:]
        out = attitude.heading, attitude.tilt
        return (
            attitude.phase,
            float(state.c @ t),
            float(state.c @ n),
            load,
            math.hypot(*out),
            float(use @ use) / len(use),
            head,
        )


def _judged(rows: np.ndarray) -> Trial:
    """What the looks (n, 7) at a rollout add up to."""
    if len(rows) < 2:
        return Trial(0, 0, 0, 1, 1, 1, 1, 1, 0)
    phase, along, height, load, out, effort, head = rows.T
    late = slice(min(int(SETTLE * RATE), len(rows) // 2), None)
    time = (len(phase[late]) - 1) / RATE
    return Trial(
        revolutions=float(phase.max() - phase[0]) / TURN,
        speed=float(along[late][-1] - along[late][0]) / max(time, 1e-9),
        spin=float(phase[late][-1] - phase[late][0]) / TURN / max(time, 1e-9),
        air=float((load[late] < FLIGHT).mean()), tilt=float(np.sqrt(np.mean(out[late] ** 2))),
        effort=float(effort[late].mean()), head=float(head[late].mean()),
        height=float(height.max()), seconds=len(rows) / RATE,
    )  # fmt: skip
