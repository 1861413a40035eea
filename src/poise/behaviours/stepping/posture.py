"""What stepping asks of the whole body: pose, momenta and soles, as one command."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import mujoco
import numpy as np

from poise.behaviours.balance.balance import LOST, NORMAL_FORCE
from poise.behaviours.balance.gains import Weights
from poise.behaviours.stepping.legs import Leg
from poise.behaviours.stepping.restraint import Restraint
from poise.behaviours.stepping.step import Facts, Gait, Tick
from poise.character import Character
from poise.compiled import compiled
from poise.control.momentum import AngularMomentum, LinearMomentum, clamp_force
from poise.control.objective import Objective
from poise.control.pressure import PressureLaw
from poise.control.sole import RollingSole
from poise.control.solve import Command
from poise.control.tracking import PoseError, Tracking, firmness, pose_law, stiffen
from poise.dynamics.state import State
from poise.geometry.linear import times
from poise.records import Indices, Matrix, Real, Record, Vector

Height = tuple[float, float, float]  # of the centre of mass, wanted, with rate and acceleration
Motion = tuple[np.ndarray, np.ndarray, np.ndarray]  # a pose (nq,), its rate and acceleration (nv,)
POSED = (
    30.0  # weight of a swing leg that inverse kinematics bends, and how much stiffer than other joints it is
)
LIMP = 0.1  # of the stiffness towards the rest pose that is left to the legs


class Laws(Record):
    """What the laws of pose, height and spin count with."""

    kind: Indices  # of the joints, see ``PoseError``
    q_at: Indices
    v_at: Indices
    q_ref: Vector
    k: Vector  # (nv,) stiffness towards it [1/s²]
    d: Vector  # (nv,) and damping [1/s]
    rates: Matrix  # (2, nv) rate and acceleration of q_ref
    v_dot: Vector  # (nv,) accelerations wanted
    rate: Real  # √(g/h) [1/s]
    vertical: Real  # gains of the height
    vertical_damping: Real
    spin: Real  # rate of H over H [1/s]
    mu: Real

    def __init__(self, error: PoseError, q_ref: np.ndarray, nv: int, facts: Facts, mu: float):
        gains, rate = facts.gains, facts.rate
        self.kind, self.q_at, self.v_at, self.q_ref = error.kind, error.q_at, error.v_at, q_ref
        self.k, self.d = np.full(nv, gains.track * rate**2), np.full(nv, gains.track_damping * rate)
        self.rates, self.v_dot = np.zeros((2, nv)), np.zeros(nv)
        self.rate, self.vertical, self.vertical_damping = rate, gains.vertical, gains.vertical_damping
        self.spin, self.mu = -gains.spin_damping * rate, float(mu)
        self.seal()


class Posture:
    """The rest pose, turned to face somewhere, with the weights of standing or of stepping."""

    def __init__(
        self, state: State, facts: Facts, standing: Weights, mu: float, restraint: Restraint | None = None
    ):
        self.standing, self.lowest = standing, LOST
        gains, self._facts = facts.gains, facts
        self.q_ref = np.array(state.character.q_rest)
        self._root = self.q_ref[3:7].tolist()
        self._error, rate = PoseError(state.tree), facts.rate
        self._laws = laws = Laws(self._error, self.q_ref, state.nv, facts, mu)
        self._k, self._d, self._rates, self._v_dot = laws.k, laws.d, laws.rates, laws.v_dot
        self._no_support = np.zeros(len(state.x), dtype=bool)
        self._stand_weight, self._step_weight = self._weights(state)
        self._posed = [self._bent(state, leg) for leg in facts.legs]
        self._restraint, self._bounds = restraint, np.zeros(0)
        if restraint is not None:
            self._restrain(state, restraint)
        self._grown = np.empty(state.nv)
        self._pressure = PressureLaw(
            gains.pressure * rate**2, gains.pressure_damping * rate, standing.angular, standing.spin,
            gains.spin_damping * rate, facts.h, facts.dt,
        )  # fmt: skip

    def _weights(self, state: State) -> tuple[np.ndarray, np.ndarray]:
        character, tree, both, stepping = state.character, state.tree, self._facts.legs, self._facts.weights
        legs = {b for leg in both for b in leg.bodies}
        trunk, hips = _trunk(character, legs), {leg.bodies[0] for leg in both}
        stand, step = np.ones(state.nv), np.full(state.nv, stepping.other)
        stand[:3] = step[:3] = 0.0
        stand[3:6], step[3:6] = self.standing.root, stepping.root
        for j in tree.joints[1:]:
            joint = tree.model.joint(j)
            body = tree.model.body(joint.bodyid[0]).name
            at = joint.dofadr[0] - tree.dof0
            dofs = slice(at, at + len(joint.qpos0) - (len(joint.qpos0) == 4))
            own = character.track_weights.get(joint.name, 1.0)
            stand[dofs], step[dofs] = own, stepping.other * own
            if body in character.arms:
                stand[dofs], step[dofs] = own * self.standing.arms, own * stepping.arms
            elif body in legs:
                stand[dofs], step[dofs] = stepping.legs, stepping.legs
                self._k[dofs] *= LIMP  # soles and trunk say where legs go
                if body in hips and dofs.stop - dofs.start == 3:  # and which way a knee points
                    twist = dofs.stop - 1
                    self._k[twist] /= LIMP
                    stand[twist] = step[twist] = stepping.swivel
            elif body in trunk:
                step[dofs] = stepping.trunk
        return stand, step

    def _bent(self, state: State, leg: Leg) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Stiffness, damping and weights (nv,) while inverse kinematics bends a leg."""
        gains, rate = self._facts.gains, self._facts.rate
        k, d = np.full(state.nv, gains.track * rate**2), np.full(state.nv, gains.track_damping * rate)
        own, weight = firmness(state.tree, dict.fromkeys(leg.bodies, POSED)) > 1.0, self._step_weight.copy()
        k[own] *= POSED
        d[own] *= math.sqrt(POSED)
        weight[own] = POSED
        return k, d, weight

    def _restrain(self, state: State, restraint: Restraint) -> None:
        legs = {b for leg in self._facts.legs for b in leg.bodies}
        self._bounds = restraint.bounds(state.tree, state.character, legs)
        names, arms = state.tree.names[1:], set(state.character.arms)
        firm = {n for n in names if n.startswith("hand")} | (set(names) - legs - arms)
        self.hold(state, dict.fromkeys(firm, restraint.firm))

    def hold(self, state: State, parts: Mapping[str, float]) -> None:
        """Make bodies stiffer by a factor each."""
        factor = firmness(state.tree, parts)
        stiffen(factor, self._k, self._d, self._step_weight)
        self._stand_weight *= factor**2

    def bend(self, state: State, by: np.ndarray) -> None:
        """Change the reference from the rest pose by (3, nv): way, rate and acceleration; ``face`` turns it then."""
        self.q_ref[:] = state.character.q_rest
        mujoco.mj_integratePos(state.character.model, self.q_ref, by[0], 1.0)
        self._root, self._rates[:] = self.q_ref[3:7].tolist(), by[1:]

    def face(self, heading: float) -> None:
        """Turn the reference about the vertical."""
        c, s = math.cos(0.5 * heading), math.sin(0.5 * heading)
        w, x, y, z = self._root
        self.q_ref[3:7] = c * w - s * z, c * x - s * y, c * y + s * x, c * z + s * w

    def lost(self, state: State) -> bool:
        """Whether the body is too low to be balanced: below ``lowest`` of its height at rest."""
        return state.c[2] - state.ground.base[2] < self.lowest * self._facts.h

    def limp(self, state: State) -> Command:
        """Fallen: the joints only damp their own motion."""
        np.multiply(state.v, -self._d, out=self._v_dot)
        return Command(Tracking(self._v_dot, np.ones(state.nv)), None, None, self._no_support.copy())

    def _track(self, state: State, weight: np.ndarray) -> Tracking:
        v, v_dot = self._rates
        self._error.law(state.q, state.v, self.q_ref, v, v_dot, self._k, self._d, self._v_dot)
        return self._restrained(state, weight)

    def _restrained(self, state: State, weight: np.ndarray) -> Tracking:
        if self._restraint is not None:
            weight = self._restraint.act(state.v, self._bounds, self._v_dot, weight)
        return Tracking(self._v_dot, weight)

    def follow(
        self, state: State, q: np.ndarray, v: np.ndarray, v_dot: np.ndarray, far: float = math.inf
    ) -> Tracking:
        """Track a pose in motion with the weights of stepping; joints farther from it than ``far`` [rad] weigh more."""
        self._error.law(state.q, state.v, q, v, v_dot, self._k, self._d, self._v_dot)
        if math.isinf(far):
            return Tracking(self._v_dot, self._step_weight)
        return Tracking(self._v_dot, self._error.astray(state.q, q, far, self._step_weight, self._grown))

    def balance(self, tick: Tick, height: Height, gait: Gait, sway: np.ndarray | None = None) -> Command:
        """Stand on both soles: the laws of [Balance] about their middle, moved by ``sway`` (3, 2) ahead and left."""
        facts, w, state = self._facts, self.standing, tick.state
        g, omega, area = facts.gains, facts.rate, facts.support
        size = area.span(state, gait.planted)
        rate = np.empty(3)
        rate[:2] = (
            omega**2 * g.linear * (tick.centre - tick.c) - omega * g.linear_damping * tick.L[:2] / state.m
        )
        if sway is not None:
            c, s = math.cos(gait.facing), math.sin(gait.facing)
            x, v, a = times(sway, np.array([[c, s], [-s, c]]))
            rate[:2] += omega**2 * g.linear * x + omega * g.linear_damping * v + a
        lift(state, self._laws, *height, rate)
        linear = LinearMomentum(rate, (w.linear, w.linear, w.vertical), facts.h)
        law = self._pressure
        law.polygon, law.size, law.centre = area.polygon, size, area.centre
        planted = area.mask(gait.planted)
        return Command(self._track(state, self._stand_weight), linear, law if size >= 3 else None, planted)

    def drive(self, state: State, push: np.ndarray, height: Height, gait: Gait, swing: Objective | None,
              rolling: Sequence[RollingSole], level: bool, posed: Motion | None = None) -> Command:  # fmt: skip
        """The centre of mass accelerates by ``push`` (2,) [m/s²] in the plane.

        Spin about the vertical is always damped. That about the horizontal axes is damped where the pressure that the
        law asks for lies inside the support (``level``), and spent freely where it lies outside. ``posed`` is tracked
        in the place of the reference, swing leg and all.
        """
        facts, w = self._facts, self._facts.weights
        rate, damping, weight = np.empty(3), np.empty(3), self._step_weight
        drive_laws(state, self._laws, push, *height, rate, damping)
        linear = LinearMomentum(rate, (w.linear, w.linear, w.vertical), facts.h)
        flat = w.level if level else 0.0
        spin = AngularMomentum(damping, (flat, flat, w.spin), facts.h)
        others = [*rolling] if swing is None else [swing, *rolling]
        led = self._no_support.copy()
        for sole in rolling:
            led[sole.support] = True
        planted = facts.support.mask(gait.planted)
        if posed is not None and gait.step is not None:
            k, d, weight = self._posed[gait.step.swing]
            self._error.law(state.q, state.v, *posed, k, d, self._v_dot)
        return Command(self._restrained(state, weight), linear, spin, planted, others, led)


