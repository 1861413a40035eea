"""The same plan on a simulated body: its feedback sets the momenta, its contact schedule the feet, one solver the rest.

Where the kinematic body follows the model, here the model follows the body: c, L and H are measured, ∫H is read from
the posture, and the wrench that the feedback asks for becomes the wanted rates of L and H in the balance core's
program. Soles are flat in this take: the clip must be walked with flat feet (``gait.FLAT``). It is a beginning: about
ten steps on flat ground, after which the standing sole has slipped too far.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from poise.behaviours.behaviour import Behaviour
from poise.control.momentum import AngularMomentum, LinearMomentum
from poise.control.objective import Objective
from poise.control.points import Orientation, Point
from poise.control.solve import Command
from poise.control.tracking import PoseError, Tracking
from poise.dynamics.state import State
from poise.motion.follow import Follower
from poise.planning.body import split
from poise.planning.course import course
from poise.planning.online import Online, Settings
from poise.planning.problem import Weights
from poise.planning.reference import Reference
from poise.planning.segments import Controller

LINEAR, ANGULAR, ROOT, LEGS = (
    1000.0,
    400.0,
    8.0,
    0.2,
)  # weights of L, H, the root's turn and the legs; a joint has 1
STIFF, DAMPED = 12.0, 7.0  # of the pose, in g/h and √(g/h)
SWING, SWING_RATE = 300.0, 30.0  # weight of a swinging foot, and its natural frequency [rad/s]
LIFT = (-0.7, 0.8)  # bounds of the vertical rate of L, over the weight


@dataclass
class Embodied(Behaviour):
    """Walk a planned motion in physics.

    Args:
        ref, control: The motion and its feedback. steps: Shifts of landings, as in ``course``.
        settings: Of the feedback. weights: Kept for the record.
    """

    ref: Reference
    control: Controller
    steps: np.ndarray | None = None
    settings: Settings = field(default_factory=Settings)
    weights: Weights = field(default_factory=Weights)

    @property
    def q_start(self) -> np.ndarray:
        return self.ref.q[self.control.segments[0].start]

    @property
    def v_start(self) -> np.ndarray:
        return self.ref.v[self.control.segments[0].start]

    def start(self, state: State, dt: float) -> None:
        self.way = course(self.ref, self.control, self.steps)
        self.online = Online(self.control, self.way, self.settings)
        self._ticks = dt / self.ref.h  # frames of the clip in one tick
        self._error, self._away = PoseError(state.tree), np.zeros(state.nv)
        self._v_dot, self._none = np.zeros(state.nv), np.zeros(state.nv)
        upper = Follower(state.character).upper
        self._upper, weight = upper, np.where(upper > 0, 1.0, LEGS)
        weight[:3], weight[3:6] = 0.0, ROOT
        self._tracking = Tracking(self._v_dot, weight)
        self._height = float(state.character.com_rest[2])
        rate = float(np.sqrt(9.81 / self._height))
        self._k, self._d = np.full(state.nv, STIFF * rate**2), np.full(state.nv, DAMPED * rate)
        self._order = [state.character.stance.index(s.name) for s in state.character.supports]
        self.q_ref = self.q_start

    def update(self, state: State) -> Command:
        online, ref = self.online, self.ref
        k, part = split(online.frame, ref.frames)
        self.q_ref = ref.q[k]
        self._error(state.q, self.q_ref, self._away)
        online.x[:3], online.x[3:6], online.x[9:] = state.c, state.L, state.H
        online.x[6:9] = ref.x[k, 6:9] - state.A_H @ (self._upper * self._away)
        online.decide()
        pace = online.rate
        self._error.law(
            state.q, state.v, self.q_ref, pace * ref.v[k], self._none, self._k, self._d, self._v_dot
        )
        rate = online.wanted[:3] + state.weight
        rate[2] = np.clip(rate[2], *(bound * state.m * 9.81 for bound in LIFT))
        linear = LinearMomentum(rate, (LINEAR,) * 3, self._height)
        angular = AngularMomentum(online.wanted[3:].copy(), (ANGULAR,) * 3, self._height)
        down = np.array([ref.feet.on[k, i].any() for i in self._order])
        others = self._swings(state, k, part, pace, down)
        online.tick(self._ticks, pace)
        return Command(self._tracking, linear, angular, down, others)

    def _swings(self, state: State, k: int, part: float, pace: float, down: np.ndarray) -> list[Objective]:
        """Feet in the air follow their path over the course."""
        found: list[Objective] = []
        place, h = self.way.place, self.ref.h
        after, before = min(k + 1, len(place) - 1), max(k - 1, 0)
        for s, support in enumerate(state.character.supports):
            if not down[s]:
                i = self._order[s]
                x = (1 - part) * place[k, i] + part * place[after, i]
                speed = pace * (place[after, i] - place[before, i]) / ((after - before) * h)
                stiff, damped = SWING_RATE**2, 2 * SWING_RATE
                found.append(Point(support.body, (0, 0, 0), x, speed, stiff, damped, SWING))
                turn = self.ref.feet.turn[k, i]
                found.append(Orientation(support.body, turn, False, stiff, damped, 0.1 * SWING))
        return found
