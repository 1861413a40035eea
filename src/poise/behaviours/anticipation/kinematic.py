"""Anticipation without physics until the ball meets the body ([Stepping] 5.3-5.5): the paper's own way, to compare.

Idle → the weight moves over the support foot, feet fixed (5.4) → blend to the example about that foot, the other foot
kept on the ground by inverse kinematics while the weight returns → a dynamic response from the moment of contact →
blend back to idle.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from poise.behaviours.anticipation.aftermath import Aftermath, Watch, struck
from poise.behaviours.anticipation.away import stepped
from poise.behaviours.anticipation.behaviour import Choice
from poise.behaviours.anticipation.clips import Example
from poise.behaviours.anticipation.moves import ACTS, Move
from poise.behaviours.anticipation.reaction import Reaction, timed
from poise.behaviours.anticipation.threat import Sight, Threat, blurred, sight_of
from poise.behaviours.balance.balance import Balance
from poise.character.character import Character
from poise.control.controller import Controller
from poise.geometry.easing import quintic
from poise.motion.blend import delayed
from poise.motion.clip import Clip, Intervals
from poise.motion.coordinates import between
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
    """A throw met kinematically; ``decision_ms`` and ``move`` are known after ``perform``.

    ``noise``, ``misses``, ``seed``, ``example``, ``idle`` and ``after`` as in ``Anticipate``.
    """

    threat: Threat
    choose: Choice
    delay: float = 0.2
    noise: float = 0.0
    misses: float = 0.0
    seed: int = 0
    example: Example | None = None
    idle: np.ndarray | None = None
    after: Aftermath | None = None
    move: Move | None = None
    decision_ms: float = np.nan
    plan_ms: float = np.nan
    reacted_s: float = np.nan

    def perform(self, scene: Scene, progress: Callable[[float], None] | None = None) -> Recording:
        from poise.record.kinematic import recording_of

        character = scene.character
        clip = self._planned(character, scene.seconds)
        arena = Arena(scene.world, character)
        poses, balls, energy, met = self._played(arena, clip, scene.seconds)
        times = np.arange(len(poses)) / RATE
        whole = Clip(character, times, poses, contacts=clip.contacts if met is None else {})
        info = {"scene": scene.name, "seed": scene.seed, "options": dict(scene.options), **scene.info}
        take = recording_of(whole, info, progress)
        _with_ball(take, arena, balls, energy, self.move)
        feet = skate(clip)
        take.metrics.update({"foot_skate_m": feet.slide_m, "foot_sink_m": feet.sink_m,
                             "com_speed_final_ms": float(np.linalg.norm(take["com_velocity"][-1])),
                             "decision_ms": self.decision_ms, "plan_ms": self.plan_ms})  # fmt: skip
        if not np.isnan(self.reacted_s):
            take.metrics["reacted_s"] = self.reacted_s
        return take

    def _planned(self, character: Character, seconds: float) -> Clip:
        """Idle until the delay, then the chosen example."""
        t, sight, rng = self.delay, sight_of(self.threat, self.delay), np.random.default_rng(self.seed)
        missed = rng.random() < self.misses
        sight = blurred(sight, self.noise, rng) if self.noise > 0 else sight
        self.move, self.decision_ms = (None, np.nan) if missed else timed(self.choose, sight)
        if self.move is None:
            idle = character.q_rest if self.idle is None else self.idle
            return Clip(character, np.array([0.0, seconds]), np.tile(idle, (2, 1)))
        reaction = Reaction(character, self.idle)
        if self.move.kind == "step":
            clip, self.plan_ms = timed(stepped, character, reaction.idle, self.move)
        else:
            clip, self.plan_ms = timed(_leaning, reaction, self.move, sight, self.example)
        times = np.arange(0.0, max(seconds, clip.end + t) + 1.0, 1.0 / RATE)
        contacts = {s: _widened(spans, t, float(times[-1])) for s, spans in clip.contacts.items()}
        return Clip(character, times, np.array([clip.at(at - t) for at in times]), contacts=contacts)

    def _played(self, arena: Arena, clip: Clip, seconds: float):
        """Poses and ball at every record; physics takes over for a while once the ball touches the body."""
        n, nq = round(seconds * RATE) + 1, arena.tree.nq
        joint = arena.model.joint("ball_0")
        at, dof = int(joint.qposadr[0]), int(joint.dofadr[0])
        arena.reset(clip.at(0.0))
        data, model = arena.data, arena.model
        poses, balls = np.empty((n, nq)), np.empty((n, 13))
        met, controller, last, follows = None, None, poses[0], clip
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
                if met is None and arena.impacts.met():
                    met = float(data.time)
                    follows = self._afterwards(arena, clip, met)
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
                share = quintic((t - met - RESPONSE) / BACK)
                poses[k] = between(arena.character.model, last, follows.at(t), share)
            balls[k, :7], balls[k, 7:] = data.qpos[at : at + 7], data.qvel[dof : dof + 6]
        return poses, balls, arena.impacts.energy.copy(), met

    def _afterwards(self, arena: Arena, clip: Clip, met: float) -> Clip:
        """What physics gives way to after a contact at a time [s]: the reaction example where there is one."""
        if self.after is None:
            return clip
        self.reacted_s = met + RESPONSE
        q = np.array(clip.at(self.reacted_s))
        reaction = Reaction(arena.character, self.idle)
        ball = Watch(arena.model, arena.model.joint("ball_0").id).place
        centre = np.mean([reaction.legs.foot(q, i)[0][:2] for i in range(2)], axis=0)
        hit = struck(arena.data, arena.tree, arena.data.qpos[ball], centre, 0.0)
        return delayed(self.after.clip(reaction, hit, q), self.reacted_s)


def _widened(spans: Intervals, late: float, end: float) -> Intervals:
    """Stances of a clip that begins later [s], from the start of a take to its end."""
    begins, ends = [0.0, *(a + late for a, _ in spans[1:])], [*(b + late for _, b in spans[:-1]), end]
    return tuple(zip(begins, ends, strict=True))


def _leaning(reaction: Reaction, move: Move, sight: Sight, example: Example | None) -> Clip:
    """The example, its centre of mass led half-way over the foot that bears more of the key pose (5.4), and back."""
    clip, pose, rise = reaction.meet(move, sight, example)
    legs, out = reaction.legs, np.array(clip.q)
    c, feet = legs.com(pose)[:2], [legs.foot(reaction.idle, i)[0][:2] for i in range(2)]
    support = int(np.argmin([np.linalg.norm(c - f) for f in feet]))
    for i, t in enumerate(clip.times):
        x = min(t / rise, 1.0)
        if 0.0 < x < 1.0:
            lean = 0.5 * (4 * x * (1 - x)) ** 2  # none at both ends
            places = reaction.places(clip.q[i])
            ankles, turns = np.array([p[0] for p in places]), np.array([p[1] for p in places])
            now = legs.com(clip.q[i])[:2]
            out[i] = legs.balance(clip.q[i], ankles, turns, now + lean * (feet[support] - now))
    return replace(clip, q=out)


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
    chosen = np.tile([-1.0 if move is None else float(ACTS.index(move)), 0.0], (n, 1))
    take.series["anticipation"] = Series(chosen, "1, 1", "none", ("move", "stepping"))
    take.model_xml = arena.xml
