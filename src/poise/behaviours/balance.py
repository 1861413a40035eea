"""Stand, and follow a clip while standing: tracking, linear and angular balance ([Balance] §6-8)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from poise.behaviours.behaviour import Behaviour
from poise.behaviours.gains import Gains, Weights
from poise.control.momentum import LinearMomentum, clamp_force
from poise.control.objective import Objective
from poise.control.pressure import PressureLaw
from poise.control.solve import Command
from poise.control.tracking import PoseError, Tracking
from poise.dynamics.state import State
from poise.geometry.polygon import centroid, hull_into, project
from poise.motion.clip import Clip

NORMAL_FORCE = (0.2, 1.8)  # of the weight: bounds of the ground's push (eq. 15)


@dataclass
class Balance(Behaviour):
    """Keep the centre of mass over the supports while tracking a clip (or the rest pose) as well as that allows.

    Args:
        clip: What to follow; None is the rest pose.
        gains, weights: See their classes.
        angular: Whether the angular balance law acts.
        literal: Ask for eq. 5 as printed, whatever spin that costs; otherwise ask only for what the sole can give
            without spin, and for more just as far as the fall would else outrun it.
        mu: Friction that the linear law counts on (eq. 16).
        others: Further objectives at time t, as a function of time [s] and state.
        planted: Which supports may push at time t; None asks the clip.
    """

    clip: Clip | None = None
    gains: Gains = field(default_factory=Gains)
    weights: Weights = field(default_factory=Weights)
    angular: bool = True
    mu: float = 0.72
    literal: bool = False
    others: Callable[[float, State], Sequence[Objective]] | None = None

    def start(self, state: State, dt: float) -> None:
        character = state.character
        self._clip = self.clip if self.clip is not None else Clip.still(character)
        self._names = tuple(s.name for s in character.supports)
        self._t0, self._dt = state.t, dt
        self._error = PoseError(state.tree)
        h = float(character.com_rest[2])
        g = float(np.linalg.norm(state.g))
        self._h, self._rate = h, math.sqrt(g / h)
        self._reference = Reference(self._clip)
        self._weight = self._track_weights(state)
        k, d = self.gains.track * self._rate**2, self.gains.track_damping * self._rate
        self._k, self._d = np.full(state.nv, k), np.full(state.nv, d)
        self._v_dot = np.zeros(state.nv)
        self._points, self._hull, self._near = np.zeros((64, 2)), np.zeros((65, 2)), np.zeros(2)
        gains, weights = self.gains, self.weights
        self._pressure = PressureLaw(
            gains.pressure * self._rate**2, gains.pressure_damping * self._rate, weights.angular, weights.spin,
            gains.spin_damping * self._rate, h, dt,
        )  # fmt: skip
        self.q_ref = self._clip.at(0.0)

    def _track_weights(self, state: State) -> np.ndarray:
        character, tree, w = state.character, state.tree, self.weights
        out = np.full(state.nv, w.tracking)
        out[:3], out[3:6] = 0.0, w.root
        for j in tree.joints[1:]:
            joint = tree.model.joint(j)
            body = tree.model.body(joint.bodyid[0]).name
            at = joint.dofadr[0] - tree.dof0
            width = len(joint.qpos0) - (len(joint.qpos0) == 4)
            out[at : at + width] *= character.track_weights.get(joint.name, 1.0)
            if body in character.arms:
                out[at : at + width] *= w.arms
        return out

    def update(self, state: State) -> Command:
        t = state.t - self._t0
        self.q_ref, v_ref, v_dot_ref = self._clip.sample(t)
        self._error.law(state.q, state.v, self.q_ref, v_ref, v_dot_ref, self._k, self._d, self._v_dot)
        active = np.array([self._clip.on_ground(name, t) for name in self._names])
        self._support(state, active)
        linear = self._linear(state, t, active)
        angular = self._angular(state, active) if self.angular else None
        others = () if self.others is None else self.others(t, state)
        return Command(Tracking(self._v_dot, self._weight), linear, angular, active, others)

    def _linear(self, state: State, t: float, active: np.ndarray) -> LinearMomentum:
        """Eq. 5-6 with the reference's own centre of mass, carried along by the supports, then the clamps."""
        gains, ground, r = self.gains, state.ground, self._rate
        c_ref, v_ref, a_ref, x_ref = self._reference.at(t)
        shift = (state.x[active] - x_ref[active]).mean(axis=0) if active.any() else np.zeros(3)
        error = c_ref + shift - state.c
        velocity, acceleration = ground.motion_at(state.c)
        drift = v_ref + velocity[:3] - state.c_dot
        rate = a_ref + acceleration[:3] + r * r * gains.linear * error + r * gains.linear_damping * drift
        rate[2] = a_ref[2] + r * r * gains.vertical * error[2] + r * gains.vertical_damping * drift[2]
        if not self.literal and self._hull_size >= 3:
            self._within_reach(state, rate, drift)
        rate *= state.m
        weight = state.m * state.g
        push = state.m * float(np.linalg.norm(state.g))
        clamp_force(rate, weight, ground.normal, NORMAL_FORCE[0] * push, NORMAL_FORCE[1] * push, self.mu)
        w = self.weights
        return LinearMomentum(rate, (w.linear, w.linear, w.vertical), self._h)

    def _within_reach(self, state: State, rate: np.ndarray, drift: np.ndarray) -> None:
        """Keep the moment pivot that an acceleration implies inside the support, or as far outside as the fall is.

        c̈ = (c - pivot) / height · (g + c̈_z): with the pivot inside the support no spin is needed (zero spin). Where
        the capture point c + ċ √(h/g) has left the support, only spin can help, and the pivot may follow it out by
        that much and ``gains.chase`` more (non-zero spin, [Coordination] §3).
        """
        height = state.c[2] - self._plane[2]
        lift = max(rate[2] - state.g[2], 1.0)
        polygon, n = self._polygon, self._hull_size
        pivot = state.c[:2] - rate[:2] * height / lift
        capture = state.c[:2] - drift[:2] / self._rate
        project(polygon, n, capture, self._near)
        excess = capture - self._near
        project(polygon, n, pivot, self._near)
        pivot = self._near + (1.0 + self.gains.chase) * excess
        rate[:2] = (state.c[:2] - pivot) * lift / height

    def _support(self, state: State, active: np.ndarray) -> None:
        """Convex hull of the planted soles seen from above, drawn in a little."""
        n = 0
        for s in np.flatnonzero(active):
            count = state.corner_count[s]
            self._points[n : n + count] = state.corners[s, :count, :2]
            n += count
        size = self._hull_size = hull_into(self._points, n, self._hull)
        if size >= 3:
            polygon = self._hull[:size]
            centre = centroid(polygon)
            self._polygon = centre + self._pressure.shrink * (polygon - centre)
            self._plane = state.x[active].mean(axis=0)
            self._centre = np.array([centre[0], centre[1], self._plane[2]])

    def _angular(self, state: State, active: np.ndarray) -> PressureLaw | None:
        if self._hull_size < 3:
            return None
        law = self._pressure
        law.polygon, law.plane, law.centre = self._polygon, self._plane, self._centre
        return law


