"""Roam: stand and step where a push needs it, walk as soon as a velocity or a place is asked for."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from poise.behaviours.stepping.recover import Recover
from poise.behaviours.stepping.step import Director, Facts, Gait, Step, Tick
from poise.behaviours.stepping.walk import AT_REST, Always, Pace, Walk
from poise.errors import BadInput

ARRIVED = 0.12  # [m] from the place: near enough
QUICK = 0.7  # [m/s] on the way to a place
EASE = 0.8  # [1/s]: speed asked for over the distance that is left
TURN = 0.9  # [1/s]: turn asked for over the angle that is left
FACED = math.radians(6.0)  # from where it should face: near enough
FASTEST_TURN = math.radians(45.0)  # [rad/s]


@dataclass
class Roam(Director):
    """Two directors under one roof: ``Walk`` while there is somewhere to go, ``Recover`` else.

    ``face`` is a heading to turn to at the start [rad].
    """

    walk: Walk = field(default_factory=lambda: Walk(Always()))
    recover: Recover = field(default_factory=Recover)
    face: float | None = None

    def start(self, facts: Facts, tick: Tick, gait: Gait) -> None:
        self.walk.start(facts, tick, gait)
        self.recover.start(facts, tick, gait)
        self.walking, self.goal, self.facing = False, None, self.face

    def step(self, facts: Facts, tick: Tick, gait: Gait) -> Step | None:
        if self.goal is not None:
            self._head_for(self.goal, tick, gait)
        elif self.facing is not None:
            self._turn_to(self.facing, gait)
        walk = self.walk
        if walk.pace(tick.t) is None and float(np.linalg.norm(walk.velocity)) < AT_REST:
            self.walking = False
            return self.recover.step(facts, tick, gait)
        if not self.walking:
            walk.clock, walk.path_heading, self.walking = math.nan, gait.facing, True
            walk.velocity[:] = 0.0
        return walk.step(facts, tick, gait)

    def aim(self, facts: Facts, tick: Tick, step: Step) -> Step:
        return (self.walk if self.walking else self.recover).aim(facts, tick, step)

    def instead(self, facts: Facts, tick: Tick, gait: Gait) -> Step | None:
        return None if self.walking else self.recover.instead(facts, tick, gait)

    def command(self, **wishes: float) -> None:
        """As of a walk, or ``x`` and ``y`` [m]: the place to go to."""
        if not wishes.keys() & {"x", "y"}:
            self.walk.command(**wishes)
            self.goal = self.facing = None
        elif wishes.keys() != {"x", "y"} or not all(math.isfinite(v) for v in wishes.values()):
            raise BadInput(f"a place to go to is x and y, finite and nothing else; given: {wishes}")
        else:
            self.goal = (wishes["x"], wishes["y"])

    def _turn_to(self, heading: float, gait: Gait) -> None:
        """Ask the walk to turn on the spot."""
        angle = _wrapped(heading - gait.facing)
        if abs(angle) < FACED:
            self.facing = None
            self.walk.command(speed=0.0, side=0.0, turn=0.0)
            return
        self.walk.pace = Always(Pace(0.0, 0.0, min(max(TURN * angle, -FASTEST_TURN), FASTEST_TURN)))

    def _head_for(self, goal: tuple[float, float], tick: Tick, gait: Gait) -> None:
        """Ask the walk for a velocity towards a place: turn to it where it is far, shuffle where it is near."""
        ahead = np.array(goal) - tick.centre
        far = float(np.linalg.norm(ahead))
        if far < ARRIVED:
            self.goal = None
            self.walk.command(speed=0.0, side=0.0, turn=0.0)
            return
        angle = _wrapped(math.atan2(ahead[1], ahead[0]) - gait.facing)
        speed, turn = min(QUICK, EASE * far), 0.0
        if far > 0.6:
            turn = min(max(TURN * angle, -FASTEST_TURN), FASTEST_TURN)
            speed *= max(math.cos(angle), 0.0)
            pace = Pace(speed, 0.0, turn)
        else:
            pace = Pace(speed * math.cos(angle), 0.6 * speed * math.sin(angle), turn)
        self.walk.pace = Always(pace)


def _wrapped(angle: float) -> float:
    """The same angle, within half a revolution."""
    return (angle + math.pi) % (2 * math.pi) - math.pi
