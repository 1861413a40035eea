"""Scene in, Recording out: ``simulate`` runs a scene to its end, ``batch`` many, ``Session`` lets others step it."""

from __future__ import annotations

import time
from collections.abc import Callable

from poise.compiled.function import Function
from poise.gate import NUMBERS, gate, within
from poise.record.recording import Recording
from poise.simulate.batches import batch
from poise.simulate.rollout import Rollout, rollout
from poise.simulate.scene import Performance, Scene
from poise.simulate.session import Session
from poise.simulate.stream import advance, stream

__all__ = ["Performance", "Rollout", "Scene", "Session", "batch", "rollout", "simulate", "stream"]

AT_ONCE = 3600.0  # [s] of a take that is kept in memory


def simulate(scene: Scene, progress: Callable[[float], None] | None = None) -> Recording:
    """Run a scene to its end and return everything that happened. A fall is a result; so is a state that blew up.

    What takes longer than an hour is run by ``stream``, in parts.
    """
    within(
        "a take in one piece", scene.seconds, AT_ONCE, "seconds (in parts it may be longer: -o NAME.parts)"
    )
    if isinstance(scene.behaviour, Performance):
        with gate(f"scene {scene.name!r} cannot be performed by {scene.character.name!r}", NUMBERS):
            take = scene.behaviour.perform(scene, progress)
        for measure in scene.measures:
            take.metrics.update(measure(take))
        return take
    session = Session(scene)
    steps, dt = round(scene.seconds / scene.world.dt), scene.world.dt
    if progress is not None:
        progress(0.0)
    begun = (
        time.perf_counter() - Function.seconds
    )  # code that is compiled or loaded on the way does not count
    advance(session, steps, lambda done: progress and progress(done / steps))
    elapsed = time.perf_counter() - Function.seconds - begun
    return session.recording(real_time_factor=session.steps * dt / max(elapsed, 1e-9))
