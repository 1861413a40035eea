"""What stepping asks of the whole body: pose, momenta and soles, as one command."""

from __future__ import annotations

import math

import numpy as np

from poise.behaviours.balance.balance import LOST, NORMAL_FORCE
from poise.behaviours.balance.gains import Gains, Weights
from poise.behaviours.balance.laws import SHRINK, support_polygon
from poise.behaviours.stepping.legs import Legs
from poise.behaviours.stepping.stride import StepWeights
from poise.control.momentum import AngularMomentum, LinearMomentum, clamp_force
from poise.control.objective import Objective
from poise.control.pressure import PressureLaw
from poise.control.solve import Command
from poise.control.tracking import PoseError, Tracking
from poise.dynamics.state import State

LIMP = 0.1  # of the stiffness towards the rest pose that is left to the legs


class Posture:
    """The rest pose, turned to face somewhere, with the weights of standing or of stepping."""

    def __init__(
        self,
        state: State,
        legs: Legs,
        gains: Gains,
        standing: Weights,
        stepping: StepWeights,
        dt: float,
        mu: float,
    ):
        character = state.character
        self.legs, self.gains, self.standing, self.stepping, self.mu = legs, gains, standing, stepping, mu
        self.h = legs.height
        self.rate = math.sqrt(float(np.linalg.norm(state.g)) / self.h)
        self.q_ref = np.array(character.q_rest)
        self._root = self.q_ref[3:7].copy()
        self._error = PoseError(state.tree)
        nv = state.nv
        k, d = gains.track * self.rate**2, gains.track_damping * self.rate
        self._k, self._d, self._zero = np.full(nv, k), np.full(nv, d), np.zeros(nv)
        self._v_dot = np.zeros(nv)
        self._stand_weight, self._step_weight = self._weights(state)
        self._weight = self._stand_weight
        self._points, self.polygon, self.middle = np.zeros((64, 2)), np.zeros((65, 2)), np.zeros(3)
        self._support = np.array([leg.support for leg in legs.both])
        self._active = np.zeros(len(character.supports), dtype=bool)
        self._pressure = PressureLaw(
            gains.pressure * self.rate**2, gains.pressure_damping * self.rate, standing.angular, standing.spin,
            gains.spin_damping * self.rate, self.h, dt,
        )  # fmt: skip

    def _weights(self, state: State) -> tuple[np.ndarray, np.ndarray]:
        character, tree = state.character, state.tree
        legs = {b for leg in self.legs.both for b in leg.bodies}
        trunk, hips = _trunk(character, legs), {leg.bodies[0] for leg in self.legs.both}
        stand, step = np.ones(state.nv), np.full(state.nv, self.stepping.other)
        stand[:3] = step[:3] = 0.0
        stand[3:6], step[3:6] = self.standing.root, self.stepping.root
        for j in tree.joints[1:]:
            joint = tree.model.joint(j)
            body = tree.model.body(joint.bodyid[0]).name
            at = joint.dofadr[0] - tree.dof0
            dofs = slice(at, at + len(joint.qpos0) - (len(joint.qpos0) == 4))
            own = character.track_weights.get(joint.name, 1.0)
            stand[dofs], step[dofs] = own, self.stepping.other * own
            if body in character.arms:
                stand[dofs], step[dofs] = own * self.standing.arms, own * self.stepping.arms
            elif body in legs:
                stand[dofs], step[dofs] = self.stepping.legs, self.stepping.legs
                self._k[dofs] *= LIMP  # soles and trunk say where legs go
                if body in hips and dofs.stop - dofs.start == 3:  # and which way a knee points
                    twist = dofs.stop - 1
                    self._k[twist] /= LIMP
                    stand[twist] = step[twist] = self.stepping.swivel
            elif body in trunk:
                step[dofs] = self.stepping.trunk
        return stand, step

    def stand(self) -> None:
        """Weights of standing from now on."""
        self._weight = self._stand_weight

    def step(self) -> None:
        """Weights of stepping from now on."""
        self._weight = self._step_weight

    def face(self, heading: float) -> None:
        """Turn the reference about the vertical."""
        c, s = math.cos(0.5 * heading), math.sin(0.5 * heading)
        w, x, y, z = self._root
        self.q_ref[3:7] = c * w - s * z, c * x - s * y, c * y + s * x, c * z + s * w

    def support(self, state: State, planted: np.ndarray) -> int:
        """Polygon of the planted soles, a little smaller; returns its corners."""
        self._active[:] = False
        self._active[self._support] = planted
        return support_polygon(
            state.corners, state.corner_count, self._active, SHRINK, self._points, self.polygon, self.middle
        )

    def lost(self, state: State) -> bool:
        return state.c[2] - state.ground.point[2] < LOST * self.h

    def limp(self, state: State) -> Command:
        """Fallen: the joints only damp their own motion."""
        np.multiply(state.v, -self._d, out=self._v_dot)
        return Command(Tracking(self._v_dot, np.ones(state.nv)), None, None, np.zeros_like(self._active))

    def _track(self, state: State) -> Tracking:
        self._error.law(state.q, state.v, self.q_ref, self._zero, self._zero, self._k, self._d, self._v_dot)
        return Tracking(self._v_dot, self._weight)

    def _vertical(self, state: State, height: tuple[float, float, float]) -> float:
        z, z_dot, z_ddot = height
        g, w = self.gains, self.rate
        above, speed = float(state.ground.height_of(state.c)), state.L[2] / state.m
        return z_ddot + w * w * g.vertical * (z - above) + w * g.vertical_damping * (z_dot - speed)

    def _clamped(self, state: State, rate: np.ndarray) -> np.ndarray:
        push = -float(state.weight[2])
        rate *= state.m
        clamp_force(
            rate, state.weight, state.ground.normal, NORMAL_FORCE[0] * push, NORMAL_FORCE[1] * push, self.mu
        )
        return rate

    def balance(self, state: State, centre: np.ndarray, height, planted: np.ndarray) -> Command:
        """Stand on both soles: the laws of [Balance] about their middle."""
        g, w, omega = self.gains, self.standing, self.rate
        size = self.support(state, planted)
        rate = np.empty(3)
        rate[:2] = (
            omega**2 * g.linear * (centre - state.c[:2]) - omega * g.linear_damping * state.L[:2] / state.m
        )
        rate[2] = self._vertical(state, height)
        linear = LinearMomentum(self._clamped(state, rate), (w.linear, w.linear, w.vertical), self.h)
        law = self._pressure
        law.polygon, law.size, law.centre = self.polygon, size, self.middle
        return Command(self._track(state), linear, law if size >= 3 else None, self._active.copy())

    def drive(self, state: State, rate: np.ndarray, height, planted: np.ndarray, swing: Objective | None, rolling=(),
              spend: bool = True) -> Command:  # fmt: skip
        """The centre of mass accelerates by ``rate`` [m/s²] in the plane.

        Spin about the vertical is always damped. That about the horizontal axes is spent freely where the pivot that
        the law asks for lies outside the support (non-zero-spin), and damped where it lies inside (zero-spin).
        """
        g, w = self.gains, self.stepping
        self._active[:] = False
        self._active[self._support] = planted
        rate[2] = self._vertical(state, height)
        linear = LinearMomentum(self._clamped(state, rate), (w.linear, w.linear, w.vertical), self.h)
        damping = -g.spin_damping * self.rate * state.H
        level = 0.0 if spend else w.level
        spin = AngularMomentum(damping, (level, level, w.spin), self.h)
        others = [] if swing is None else [swing]
        led = np.zeros_like(self._active)
        for sole in rolling:
            led[sole.support] = True
            others.append(sole)
        return Command(self._track(state), linear, spin, self._active.copy(), others, led)


def _trunk(character, legs: set[str]) -> set[str]:
    """Bodies that carry others but belong to no limb that steps nor to the arms."""
    model = character.model
    inner = {model.body(int(p)).name for p in model.body_parentid[2:]}
    return inner - legs - set(character.arms)
