"""A kinematic scene: steps made one after the other, and the recording of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from poise.behaviours.example_steps.stepping import Made
from poise.dynamics.limits import beyond
from poise.motion.clip import Clip
from poise.motion.feet import skate
from poise.simulate import Performance

if TYPE_CHECKING:
    from poise.record.recording import Recording
    from poise.simulate import Scene


@dataclass
class Played:
    """A motion that was made: the whole clip, its steps, the time that they took, and other figures."""

    clip: Clip
    steps: list[Made]
    seconds: float  # of the processor's time, for the steps alone
    metrics: dict = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Stepped(Performance):
    """Steps without physics, made when the scene is played."""

    play: Callable[[], Played]

    def perform(self, scene: Scene, progress: Callable[[float], None] | None = None) -> Recording:
        from poise.record.kinematic import recording_of

        played = self.play()
        clip = played.clip
        if scene.seconds < clip.seconds:
            clip = clip.trim(clip.start, clip.start + scene.seconds)
        info = {"scene": scene.name, "seed": scene.seed, "options": dict(scene.options), **scene.info}
        take = recording_of(clip, info, progress)
        take.steps = len(played.steps)
        take.metrics.update(_measures(played))
        take.notes += [note for made in played.steps for note in made.notes]
        frames = sum(len(made.clip.times) for made in played.steps)
        take.metrics["frames_per_s"] = frames / max(played.seconds, 1e-9)
        take.real_time_factor = sum(made.clip.seconds for made in played.steps) / max(played.seconds, 1e-9)
        return take


def _measures(played: Played) -> dict:
    """How true the steps are: landings, soles, limits."""
    feet = skate(played.clip)
    out = {
        "foot_skate_m": feet.slide_m, "foot_sink_m": feet.sink_m, "foot_float_m": feet.float_m,
        "limit_excess_rad": max(beyond(played.clip.character, q) for q in played.clip.q[::4]),
    }  # fmt: skip
    if played.steps:
        errors = [made.landing_error for made in played.steps]
        out["landing_error_m"], out["landing_error_max_m"] = float(np.mean(errors)), float(max(errors))
    return out | played.metrics
