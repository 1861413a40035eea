"""A character that does not simply die: shoved, thrown at, fallen, up again, and on its way."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import mujoco
import numpy as np

from poise.behaviours import Pace, Recover, Stepper, Walk
from poise.behaviours.falling.poses import NEUTRAL, Figure
from poise.behaviours.rolling.on_ground import lowest
from poise.behaviours.stepping.roam import Roam
from poise.character import Character
from poise.character.constants import GRAVITY, HINGE
from poise.errors import BadInput
from poise.geometry import quat
from poise.motion.collide import parted
from poise.scenes.life_measures import damage
from poise.scenes.options import Options
from poise.scenes.react import followed
from poise.scenes.registry import scene
from poise.scenes.stepping import REACTING, REFRESH, alive, living
from poise.simulate import Scene
from poise.worlds.ball import Ball
from poise.worlds.disturb import Push
from poise.worlds.world import World

LYING = {
    "prone": (0.0, 90.0),
    "supine": (0.0, -90.0),
    "left": (-90.0, 90.0),
    "right": (90.0, 90.0),
}  # roll, pitch
POSES = {"random": tuple(LYING), "side": ("left", "right")} | {name: (name,) for name in LYING}
SPREAD = 0.35  # [rad] of the joints of a body that lies anyhow
FIRST, APART = 3.0, (9.0, 15.0)  # [s]: it stands; then the first shove may come, and others after some time
SHOVES = (0.5, 3.5)  # [m/s] of impulse over mass
PACES = (0.0, 0.5, 0.8, 1.1)  # [m/s] of a walk, changed now and then
STAY = (4.0, 9.0)  # [s] for which a pace is kept
BALL_KG, BALL_MS, BALL_S = 3.0, 7.0, 1.6  # of a thrown ball, and when it arrives


@scene
def life(o: Options) -> Scene:
    """Shoves, balls, walking or a clip for as long as asked, with falls got up from. ``shove`` [m/s] is the hardest."""
    clip = o.take("motion", "")
    if o.take("follow", bool(clip)):
        if not clip:
            raise BadInput("follow=on needs a clip to follow: --motion FILE")
        made = living(o, followed(o, stays=False))
        return replace(made, world=_eventful(o, made.character, made.world, o.seconds or made.seconds)[0])
    body = o.character("adult")
    seconds, mu = o.seconds or 60.0, o.friction()
    world, rng = _eventful(
        o, body, World(mu, dt=o.between("dt", 0.002, 1e-5, 0.02, "seconds"), blows=True), seconds
    )
    paces = _paces(seconds, rng) if o.take("walk", True) else STILL
    daily = Stepper(Roam(Walk(paces)), mu=0.9 * mu, idle=o.idle(not body.source))
    return Scene(
        "", body, world, alive(o, daily), seconds=60.0, control=o.control(REFRESH),
        pose_noise=o.between("pose_noise", 0.0, 0, 0.99, "radians"), measures=(damage,),
    )  # fmt: skip


def _eventful(o: Options, body: Character, world: World, seconds: float) -> tuple[World, np.random.Generator]:
    """The world with shoves and balls in it, and what draws the rest of a life."""
    rng = np.random.default_rng([o.seed, 16])
    hardest = o.between("shove", SHOVES[1], 0, 6, "m/s")
    # drawn in any case: a replay brings its pushes, not its balls
    drawn, wanted = _shoves(body, seconds, hardest, rng), o.take("shoves", True)
    pushes = o.pushes if o.pushes is not None else drawn if wanted else ()
    balls = tuple(_ball(body, rng) for _ in range(o.between("balls", 1, 0, 5)))
    return replace(world, pushes=pushes, balls=balls), rng


@scene
def get_up(o: Options) -> Scene:
    """Lie anyhow, and get up; ``pose`` is random, prone, supine, side, left or right."""
    body, how = o.character("adult"), POSES[o.choice("pose", "random", tuple(POSES))]
    mu, manner = o.friction(), REACTING
    spread = o.between("spread", SPREAD, 0, 1, "radians")
    world = World(
        friction=mu, pushes=o.pushes or (), dt=o.between("dt", 0.002, 1e-5, 0.02, "seconds"), blows=True
    )
    daily = Stepper(Recover(), manner.stride, manner.weights, manner.standing, mu=0.9 * mu)
    return Scene(
        "", body, world, alive(o, daily, down=True), seconds=14.0, control=o.control(REFRESH),
        launch=partial(_lying, body, how, spread), measures=(damage,),
    )  # fmt: skip


def _shoves(body: Character, seconds: float, hardest: float, rng: np.random.Generator) -> tuple[Push, ...]:
    """From any side, as hard as any, for a tenth of a second."""
    found, t = [], FIRST + rng.uniform(0.0, 2.0)
    while t < seconds - 1.0:
        angle, speed = rng.uniform(0, 2 * math.pi), rng.uniform(min(SHOVES[0], hardest), hardest)
        force = speed * body.mass / 0.1
        found.append(Push(body.trunk, (force * math.cos(angle), force * math.sin(angle), 0.0), t, 0.1))
        t += rng.uniform(*APART)
    return tuple(found)


def _paces(seconds: float, rng: np.random.Generator) -> Wander:
    """Speed and turn by time, standing now and then."""
    ends = np.cumsum(rng.uniform(*STAY, size=int(seconds / STAY[0]) + 2))
    return Wander(ends, rng.choice(PACES, len(ends)), rng.uniform(-0.3, 0.3, len(ends)))


@dataclass(frozen=True, eq=False)
class Wander:
    """Paces one after the other: until when [s], how fast [m/s], with which turn [rad/s]."""

    ends: np.ndarray
    speeds: np.ndarray
    turns: np.ndarray

    def __call__(self, t: float) -> Pace | None:
        i = min(int(np.searchsorted(self.ends, t)), len(self.ends) - 1)
        if t < FIRST or self.speeds[i] <= 0:
            return None
        return Pace(float(self.speeds[i]), 0.0, float(self.turns[i]))


STILL = Wander(np.array([math.inf]), np.zeros(1), np.zeros(1))


def _ball(body: Character, rng: np.random.Generator) -> Ball:
    """One that meets the chest of a body that has not walked off."""
    angle, t = rng.uniform(0, 2 * math.pi), BALL_S * rng.uniform(0.8, 1.2)
    away = BALL_MS * np.array([math.cos(angle), math.sin(angle)])
    x, y = (-away * t).tolist()
    up = 0.5 * GRAVITY * t
    z = float(body.com_rest[2]) * 1.15
    return Ball((x, y, z), (float(away[0]), float(away[1]), up), mass=BALL_KG, radius=0.12)


def _lying(
    body: Character, how: Sequence[str], spread: float, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """On the ground in one of some ways, limbs anyhow but not in each other, at rest."""
    roll, pitch = np.radians(LYING[how[int(rng.integers(len(how))) if len(how) > 1 else 0]])
    yaw = rng.uniform(-math.pi, math.pi)
    tilt = rng.normal(0.0, 0.15, 2)
    q = np.array(body.q_rest)
    q[3:7] = quat.from_euler([yaw, pitch + tilt[0], roll + tilt[1]], "zyx")
    q[7:] = Figure(body).joints(NEUTRAL)
    noise = rng.normal(0.0, spread, body.model.nv)
    noise[:6] = 0.0

    def anyhow(calm: float) -> np.ndarray:
        return _bent(body, q, (1.0 - calm) * noise)

    q = anyhow(parted(body, anyhow))
    q[2] -= lowest(body.model, body.posed(q), np.array([0.0, 0.0, 1.0]))
    return q, np.zeros(body.model.nv)


def _bent(body: Character, q: np.ndarray, by: np.ndarray) -> np.ndarray:
    """A pose (nq,) with its joints bent by so much (nv,) [rad], hinges within their range."""
    bent = q.copy()
    mujoco.mj_integratePos(body.model, bent, by, 1.0)
    for j in np.flatnonzero(body.model.jnt_type == HINGE):
        at = body.model.jnt_qposadr[j]
        bent[at] = np.clip(bent[at], *body.model.jnt_range[j])
    return bent
