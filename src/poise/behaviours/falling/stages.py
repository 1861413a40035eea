"""The way down and the way up as stages: what each does, and the test with which it ends.

A stage that fails its test goes back to LIE, where the body asks again which way it lies. No stage edits the body:
each moves the targets of the joints' springs.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass

from poise.behaviours.falling import poses
from poise.behaviours.falling.passage import Key, Passage
from poise.behaviours.falling.poses import Figure, Pose
from poise.behaviours.falling.sense import Sense
from poise.behaviours.falling.springs import Hold
from poise.dynamics.state import State
from poise.geometry.easing import cubic

STATES = (
    "stand",
    "walk",
    "fall",
    "lie",
    "roll-over",
    "flat",
    "fours",
    "hop",
    "two-hops",
    "rise",
    "roll-out",
    "squat",
)
STAND, WALK, FALL, LIE, ROLL_OVER, FLAT, FOURS, HOP, TWO_HOPS, RISE, ROLL_OUT, SQUAT = range(len(STATES))
Arrow = tuple[int, str]  # the next state, and why

POSED = 0.15  # [s] in which a falling body takes its pose
LIMP = 0.05  # of the damping, without a reflex
LANDED = 0.35  # [s] after the first touch that the fall is over,
LONGEST_FALL = 2.0  # [s] or at this time
SLOWLY = 0.4  # [s] in which it takes its pose
SOFT, DAMPED = 0.4, 0.7  # of stiffness and damping of a body that lies
STILL = 0.6  # [m/s] of the root: it lies
SITS = 55.0  # [deg] of lean from the vertical: a trunk that is less so does not lie
CROUCHED = 0.22  # in heights of the CM: straightened at once, it would jump
REST = 0.3  # [s] that it lies at least before it rolls over
PATIENCE = 1.5  # [s] that it waits for that at the most
ASIDE = 0.8  # how much a side faces up: it lies on the other one
SUPINE, ON_SIDE = 0.9, 0.3  # how much the chest faces up: no side to tip over; at least on its side
NEARLY, PRONE = -0.4, -0.6  # how much the chest faces up: so little that straight limbs do the rest; prone
# ways to fall, from straight ahead [rad]: from the front's pose to a side's, and from a side's to the back's
FRONT, SIDE, BACK = (
    (math.radians(35), math.radians(75)),
    math.radians(90),
    (math.radians(105), math.radians(145)),
)
OVERHEAD = 0.3  # in heights: a hand this far from the chest towards the head's end is overhead
HIGH = 0.29  # in heights of the CM: all fours
EVEN = (0.18, 0.24)  # in heights: by which the hands may differ there, along and across
SWAY, PRESS, MOST = (
    3.0,
    6.0,
    0.5,
)  # [rad] of knees and ankles by ξ's way aside and ahead in heights, and at the most
PUSH, PUSHED = (
    12.0,
    1.5,
)  # [rad] of the shoulders by ξ's way ahead in heights, and at the most: the hands push off
TOES = 0.02  # in heights that ξ may be ahead
LEANS = 80.0  # [deg] of the trunk: leaning further ahead, it has its arms further ahead,
REACH = 60.0  # [deg] by this at the most
LINGER = 1.2  # [s] that the last pose of the hop is held at the most


@dataclass
class Body:
    """What the stages share: the body's figure, what it feels, where the targets are, and the time of a tick [s].

    A ``limp`` one falls without a reflex; a ``weak`` one hops twice where others hop once.
    """

    figure: Figure
    sense: Sense
    passage: Passage
    dt: float
    limp: bool = False
    weak: bool = False
    tries: int = 0  # to roll over that came to nothing
    hops: int = 0  # or to get from all fours to the feet

    def keys(self, *entries: tuple[Pose, float, float], mirrored: bool = False) -> list[Key]:
        pace = self.sense.pace
        return [
            Key(self.figure.joints(pose, mirrored), pace * time, pace * hold) for pose, time, hold in entries
        ]


class Stage(ABC):
    """``enter`` once, then ``update`` at every tick, until ``leave`` says where to go."""

    def __init__(self, body: Body):
        self.body, self.clock = body, 0.0

    @abstractmethod
    def enter(self, state: State) -> None: ...

    def update(self, state: State) -> Hold:
        self.clock += self.body.dt
        self.body.passage.advance(self.body.dt)
        return Hold(self.body.passage.joints)

    @abstractmethod
    def leave(self, state: State) -> Arrow | None: ...


class Fall(Stage):
    """Arms to the ground that comes, knees and hips give, the head away from it; a blend of the poses by its way."""

    def enter(self, state: State) -> None:
        self.touched = math.inf
        self._start, self._near, self._far = (state.q.copy() for _ in range(3))

    @property
    def _landed(self) -> float:
        """How far it has gone over to the pose of a body that has touched the ground."""
        return float(cubic(min(max((self.clock - self.touched) / POSED, 0.0), 1.0)))

    def _aim(self, state: State) -> None:
        """The pose for where the body is falling now, into the passage's targets."""
        body, (ahead, left) = self.body, self.body.sense.way(state)
        away, lean = abs(math.atan2(left, ahead)), body.sense.lean_deg
        side = body.figure.joints(poses.leftward(lean), mirrored=left < 0)
        if away < SIDE:
            a, b, share = (
                body.figure.joints(poses.forward(lean)),
                side,
                (away - FRONT[0]) / (FRONT[1] - FRONT[0]),
            )
        else:
            back = poses.mixed(poses.BACKWARD, poses.ON_BACK, self._landed)
            a, b, share = side, body.figure.joints(back), (away - BACK[0]) / (BACK[1] - BACK[0])
        self._near[7:], self._far[7:] = a, b
        body.passage.mix(self._near, self._far, min(max(share, 0.0), 1.0))

    def update(self, state: State) -> Hold:
        self.clock += self.body.dt
        if self.body.sense.fallen:
            self.touched = min(self.touched, self.clock)
        passage = self.body.passage
        self._aim(state)
        passage.mix(self._start, passage.q.copy(), float(cubic(min(self.clock / POSED, 1.0))))
        return Hold(passage.joints, 0.0, LIMP) if self.body.limp else Hold(passage.joints)

    def leave(self, state: State) -> Arrow | None:
        if self.clock > self.touched + LANDED:
            return LIE, "landed"
        return (LIE, "no landing") if self.clock > LONGEST_FALL else None


