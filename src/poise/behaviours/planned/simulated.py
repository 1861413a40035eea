"""The same plan on a simulated body: its feedback sets the momenta, its contact schedule the feet, one solver the rest.

Where the kinematic body follows the model, here the model follows the body: c, L and H are measured, ∫H is read from
the posture, and the wrench that the feedback asks for becomes the wanted rates of L and H in the balance core's
program. Soles roll over heel and toe as planned, though not all of the heel's rise is followed: gaits made for this
(``gait.FLAT``) land flat. Landings are moved by what pushes have done (``footing``).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from poise.behaviours.planned.body import Body, split
from poise.behaviours.planned.course import course
from poise.behaviours.planned.footing import Footing
from poise.behaviours.planned.online import Online, Settings
from poise.behaviours.planned.reference import Reference
from poise.behaviours.planned.segments import Controller
from poise.character.constants import GRAVITY
from poise.control.behaviour import Behaviour
from poise.control.contact import Grip
from poise.control.momentum import AngularMomentum, LinearMomentum
from poise.control.objective import Objective
from poise.control.points import Orientation, Point
from poise.control.sole import RollingSole
from poise.control.solve import Command
from poise.control.tracking import PoseError, Tracking
from poise.dynamics.state import State
from poise.geometry import quat
from poise.motion.follow import Follower

LINEAR, ANGULAR = 1000.0, 40.0  # weights of the rates of L and H
ROOT, UPPER, LEGS = 40.0, 40.0, 1.0  # of the pose: the root's turn, trunk and arms, legs
STIFF, DAMPED = 12.0, 7.0  # of the pose, in g/h and √(g/h)
SWING, SWING_RATE = 300.0, 30.0  # weight of a swinging foot, and its natural frequency [rad/s]
HOLD = 3000.0, 300.0  # weights of a toe or heel that stays while its sole rolls over it: edge and pitch
HOLD_RATE = 19.0  # [rad/s] of both
TILTED = np.radians(1.0)  # from here on a sole stands on its toe or its heel
LEVEL = 1.0  # of that weight: the turn of the foot
LIFT = (-0.7, 0.8)  # bounds of the vertical rate of L, over the weight
GRIP = Grip(inset=0.012, torsion=0.3, frequency=4.0, hover=0.01, touch=0.01)
SAME = 1e-3  # [m]: a centre of mass this near to the plan's is in its place
LEAD = 0.5  # share of a landing's shift that the centre of mass takes on by the middle of double support


class Held(NamedTuple):
    """What stays of a sole that rolls."""

    edge: np.ndarray  # (3,) from the sole's centre, in the foot's axes [m]
    place: np.ndarray  # (3,) where it stays [m]
    heading: float  # of the sole [rad]
    on_toe: bool  # the heel is up; otherwise the toes are


@dataclass
class Embodied(Behaviour):
    """Walk a planned motion in physics.

    Args:
        ref, control: The motion and its feedback. shifts: Of landings, as in ``course``.
        settings: Of the feedback. footing: Gain of the moved landings, see ``Footing``.
    """

    ref: Reference
    control: Controller
    shifts: np.ndarray | None = None
    settings: Settings = field(default_factory=Settings)
    footing: float = 1.0
    grip: Grip = GRIP

    def __post_init__(self) -> None:
        self.way = course(self.ref, self.control, self.shifts)
        self.q_start, self.v_start = self._begun()

    def _begun(self) -> tuple[np.ndarray, np.ndarray]:
        """Pose and velocity at the start: the clip's, or where its legs are too short for that, the plan's.

        A captured pose may be centimetres above what the plan asks, and drop: then soles begin on their prints, and c
        and the momenta as the plan has them.
        """
        ref, first = self.ref, self.control.segments[0].start
        online, body = Online(self.control, self.way, self.settings), Body(ref, self.way, first)
        body.follower.at(ref.q[first])
        if abs(body.follower.c[2] - online.x[2]) < SAME:
            return ref.q[first], ref.v[first]
        body.follower.at(body.q)
        online.decide()
        ahead, q = online.peek(np.zeros(3), np.zeros(3)), body.q.copy()
        body.prepare(online.x, ahead, online.frame + online.rate, online.rate, None)
        body.move(online.x, ahead)
        return q, body.v

    def start(self, state: State, dt: float) -> None:
        self.online = Online(self.control, self.way, self.settings)
        self._ticks = dt / self.ref.h  # frames of the clip in one tick
        self._error, self._away = PoseError(state.tree), np.zeros(state.nv)
        self._v_dot, self._none = np.zeros(state.nv), np.zeros(state.nv)
        upper = Follower(state.character).upper
        self._upper, weight = upper, np.where(upper > 0, UPPER, LEGS)
        weight[:3], weight[3:6] = 0.0, ROOT
        self._tracking = Tracking(self._v_dot, weight)
        self._height = float(state.character.com_rest[2])
        rate = float(np.sqrt(GRAVITY / self._height))
        self._k, self._d = np.full(state.nv, STIFF * rate**2), np.full(state.nv, DAMPED * rate)
        self._order = [state.character.stance.index(s.name) for s in state.character.supports]
        self._bodies = [state.tree.body(s.body) for s in state.character.supports]
        self.feet = Footing(self.ref, self.way, rate, self.footing)
        self._down = np.array([self.ref.feet.on[0, i].any() for i in self._order])
        self._levels, self.steps = np.zeros(len(self._order)), 0
        self._held: dict[int, Held] = {}
        self.q_ref = self.q_start

    def update(self, state: State) -> Command:
        online, ref, feet = self.online, self.ref, self.feet
        k, part = split(online.frame, ref.frames)
        down = self._contacts(state, min(int(online.frame + 0.5), ref.frames - 1))
        self.q_ref = ref.q[k]
        self._error(state.q, self.q_ref, self._away)
        pace = online.rate
        swinging = np.flatnonzero(~down)
        if len(swinging):
            online.aim[:2] = LEAD * feet.aim(state.c, state.c_dot, k, pace, self._order[swinging[0]])
        online.x[:3], online.x[3:6], online.x[9:] = state.c - feet.anchor, state.L, state.H
        online.x[6:9] = ref.x[k, 6:9] - state.A_H @ (self._upper * self._away)
        piece = online.index
        online.decide()
        pace = online.rate
        self._error.law(
            state.q, state.v, self.q_ref, pace * ref.v[k], self._none, self._k, self._d, self._v_dot
        )
        rate = online.wanted[:3] + state.weight
        rate[2] = np.clip(rate[2], LIFT[0] * state.m * GRAVITY, LIFT[1] * state.m * GRAVITY)
        linear = LinearMomentum(rate, (LINEAR, LINEAR, LINEAR), self._height)
        angular = AngularMomentum(online.wanted[3:].copy(), (ANGULAR, ANGULAR, ANGULAR), self._height)
        others = self._swings(state, k, part, pace, down)
        online.tick(self._ticks, pace)
        if online.index != piece:
            online.aim[:] = 0.0
        led = self._roll(state, k, pace, down, others)
        return Command(self._tracking, linear, angular, down, others, led)

    def _contacts(self, state: State, k: int) -> np.ndarray:
        """Which supports are planted; one that has just come down anchors the plan, and its tread is its ground."""
        down = np.array([self.ref.feet.on[k, i].any() for i in self._order])
        for s in np.flatnonzero(down & ~self._down):
            i = self._order[s]
            self.feet.land(state.xpos[self._bodies[s]], k, i)
            self._levels[s] = self.way.shift[k, i, 2]
            self.steps += 1
        for s in np.flatnonzero(self._down & ~down):
            self.feet.lift(state.xpos[self._bodies[s]], k, self._order[s])
        self._down = down
        return down

    def _roll(
        self, state: State, k: int, pace: float, down: np.ndarray, others: list[Objective]
    ) -> np.ndarray:
        """Soles that roll over an edge (S,): the toe, or the heel that landed, stays; the pitch is the plan's."""
        led = np.zeros(len(down), bool)
        for s in range(len(down)):
            pitch, faster = self._pitch(k, s)
            led[s] = down[s] and abs(pitch) > TILTED
            if not led[s]:
                self._held.pop(s, None)
                continue
            on_toe = pitch > 0.0
            if s not in self._held or self._held[s].on_toe != on_toe:
                self._held[s] = self._hold(state, s, on_toe)
            held, rate = self._held[s], pace / self.ref.h * faster
            others.append(
                RollingSole(
                    s,
                    held.edge,
                    held.place,
                    held.heading,
                    pitch,
                    HOLD_RATE**2,
                    2 * HOLD_RATE,
                    HOLD,
                    rate=rate,
                )
            )
        return led

    def _pitch(self, k: int, s: int) -> tuple[float, float]:
        """Of a sole in the plan's frame k, heel up [rad], and how much it grows by the next frame."""
        turn = self.ref.feet.turn[[k, min(k + 1, self.ref.frames - 1)], self._order[s]]
        now, after = np.arcsin(-quat.rotate(turn, np.array([1.0, 0.0, 0.0]))[:, 2])
        return float(now), float(after - now)

    def _hold(self, state: State, s: int, on_toe: bool) -> Held:
        """The edge of a sole that begins to roll, where it is now."""
        edge, x = _end(state.character.supports[s].points, 1.0 if on_toe else -1.0), state.R[s][:, 0]
        at = state.x[s] + state.R[s] @ edge
        return Held(edge, np.append(at[:2], self._levels[s]), float(np.arctan2(x[1], x[0])), on_toe)

    def _swings(self, state: State, k: int, part: float, pace: float, down: np.ndarray) -> list[Objective]:
        """Feet in the air follow their path over the course, moved to where they shall land."""
        found: list[Objective] = []
        place, h, feet = self.way.place, self.ref.h, self.feet
        after, before = min(k + 1, len(place) - 1), max(k - 1, 0)
        for s in np.flatnonzero(~down):
            support, i = state.character.supports[s], self._order[s]
            aside, faster = feet.swing(k + part, i)
            x = (1 - part) * place[k, i] + part * place[after, i] + aside
            speed = pace / h * ((place[after, i] - place[before, i]) / (after - before) + faster)
            stiff, damped = SWING_RATE**2, 2 * SWING_RATE
            found.append(Point(support.body, (0, 0, 0), x, speed, stiff, damped, SWING))
            turn, spin = self.ref.feet.turned(k, i)
            turn = quat.multiply(quat.from_rotvec(part * spin), turn)
            spin = pace / h * spin
            found.append(Orientation(support.body, turn, False, stiff, damped, LEVEL * SWING, spin))
        return found


def _end(points: np.ndarray, way: float) -> np.ndarray:
    """Middle of a sole's front edge (3,), or for a ``way`` of -1 its rear one, from its centre, in its axes [m]."""
    ahead = way * points[:, 0]
    return points[ahead > ahead.max() - 0.01].mean(axis=0) - points.mean(axis=0)
