"""Stand, and follow a clip while standing: tracking, linear and angular balance ([Balance] §6-8).

Every refresh asks for three things, in order of weight: the centre of mass over the supports (the linear law), the
centre of pressure (ZMP) near their middle (the angular law, in the second of the two passes of the solve, see
``poise.control.pressure``), and the pose of the clip.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import mujoco
import numpy as np

from poise.behaviours.balance.felt import Felt
from poise.behaviours.balance.gains import Gains, Weights
from poise.behaviours.balance.idle import AtRest, Idle
from poise.behaviours.balance.laws import CARRIED, LinearLaw, balance_targets
from poise.behaviours.balance.point_feet import POSE_SHARE, LineBalance, line_support
from poise.behaviours.balance.reference import Reference, heading
from poise.control.behaviour import Behaviour, Solver, Torque
from poise.control.momentum import LinearMomentum, clamp_force
from poise.control.objective import Objective
from poise.control.pressure import PressureLaw
from poise.control.solve import Command
from poise.control.tracking import PoseError, Tracking, firmness, stiffen
from poise.dynamics.state import State
from poise.errors import unknown
from poise.gate import number
from poise.geometry import quat
from poise.geometry.linear import norm, times
from poise.motion.clip import Clip

LOST = 0.6  # of the height at rest, or of the clip's lowest: below it the balance is lost
COMMANDS = {"ahead": (-0.5, 0.5), "left": (-0.5, 0.5), "angular": (0.0, 100.0)}  # and their ranges
NORMAL_FORCE = (0.2, 1.8)  # of the weight: bounds of the ground's push (eq. 15)


@dataclass
class Balance(Behaviour[Command]):
    """Keep the centre of mass over the supports while tracking a clip (or the rest pose) as well as that allows.

    Args:
        clip: What to follow; None is the rest pose.
        gains, weights: See their classes.
        angular: Whether the angular balance law acts.
        mu: Friction that the linear law counts on (eq. 16).
        others: Further objectives at time t, as a function of time [s] and state.
        hold: Body to the factor of its stiffness towards the clip.
        idle: How it moves while nothing else moves it; None is not at all.
        reaction: How late it knows what others do to it [s]; joints and soles answer at once.
        ride: How it leans on ground whose motion it knows, as a function of time and ω (``Platform.lean``).
    """

    clip: Clip | None = None
    gains: Gains = field(default_factory=Gains)
    weights: Weights = field(default_factory=Weights)
    angular: bool = True
    mu: float = 0.72
    others: Callable[[float, State], Sequence[Objective]] | None = None
    hold: Mapping[str, float] = field(default_factory=dict)
    idle: Idle | None = None
    reaction: float = 0.0
    ride: Callable[[float, float], np.ndarray] | None = None
    _own = np.zeros(6)  # rate of momentum that the solver finds

    def start(self, state: State, dt: float) -> None:
        character = state.character
        self._clip = self.clip if self.clip is not None else Clip.still(character)
        self._names = tuple(s.name for s in character.supports)
        self._stance = np.array([name in character.stance for name in self._names])
        self._t0 = state.t
        self._h = float(character.com_rest[2])
        self._omega = math.sqrt(float(norm(state.g)) / self._h)
        self._reference = Reference(self._clip)
        self._heading = heading(state.q[3:7], self._clip.at(self._clip.start)[3:7])
        if self._heading is not None:
            self._reference.turn(self._heading)
        self.lowest = min(self._h, float(self._reference.c[:, 2].min()))  # height of c wanted at least [m]
        self.q_ref = self._clip.at(0.0)
        self._lean: tuple[float, float] | None = None  # of the centre of mass from its reference [m]
        self._rest = None if self.idle is None else AtRest(character, self.idle, dt)
        self._felt = Felt(state, self.reaction, dt, self._own) if self.reaction else None
        moved = self._rest is not None or self._felt is not None or self.ride is not None
        self._wanders = moved or not self._reference.still
        self._below = np.zeros(3)
        self._stale = True  # whether the law's reference must be found anew
        self._start_laws(state, dt)
        self._line, self._to_reference = LineBalance(self._h, self._omega), np.zeros(state.nv)
        self._on_points = any(s.is_point for s in character.supports)  # such a body may stand on a line
        self._hold_feet = self._line.hold(state, self._stance) if self._on_points else []

    def _start_laws(self, state: State, dt: float) -> None:
        """The laws of tracking, centre of mass and centre of pressure, with room for their results."""
        gains, weights, omega = self.gains, self.weights, self._omega
        self._error = PoseError(state.tree)
        self._k = np.full(state.nv, gains.track * omega**2)
        self._d = np.full(state.nv, gains.track_damping * omega)
        self._v_dot, self._track_weight = np.zeros(state.nv), self._track_weights(state)
        if self.hold:
            stiffen(firmness(state.tree, self.hold), self._k, self._d, self._track_weight)
        linear = np.array([gains.linear, gains.linear_damping, gains.vertical, gains.vertical_damping])
        low, high = -state.weight[2] * np.array(NORMAL_FORCE)
        self._law = LinearLaw(state, omega, linear, (float(low), float(high)), self.mu)
        self._pressure = PressureLaw(
            gains.pressure * omega**2, gains.pressure_damping * omega, weights.angular, weights.spin,
            gains.spin_damping * omega, self._h, dt,
        )  # fmt: skip
        self._area, self._size = self._law.area, 0  # corners of its polygon
        self._tracking = Tracking(self._v_dot, self._track_weight)
        self._held = self._clip.sample(0.0) if self._reference.still else None

    def _track_weights(self, state: State) -> np.ndarray:
        character, tree, w = state.character, state.tree, self.weights
        out = np.full(state.nv, w.tracking)
        out[:3], out[3:6] = 0.0, w.root
        for j, name in zip(tree.joints[1:], tree.joint_names[1:]):
            joint = tree.model.joint(j)
            body = tree.names[joint.bodyid[0] - tree.body0]
            at = joint.dofadr[0] - tree.dof0
            width = len(joint.qpos0) - (len(joint.qpos0) == 4)
            out[at : at + width] *= character.track_weights.get(name, 1.0)
            if body in character.arms:
                out[at : at + width] *= w.arms
        return out

    def update(self, state: State) -> Command:
        if state.c[2] - state.ground.base[2] < LOST * self.lowest:
            return self._go_limp(state)
        t, w = state.t - self._t0, self.weights
        self._follow(state, t)
        planted = self._planted(t)
        rate = self._linear_rate(state, t, planted)
        tracking = self._tracking
        others = [] if self.others is None else list(self.others(t, state))
        if self._on_points and (found := line_support(self._area.polygon, self._size, self._h)) is not None:
            self._over_line(state, *found, rate)
            tracking = Tracking(self._v_dot, POSE_SHARE * self._track_weight)
            others += self._hold_feet
        linear = LinearMomentum(rate, (w.linear, w.linear, w.vertical), self._h)
        return Command(tracking, linear, self._angular(), planted, others)

    def _follow(self, state: State, t: float) -> None:
        """Accelerations of the joints towards the clip (eq. 11), into ``_v_dot``."""
        self.q_ref, v_ref, v_dot_ref = self._clip.sample(t) if self._held is None else self._held
        if self._heading is not None:
            self.q_ref = np.array(self.q_ref)
            self.q_ref[3:7] = quat.multiply(self._heading, self.q_ref[3:7])
        if self._rest is not None:
            self._rest.advance(t)
            self.q_ref, (by, rate, acc) = np.array(self.q_ref), self._rest.pose
            mujoco.mj_integratePos(state.character.model, self.q_ref, by, 1.0)
            v_ref, v_dot_ref = v_ref + rate, v_dot_ref + acc
        self._error.law(state.q, state.v, self.q_ref, v_ref, v_dot_ref, self._k, self._d, self._v_dot)

    def _planted(self, t: float) -> np.ndarray:
        """Which supports stand now (S,): as the clip says, or the whole stance where it says nothing."""
        if not self._clip.contacts:
            return self._stance
        return np.array([self._clip.on_ground(name, t) for name in self._names])

    def _linear_rate(self, state: State, t: float, planted: np.ndarray) -> np.ndarray:
        """Rate of linear momentum wanted (3,) [N]; the support polygon is found on the way."""
        law, rate = self._law, np.empty(3)
        if self._stale:
            law.c[:], law.v[:], law.a[:], law.x[:] = self._reference.at(t)
            self._stale = self._wanders or self._lean is not None
        if self._lean is not None:
            law.c[:2] += self._lean
        if self._rest is not None:
            self._sway(self._rest.sway)
        at = state.c
        if self.ride is not None:
            at = self._below  # ground that is seen to tilt carries the feet, not the centre of mass
            at[:] = state.c[0], state.c[1], state.ground.base[2]
            c, v, a, ground = self.ride(state.t, self._omega)
            law.c[:2] += c
            law.v[:2] += v
            law.a[:2] += a + (1.0 - CARRIED) * ground  # what is foreseen is shared wholly
        if self._felt is not None:  # as if the reference were elsewhere
            self._felt.look(state)
            law.c += state.c - self._felt.c
            law.v += (state.L - self._felt.L) / state.m
        v_g, a_g = state.ground.motion_at(at)
        self._size = balance_targets(law, planted, v_g, a_g, rate)
        return rate

    def _sway(self, sway: np.ndarray) -> None:
        """Move the reference of the centre of mass by (3, 2) ahead and left: place, rate, acceleration."""
        w, z = (1.0, 0.0) if self._heading is None else (self._heading[0], self._heading[3])
        c, s = w * w - z * z, 2 * w * z
        for to, (x, y) in zip((self._law.c, self._law.v, self._law.a), sway.tolist()):
            to[0] += c * x - s * y
            to[1] += s * x + c * y

    def _over_line(self, state: State, across: np.ndarray, middle: np.ndarray, rate: np.ndarray) -> None:
        """The wanted rate of linear momentum across a support that is a line, in the place of eq. 5's."""
        n, point = np.append(across, 0.0), np.append(middle, 0.0)
        error = self._error(state.q, self.q_ref, self._to_reference)
        wanted = state.m * self._line.acceleration(state, n, point, error)
        rate += (wanted - float(times(n, rate))) * n
        clamp_force(rate, state.weight, state.ground.normal, self._law.low, self._law.high, self.mu)

    def _angular(self) -> PressureLaw | None:
        """The law of the centre of pressure, told where the support is; None where there is none to steer."""
        law = self._pressure
        law.polygon, law.size, law.centre = self._area.polygon, self._size, self._area.centre
        return law if self.angular and self._size >= 2 else None

    def around(self, usual: Solver, state: State, torque: Torque) -> Solver:
        self._own = usual.solution.momentum_rate  # what it does itself
        return usual

    def command(self, **wishes: float) -> None:
        """``ahead`` and ``left`` [m]: where the centre of mass is wanted from its reference; ``angular``: see below.

        The last is a factor of the weight of the angular law. What is not given is as it was designed.
        """
        for name, value in wishes.items():
            if name not in COMMANDS:
                raise unknown("command of a balance", name, COMMANDS)
            number(f"command {name} =", value, *COMMANDS[name])
        lean = wishes.get("ahead", 0.0), wishes.get("left", 0.0)
        self._lean, self._stale = lean if any(lean) else None, True
        self._pressure.weight = wishes.get("angular", 1.0) * self.weights.angular

    def _go_limp(self, state: State) -> Command:
        """Fallen: nothing left to balance, so the joints only damp their own motion and nothing thrashes."""
        np.multiply(state.v, -self._d, out=self._v_dot)
        tracking = Tracking(self._v_dot, np.ones(state.nv))
        return Command(tracking, None, None, np.zeros(len(self._names), dtype=bool))
