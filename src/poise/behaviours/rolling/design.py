"""Search for a cycle: CMA-ES on rollouts with springs alone turns a few guessed key poses into a roll that goes on.

The momentum program steers a good cycle, but does not rescue a poor one; so the search leaves it out, which is also
cheaper. What is judged: uninterrupted revolutions, then flight, tilt, effort, weight on the head, the speed asked for,
and the distance from the guess, which keeps the style. A search may begin on a decline, where gravity helps over the
part that fails on the flat, and come to its own ground by a ladder of slopes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from poise.behaviours.rolling.course import Course
from poise.behaviours.rolling.cycle import Cycle
from poise.behaviours.rolling.roll import Roll, Start
from poise.behaviours.rolling.trial import Stage, Trial
from poise.character import Character
from poise.errors import BadInput
from poise.worlds.terrain import Slope
from poise.worlds.world import World

SPANS = {  # range of a channel's keys [deg]; a key may be overdriven beyond its joint's stop
    "spine": (-15, 60), "neck": (-40, 75), "hip": (-10, 155), "knee": (0, 155), "ankle": (-45, 35),
    "shoulder": (-40, 180), "elbow": (0, 140), "hip_out": (-10, 35), "shoulder_out": (-8, 90),
    "side": (-15, 15), "twist": (-20, 20), "hip_turn": (-25, 25), "shoulder_turn": (-60, 60), "wrist": (-25, 35),
}  # fmt: skip
DIFFER = (-100, 100)  # range of a difference of the sides [deg]
STEP_S, GAP = 1.0 / 300.0, 0.01  # [s] of the engine, [m] at which it lists contacts
CLIMB = 0.5  # of a generation rolls on: then the next slope of the ladder
WIDE = 0.04  # least step of the search on a new slope
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
    spin: float = 0.0  # and of the spin
    away: float = 6.0  # mean square distance from the guess, of the ranges

    def cost(
        self, trial: Trial, away: float, speed: float | None, seconds: float, spin: float | None = None
    ) -> float:
        """Of one rollout that was to last so long; less is better. Turning faster than asked for earns nothing.

        What is not wanted counts by the share of the time rolled, or else the way to the first revolution would cost
        more than it earns.
        """
        missed = 0.0 if speed is None else abs(trial.speed / speed - 1.0)
        turned = 0.0 if spin is None else abs(trial.spin / spin - 1.0)
        most = trial.revolutions if spin is None else min(trial.revolutions, spin * seconds)
        unwanted = (
            self.air * trial.air + self.tilt * trial.tilt + self.effort * trial.effort + self.head * trial.head
            + self.leap * max(0.0, trial.height - LEAP) + self.speed * min(missed, 1.0)
            + self.spin * min(turned, 1.0)
        )  # fmt: skip
        share = min(trial.seconds / seconds, 1.0)
        return -self.revolution * most + share * unwanted + self.away * away


BOTH = Judge(speed=25.0, spin=25.0, away=1.0)  # where speed and spin are asked for: metres a revolution
LEAP = 0.75  # [m]: a centre of mass higher than this left the ground or stood up


@dataclass(frozen=True)
class Design:
    """One search.

    Args:
        guess: Cycle to begin with; its channels are what is searched.
        body: Who rolls.
        speed, spin: To roll at [m/s], [rev/s]; any where None.
        slope: Of the ground [rad].
        ladder: Slopes to roll on first [rad].
        seconds: Of a rollout.
        seeds: One rollout each; their start errors are drawn as in the scenes, but smaller by ``spread``.
        world: Where; its ground gets the slope.
        step: First step of the search, of a channel's range.
    """

    guess: Cycle
    body: Character
    speed: float | None = None
    slope: float = 0.0
    ladder: Sequence[float] = ()
    seconds: float = 6.0
    seeds: Sequence[int] = (0,)
    spread: float = 0.5
    world: World = field(default_factory=lambda: World(dt=STEP_S, gap=GAP, firm=True))
    judge: Judge = Judge()
    step: float = STEP
    spin: float | None = None

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
        slopes, x0 = [*self.ladder, self.slope], np.clip(self.vector(self.guess), 0.01, 0.99)
        options = {"seed": seed + 1, "verbose": -9, "bounds": [0.0, 1.0], "maxfevals": evaluations}
        engine = cma.CMAEvolutionStrategy(x0, self.step, options)
        stage, best, best_cost, done, rounds = self._stage(slopes[0]), x0, np.inf, 0, 0
        while not engine.stop() and done < evaluations:
            asked = engine.ask()
            found = [self.judged(stage, x) for x in asked]
            costs = [cost for cost, _ in found]
            engine.tell(asked, costs)
            done, rounds = done + len(asked), rounds + 1
            if min(costs) < best_cost:
                best_cost, best = min(costs), asked[int(np.argmin(costs))]
            if keep is not None and rounds % KEEP == 0:
                keep(self._finished(stage, best))
            if progress is not None:
                ground = f" on {np.degrees(stage.slope):.3g}°" if self.ladder else ""
                progress(
                    done / evaluations, f"{done} rollouts of {evaluations}{ground}, cost {best_cost:.2f}"
                )
            if len(slopes) > 1 and np.mean([on for _, on in found]) >= CLIMB:
                slopes = slopes[1:]
                stage, best_cost, engine.sigma = self._stage(slopes[0]), np.inf, max(engine.sigma, WIDE)
        middle = engine.result.xfavorite  # the mean of the search: less lucky than its best sample
        stage, others = self._stage(self.slope), [s + 1000 for s in self.seeds]
        return self._finished(stage, min((best, middle), key=lambda x: self.judged(stage, x, others)[0]))

    def judged(self, stage: Stage, x: np.ndarray, seeds: Sequence[int] | None = None) -> tuple[float, bool]:
        """Mean cost over the seeds, and whether it rolled on in all of them; what stalls is not run again."""
        cycle = self.cycle(x)
        away = float(np.mean((x - self.vector(self.guess)) ** 2))
        costs: list[float] = []
        for seed in self.seeds if seeds is None else seeds:
            trial = stage.run(Roll(cycle, Course(stage.slope)), self.seconds, seed)
            costs.append(self.judge.cost(trial, away, self.speed, self.seconds, self.spin))
            if not self._on(trial):
                return float(np.mean(costs)), False
        return float(np.mean(costs)), True

    def _on(self, trial: Trial) -> bool:
        return trial.seconds >= ENOUGH * self.seconds

    def vector(self, cycle: Cycle) -> np.ndarray:
        """Keys, and the lead, as numbers from 0 to 1."""
        parts = []
        for name, values in cycle.keys.items():
            low, high = SPANS.get(name, DIFFER)
            parts.append((np.array(values) - low) / (high - low))
        return np.concatenate([*parts, [cycle.lead / 60.0 + 0.5]])

    def cycle(self, x: np.ndarray) -> Cycle:
        """The cycle of such numbers."""
        keys, at = {}, 0
        for name, values in self.guess.keys.items():
            low, high = SPANS.get(name, DIFFER)
            part = x[at : at + len(values)] * (high - low) + low
            keys[name], at = tuple(float(v) for v in part), at + len(values)
        return replace(self.guess, keys=keys, lead=float(60.0 * (x[-1] - 0.5)))

    def _stage(self, slope: float) -> Stage:
        own = Start()
        start = Start(
            self.speed, None, self.spread * own.yaw_spread * 0.3, self.spread * own.speed_spread,
            self.spread * own.spin_spread,
        )  # fmt: skip
        return Stage(self.body, replace(self.world, terrain=Slope(slope) if slope else None), start, slope)

    def _finished(self, stage: Stage, x: np.ndarray) -> Cycle:
        """With the speed and spin of its own, where it rolls on; rounded as files are, so that a file is the same."""
        cycle = self.cycle(x)
        trials = [stage.run(Roll(cycle, Course(stage.slope)), self.seconds, s) for s in self.seeds]
        if all(self._on(t) for t in trials):
            speed, spin = (float(np.mean([getattr(t, k) for t in trials])) for k in ("speed", "spin"))
            cycle = replace(cycle, speed=round(speed, 3), spin=round(spin, 3))
        keys = {k: tuple(round(float(a), 1) for a in v) for k, v in cycle.keys.items()}
        return replace(
            cycle, keys=keys, lead=round(cycle.lead, 1), slope=round(float(np.rad2deg(stage.slope)), 3)
        )