@compiled
def drive_laws(state, laws, push, z, z_dot, z_ddot, rate, spin):
    """Accelerations towards the pose, L̇ wanted (3,) for a push (2,) in the plane and a height, Ḣ that damps."""
    q_ref, v_ref, v_dot_ref, k, d = laws.q_ref, laws.rates[0], laws.rates[1], laws.k, laws.d
    pose_law(laws.kind, laws.q_at, laws.v_at, state.q, state.v, q_ref, v_ref, v_dot_ref, k, d, laws.v_dot)
    rate[0], rate[1] = push[0], push[1]
    lift(state, laws, z, z_dot, z_ddot, rate)
    for i in range(3):
        spin[i] = laws.spin * state.G[3 + i]


@compiled
def lift(state, laws, z, z_dot, z_ddot, rate):
    """The law of the height into an acceleration (3,), which becomes a rate of momentum that the ground can give."""
    ground, w, above = state.ground, laws.rate, 0.0
    for i in range(3):
        above += (state.c[i] - ground.base[i]) * ground.normal[i]
    speed = state.G[2] / state.m - ground.climb[0]
    rate[2] = z_ddot + w * w * laws.vertical * (z - above) + w * laws.vertical_damping * (z_dot - speed)
    for i in range(3):
        rate[i] *= state.m
    push = -state.weight[2]
    clamp_force(rate, state.weight, ground.normal, NORMAL_FORCE[0] * push, NORMAL_FORCE[1] * push, laws.mu)


def _trunk(character: Character, legs: set[str]) -> set[str]:
    """Bodies that carry others but belong to no limb that steps nor to the arms."""
    model = character.model
    inner = {model.body(int(p)).name for p in model.body_parentid[2:]}
    return inner - legs - set(character.arms)
