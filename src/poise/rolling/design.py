"""Search for a cycle: CMA-ES on rollouts with springs alone turns a few guessed key poses into a roll that goes on.

The momentum program steers a good cycle, but does not rescue a poor one; so the search leaves it out, which is also
cheaper. What is judged: uninterrupted revolutions, then flight, tilt, effort, weight on the head, the speed asked for,
and the distance from the guess, which keeps the style.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from poise.behaviours.roll import Roll, Start
from poise.character import Character
from poise.errors import BadInput
from poise.rolling.course import Course
from poise.rolling.cycle import Cycle, named
from poise.rolling.guess import guess
from poise.rolling.trial import Stage, Trial
from poise.worlds.terrain import Slope
from poise.worlds.world import World

SPANS = {  # range of a channel's keys [deg]; a key may be overdriven beyond its joint's stop
    "spine": (-15, 60), "neck": (-40, 75), "hip": (-10, 155), "knee": (0, 155), "ankle": (-45, 35),
    "shoulder": (-40, 180), "elbow": (0, 140), "hip_out": (-10, 35), "shoulder_out": (-8, 90),
    "side": (-15, 15), "twist": (-20, 20), "hip_turn": (-25, 25), "shoulder_turn": (-60, 60),
}  # fmt: skip
DIFFER = (-100, 100)  # range of a difference of the sides [deg]
STEP_S = 1.0 / 300.0  # [s] of the engine
ENOUGH = 0.9  # of the time rolled without a pause: then the other seeds are tried too
KEEP = 15  # generations between two copies that are kept
STEP, NEAR = 0.11, 0.05  # first step of the search from a guess and from a cycle, of a channel's range


@dataclass(frozen=True)
class Judge:
    """What a revolution is worth, and prices of what is not wanted."""

    revolution: float = 2.0
    air: float = 30.0  # a share of time
    tilt: float = 12.0  # RMS [rad]
    effort: float = 8.0
    head: float = 4.0  # a share of time
    leap: float = 20.0  # a metre of the CM above LEAP
    speed: float = 12.0  # a relative error of the speed asked for
    away: float = 6.0  # mean square distance from the guess, of the ranges

    def cost(self, trial: Trial, away: float, speed: float | None) -> float:
        """Of one rollout; less is better."""
        missed = 0.0 if speed is None else abs(trial.speed / speed - 1.0)
        return (
            -self.revolution * trial.revolutions + self.air * trial.air + self.tilt * trial.tilt
            + self.effort * trial.effort + self.head * trial.head + self.leap * max(0.0, trial.height - LEAP)
            + self.speed * min(missed, 1.0) + self.away * away
        )  # fmt: skip


LEAP = 0.75  # [m]: a centre of mass higher than this left the ground or stood up


@dataclass(frozen=True)
class Design:
    """One search.

    Args:
        guess: Cycle to begin with; its channels are what is searched.
        body: Who rolls.
        speed: To roll at [m/s]; any where None.
        slope: Of the ground [rad].
        seconds: Of a rollout.
        seeds: One rollout each; their start errors are drawn as in the scenes, but smaller by ``spread``.
        world: Where; its ground must have the slope.
        step: First step of the search, of a channel's range.
    """

    guess: Cycle
    body: Character
    speed: float | None = None
    slope: float = 0.0
    seconds: float = 6.0
    seeds: Sequence[int] = (0,)
    spread: float = 0.5
    world: World = field(default_factory=lambda: World(dt=STEP_S))
    judge: Judge = Judge()
    step: float = STEP

    def search(
        self,
        evaluations: int = 1500,
        seed: int = 0,
        progress: Callable[[float, str], None] | None = None,
        keep: Callable[[Cycle], None] | None = None,
    ) -> Cycle:
        """The best cycle found, with its own speed and spin; the same for the same seed. ``keep`` gets copies."""
        try:
            import cma
        except ImportError:
            raise BadInput(
                "poise design needs the package cma; install it with: pip install 'poise[design]'"
            ) from None
        stage, x0 = self._stage(), self.vector(self.guess)
        options = {"seed": seed + 1, "verbose": -9, "bounds": [0.0, 1.0], "maxfevals": evaluations}
        engine = cma.CMAEvolutionStrategy(np.clip(x0, 0.01, 0.99), self.step, options)
        best, best_cost, done = x0, np.inf, 0
        rounds = 0
        while not engine.stop() and done < evaluations:
            asked = engine.ask()
            costs = [self.cost(stage, x) for x in asked]
            engine.tell(asked, costs)
            done += len(asked)
            if min(costs) < best_cost:
                best_cost, best = min(costs), asked[int(np.argmin(costs))]
            rounds += 1
            if keep is not None and rounds % KEEP == 0:
                keep(self._finished(stage, best, seed, done))
            if progress is not None:
                progress(done / evaluations, f"{done} rollouts of {evaluations}, cost {best_cost:.2f}")
        middle = engine.result.xfavorite  # the mean of the search: less lucky than its best sample
        chosen = min((best, middle), key=lambda x: self.cost(stage, x, seeds=[s + 1000 for s in self.seeds]))
        return self._finished(stage, chosen, seed, done)

    def cost(self, stage: Stage, x: np.ndarray, seeds: Sequence[int] | None = None) -> float:
        """Mean over the seeds; a search that stalls at once is not run again."""
        cycle = self.cycle(x)
        away = float(np.mean((x - self.vector(self.guess)) ** 2))
        costs = []
        for seed in self.seeds if seeds is None else seeds:
            trial = self._run(stage, cycle, seed)
            costs.append(self.judge.cost(trial, away, self.speed))
            if trial.seconds < ENOUGH * self.seconds:
                break
        return float(np.mean(costs))

    def vector(self, cycle: Cycle) -> np.ndarray:
        """Keys, and the lead, as numbers from 0 to 1."""
        parts = [
            (np.array(values) - _span(name)[0]) / np.ptp(_span(name)) for name, values in cycle.keys.items()
        ]
        return np.concatenate([*parts, [cycle.lead / 60.0 + 0.5]])

    def cycle(self, x: np.ndarray) -> Cycle:
        """The cycle of such numbers."""
        keys, at = {}, 0
        for name, values in self.guess.keys.items():
            part = x[at : at + len(values)] * np.ptp(_span(name)) + _span(name)[0]
            keys[name], at = tuple(float(v) for v in part), at + len(values)
        return replace(self.guess, keys=keys, lead=float(60.0 * (x[-1] - 0.5)))

    def _stage(self) -> Stage:
        own = Start()
        start = Start(
            self.speed, None, self.spread * own.yaw_spread * 0.3, self.spread * own.speed_spread,
            self.spread * own.spin_spread,
        )  # fmt: skip
        return Stage(self.body, self.world, start)

    def _run(self, stage: Stage, cycle: Cycle, seed: int) -> Trial:
        return stage.run(Roll(cycle, Course(self.slope)), self.seconds, seed)

    def _finished(self, stage: Stage, x: np.ndarray, seed: int, evaluations: int) -> Cycle:
        cycle = self.cycle(x)
        trials = [self._run(stage, cycle, s) for s in self.seeds]
        made = {"character": self.body.name, "seed": seed, "evaluations": evaluations}
        return replace(
            cycle, speed=round(float(np.mean([t.speed for t in trials])), 3),
            spin=round(float(np.mean([t.spin for t in trials])), 3), lead=round(cycle.lead, 1),
            slope=float(np.rad2deg(self.slope)), made=made,
        )  # fmt: skip


def _span(channel: str) -> tuple[float, float]:
    return SPANS.get(channel, DIFFER)


def design_roll(
    style: str, character: str, start: str | None, speed: float | None, slope: float, evaluations: int, seed: int,
    progress: Callable[[float, str], None] | None = None, keep: Callable[[Cycle], None] | None = None,
) -> Cycle:  # fmt: skip
    """What `poise design roll` does; the slope in degrees."""
    begin = named(start) if start is not None else guess(style)
    if begin.style != style:
        raise BadInput(f"cycle {start!r} is a {begin.style} roll, not {style}")
    if not abs(slope) < 45:
        raise BadInput(f"slope {slope}°; give less than 45° up or down")
    angle = math.radians(slope)
    world = World(dt=STEP_S, terrain=Slope(angle) if slope else None)
    step = STEP if start is None else NEAR
    plan = Design(begin, Character.named(character), speed, angle, world=world, step=step)
    return plan.search(evaluations, seed, progress, keep)
