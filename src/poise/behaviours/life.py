"""Life: the supervisor over everything else. What a body does while it is up, and how it comes back when it is not.

::

    stand, walk --> fall --> lie --> roll-over --> flat --> fours --> hop --> rise --> stand, walk
         ^            |       ^ '------------------^                           |  ^
         '            |       '------- any stage whose test fails -------------'  |
         '            '--> roll-out (fast, ahead) --------------------------------'

One rule an arrow: those out of ``stand`` and ``walk`` and out of ``rise`` are here, the others in ``falling.stages``.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from poise.behaviours.falling.bruises import Bruises
from poise.behaviours.falling.passage import Passage
from poise.behaviours.falling.poses import Figure
from poise.behaviours.falling.rise import Rise
from poise.behaviours.falling.roll_out import RollOut, can, fits
from poise.behaviours.falling.sense import Sense
from poise.behaviours.falling.springs import Either, Hold, Springs
from poise.behaviours.falling.stages import (
    FALL,
    LIE,
    RISE,
    ROLL_OUT,
    STAGES,
    STAND,
    STATES,
    WALK,
    Arrow,
    Body,
    Stage,
)
from poise.behaviours.following.follow import Follow
from poise.behaviours.stepping.recover import Recover
from poise.behaviours.stepping.stepper import Stepper
from poise.control.behaviour import Behaviour, Command, Signal, Solver, Torque
from poise.control.hybrid import HybridSolver
from poise.control.solve import RobustSolver
from poise.dynamics.state import State

OUT_OF_REACH = 0.76  # in heights: ξ this far from the nearest foot is caught by no step (0.75 m for a man)
OFF_COURSE = (
    0.45  # in heights: ξ this far off a clip's course is caught by none of its steps (the best catch 1.4 m/s)
)
TOO_LOW = 0.6  # of the height at rest, or of the lowest that it goes to: the balance is lost
SINKS = (
    0.35  # in √(g h): nor does a body that goes down this much faster than it means to (1.1 m/s for a man)
)
BOTH = 1.1  # the sum of both, in parts of these: steps that caught a body stayed below 1;
DUCKS = 0.5  # of ξ's part: with less, it goes down of its own will
HEAD_DOWN = 85.0  # [deg] of lean: the reflex must begin
WEAK = 0.85  # of the torques: with less, it hops twice where others hop once
LONGEST_RISE = 6.0  # [s]
ROLLS = 0.05, 0.2  # [s] of a fall in which it may become a roll


class Life(Behaviour):
    """A body that gets up again.

    Args:
        daily: What it does while it is up. It resumes whenever the body is up again; if nothing is left of it, the
            body stands.
        stepper: How it steps while it rises; that of ``daily`` where that is one.
        effort: Part of the body's torques that it may use.
        down: Whether it begins on the ground.
        limp: Whether it falls without a reflex, its joints only damped: to compare with.
        rolls: Whether a fast fall ahead becomes a roll, where the body has the strength and the joints for it.
    """

    def __init__(
        self,
        daily: Behaviour,
        stepper: Stepper | None = None,
        effort: float = 1.0,
        down: bool = False,
        limp: bool = False,
        rolls: bool = True,
    ):
        self.rolls = rolls
        self.daily, self.effort, self.lies, self.limp = daily, effort, down, limp
        self.stepper = stepper or (daily if isinstance(daily, Stepper) else Stepper(Recover()))
        self.grip = daily.grip

    def start(self, state: State, dt: float) -> None:
        self.dt, self.reasons = dt, ["begin"]
        sense = self.sense = Sense(state)
        self._body = Body(Figure(state.character), sense, Passage(state), dt, self.limp, self.effort < WEAK)
        sense.look(state)
        self._rolls = self.rolls and not self.limp and self.effort >= WEAK and can(state.character)
        self.bruises = Bruises(state, sense)
        self.falls, self.up_again, self.time_down = 0, 0, []
        self._since, self._steps = state.t, 0
        self._life = np.zeros(3)
        self._stage: Stage | None = None
        self.daily.start(state, dt)
        self._kept = {name: s._replace(values=s.values.copy()) for name, s in self.daily.signals().items()}
        self._active: Behaviour = self.daily
        self.state, self._why = STAND, 0
        self.lowest = self.daily.lowest
        if self.lies:
            self.lay(state, "begins down")

    def lay(self, state: State, why: str) -> None:
        """It is on the ground now, not by a fall of this supervisor's."""
        self.sense.look(state)
        self.falls += 1
        self._fell = state.t
        self._go(state, (LIE, why))

    def around(self, usual: Solver, state: State, torque: Torque) -> Solver:
        assert isinstance(usual, (RobustSolver, HybridSolver))
        self.daily.around(usual, state, torque)
        return Either(
            usual, Springs(state, torque, usual.solution), lambda: self.bruises.feel(state, self.state)
        )

    # -- at every tick

    def update(self, state: State) -> Command | Hold:
        self.sense.look(state)
        arrow = self._arrow(state)
        if arrow is not None:
            self._go(state, arrow)
        wish = self._active.update(state) if self._stage is None else self._stage.update(state)
        if self.state in (STAND, WALK):
            self.state = WALK if self._moves() else STAND
        self._tell()
        return wish

    def _moves(self) -> bool:
        gait = getattr(self.daily, "gait", None)
        return gait is not None and gait.step is not None

    def _arrow(self, state: State) -> Arrow | None:
        """Where to go from here, and why."""
        if self._stage is not None:
            return (ROLL_OUT, "fast, ahead") if self._rolls_out(state) else self._stage.leave(state)
        lost = self._lost()
        if self.state == RISE:
            return self._risen(state, lost)
        return (FALL, lost) if lost else None

    def _rolls_out(self, state: State) -> bool:
        """Whether a fall that has just begun becomes a roll."""
        early = ROLLS[0] <= state.t - self._entered <= ROLLS[1]
        return self._rolls and self.state == FALL and early and fits(self.sense, state)

    def _lost(self) -> str:
        """Why the body cannot stay up; empty while it can."""
        sense, rising = self.sense, self.state == RISE
        if self._astray():
            return "no step can catch it"
        if sense.low if rising else sense.fallen:
            return "touched the ground"
        if rising:
            return ""
        if sense.lean_deg > HEAD_DOWN and not isinstance(self.daily, Follow):  # a clip may bow
            return "head down"
        return "too low" if sense.height <= TOO_LOW * min(1.0, self.daily.lowest / sense.h) else ""

    def _astray(self) -> bool:
        """Whether ξ is too far from the nearest foot, all the more so while the body sinks.

        Where a clip runs ahead of its own feet: from its course.
        """
        sense, daily = self.sense, self._active
        far, most, down = float(np.linalg.norm(sense.xi - sense.nearest_foot)), OUT_OF_REACH, 0.0
        if isinstance(daily, Follow):
            down = daily.sinking
            if math.isfinite(daily.off_course):
                far, most = daily.off_course, OFF_COURSE
        away, sinks = far / (most * sense.h), (down - sense.down) / (SINKS * math.sqrt(sense.g * sense.h))
        return away > 1.0 or (self.state != RISE and away > DUCKS and away + max(sinks, 0.0) > BOTH)

    def _risen(self, state: State, lost: str) -> Arrow | None:
        rise = self._active
        assert isinstance(rise, Rise)
        if lost:
            return FALL, lost
        if rise.stands(state):
            return STAND, "stands"
        if rise.posture.lost(state):
            return LIE, "too low"
        return (FALL, "does not come up") if state.t - self._entered > LONGEST_RISE else None

    def _go(self, state: State, arrow: Arrow) -> None:
        before, (self.state, why) = self.state, arrow
        if why not in self.reasons:
            self.reasons.append(why)
        self._why, self._entered = self.reasons.index(why), state.t
        if before in (STAND, WALK) and self.state == FALL:
            self._fallen(state)
        if self.state == STAND:
            self._up(state)
        elif self.state == RISE:
            self._hand_over(state, Rise.like(self.stepper))
        else:
            self._stage = (RollOut if self.state == ROLL_OUT else STAGES[self.state])(self._body)
            self._stage.enter(state)

    def _hand_over(self, state: State, to: Behaviour) -> None:
        """From the springs, or from another behaviour, to one that solves."""
        self._steps += self._active.steps
        self._stage, self._active = None, to
        begin = to.resume if to is self.daily else to.start
        begin(state, self.dt)

    def _fallen(self, state: State) -> None:
        self.falls += 1
        self._fell = state.t
        self.bruises.begin()

    def _up(self, state: State) -> None:
        self.up_again += 1
        self.time_down.append(round(state.t - self._fell, 3))
        if isinstance(self.daily, Stepper):
            self.daily.since = self._since
        self._hand_over(state, self.daily)
        if self.daily.done:
            self._hand_over(state, self.stepper)

    @property
    def done(self) -> bool:  # type: ignore[override]
        """With the daily behaviour, while it is up."""
        return self.daily.done and self._stage is None and self.state in (STAND, WALK)

    # -- what others ask

    @property
    def steps(self) -> int:  # type: ignore[override]
        return self._steps + self._active.steps

    @property
    def q_ref(self) -> np.ndarray:  # type: ignore[override]
        return self._active.q_ref if self._stage is None else self._body.passage.q

    @property
    def doing(self) -> str:
        up = self.state in (STAND, WALK)
        return (self.daily.doing if up else "") or STATES[self.state]

    @property
    def period(self) -> float | None:
        return self.daily.period

    def command(self, **wishes: float) -> None:
        self.daily.command(**wishes)

    def signals(self) -> dict[str, Signal]:
        """Which state, why, how often it fell; and what the daily behaviour tells, nan while it does not act."""
        return {"life": Signal(self._life, "1", "none", ("state", "why", "falls")), **self._kept}

    def _tell(self) -> None:
        self._life[:] = self.state, self._why, self.falls
        told = self.daily.signals() if self._active is self.daily and self._stage is None else {}
        for name, kept in self._kept.items():
            kept.values[:] = told[name].values if name in told else math.nan

    def metrics(self) -> dict[str, Any]:
        return {
            "falls": self.falls, "up_again": self.up_again, "time_down_s": list(self.time_down),
            "head_speed_ms": list(self.bruises.speeds), "state_final": STATES[self.state],
        }  # fmt: skip
