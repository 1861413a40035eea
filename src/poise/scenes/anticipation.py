"""The experiment of [Stepping] chapter 5, in physics: a ball is thrown, and the body does something about it."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from poise.behaviours.anticipation.aftermath import Aftermath
from poise.behaviours.anticipation.behaviour import ALERT, FIRM, Anticipate
from poise.behaviours.anticipation.choices import CHOICES, choice, first_away
from poise.behaviours.anticipation.clips import Example, example_from
from poise.behaviours.anticipation.damage import damage, result
from poise.behaviours.anticipation.kinematic import Reacted
from poise.behaviours.anticipation.moves import ACTS
from poise.behaviours.anticipation.threat import RANGES, Threat
from poise.behaviours.anticipation.trial import Range, still
from poise.character import Character
from poise.errors import BadInput
from poise.record.recording import Recording
from poise.scenes import measures
from poise.scenes.example_steps import ready
from poise.scenes.options import Options, source_info
from poise.scenes.registry import scene
from poise.simulate import Scene
from poise.worlds.world import World

NAMES = {"bearing": "from"}  # as options call it


@scene
def anticipate(o: Options) -> Scene:
    """A ball is thrown from ``ball.from`` [deg] at ``ball.height`` [m]: dodge, duck, block, or lift a leg."""
    threat = _threat(o)
    seed = o.between("choice.seed", 0, 0, 2**32)
    choose = choice(o.choice("choice", "learned", CHOICES), o.take("machine", ""), seed)
    choose = first_away(choose) if o.take("steps", False) else choose
    delay, noise = o.between("delay", 0.2, 0, 1, "seconds"), o.between("noise", 0.0, 0, 0.5, "metres")
    misses = o.between("misses", 0.0, 0, 1)
    body, clip, took = o.cast_to(
        "adult", lock=False
    )  # a movement of a file is used, its feet where the body has its own
    at = o.between("motion.pose", float("nan"), 0, 1e5, "seconds") if took is not None else float("nan")
    example = None if took is None or clip is None else example_from(clip, body, at)
    idle = ready(body).q[0] if o.choice("stance", "rest", ("rest", "ready")) == "ready" else None
    physics = o.take("physics", True)
    weights, gains = o.weights(ALERT), o.gains(FIRM)
    after, example = _after(o, example)
    behaviour = (
        Anticipate(choose, delay, noise, misses, seed, weights, gains, example, idle, after=after)
        if physics
        else Reacted(threat, choose, delay, noise, misses, seed, example, idle, after=after)
    )
    mu = o.positive("friction", 0.8, 10.0)
    world = World(
        friction=mu,
        pushes=o.pushes or (),
        balls=(threat.ball(),),
        dt=o.between("dt", 0.002, 1e-5, 0.02, "seconds"),
    )
    return Scene(
        "", body, world, behaviour, seconds=threat.seconds + 2.4, control=o.control(),
        q_start=idle, pose_noise=o.between("pose_noise", 0.0, 0, 0.99, "radians"), info=source_info(took),
        measures=(measures.recovered, partial(outcome, threat, body, mu, took.path.stem if took and example else "")),
    )  # fmt: skip


def _after(o: Options, example: Example | None) -> tuple[Aftermath | None, Example | None]:
    """What the body does after a hit, and the example that is left for before it."""
    kind = o.choice("after", "idle", ("idle", "hold", "motion"))
    if kind == "motion" and example is None:
        raise BadInput(
            "option after=motion takes the movement of a file for after the hit: give --motion FILE"
        )
    if kind == "motion":
        return Aftermath(example), None
    return (Aftermath() if kind == "hold" else None), example


def _threat(o: Options) -> Threat:
    """The ball as asked for, every number within its range."""
    own = Threat()
    return Threat(
        **{
            name: o.between(f"ball.{NAMES.get(name, name)}", float(getattr(own, name)), low, high, unit)
            for name, (unit, low, high) in RANGES.items()
        }
    )


def outcome(threat: Threat, body: Character, friction: float, clip: str, take: Recording) -> dict[str, Any]:
    """What the ball did, and what it would have done to a body that stands still."""
    names, last = take.series["impact"].names, take["impact"][-1]
    energy = {n: float(e) for n, e in zip(names, last, strict=True) if e > 0}
    without = Range(body, threat.mass, friction).throw(threat, still)
    what, index = result(energy, threat.energy), int(np.nanmax(take["anticipation"][:, 0], initial=-1))
    return {
        "hit": what == "hit", "result": what, "damage_j": damage(energy), "damage_without_j": without.damage,
        "impact_j": sum(energy.values()), "ball_j": threat.energy,
        "struck": max(energy, key=energy.__getitem__, default="none"),
        "chosen": "none" if index < 0 else clip if clip and ACTS[index].kind != "step" else ACTS[index].name,
    }  # fmt: skip
