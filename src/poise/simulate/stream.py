"""A scene of any length, handed out in parts while it runs: memory stays flat."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from poise.record.recording import Recording
from poise.simulate.scene import Scene
from poise.simulate.session import Session

PART_S = 60.0  # of a take that one part holds
TOLD = 0.1  # [s] of simulated time between two reports of progress


def stream(scene: Scene, progress: Callable[[float], None] | None = None) -> Iterator[Recording]:
    """Run a scene to its end; each minute of it is a recording, with the time since the start of the take.

    ``info["part"]`` counts the parts, ``info["ends"]`` is true in the last one. Whether it fell, and what the behaviour
    itself counts, is told since the start; other metrics are of the part.
    """
    session = Session(scene, keep=PART_S)
    every, dt = session.take.every, scene.world.dt
    steps, at_once = round(scene.seconds / dt), every * max(1, round(PART_S / (every * dt)))
    part, given = 0, 0
    while True:
        begun, before = time.perf_counter(), session.steps
        advance(session, min(before + at_once, steps), lambda done: progress and progress(done / steps))
        factor = (session.steps - before) * dt / max(time.perf_counter() - begun, 1e-9)
        records = session.take.recorder.records - given  # none where it blew up at once: the last one again
        ends = session.over or session.steps >= steps
        made = session.recording(records * every * dt, factor)
        made.info.update(part=part, ends=ends)
        yield made
        if ends:
            return
        part, given = part + 1, given + records


def advance(session: Session, until: int, told: Callable[[int], object]) -> None:
    """Go on to a step of the world, or to the end, and tell of the steps done now and then."""
    dt = session.scene.world.dt
    at_once = max(1, round(TOLD / dt))
    while session.steps < until and not session.over:
        session.step(min(at_once, until - session.steps) * dt)
        told(session.steps)
