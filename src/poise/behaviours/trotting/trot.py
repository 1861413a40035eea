r"""Trot: two diagonal feet carry the body while the other two swing.

The support is the line between two feet. Along it the pressure p can answer to ξ = c + ċ/ω; across it only the next
landing can. With ξ(T) = p + (ξ - p) e^{ω(T - t)}, the next pair is put down around u = ξ(T) - b, where the offset
b = V T / (e^{ωT} - 1) is the one that a steady gait of velocity V lands with at every step.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from poise.behaviours.balance.balance import LOST, NORMAL_FORCE, Balance
from poise.behaviours.balance.gains import Gains
from poise.behaviours.stepping.stride import StepWeights
from poise.behaviours.stepping.walk import Pace
from poise.behaviours.trotting.limbs import Quad
from poise.behaviours.trotting.paths import FootPath
from poise.control.behaviour import Behaviour, Signal
from poise.control.contact import Grip
from poise.control.momentum import AngularMomentum, LinearMomentum, clamp_force
from poise.control.solve import Command
from poise.control.tracking import PoseError, Tracking
from poise.dynamics.state import State
from poise.geometry import quat
from poise.geometry.linear import norm

TROTTING = Grip(inset=0.0, frequency=6.0, ease=0.01, arm=0.01, forget=20.0)
LIMP = 0.1  # of the stiffness towards the rest pose that is left to the legs
EARLY = 0.7  # of a step: a foot that touches the ground from then on has landed
TOUCH = 0.004  # in heights: a foot this low has landed
LATE = 1.3  # of a step: the latest change from one pair to the other
ASIDE = 0.1  # in heights: most that a step makes up for
AT_REST = 0.02  # in √(g h): a trot slower than this may stop
MARGIN = 0.8  # part of the line between two feet that the pressure may use
ALL = np.ones(4, dtype=bool)


@dataclass(frozen=True)
class Trotting:
    """Numbers of the gait, free of size: lengths in heights of the centre of mass h, times in √(h/g)."""

    time: float = 1.3  # of a step
    lift: float = 0.14  # of the feet
    feedback: float = 1.5  # of the pressure on ξ - ξ_ref, along the line between the feet
    reach: float = 0.6  # farthest landing of a pair from under the centre of mass
    ramp: float = 0.06  # change of speed from one step to the next, in √(g h)
    line: float = 0.3  # part of the distance from the way that a step makes up for


@dataclass
class Trot(Behaviour):
    """Stand on four legs, and trot at the pace that is asked for; None stands still."""

    pace: Callable[[float], Pace | None]
    gait: Trotting = field(default_factory=Trotting)
    weights: StepWeights = field(default_factory=StepWeights)
    gains: Gains = field(default_factory=Gains)
    mu: float = 0.72
    grip: Grip = TROTTING

    def start(self, state: State, dt: float) -> None:
        self.quad, character = Quad(state.character), state.character
        self.h, self.g, self.dt = float(character.com_rest[2]), float(norm(state.g)), dt
        self.rate = math.sqrt(self.g / self.h)
        self.standing = Balance(gains=self.gains, mu=self.mu)
        self.standing.start(state, dt)
        speed = math.sqrt(self.g * self.h)
        self.paths = [FootPath(int(s), dt, speed) for s in self.quad.supports]
        self.velocity, self.heading, self.clock, self.steps = np.zeros(2), 0.0, 0.0, 0
        self.pair: int | None = None  # that carries the body; None while it stands
        self.landed = ALL.copy()
        self._t0, self._way = state.t, np.zeros(2)
        self.q_ref = np.array(character.q_rest)
        self._root = self.q_ref[3:7].copy()
        self._laws(state)
        self._feet = np.zeros(4)

    def _laws(self, state: State) -> None:
        """Tracking of the rest pose, legs left to their feet."""
        gains, w, nv, tree = self.gains, self.weights, state.nv, state.tree
        self._error = PoseError(tree)
        self._k, self._d = (
            np.full(nv, gains.track * self.rate**2),
            np.full(nv, gains.track_damping * self.rate),
        )
        self._zero, self._v_dot, self._weight = np.zeros(nv), np.zeros(nv), np.full(nv, w.other)
        self._weight[:3], self._weight[3:6] = 0.0, w.root
        for j in tree.joints[1:]:
            joint = tree.model.joint(j)
            if tree.model.body(joint.bodyid[0]).name in self.quad.bodies:
                at = joint.dofadr[0] - tree.dof0
                self._weight[at], self._k[at] = w.legs, LIMP * self._k[at]

    def update(self, state: State) -> Command:
        t = state.t - self._t0
        pace = self.pace(t)
        self._feet[:] = self.landed
        if self.pair is None and pace is None:
            return self.standing.update(state)
        if state.c[2] - state.ground.base[2] < LOST * self.h:
            return self.standing.update(state)
        if self.pair is None:
            self._begin(state, pace)
        self.clock += self.dt
        if self._over(state):
            if pace is None and norm(self.velocity) < AT_REST * math.sqrt(self.g * self.h):
                return self._stop(state)
            self._change(state, pace or Pace(0.0))
        return self._command(state)

    # -- phases

    def _begin(self, state: State, pace: Pace | None) -> None:
        """Those feet lift first that stand worse: one may hover."""
        high = [max(float(state.x[self.quad.supports[f]][2]) for f in pair) for pair in self.quad.pairs]
        self.pair, self._way = int(high[1] < high[0]) ^ 1, state.c[:2].copy()
        self._change(state, pace or Pace(0.0))

    def _stop(self, state: State) -> Command:
        self.pair, self.landed[:] = None, True
        self.velocity[:] = 0.0
        self.standing.start(state, self.dt)
        return self.standing.update(state)

    def _over(self, state: State) -> bool:
        """Whether the feet in the air are down again."""
        T = self.gait.time / self.rate
        for foot in self.quad.pairs[1 - (self.pair or 0)]:
            s = self.quad.supports[foot]
            low = state.x[s][2] - state.ground.under[s, 2] < TOUCH * self.h
            if not self.landed[foot] and self.clock > EARLY * T and low:
                self.landed[foot] = True
        return bool(self.clock > EARLY * T and self.landed.all()) or self.clock > LATE * T

    def _change(self, state: State, pace: Pace) -> None:
        """The pair in the air carries the body from now on, the other one lifts."""
        T = max(self.clock, self.dt)
        self._way += self._axes() @ self.velocity * T
        change = np.array([pace.forward, pace.left]) - self.velocity
        most = self.gait.ramp * math.sqrt(self.g * self.h)
        self.velocity += change * min(1.0, most / max(float(norm(change)), 1e-9))
        self.heading += pace.turn * T
        self.pair, self.clock, self.steps = 1 - (self.pair or 0), 0.0, self.steps + 1
        self.landed[:] = False
        self.landed[list(self.quad.pairs[self.pair])] = True
        for foot in self.quad.pairs[1 - self.pair]:
            self.paths[foot].lift(state)
        self.q_ref[3:7] = quat.multiply(quat.from_rotvec(np.array([0.0, 0.0, self.heading])), self._root)

    # -- wishes

    def _command(self, state: State) -> Command:
        gait, quad, T = self.gait, self.quad, self.gait.time / self.rate
        assert self.pair is not None
        above = max(float(state.c[2] - state.ground.base[2]), 0.5 * self.h)
        omega, R = math.sqrt(self.g / above), self._axes()
        v = state.L[:2] / state.m
        xi, left = state.c[:2] + v / omega, max(T - self.clock, 0.0)
        offset = R @ self._step(state, R) / (math.exp(omega * T) - 1.0)
        a, b = (state.x[quad.supports[f]][:2] for f in quad.pairs[self.pair])
        p = self._pressure(xi, a, b, offset * math.exp(omega * min(self.clock, T)))
        under = state.c[:2] + v * left
        away = p + (xi - p) * math.exp(omega * left) - offset - under
        u = under + away * min(1.0, gait.reach * self.h / max(float(norm(away)), 1e-9))
        swings = [f for f in quad.pairs[1 - self.pair] if not self.landed[f]]
        middle = quad.place[list(quad.pairs[1 - self.pair])].mean(axis=0)
        for foot in swings:
            self.paths[foot].advance(u + R @ (quad.place[foot] - middle), left, gait.lift * self.h)
        others = [self.paths[f].objective(state, omega, self.weights.swing) for f in swings]
        return self._drive(state, omega**2 * (state.c[:2] - p), others)

    def _axes(self) -> np.ndarray:
        """Ahead and left (2, 2)."""
        c, s = math.cos(self.heading), math.sin(self.heading)
        return np.array([[c, -s], [s, c]])

    def _step(self, state: State, R: np.ndarray) -> np.ndarray:
        """Length of a step (2,) ahead and left [m]: as the velocity asks, and back to the way."""
        off = R.T @ (self._way + R @ self.velocity * self.clock - state.c[:2])
        most = ASIDE * self.h
        return self.velocity * self.gait.time / self.rate + np.clip(self.gait.line * off, -most, most)

    def _pressure(self, xi: np.ndarray, a: np.ndarray, b: np.ndarray, course: np.ndarray) -> np.ndarray:
        """Between two feet (2,), moved along their line by the deviation of ξ from its course."""
        middle, half = 0.5 * (a + b), 0.5 * (b - a)
        size = max(float(norm(half)), 1e-6)
        along = self.gait.feedback * float((xi - middle - course) @ half) / size
        return middle + half / size * min(max(along, -MARGIN * size), MARGIN * size)

    def _drive(self, state: State, push: np.ndarray, others: list) -> Command:
        w, g, rate = self.weights, self.gains, self.rate
        force = np.empty(3)
        z = float(state.ground.height_of(state.c))
        speed = state.L[2] / state.m - state.ground.climb[0]
        force[:2], force[2] = push, rate**2 * g.vertical * (self.h - z) - rate * g.vertical_damping * speed
        force *= state.m
        weight = -float(state.weight[2])
        clamp_force(
            force,
            state.weight,
            state.ground.normal,
            NORMAL_FORCE[0] * weight,
            NORMAL_FORCE[1] * weight,
            self.mu,
        )
        linear = LinearMomentum(force, (w.linear, w.linear, w.vertical), self.h)
        spin = AngularMomentum(-g.spin_damping * rate * state.H, (w.level, w.level, w.spin), self.h)
        self._error.law(state.q, state.v, self.q_ref, self._zero, self._zero, self._k, self._d, self._v_dot)
        planted = np.zeros(len(state.x), dtype=bool)
        planted[self.quad.supports[self.landed]] = True
        return Command(Tracking(self._v_dot, self._weight), linear, spin, planted, others)

    def signals(self) -> dict[str, Signal]:
        """Which feet are down."""
        return {"feet": Signal(self._feet, "1", "none", ("lf", "rf", "lh", "rh"))}
