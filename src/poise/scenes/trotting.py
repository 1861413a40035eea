"""Walking on four legs: a trot, at the same options as a walk on two."""

from __future__ import annotations

import math
from functools import partial

import numpy as np

from poise.behaviours.stepping.stride import StepWeights
from poise.behaviours.trotting import Trot
from poise.behaviours.trotting.trot import Trotting
from poise.record.recording import Recording
from poise.scenes import measures
from poise.scenes.options import Options
from poise.simulate import Scene
from poise.worlds.world import World

REFRESH = 200.0  # [Hz]: steps are short
SETTLE = 3.0  # [s] before the speed is measured


def trotting(o: Options, pace, speed: float, side: float) -> Scene:
    """A body on four legs walks by trotting."""
    mu = o.friction()
    world = World(friction=mu, pushes=o.pushes or (), dt=o.between("dt", 0.002, 1e-5, 0.02, "seconds"))
    weights = o.record("step", StepWeights(vertical=3000.0))
    behaviour = Trot(pace, o.record("trot", Trotting()), weights, o.gains(), 0.9 * mu)
    noise = o.between("pose_noise", 0.0, 0, 0.99, "radians")
    return Scene(
        "", o.character("adult"), world, behaviour, seconds=12.0, control=o.control(REFRESH), pose_noise=noise,
        measures=(measures.recovered, partial(way, math.atan2(side, speed))),
    )  # fmt: skip


def way(heading: float, take: Recording) -> dict[str, float]:
    """Speed along the way and the farthest from it."""
    along = np.array([[math.cos(heading), -math.sin(heading)], [math.sin(heading), math.cos(heading)]])
    x = (take["com"] - take["com"][0])[:, :2] @ along
    late = take.time >= min(SETTLE, 0.5 * take.time[-1])
    span = float(take.time[late][-1] - take.time[late][0]) if late.sum() > 1 else math.nan
    return {"speed_ms": float(x[late][-1, 0] - x[late][0, 0]) / span, "stray_m": float(np.abs(x[:, 1]).max())}
