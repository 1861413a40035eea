"""One performance of a planned motion: offline plan, online feedback, full body, and all of it recorded."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from poise.behaviours.planned.body import Body
from poise.behaviours.planned.course import Course
from poise.behaviours.planned.online import Online, Settings
from poise.behaviours.planned.problem import Weights
from poise.behaviours.planned.reference import Reference, reference
from poise.behaviours.planned.segments import Controller, controller
from poise.behaviours.planned.sideways import Sideways
from poise.behaviours.planned.take import WARM_UP, Log, recording
from poise.motion.clip import Clip
from poise.simulate import Performance

if TYPE_CHECKING:
    from poise.record.recording import Recording
    from poise.simulate import Scene
    from poise.worlds.disturb import Push

LOST = 0.6  # [m] from the plan's centre of mass: nothing will bring it back
TORN = 0.05  # [m] that the body lags behind the model in one frame: the legs cannot follow
NOWHERE = np.zeros(3)


@dataclass(frozen=True, eq=False)
class Planned(Performance):
    """A clip performed through the abstract model.

    Args:
        clip: Duration wanted [s] → the clip; it may be longer, and looks at least a step ahead where it can.
        steps: What the motion is → (n, 3) shifts of its landings [m], see ``course``; None leaves them.
        weights, settings, mu, lead: Of the plan, of the feedback, friction, and of the goals' shift.
        footing: Gain of landings that give way to the side, see ``Sideways``.
    """

    clip: Callable[[float], Clip]
    steps: Callable[[Reference], np.ndarray] | None = None
    weights: Weights = field(default_factory=Weights)
    settings: Settings = field(default_factory=Settings)
    mu: float = 0.8
    lead: float = 0.5
    footing: float = 0.0

    def perform(self, scene: Scene, progress: Callable[[float], None] | None = None) -> Recording:
        clip = self.clip(scene.seconds)
        ref = reference(clip)
        start = time.perf_counter()
        control = controller(ref, self.weights, self.mu)
        offline = time.perf_counter() - start
        steps = None if self.steps is None else self.steps(ref)
        side = Sideways(ref, control, steps, self.lead, self.footing)
        log = act(ref, control, side, self.settings, scene.world.pushes, scene.seconds, progress)
        log.offline = offline
        return recording(scene, ref, control, side.way, log)


def act(
    ref: Reference,
    control: Controller,
    given: Course | Sideways,
    settings: Settings | None = None,
    pushes: Sequence[Push] = (),
    seconds: float = np.inf,
    progress: Callable[[float], None] | None = None,
) -> Log:
    """Run the feedback and the body; stops early, with a note, where the motion cannot go on."""
    side = given if isinstance(given, Sideways) else None
    way = given.way if isinstance(given, Sideways) else given
    online, body = Online(control, way, settings), Body(ref, way, control.segments[0].start)
    frames = int(min(seconds / ref.h + 1e-6, 20 * ref.frames)) + 1
    log = Log(ref, frames, way.points.shape[1])
    targets = [(push, ref.character.body(push.body)) for push in pushes]
    for i in range(frames):
        if i == min(WARM_UP, frames - 1):
            log.started = time.perf_counter()
        if side is not None:
            way = online.course = body.course = side.look(i, online)
        force, at, blow = _push(targets, i * ref.h, body)
        online.decide()
        ahead = online.peek(force, at)
        rate = online.rate
        body.prepare(online.x, ahead, online.frame + rate, rate, blow)
        n = len(online.points)
        body.adapt(online.x, ahead, online.points, online.F[:n], control.segments[online.index].policy.mu)
        log.write(i, online, body, force, at)
        why = _stopped(online, body, ref, way)
        if why or online.finished or i == frames - 1:
            log.stop(i, why)
            break
        now = online.x
        online.advance(force, at)
        body.move(now, online.x)
        if progress is not None and i % 60 == 0:
            progress(i / frames)
    log.ended = time.perf_counter()
    return log


def _push(
    targets: list[tuple[Push, int]], t: float, body: Body
) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
    """The sum of the pushes that act now [N], the point it acts at [m], and what they give to the joints."""
    acting = [(push, b) for push, b in targets if push.acts(t)]
    if not acting:
        return NOWHERE, NOWHERE, None
    data = body.follower.data
    forces = np.array([push.force for push, _ in acting])
    places = np.array([data.xipos[b] + data.xmat[b].reshape(3, 3) @ push.offset for push, b in acting])
    share = np.linalg.norm(forces, axis=1)
    total = float(share.sum())
    blow = np.sum([body.struck(f, x, b) for f, x, (_, b) in zip(forces, places, acting)], axis=0)
    return forces.sum(axis=0), share @ places / total if total > 0 else places[0], blow


def _stopped(online: Online, body: Body, ref: Reference, way: Course) -> str:
    """Why the motion cannot go on; empty while it can."""
    if not (np.isfinite(online.x).all() and np.isfinite(body.v).all()):
        return "the state is no longer finite"
    gap = float(np.linalg.norm(body.gap))
    if gap > TORN:
        return f"the legs cannot reach: the body stays {100 * gap:.0f} cm behind what the plan asks"
    k = min(int(online.frame), ref.frames - 1)
    away = float(np.linalg.norm(online.x[:3] - ref.x[k, :3] - way.drift[k]))
    if away > LOST:
        return f"the centre of mass is {away:.1f} m from the plan: more than contact forces on these footprints undo"
    return ""
