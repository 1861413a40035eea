"""Balls in flight: bodies of the engine like any other, and what they do to those they meet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import mujoco
import numpy as np

from poise.character.constants import GRAVITY
from poise.compiled import compiled
from poise.errors import BadInput
from poise.geometry.linear import times

BOUNCE = (0.012, 0.45)  # time constant [s] and damping ratio of a ball's contact: an inflated ball
RGBA = (0.85, 0.33, 0.2, 1.0)


@dataclass(frozen=True)
class Ball:
    """A ball that is in the air when a take begins: world place [m] and velocity [m/s], mass [kg], radius [m]."""

    place: tuple[float, float, float]
    velocity: tuple[float, float, float]
    mass: float = 0.45
    radius: float = 0.11

    def __post_init__(self) -> None:
        if not np.isfinite([*self.place, *self.velocity]).all():
            raise BadInput(f"ball {self} has a number that is not finite")
        if not (0 < self.mass < 1e3 and 0 < self.radius < 2):
            raise BadInput(f"ball of {self.mass} kg and {self.radius} m; give numbers above zero")

    def after(self, t: float) -> tuple[np.ndarray, np.ndarray]:
        """Place (3,) [m] and velocity (3,) [m/s] after some seconds of free flight."""
        place, speed, fall = np.array(self.place), np.array(self.velocity), np.array([0.0, 0.0, -GRAVITY])
        return place + t * speed + 0.5 * t * t * fall, speed + t * fall


def add_balls(spec: mujoco.MjSpec, balls: Sequence[Ball]) -> None:
    """Put balls into a world, as bodies ``ball_0``, ``ball_1`` ..."""
    for i, ball in enumerate(balls):
        body = spec.worldbody.add_body(name=f"ball_{i}", pos=ball.place)
        body.add_freejoint(name=f"ball_{i}")
        body.add_geom(
            name=f"ball_{i}", type=mujoco.mjtGeom.mjGEOM_SPHERE, size=[ball.radius, 0, 0], mass=ball.mass,
            solref=BOUNCE, rgba=RGBA, friction=[0.6, 0.005, 0.0001],
        )  # fmt: skip


class Impacts:
    r"""What balls have done to a body, part by part: energy, impulse, and when each was first met.

    The energy of an impact is the work of the contact's normal force while ball and part approach each other,

    .. math:: E = \int f_n\, \max(0, -v_n)\, dt

    which is :math:`\tfrac12 \mu v_n^2` with the reduced mass μ, whatever the bounce: what the part must take up.

    Attributes:
        energy: (bodies,) [J]. impulse: (bodies,) [N s]. first: (bodies,) time of the first touch [s], nan before.
    """

    def __init__(self, model: mujoco.MjModel, data: mujoco.MjData, balls: Sequence[Ball], bodies: range):
        self.model, self.data, self.body0 = model, data, bodies.start
        ids = [model.geom(f"ball_{i}").id for i in range(len(balls))]
        self._is_ball = np.isin(np.arange(model.ngeom), ids)
        self._mine = np.isin(model.geom_bodyid, list(bodies))
        self._dofs = {g: int(model.body_dofadr[model.geom_bodyid[g]]) for g in ids}
        self._starts = [(int(model.joint(f"ball_{i}").dofadr[0]), ball) for i, ball in enumerate(balls)]
        self.energy, self.impulse = np.zeros(len(bodies)), np.zeros(len(bodies))
        self.first = np.full(len(bodies), np.nan)

    def reset(self) -> None:
        """Throw: a ball has its velocity from the start."""
        for at, ball in self._starts:
            self.data.qvel[at : at + 3] = ball.velocity
        self.energy[:], self.impulse[:], self.first[:] = 0.0, 0.0, np.nan

    def throw(self, which: int, place: Sequence[float], velocity: Sequence[float]) -> None:
        """Take a ball and throw it from a place [m] with a velocity [m/s]: it is there when the next step begins."""
        joint = self.model.joint(f"ball_{which}")
        at, dof = int(joint.qposadr[0]), int(joint.dofadr[0])
        self.data.qpos[at : at + 7] = *place, 1.0, 0.0, 0.0, 0.0
        self.data.qvel[dof : dof + 6] = *velocity, 0.0, 0.0, 0.0

    def met(self) -> bool:
        """Whether a ball is against the body."""
        return bool(self.data.ncon) and _met(self.data.contact.geom.copy(), self._is_ball, self._mine)

    def step(self) -> None:
        """One step of the engine, with what its ball contacts did added up."""
        data = self.data
        before = {g: data.qvel[at : at + 3].copy() for g, at in self._dofs.items()}
        speeds = np.array(data.efc_vel)
        mujoco.mj_step2(self.model, data)
        force = np.zeros(6)
        for k in range(data.ncon):
            pair = data.contact.geom[k]
            balls, parts = self._is_ball[pair], self._mine[pair]
            row = int(data.contact.efc_address[k])
            if not (balls.any() and parts.any()) or row < 0:
                continue
            mujoco.mj_contactForce(self.model, data, k, force)
            ball, part = int(pair[balls][0]), int(pair[parts][0])
            self._add(k, row, ball, part, float(force[0]), before[ball], speeds)

    def _add(self, k, row, ball, part, push, before, speeds) -> None:
        data, dt = self.data, self.model.opt.timestep
        b = int(self.model.geom_bodyid[part]) - self.body0
        at = self._dofs[ball]
        normal = data.contact.frame[k][:3]
        sign = (
            -1.0 if data.contact.geom[k][0] == ball else 1.0
        )  # the normal points from the first shape to the second
        start = float(speeds[row])
        end = start + sign * float(times(normal, data.qvel[at : at + 3] - before))
        self.energy[b] += push * dt * 0.5 * (max(-start, 0.0) + max(-end, 0.0))
        self.impulse[b] += push * dt
        if push > 0 and np.isnan(self.first[b]):
            self.first[b] = data.time - dt


@compiled
def _met(pairs, is_ball, mine):
    """Whether a pair of shapes is a ball and a part of the body."""
    for k in range(pairs.shape[0]):
        a, b = pairs[k]
        if (is_ball[a] and mine[b]) or (is_ball[b] and mine[a]):
            return True
    return False
