"""Roll out: a fast fall ahead becomes a forward roll over hands and back that ends on the feet.

The body dives until its trunk has turned far enough, follows the shipped cycles of the forward roll by springs, locked
to how far it has turned, and leaves them for a squat; from there it rises.
"""

from __future__ import annotations

import math

import numpy as np

from poise.behaviours.falling.sense import Sense
from poise.behaviours.falling.springs import Hold, gains
from poise.behaviours.falling.stages import LIE, POSED, RISE, SQUAT, Arrow, Stage
from poise.behaviours.rolling import springs as rolling
from poise.behaviours.rolling.course import TRUNK, TURN, Attitude, Course, Facing
from poise.behaviours.rolling.cycle import CHANNELS, shipped
from poise.behaviours.rolling.ends import ENDS, SPAN, Ending, dive
from poise.behaviours.rolling.joints import Joints, rotations
from poise.behaviours.rolling.speeds import Gears
from poise.character import Character
from poise.dynamics.state import State
from poise.geometry.easing import cubic

FAST = 0.51  # in √(g h), of the CM: slower, it would not get round (1.6 m/s for a man)
AHEAD = math.cos(
    math.radians(30)
)  # between where it goes and where the trunk faces; further aslant, one arm lands
# alone and lets the head down
UPRIGHT = 0.2  # cosine of the trunk's lean: later than this there is no time to dive
AGAIN = 0.96  # in √(g h): faster than this at the end of a turn, it makes another one (3 m/s)
TURNS = 3  # at the most
SPEEDS = 1.4, 2.4  # [m/s] of the cycles for a man
OVER = math.radians(85)  # turn of the trunk from which it rolls; sooner, arms that give way let the head down
WAIT, STALLED = 0.6, math.radians(25)  # turned by less than this for so long [s]: it does not roll on
GUARDS = "shoulder", "elbow", "neck"  # joints that have the pose of the dive until then in another turn, too,
STRAIGHT = math.cos(
    math.radians(20)
)  # where it goes this straight ahead; aslant, an arm that lands alone is no guard
CYCLES = "forward", "forward-slow", "forward-fast"


def can(body: Character) -> bool:
    """Whether a body has the trunk and the joints of the cycles, and a neck of one joint, which they tuck."""
    joints, necks = Joints(body), [name for name in body.joint_names if name.startswith("neck")]
    needed = [angle for key in shipped()[CYCLES[0]].keys for angle, _ in CHANNELS[key]]
    whole = all(part in body.body_names for part in TRUNK) and None not in map(joints.place, needed)
    return whole and len(necks) == 1


def fits(sense: Sense, state: State) -> bool:
    """Whether a body that falls goes ahead fast enough, with nothing down yet and its trunk still up."""
    vx, vy = (state.L[:2] / state.m).tolist()
    speed, face = math.hypot(vx, vy), sense.R[:2, 0]
    along = float(vx * face[0] + vy * face[1]) / max(speed * float(np.linalg.norm(face)), 1e-9)
    fast = speed > FAST * math.sqrt(sense.g * sense.h)
    return fast and along > AHEAD and float(sense.R[2, 2]) > UPRIGHT and not sense.fallen


class RollOut(Stage):
    """Dive, roll, squat."""

    def enter(self, state: State) -> None:
        body, R = state.character, self.body.sense.R
        self._head(state, math.atan2(float(R[1, 0]), float(R[0, 0])))
        self._joints, speed = Joints(body), _speed(state) / self.body.sense.pace
        cycles = [shipped()[name] for name in CYCLES]
        self._gears = Gears(cycles, body, min(max(speed, SPEEDS[0]), SPEEDS[1]), self.body.dt)
        self._ending, self._dive = Ending(body), dive(body)
        self._pose, self._left = self._dive.copy(), self._dive.copy()
        self._guards, self._reaches = self.body.figure.parts(*GUARDS), False
        self._start, self._goal = state.q.copy(), state.q.copy()
        own, usual = rolling.gains(body), gains(body)
        self._firm, self._damped = own[0] / usual[0], own[1] / usual[1]
        self._turns, self._rolls, self._ends = (
            0,
            False,
            math.inf,
        )  # whether it rolls; the phase at which it left the cycle

    def _head(self, state: State, heading: float) -> None:
        """Turn about what lies across a heading, seen from now on."""
        self._heading, self.attitude = heading, Attitude(state, Facing.of("forward"), Course(0.0, heading))
        self._past = [-math.inf] * max(round(WAIT / self.body.dt), 1)  # phases of the last while

    def update(self, state: State) -> Hold:
        self.clock += self.body.dt
        self.attitude.update()
        if self.attitude.phase > ENDS and math.isinf(self._ends):
            self._end(state)
        self._aim()
        rotations(self._joints, self._pose, self._goal[7:])
        self.body.passage.mix(self._start, self._goal, float(cubic(min(self.clock / POSED, 1.0))))
        return Hold(self.body.passage.joints, self._firm, self._damped)

    def _end(self, state: State) -> None:
        """Leave the cycle, or make another turn to where it faces by now."""
        self._turns += 1
        fast = _speed(state) > AGAIN * math.sqrt(self.body.sense.g * self.body.sense.h)
        if fast and self._turns < TURNS:
            self._head(state, self._heading + self.attitude.heading)
            vx, vy = state.L[:2] / max(float(np.linalg.norm(state.L[:2])), 1e-9)
            self._reaches = vx * math.cos(self._heading) + vy * math.sin(self._heading) > STRAIGHT
        else:
            self._ends, self._left[:] = self.attitude.phase, self._pose

    def _aim(self) -> None:
        """The pose for how far the body has turned."""
        phase = self.attitude.phase
        self._rolls = self._rolls or phase > OVER
        if math.isfinite(self._ends):
            self._pose[:] = self._ending.pose(self._left, phase - self._ends)
        elif self._rolls:
            self._gears.pose((phase + self._gears.lead) / TURN, self._pose)
            if self._reaches and phase < OVER:  # arms about the knees would let the head down
                self._pose[self._guards] = self._dive[self._guards]

    def leave(self, state: State) -> Arrow | None:
        sense, turned = self.body.sense, self.attitude.phase - self._ends
        self._past.append(self.attitude.phase)
        stalls = self.attitude.phase - self._past.pop(0) < STALLED
        if turned > 0.5 * SPAN and sense.on_feet(state):
            return RISE, "rolled to its feet"
        if turned > SPAN and sense.footed and not sense.low:
            return SQUAT, "rolled to hands and feet"
        return (LIE, "does not roll on") if stalls or turned > SPAN + 0.25 * TURN else None


def _speed(state: State) -> float:
    return float(np.linalg.norm(state.L[:2])) / state.m
