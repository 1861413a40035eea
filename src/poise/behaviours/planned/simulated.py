"""The same plan on a simulated body: its feedback sets the momenta, its contact schedule the feet, one solver the rest.

Where the kinematic body follows the model, here the model follows the body: c, L and H are measured, ∫H is read from
the posture, and the wrench that the feedback asks for becomes the wanted rates of L and H in the balance core's
program. Soles are flat in this take: the clip must be walked with flat feet (``gait.FLAT``). Landings are moved by what
pushes have done (``footing``).
"""

from __future__ import annotations

from dataclasses import dataclass, field

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
HOLD = 3000.0, 300.0  # weights of a toe that stays while its heel rises: edge and pitch
HOLD_RATE = 19.0  # [rad/s] of both
TILTED = np.radians(1.0)  # from here on a sole stands on its toe
LEVEL = 1.0  # of that weight: the turn of the foot
LIFT = (-0.7, 0.8)  # bounds of the vertical rate of L, over the weight
GRIP = Grip(inset=0.012, torsion=0.3, frequency=4.0)
SAME = 1e-3  # [m]: a centre of mass this near to the plan's is in its place
LEAD = 0.5  # share of a landing's shift that the centre of mass takes on by the middle of double support


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
        self._edges = [_toe(s.points) for s in state.character.supports]
        self._held: dict[int, np.ndarray] = {}  # support to where its toe stays (3,) and its heading
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
        pace = online.rate * feet.haste
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
        led = self._roll(state, k, down, others)
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

    def _roll(self, state: State, k: int, down: np.ndarray, others: list[Objective]) -> np.ndarray:
        """Soles whose heels rise (S,): they stay on their toes, with the pitch of the plan."""
        led = np.zeros(len(down), bool)
        for s in range(len(down)):
            ahead = quat.rotate(self.ref.feet.turn[k, self._order[s]], np.array([1.0, 0.0, 0.0]))
            pitch = float(np.arcsin(-ahead[2]))
            led[s] = down[s] and pitch > TILTED
            if not led[s]:
                self._held.pop(s, None)
                continue
            if s not in self._held:
                x = state.R[s][:, 0]
                at = state.x[s] + state.R[s] @ self._edges[s]
                self._held[s] = np.array([*at[:2], self._levels[s], np.arctan2(x[1], x[0])])
            held = self._held[s]
            others.append(
                RollingSole(s, self._edges[s], held[:3], held[3], pitch, HOLD_RATE**2, 2 * HOLD_RATE, HOLD)
            )
        return led

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
            turn = self.ref.feet.turn[k, i]
            found.append(Orientation(support.body, turn, False, stiff, damped, LEVEL * SWING))
        return found


def _toe(points: np.ndarray) -> np.ndarray:
    """Middle of a sole's front edge (3,) from its centre, in the foot's axes [m]."""
    front = points[points[:, 0] > points[:, 0].max() - 0.01]
    return front.mean(axis=0) - points.mean(axis=0)