class Lie(Stage):
    """Soft but for the neck, until the body rests; then which way does it lie?"""

    def enter(self, state: State) -> None:
        self._firm = self.body.figure.soft(SOFT, but="neck")
        pose = poses.NEUTRAL if self.body.sense.facing < 0 else poses.CHIN_IN
        self.body.passage.begin(self.body.keys((pose, SLOWLY, 0.0)), state.q)

    def update(self, state: State) -> Hold:
        hold = super().update(state)
        hold.firm, hold.damped = self._firm, DAMPED
        return hold

    def leave(self, state: State) -> Arrow | None:
        sense = self.body.sense
        if sense.speed > STILL and self.clock < PATIENCE:
            return None
        if sense.facing < NEARLY:
            crouches = sense.height > CROUCHED and self.clock < PATIENCE
            return None if crouches else (FLAT, "nearly prone")
        sits = sense.lean_deg < SITS and self.clock < PATIENCE
        return (ROLL_OVER, "not prone") if self.clock > REST and not sits else None


class RollOver(Stage):
    """To the front over the side that is lower already: from the back, or from that side; then straight."""

    TURN = tuple(zip(poses.TURN, (0.29, 0.27, 0.36), (0.09, 0.24, 0.30)))
    TIP = tuple(zip(poses.TIP, (0.35, 0.30), (0.10, 0.15)))
    STRAIGHT = (poses.FLAT, 0.4, 0.1)

    def enter(self, state: State) -> None:
        sense = self.body.sense
        aside = abs(sense.aside) > ASIDE
        other = self.body.tries % 3 == 2 and sense.facing < SUPINE
        keys = self.body.keys(*(self.TIP if aside != other else self.TURN), mirrored=sense.aside > 0)
        self.body.passage.begin(keys, state.q)
        self._straight = False

    def update(self, state: State) -> Hold:
        passage, facing = self.body.passage, self.body.sense.facing
        prone = passage.last and facing < PRONE
        if not self._straight and (prone or (passage.done and facing < ON_SIDE)):
            self._straight = True
            passage.begin(self.body.keys(self.STRAIGHT))
        return super().update(state)

    def leave(self, state: State) -> Arrow | None:
        if not self.body.passage.done:
            return None
        facing = self.body.sense.facing
        if not self._straight and facing < ON_SIDE:
            return None
        self.body.tries = 0 if facing < PRONE else self.body.tries + 1
        return (FLAT, "prone") if facing < PRONE else (LIE, "not turned")


