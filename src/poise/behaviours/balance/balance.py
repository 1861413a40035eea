"""Stand, and follow a clip while standing: tracking, linear and angular balance ([Balance] §6-8)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import mujoco
import numpy as np
from scipy.interpolate import CubicSpline

from poise.behaviours.balance.gains import Gains, Weights
from poise.behaviours.balance.point_feet import POSE, Narrow, line
from poise.compiled import compiled
from poise.control.behaviour import Behaviour
from poise.control.momentum import LinearMomentum, clamp_force
from poise.control.objective import Objective
from poise.control.pressure import PressureLaw
from poise.control.solve import Command
from poise.control.tracking import PoseError, Tracking
from poise.dynamics.state import State
from poise.geometry import quat
from poise.geometry.polygon import centroid, hull_into
from poise.motion.clip import Clip

AGREE = 0.005  # [rad]: headings nearer than this are one
CARRIED = 0.6  # part of the ground's own acceleration that the centre of mass is asked to share
LOST = 0.6  # of the height at rest, or of the clip's lowest: below it the balance is lost
SHRINK = 0.9  # of the support that the targets may use
NOTHING = np.zeros(3)
NUDGE = 1e-6  # [s] inside the ends of a clip, where its speed is its own
NORMAL_FORCE = (0.2, 1.8)  # of the weight: bounds of the ground's push (eq. 15)


@dataclass
class Balance(Behaviour):
    """Keep the centre of mass over the supports while tracking a clip (or the rest pose) as well as that allows.

    Args:
        clip: What to follow; None is the rest pose.
        gains, weights: See their classes.
        angular: Whether the angular balance law acts.
        mu: Friction that the linear law counts on (eq. 16).
        others: Further objectives at time t, as a function of time [s] and state.
    """

    clip: Clip | None = None
    gains: Gains = field(default_factory=Gains)
    weights: Weights = field(default_factory=Weights)
    angular: bool = True
    mu: float = 0.72
    others: Callable[[float, State], Sequence[Objective]] | None = None

    def start(self, state: State, dt: float) -> None:
        character = state.character
        self._clip = self.clip if self.clip is not None else Clip.still(character)
        self._names = tuple(s.name for s in character.supports)
        self._all = np.array([name in character.stance for name in self._names])
        self._always = not self._clip.contacts  # the whole stance stands all the time
        self._t0, self._dt = state.t, dt
        self._error = PoseError(state.tree)
        h = float(character.com_rest[2])
        g = float(np.linalg.norm(state.g))
        self._h, self._rate = h, math.sqrt(g / h)
        self._reference = Reference(self._clip)
        self._heading = heading(state.q[3:7], self._clip.at(self._clip.start)[3:7])
        if self._heading is not None:
            self._reference.turn(self._heading)
        self.lowest = min(
            h, float(self._reference.c[:, 2].min())
        )  # height of the CM that is wanted at least [m]
        self._weight = self._track_weights(state)
        k, d = self.gains.track * self._rate**2, self.gains.track_damping * self._rate
        self._k, self._d = np.full(state.nv, k), np.full(state.nv, d)
        self._v_dot = np.zeros(state.nv)
        self._tracking = Tracking(self._v_dot, self._weight)
        corners = int(state.corner_count.sum())
        self._points, self._polygon = np.zeros((corners, 2)), np.zeros((corners + 1, 2))
        self._centre = np.zeros(3)
        gains, weights = self.gains, self.weights
        self._law = np.array([gains.linear, gains.linear_damping, gains.vertical, gains.vertical_damping])
        self._pressure = PressureLaw(
            gains.pressure * self._rate**2, gains.pressure_damping * self._rate, weights.angular, weights.spin,
            gains.spin_damping * self._rate, h, dt,
        )  # fmt: skip
        self.q_ref = self._clip.at(0.0)
        self._narrow, self._gap = Narrow(h, self._rate), np.zeros(state.nv)
        self._thin = any(s.is_point for s in character.supports)  # such a body may stand on a line
        self._hold = self._narrow.hold(state, self._all) if self._thin else []

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
        if state.c[2] - state.ground.point[2] < LOST * self.lowest:
            return self._go_limp(state)
        t = state.t - self._t0
        ground, push, w = state.ground, -float(state.weight[2]), self.weights
        self.q_ref, v_ref, v_dot_ref = self._clip.sample(t)
        if self._heading is not None:
            self.q_ref = np.array(self.q_ref)
            self.q_ref[3:7] = quat.multiply(self._heading, self.q_ref[3:7])
        self._error.law(state.q, state.v, self.q_ref, v_ref, v_dot_ref, self._k, self._d, self._v_dot)
        active = (
            self._all if self._always else np.array([self._clip.on_ground(name, t) for name in self._names])
        )
        c_ref, c_dot_ref, c_ddot_ref, x_ref = self._reference.at(t)
        v_g, a_g = ground.motion_at(state.c)
        rate = np.empty(3)
        self._size = balance_targets(
            state.corners, state.corner_count, active, self._points, self._polygon, self._centre, state.c, state.L,
            state.m, c_ref, c_dot_ref, c_ddot_ref, state.x, x_ref, v_g, a_g, self._rate, self._law, state.weight,
            ground.normal, NORMAL_FORCE[0] * push, NORMAL_FORCE[1] * push, self.mu, rate,
        )  # fmt: skip
        tracking, others = self._tracking, [] if self.others is None else list(self.others(t, state))
        if self._thin and (found := line(self._polygon, self._size, self._h)) is not None:
            self._over_line(state, *found, rate)
            tracking = Tracking(self._v_dot, POSE * self._weight)
            others += self._hold
        linear = LinearMomentum(rate, (w.linear, w.linear, w.vertical), self._h)
        angular = self._angular() if self.angular else None
        return Command(tracking, linear, angular, active, others)

    def _over_line(self, state: State, across: np.ndarray, middle: np.ndarray, rate: np.ndarray) -> None:
        """The wanted rate of linear momentum across a support that is a line, in the place of eq. 5's."""
        n, point = np.append(across, 0.0), np.append(middle, 0.0)
        error = self._error(state.q, self.q_ref, self._gap)
        wanted = state.m * self._narrow.acceleration(state, n, point, error)
        rate += (wanted - float(n @ rate)) * n
        push = -float(state.weight[2])
        low, high = NORMAL_FORCE[0] * push, NORMAL_FORCE[1] * push
        clamp_force(rate, state.weight, state.ground.normal, low, high, self.mu)

    def _go_limp(self, state: State) -> Command:
        """Fallen: nothing left to balance, so the joints only damp their own motion and nothing thrashes."""
        np.multiply(state.v, -self._d, out=self._v_dot)
        tracking = Tracking(self._v_dot, np.ones(state.nv))
        return Command(tracking, None, None, np.zeros(len(self._names), dtype=bool))

    def _angular(self) -> PressureLaw | None:
        law = self._pressure
        law.polygon, law.size, law.centre = self._polygon, self._size, self._centre
        return law if self._size >= 2 else None


