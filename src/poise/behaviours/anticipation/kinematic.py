"""Anticipation without physics until the ball meets the body ([Stepping] 5.3-5.5): the paper's own way, to compare.

Idle → the weight moves over the support foot, feet fixed (5.4) → blend to the example about that foot, the other foot
kept on the ground by inverse kinematics while the weight returns → a dynamic response from the moment of contact →
blend back to idle.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import mujoco
import numpy as np

from poise.behaviours.anticipation.arms import Arms
from poise.behaviours.anticipation.behaviour import EARLY, HOLD, QUICK, SLOW, Choice
from poise.behaviours.anticipation.moves import BLOCKING, HANDS, MOVES, Move, key_pose
from poise.behaviours.anticipation.threat import Sight, Threat, see
from poise.behaviours.anticipation.way import Way
from poise.behaviours.balance.balance import Balance
from poise.character.constants import GRAVITY
from poise.control.controller import Controller
from poise.geometry.easing import quintic
from poise.motion.clip import Clip
from poise.motion.feet import skate
from poise.record.recording import Series
from poise.simulate import Performance
from poise.worlds.world import Arena

if TYPE_CHECKING:
    from poise.record.recording import Recording
    from poise.simulate import Scene

RATE = 100.0  # [Hz] of the recording
RESPONSE = 0.6  # [s] of physics after a contact
BACK = 0.7  # [s] of the blend back to idle


@dataclass
class Reacted(Performance):
    """A throw met kinematically; ``decision_ms`` and ``move`` are known after ``perform``."""

    threat: Threat
    choose: Choice
    delay: float = 0.2
    move: Move | None = None
    decision_ms: float = np.nan
    plan_ms: float = np.nan

    def perform(self, scene: Scene, progress: Callable[[float], None] | None = None) -> Recording:
        from poise.record.kinematic import recording_of

        character = scene.character
        clip = self._planned(character, scene.seconds)
        arena = Arena(scene.world, character)
        poses, balls, energy, met = _played(arena, clip, scene.seconds)
        times = np.arange(len(poses)) / RATE
        whole = Clip(character, times, poses, contacts=clip.contacts if met is None else {})
        info = {"scene": scene.name, "seed": scene.seed, "options": dict(scene.options), **scene.info}
        take = recording_of(whole, info, progress)
        _with_ball(take, arena, balls, energy, self.move)
        feet = skate(clip)
        take.metrics.update({"foot_skate_m": feet.slide_m, "foot_sink_m": feet.sink_m,
                             "com_speed_final_ms": float(np.linalg.norm(take["com_velocity"][-1])),
                             "decision_ms": self.decision_ms, "plan_ms": self.plan_ms})  # fmt: skip
        return take

    def _planned(self, character, seconds: float) -> Clip:
        """Idle until the delay, then the chosen example."""
        ball, t, fall = self.threat.ball(), self.delay, np.array([0.0, 0.0, -GRAVITY])
        place, speed = np.array(ball.place), np.array(ball.velocity)
        sight = see(place + t * speed + 0.5 * t * t * fall, speed + t * fall, np.zeros(2), 0.0)
        clock = time.perf_counter()
        self.move = self.choose(sight)
        self.decision_ms = 1e3 * (time.perf_counter() - clock)
        if self.move is None:
            return Clip(character, np.array([0.0, seconds]), np.tile(character.q_rest, (2, 1)))
        clock = time.perf_counter()
        clip = reaction(character, self.move, sight)
        self.plan_ms = 1e3 * (time.perf_counter() - clock)
        times = np.arange(0.0, max(seconds, clip.end + t) + 1.0, 1.0 / RATE)
        contacts = {s: ((0.0, a[0][1] + t), (a[1][0] + t, times[-1])) for s, a in clip.contacts.items()}
        return Clip(character, times, np.array([clip.at(at - t) for at in times]), contacts=contacts)


def reaction(character, move: Move, sight: Sight) -> Clip:
    """Weight over the support foot, the example, and idle again; soles never slide."""
    pose, ahead = np.array(key_pose(character, move)), 0.0
    if move.kind in BLOCKING:
        pose, ahead = Arms(character).meet(pose, sight, np.zeros(2), 0.0, HANDS[move.zone])
    rise = float(np.clip(sight.time - ahead / sight.speed - EARLY, QUICK, SLOW))
    way = Way(character)
    clip = way(pose, rise, max(sight.time, rise) + HOLD, move.lifted)
    return replace(clip, q=_leaning(way, clip, pose, rise))


def _leaning(way: Way, clip: Clip, pose: np.ndarray, rise: float) -> np.ndarray:
    """The poses with the centre of mass led half-way over the foot that bears more of the key pose (5.4), and back."""
    legs, out = way.legs, np.array(clip.q)
    c, feet = legs.com(pose)[:2], [legs.foot(way.idle, i)[0][:2] for i in range(2)]
    support = int(np.argmin([np.linalg.norm(c - f) for f in feet]))
    for i, t in enumerate(clip.times):
        x = min(t / rise, 1.0)
        if 0.0 < x < 1.0:
            lean = 0.5 * (4 * x * (1 - x)) ** 2  # none at both ends
            places = way._places(clip.q[i])
            ankles, turns = np.array([p[0] for p in places]), np.array([p[1] for p in places])
            now = legs.com(clip.q[i])[:2]
            out[i] = legs.balance(clip.q[i], ankles, turns, now + lean * (feet[support] - now))
    return out


def _played(arena: Arena, clip: Clip, seconds: float):
    """Poses and ball at every record; physics takes over for a while once the ball touches the body."""
    n, nq = round(seconds * RATE) + 1, arena.tree.nq
    joint = arena.model.joint("ball_0")
    at, dof = int(joint.qposadr[0]), int(joint.dofadr[0])
    arena.reset(clip.at(0.0))
    data, model = arena.data, arena.model
    poses, balls = np.empty((n, nq)), np.empty((n, 13))
    met, controller, last = None, None, poses[0]
    every = round(1.0 / (RATE * model.opt.timestep))
    assert arena.impacts is not None
    for k in range(n):
        t = k / RATE
        for _ in range(every if k else 0):
            moving = met is not None and data.time < met + RESPONSE
            if not moving:  # the body is led, the ball flies
                q, v, _ = clip.sample(data.time)
                data.qpos[arena.tree.qs], data.qvel[arena.tree.dofs] = q, v
            arena.begin()
            if met is None and arena.impacts.touching() and _touches(arena):
                met = float(data.time)
                behaviour = Balance(clip.trim(met, clip.end))
                controller = Controller(arena.character, behaviour)
            if met is not None and data.time < met + RESPONSE and controller is not None:
                data.ctrl[:] = controller(model, data, ready=True)
            arena.finish()
        if met is None or t <= met:
            poses[k] = clip.at(t)
        elif t <= met + RESPONSE:
            poses[k] = last = data.qpos[arena.tree.qs].copy()
        else:
            poses[k] = _eased(model, arena, last, clip.at(t), (t - met - RESPONSE) / BACK)
        balls[k, :7], balls[k, 7:] = data.qpos[at : at + 7], data.qvel[dof : dof + 6]
    return poses, balls, arena.impacts.energy.copy(), met


def _touches(arena: Arena) -> bool:
    """Whether the ball is against the body, not the ground."""
    geom = arena.data.contact.geom
    impacts = arena.impacts
    assert impacts is not None
    return bool((impacts._is_ball[geom].any(axis=1) & impacts._mine[geom].any(axis=1)).any())


def _eased(model, arena: Arena, a: np.ndarray, b: np.ndarray, x: float) -> np.ndarray:
    """From the pose that the response left to the clip's, with ease-in and ease-out."""
    own, gap, out = arena.character.model, np.empty(arena.character.model.nv), np.array(a)
    mujoco.mj_differentiatePos(own, gap, 1.0, a, b)
    mujoco.mj_integratePos(own, out, quintic(x) * gap, 1.0)
    return out


def _with_ball(
    take: Recording, arena: Arena, balls: np.ndarray, energy: np.ndarray, move: Move | None
) -> None:
    """Add the ball and what it did to a recording of the body alone."""
    n = len(take.time)
    q, v = take.series["q"], take.series["v"]
    names = tuple(f"q{i}" for i in range(arena.model.nq)), tuple(f"v{i}" for i in range(arena.model.nv))
    take.series["q"] = Series(np.hstack([q.values, balls[:n, :7]]), q.unit, q.frame, names[0])
    take.series["v"] = Series(np.hstack([v.values, balls[:n, 7:]]), v.unit, v.frame, names[1])
    take.series["impact"] = Series(np.tile(energy, (n, 1)), "J", "none", arena.tree.names)
    chosen = np.tile([-1.0 if move is None else float(MOVES.index(move)), 0.0], (n, 1))
    take.series["anticipation"] = Series(chosen, "1, 1", "none", ("move", "stepping"))
    take.model_xml = arena.xml
