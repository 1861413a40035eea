"""How fast planning is: offline seconds for 60 frames, online frames a second with the full body, clip by clip."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import poise
from poise.motion.clip import Clip
from poise.motion.gait import LONG, Gait, walk

if TYPE_CHECKING:
    from poise.behaviours.planned.reference import Reference
    from poise.behaviours.planned.segments import Controller

CAPTURED = ("02_01", "136_21", "08_07", "22_14")  # looked for in the folder POISE_MOCAP, as bvh/NAME.bvh


def planning(quick: bool = False) -> dict[str, Any]:
    """Figures of every clip; a captured clip that is not there is None."""
    clips: dict[str, Callable[[], Clip | None]] = {
        "walk": lambda: walk(poise.Character.named("adult"), Gait(), 4),
        "long-step": lambda: walk(poise.Character.named("adult"), LONG, 4),
        "squat": _squat,
    }
    if not quick:
        clips |= {name: lambda name=name: _captured(name) for name in CAPTURED}
    found = {name: _planned(make()) for name, make in clips.items()}
    return {
        "offline_s_per_60_frames": {name: x and x[0] for name, x in found.items()},
        "online_fps": {name: x and x[1] for name, x in found.items()},
    }


def _planned(clip: Clip | None) -> tuple[float, float] | None:
    from poise.behaviours.planned.reference import reference
    from poise.behaviours.planned.segments import controller

    if clip is None:
        return None
    ref = reference(clip)
    return measure(ref, controller(ref))


def measure(ref: Reference, control: Controller, rounds: int = 3) -> tuple[float, float]:
    """Seconds to plan 60 frames, and frames a second with the full body: best of a few rounds."""
    from poise.behaviours.planned.course import course
    from poise.behaviours.planned.perform import act
    from poise.behaviours.planned.segments import controller

    way = course(ref, control)
    offline, online = [], []
    for _ in range(rounds):
        start = time.perf_counter()
        controller(ref)
        offline.append(60 * (time.perf_counter() - start) / control.frames)
        online.append(act(ref, control, way).fps)
    return min(offline), max(online)


def _squat() -> Clip:
    from poise.motion import library

    body = poise.Character.named("adult")
    once = library.squat(body, 0.25, 2.5)
    return Clip(body, once.times, once.q)


def _captured(name: str) -> Clip | None:
    from poise.capture.captured import captured

    folder = os.environ.get("POISE_MOCAP")
    path = Path(folder) / "bvh" / f"{name}.bvh" if folder else None
    return captured(path, lock=False).clip if path is not None and path.is_file() else None