@compiled
def balance_targets(
    corners, count, active, points, hull, centre, c, L, m, c_ref, v_ref, a_ref, x, x_ref, v_g, a_g, omega, law, weight,
    normal, low, high, mu, rate,
):  # fmt: skip
    """Support polygon (its size is returned), and the rate of linear momentum wanted: eq. 5-6, 15 and 16."""
    size = support_polygon(corners, count, active, SHRINK, points, hull, centre)
    linear_rate(c, L, m, c_ref, v_ref, a_ref, x, x_ref, active, v_g, a_g, omega, law, rate)
    for i in range(3):
        rate[i] *= m
    clamp_force(rate, weight, normal, low, high, mu)
    return size


@compiled
def support_polygon(corners, count, active, shrink, points, hull, centre):
    """Convex hull of the planted soles seen from above, drawn in about its centre. Returns its size."""
    n, height = 0, 0.0
    for s in range(active.shape[0]):
        if active[s]:
            for k in range(count[s]):
                points[n, 0], points[n, 1] = corners[s, k, 0], corners[s, k, 1]
                height += corners[s, k, 2]
                n += 1
    size = hull_into(points, n, hull)
    if size == 0:
        return size
    middle = centroid(hull[:size])
    for k in range(size):
        for i in range(2):
            hull[k, i] = middle[i] + shrink * (hull[k, i] - middle[i])
    centre[0], centre[1], centre[2] = middle[0], middle[1], height / n
    return size


