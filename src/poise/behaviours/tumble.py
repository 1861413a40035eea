"""Tumble: stand, dive into a forward roll, roll some revolutions, come up from a squat, and stand.

::

    stand, walk --> lean --> dive --> roll --> squat --> rise --> stands
                                       ^         |
                                       '---------'  not on its feet

Lean, dive and squat are poses on the springs of the roll, and end by how far the trunk has turned; rising is the
stepper's work. A roll that stalls on its feet rises too. Every arrow is a test of the state, none a clock alone.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from poise.behaviours.falling.rise import Rise
from poise.behaviours.falling.sense import Sense
from poise.behaviours.rolling.course import TURN
from poise.behaviours.rolling.cycle import Cycle
from poise.behaviours.rolling.ends import ENDING, ENDS, ROLLS, SPAN, Ending, dive
from poise.behaviours.rolling.roll import Roll
from poise.behaviours.rolling.solver import Drive, Wanted
from poise.behaviours.stepping.recover import Recover
from poise.behaviours.stepping.step import DOUBLE
from poise.behaviours.stepping.step import STAND as STANDING
from poise.behaviours.stepping.stepper import Stepper
from poise.character import Character
from poise.control.behaviour import Behaviour, Command, Signal, Solver, Torque
from poise.control.command import Solution
from poise.dynamics.state import State
from poise.geometry import quat

STATES = ("stand", "lean", "dive", "roll", "squat", "rise", "stands")
STAND, LEAN, DIVE, ROLL, SQUAT, RISE, STANDS = range(len(STATES))
WAIT, WALKS = 0.5, 2.0  # [s] that it stands, or walks, before it leans
DIVES = math.radians(23)  # pitch of the trunk from which it dives
FACES = math.radians(15)  # a body that leans faces its course within this
YAW_SPREAD, STIR = math.radians(3), 0.05  # [rad], [rad/s]: standard deviations at the start
PATIENCE = 1.2  # [s] in which it must be on its feet
MISSES = 2  # times that it has not been
LEANING = {  # [deg]
    "spine": (11.7,), "hip": (18.0,), "knee": (5.0,), "ankle": (30.0,), "shoulder": (104.0,), "elbow": (10.0,),
    "neck": (20.0,),
}  # fmt: skip


class Tumble(Behaviour):
    """A forward roll that begins and ends standing.

    Args:
        roll: How it rolls.
        rolls: Revolutions after which it comes up; it begins to at the next chance.
        stands: Whether it begins on its feet; else it is rolling already.
        stepper: How it stands, or walks, before it rolls.
        ends: Whether it comes to its end once it stands again, or has missed its feet twice and lies there.
    """

    lies = True

    def __init__(
        self,
        roll: Roll,
        rolls: float = 3.0,
        stands: bool = True,
        stepper: Stepper | None = None,
        ends: bool = False,
    ):
        self.roll, self.rolls, self.stands, self.ends = roll, rolls, stands, ends
        self.stepper = stepper or Stepper(Recover())
        self.grip = self.stepper.grip
        self.ending: Mapping[str, tuple[float, ...]] = ENDING

    def start(self, state: State, dt: float) -> None:
        self.dt, self.sense = dt, Sense(state)
        self.roll.start(state, dt)
        self.stepper.start(state, dt)
        self._active: Stepper = self.stepper
        body, style = state.character, self.roll.cycles[0].style
        self._poses = {LEAN: Cycle(style, LEANING).table(body)[0], DIVE: dive(body, style)}
        self._ending = Ending(body, style, self.ending)
        self._signal, self.stalls = np.zeros(2), 0
        self._go(state, STAND if self.stands else ROLL)

    def around(self, usual: Solver, state: State, torque: Torque) -> Solver:
        drive = self.roll.solver(state, torque, usual.solution)
        return Switch(usual, drive)

    def update(self, state: State) -> Command | Wanted:
        self.sense.look(state)
        if self.state != ROLL:
            self.roll.attitude.update()
        to = self._next(state)
        if to is not None:
            self._go(state, to)
        self._signal[:] = self.state, self.stalls
        if self.state in (STAND, RISE, STANDS):
            return self._active.update(state)
        if self.state == ROLL:
            return self.roll.update(state)
        return self.roll.hold(state, self._pose())

    def _next(self, state: State) -> int | None:
        """The next state, if its test holds."""
        phase, clock = self.roll.attitude.phase, state.t - self._since
        if self.state == STAND:
            return LEAN if self._may_lean(clock) else None
        if self.state == LEAN:
            return DIVE if phase > DIVES else None
        if self.state == DIVE:
            return ROLL if phase > ROLLS else None
        if self.state == ROLL:
            if self.roll.stalled and self.sense.on_feet(state):
                return RISE
            asked = phase - self._first >= TURN * (self.rolls - 1.0)
            at = (phase - ENDS) % TURN
            return SQUAT if asked and at < math.radians(30) else None
        if self.state == SQUAT:
            return self._up(state, phase, clock)
        if self.state == RISE and isinstance(self._active, Rise):
            return STANDS if self._active.stands(state) else None
        return None

    def _may_lean(self, clock: float) -> bool:
        """Standing calmly, or walking, both feet on the ground, turned to its course."""
        gait = self._active.gait
        return abs(self.roll.attitude.heading) < FACES and (
            clock > WAIT and gait.calm if gait.phase == STANDING else clock > WALKS and gait.phase == DOUBLE
        )

    def _up(self, state: State, phase: float, clock: float) -> int | None:
        if phase - self._phase > 0.5 * SPAN and self.sense.on_feet(state):
            return RISE
        if clock > PATIENCE or phase - self._phase > SPAN + 0.25 * TURN:
            self.stalls += 1
            return ROLL
        return None

    def _go(self, state: State, to: int) -> None:
        self.state, self._since, self._phase = to, state.t, self.roll.attitude.phase
        if to == ROLL:
            self._first = self._phase
            self.roll.begin(state)
        elif to == SQUAT:
            self._from = self.roll.wanted.pose.copy()
        elif to == RISE:
            self._active = Rise.like(self.stepper)
            self._active.start(state, self.dt)

    def _pose(self) -> np.ndarray:
        """What the springs hold while it leans, dives or squats."""
        if self.state != SQUAT:
            return self._poses[self.state]
        return self._ending.pose(self._from, self.roll.attitude.phase - self._phase)

    # -- what others ask

    @property
    def done(self) -> bool:  # type: ignore[override]
        return self.ends and (self.state == STANDS or self.stalls >= MISSES)

    @property
    def doing(self) -> str:
        return STATES[self.state]

    @property
    def q_ref(self) -> np.ndarray:  # type: ignore[override]
        return self._active.q_ref if self.state in (STAND, RISE, STANDS) else self.roll.q_ref

    @property
    def steps(self) -> int:  # type: ignore[override]
        return self._active.steps

    def signals(self) -> dict[str, Signal]:
        return {**self.roll.signals(), "tumble": Signal(self._signal, "1", "none", ("state", "stalls"))}

    def metrics(self) -> dict[str, float]:
        return {"stands": self.state == STANDS, "stalls": self.stalls}


def upright(body: Character, heading: float, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Configuration and velocity of a body that faces a heading, turned and stirred a little by the seed."""
    q, v = body.q_rest.copy(), np.zeros(body.model.nv)
    q[3:7] = quat.multiply(quat.from_rotvec([0.0, 0.0, heading + YAW_SPREAD * rng.normal()]), q[3:7])
    v[6:] = STIR * rng.normal(size=len(v) - 6)
    return q, v


class Switch:
    """A Command goes to the usual solver, what a roll wants to its springs; both fill one solution."""

    def __init__(self, usual: Solver, drive: Drive):
        self.usual, self.drive, self.solution, self._rolls = usual, drive, usual.solution, False

    def refresh(self, wanted: Command | Wanted, two_pass: bool = True) -> None:
        self._rolls = isinstance(wanted, Wanted)
        if isinstance(wanted, Wanted):
            usual = getattr(self.usual, "usual", self.usual)  # one that hands on may be between
            usual.supports.active[:] = False  # type: ignore[attr-defined]
            self.solution.wrenches[:] = 0.0
            self.drive.refresh(wanted)
        else:
            self.usual.refresh(wanted, two_pass)

    def step(self) -> Solution:
        return self.drive.step() if self._rolls else self.usual.step()

    @property
    def acting(self) -> np.ndarray:
        """Degrees of freedom whose limits act."""
        return np.zeros(0, dtype=int) if self._rolls else self.usual.acting  # type: ignore[attr-defined]