class Flat(Stage):
    """Prone with the arms overhead, whatever went before: everything after it starts from one pose."""

    def enter(self, state: State) -> None:
        keys = [(poses.LIFT, 0.3, 0.05), (poses.FLAT, 0.2, 0.05)]
        if not self._overhead(state):  # round by the sides: through the front they would lift the body
            keys = [(poses.OUT, 0.35, 0.05), (poses.OVER, 0.35, 0.05), *keys]
        self.body.passage.begin(self.body.keys(*keys), state.q)

    def _overhead(self, state: State) -> bool:
        sense = self.body.sense
        up, chest = sense.R[:, 2], state.data.xpos[sense.trunk]
        return all((state.xpos[i] - chest) @ up > OVERHEAD * sense.h for i in sense.hands)

    def leave(self, state: State) -> Arrow | None:
        if not self.body.passage.done:
            return None
        return (FOURS, "flat") if self.body.sense.facing < PRONE else (LIE, "not prone")


class Fours(Stage):
    """Knees in while the hands are light, then up on them; from there by the way that did not fail before."""

    def enter(self, state: State) -> None:
        self.body.passage.begin(self.body.keys((poses.CHILD, 0.5, 0.0), (poses.FOURS, 0.45, 0.15)))

    def leave(self, state: State) -> Arrow | None:
        if not self.body.passage.done:
            return None
        body, sense = self.body, self.body.sense
        if sense.height < HIGH:
            return LIE, "not on all fours"
        if not sense.hands_even(state, *EVEN):
            return LIE, "hands uneven"
        return (TWO_HOPS, "weak") if body.weak or body.hops % 2 else (HOP, "on all fours")


class Hop(Stage):
    """Both feet to the hands at once; the leg on the side that ξ leans to gets longer."""

    KEYS = tuple(zip(poses.HOP, (0.25, 0.16, 0.34), (0.0, 0.0, LINGER)))
    AIRBORNE = 0.45  # [s] before which no landing counts
    PUSHES = 1.0  # [s] in which it is on its feet, else its hands push

    def enter(self, state: State) -> None:
        self.body.passage.begin(self.body.keys(*self.KEYS))

    def update(self, state: State) -> Hold:
        hold, body = super().update(state), self.body
        ahead, left = body.sense.from_feet(state)
        press = PRESS * min(ahead, 0.0) if body.sense.footed else 0.0
        reach = self._reach(ahead) if body.passage.last else 0.0
        hold.joints = body.figure.balanced(hold.joints, _within(SWAY * left), _within(press), reach)
        return hold

    def _reach(self, ahead: float) -> float:
        """How much further ahead the arms go [rad]; back, where the body squats on its toes and leans on its hands."""
        sense = self.body.sense
        if sense.footed and self.clock > self.PUSHES * sense.pace:
            return -min(PUSH * max(ahead - TOES, 0.0), PUSHED)
        return math.radians(min(max(sense.lean_deg - LEANS, 0.0), REACH))

    def leave(self, state: State) -> Arrow | None:
        if self.clock > self.AIRBORNE * self.body.sense.pace and self.body.sense.on_feet(state):
            self.body.hops = 0
            return RISE, "on its feet"
        if not self.body.passage.done:
            return None
        self.body.hops += 1
        return LIE, "not on its feet"


class TwoHops(Hop):
    """The same way in two hops: less power."""

    KEYS = tuple(zip(poses.HOPS, (0.14, 0.12, 0.21, 0.30, 0.41), (0.0, 0.12, 0.07, 0.0, LINGER)))
    AIRBORNE, PUSHES = 0.5, 1.7


class Squat(Hop):
    """On hands and feet after a roll: the end of the hop alone."""

    KEYS = Hop.KEYS[-1:]
    AIRBORNE, PUSHES = 0.0, 0.4

    def leave(self, state: State) -> Arrow | None:
        arrow = super().leave(state)
        self.body.hops = 0  # it is no hop that failed
        return arrow


def _within(angle: float) -> float:
    return min(max(angle, -MOST), MOST)


STAGES: dict[int, type[Stage]] = {
    FALL: Fall,
    LIE: Lie,
    ROLL_OVER: RollOver,
    FLAT: Flat,
    FOURS: Fours,
    HOP: Hop,
    TWO_HOPS: TwoHops,
    SQUAT: Squat,
}
