"""Roam: walk when a pace is asked for, recover from pushes while standing."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from poise.behaviours.stepping.recover import Recover
from poise.behaviours.stepping.step import Director, Facts, Gait, Step, Tick
from poise.behaviours.stepping.walk import AT_REST, Walk


@dataclass
class Roam(Director):
    """Two directors, one at a time: the walk has the word while it has a pace or is still moving."""

    walk: Walk
    recover: Recover = field(default_factory=Recover)

    def start(self, facts: Facts, tick: Tick, gait: Gait) -> None:
        self.period = self.walk.period
        self.walk.start(facts, tick, gait)
        self.recover.start(facts, tick, gait)

    def step(self, facts: Facts, tick: Tick, gait: Gait) -> Step | None:
        recovering = gait.step is not None and gait.step.recovery
        standing = self.walk.pace(tick.t) is None and np.linalg.norm(self.walk.velocity) < AT_REST
        if recovering or standing:  # a walk begins from standing
            return self.recover.step(facts, tick, gait)
        return self.walk.step(facts, tick, gait)

    def aim(self, facts: Facts, tick: Tick, step: Step) -> Step:
        return (self.recover if step.recovery else self.walk).aim(facts, tick, step)

    def command(self, **wishes: float) -> None:
        self.walk.command(**wishes)