@compiled
def linear_rate(c, L, m, c_ref, v_ref, a_ref, x, x_ref, active, v_g, a_g, omega, law, rate):
    """Wanted acceleration of the centre of mass: eq. 5 about the reference, in the moving frame of the ground."""
    planted = 0
    for s in range(active.shape[0]):
        planted += active[s]
    for i in range(3):
        shift = 0.0
        for s in range(active.shape[0]):
            if active[s]:
                shift += (x[s, i] - x_ref[s, i]) / planted
        k, d = (law[0], law[1]) if i < 2 else (law[2], law[3])
        error, drift = c_ref[i] + shift - c[i], v_ref[i] + v_g[i] - L[i] / m
        rate[i] = a_ref[i] + CARRIED * a_g[i] + omega * omega * k * error + omega * d * drift


def heading(now: np.ndarray, wanted: np.ndarray) -> np.ndarray | None:
    """Turn about the vertical (quaternion) from the reference's heading to the body's; None where they agree."""
    _, yaw = quat.swing_twist(quat.multiply(now, quat.conjugate(wanted)))
    return None if abs(float(yaw)) < AGREE else quat.from_rotvec(np.array([0.0, 0.0, float(yaw)]))


class Reference:
    """Centre of mass and supports along a clip: position, velocity, acceleration, and the supports' places."""

    def __init__(self, clip: Clip, rate: float = 60.0):
        character = clip.character
        n = max(2, round(clip.seconds * rate) + 1)
        self.times = np.linspace(clip.start, clip.start + max(clip.seconds, 1e-3), n)
        self.clip = clip
        data = mujoco.MjData(character.model)
        self.c, self.x = np.zeros((n, 3)), np.zeros((n, len(character.supports), 3))
        for i, t in enumerate(self.times):
            data.qpos[:] = clip.at(t)
            mujoco.mj_kinematics(character.model, data)
            mujoco.mj_comPos(character.model, data)
            self.c[i] = data.subtree_com[0]
            for s, support in enumerate(character.supports):
                body = data.body(support.body)
                self.x[i, s] = body.xpos + body.xmat.reshape(3, 3) @ support.points.mean(axis=0)
        self.still = clip.seconds <= 0.0
        if clip.loop:
            self.c[-1] = self.c[0]  # equal but for rounding
        first, last = (self._speed(data, t) for t in (self.times[0] + NUDGE, self.times[-1] - NUDGE))
        ends: Any = "periodic" if clip.loop else ((1, first), (1, last))
        curve = CubicSpline(self.times, self.c, bc_type=ends)
        self.v, self.a = curve(self.times, 1), curve(self.times, 2)

    def _speed(self, data: mujoco.MjData, t: float) -> np.ndarray:
        """Velocity of the centre of mass at a time of the clip (3,) [m/s]."""
        model = self.clip.character.model
        data.qpos[:], data.qvel[:], _ = self.clip.sample(t)
        mujoco.mj_fwdPosition(model, data)
        mujoco.mj_fwdVelocity(model, data)
        mujoco.mj_subtreeVel(model, data)
        return data.subtree_linvel[0].copy()

    def turn(self, heading: np.ndarray) -> None:
        """Turn all of it about the vertical by a quaternion."""
        R = quat.to_matrix(heading)
        self.c, self.v, self.a, self.x = self.c @ R.T, self.v @ R.T, self.a @ R.T, self.x @ R.T

    def at(self, t: float) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """c, ċ, c̈ [m, s] and support places (S, 3) at a time of the clip."""
        start, end = self.times[0], self.times[-1]
        if self.still or not (self.clip.loop or start <= t < end):  # the end pose is held
            i = -1 if t >= end else 0
            return self.c[i], NOTHING, NOTHING, self.x[i]
        at = (t - start) % (end - start) / (end - start) * (len(self.times) - 1)
        i = min(int(at), len(self.times) - 2)
        u = at - i
        return tuple(a[i] + u * (a[i + 1] - a[i]) for a in (self.c, self.v, self.a, self.x))  # type: ignore[return-value]