class Reference:
    """Centre of mass and supports along a clip: position, velocity, acceleration, and the supports' places."""

    def __init__(self, clip: Clip, rate: float = 60.0):
        import mujoco

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
        dt = self.times[1] - self.times[0]
        self.still = clip.seconds <= 0.0
        wrap = {"mode": "wrap"} if clip.loop else {"mode": "edge"}
        padded = np.pad(self.c[:-1] if clip.loop else self.c, ((2, 2), (0, 0)), **wrap)
        self.v = (padded[3:-1] - padded[1:-3]) / (2 * dt)
        self.a = (padded[3:-1] - 2 * padded[2:-2] + padded[1:-3]) / dt**2
        if clip.loop:
            self.v, self.a = np.vstack([self.v, self.v[:1]]), np.vstack([self.a, self.a[:1]])

    def at(self, t: float) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """c, ċ, c̈ [m, s] and support places (S, 3) at a time of the clip."""
        if self.still:
            return self.c[0], np.zeros(3), np.zeros(3), self.x[0]
        start, span = self.times[0], self.times[-1] - self.times[0]
        t = (t - start) % span if self.clip.loop else min(max(t - start, 0.0), span)
        at = t / span * (len(self.times) - 1)
        i = min(int(at), len(self.times) - 2)
        u = at - i
        return tuple(a[i] + u * (a[i + 1] - a[i]) for a in (self.c, self.v, self.a, self.x))  # type: ignore[return-value]
