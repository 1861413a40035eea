"""What the claims of [Abstract] share: motions planned once, and many performances of them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import numpy as np

import poise
from poise.behaviours.planned.course import course
from poise.behaviours.planned.online import Settings
from poise.behaviours.planned.outcome import Outcome, outcome
from poise.behaviours.planned.perform import act
from poise.behaviours.planned.problem import Weights
from poise.behaviours.planned.reference import Reference, reference
from poise.behaviours.planned.segments import Controller, controller
from poise.motion import library
from poise.motion.clip import Clip
from poise.motion.gait import LONG, Gait, walk
from poise.reproduce.claim import few
from poise.worlds.disturb import Push

STEPS = 9
ONSETS = 1.2 + np.sort(np.random.default_rng(2010).uniform(0.0, 2 * Gait().period, 8))  # over one stride [s]
FOUR = ONSETS[::2]


@lru_cache(maxsize=8)
def motion(name: str, angular: float | None = None) -> tuple[Reference, Controller]:
    """A default clip and its controller: walk, long or squat."""
    body = poise.Character.named("adult")
    if name == "squat":
        once = library.squat(body, 0.25, 2.5)
        times = np.arange(round(5.5 * 120)) / 120.0
        clip = Clip(body, times, np.array([once.at(t) for t in times]))
    else:
        clip = walk(body, Gait() if name == "walk" else LONG, STEPS)
    ref = reference(clip)
    return ref, controller(ref, Weights() if angular is None else Weights(angular=angular))


def play(
    name: str = "walk",
    shift: tuple[float, float, float] = (0.0, 0.0, 0.0),
    count: int = 3,
    push: tuple[float, float, float] | None = None,
    start: float = 1.2,
    duration: float = 0.3,
    angular: float | None = None,
    lead: float = 0.5,
    **settings: bool,
) -> Outcome:
    """One performance: ``count`` landings from the second on shifted [m], and a push [N]."""
    ref, control = motion(name, angular)
    steps = np.zeros((count + 2, 3))
    steps[2:] = shift
    way = course(ref, control, steps, lead)
    pushes = () if push is None else (Push("torso", push, start, duration),)
    return outcome(ref, control, way, act(ref, control, way, Settings(**settings), pushes))


def again(name: str, push: tuple[float, float, float], starts: Iterable[float]) -> Outcome:
    """One performance that is pushed for 0.2 s at several times [N, s]."""
    ref, control = motion(name)
    way, pushes = course(ref, control), [Push("torso", push, t, 0.2) for t in starts]
    return outcome(ref, control, way, act(ref, control, way, None, pushes))


def onsets() -> np.ndarray:
    """When pushes begin [s]."""
    return few(FOUR, FOUR[::2])


def around(force: float, directions: Iterable[int] = range(8)) -> list[tuple[float, float, float]]:
    """A force in some of eight directions, 0 forward, counter-clockwise [N]."""
    angles = [d * np.pi / 4 for d in directions]
    return [(float(force * np.cos(a)), float(force * np.sin(a)), 0.0) for a in angles]


def recovered(
    pushes: list[tuple[float, float, float]], duration: float, onsets: np.ndarray, **more
) -> tuple[int, int]:
    """How many of the pushes at all onsets were recovered from, and how many there were."""
    ends = [play(push=push, start=float(t), duration=duration, **more) for push in pushes for t in onsets]
    return sum(end.recovered for end in ends), len(ends)


def change(**what) -> float:
    """Frames that the last cut comes later than undisturbed."""
    name = what.get("name", "walk")
    return (
        play(**what).later - play(name, **{k: v for k, v in what.items() if k in ("free", "angular")}).later
    )
