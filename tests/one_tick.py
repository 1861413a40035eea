"""One control tick of a scene, as a list of the functions of poise that it calls."""

from __future__ import annotations

import sys
from itertools import pairwise
from pathlib import Path
from types import FrameType

import mujoco

import poise
from poise.control.controller import Controller
from poise.simulate import Scene
from poise.worlds.world import Arena

ROOT = Path(poise.__file__).parent
MANNER = (  # how a step on the way is taken, no step itself: they stand for @ and for a call of compiled code
    ROOT / "geometry" / "linear.py",
    ROOT / "compiled" / "direct.py",
)


def calls_of_a_tick(scene: Scene, t: float) -> list[tuple[str, str]]:
    """(file, function) of every call in the first tick from time t [s] on that forms its objectives anew."""
    arena = Arena(scene.world, scene.character)
    controller = Controller(scene.character, scene.behaviour, scene.control, ground=arena.ground_body)  # type: ignore[arg-type]
    arena.reset(scene.character.q_rest, None)
    model, data = arena.model, arena.data
    while True:
        mujoco.mj_step1(model, data)
        calls: list[tuple[str, str]] = []

        def note(frame: FrameType, event: str, arg: object, calls=calls) -> None:
            path = Path(frame.f_code.co_filename)
            if event == "call" and ROOT in path.parents and path not in MANNER:
                calls.append((path.relative_to(ROOT).as_posix(), frame.f_code.co_name))

        sys.setprofile(note if data.time >= t else None)
        try:
            data.ctrl[:] = controller(model, data, ready=True)
        finally:
            sys.setprofile(None)
        if any(name == "update" and "behaviours" in file for file, name in calls):
            return calls
        mujoco.mj_step2(model, data)


def switches(calls: list[tuple[str, str]]) -> int:
    """How often one call is in another file than the call before it."""
    return sum(a[0] != b[0] for a, b in pairwise(calls))
