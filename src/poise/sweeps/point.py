"""One take of a sweep: what is sent to a worker, and the row that comes back."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, NamedTuple

import poise
from poise.console import plain
from poise.control.behaviour import Behaviour
from poise.errors import BadInput
from poise.simulate import Scene
from poise.sweeps import trial as trials

DIRECTION, SPEED = "push.direction", "push.speed"  # [degrees, 0 = forward], impulse over mass [m/s]
ARGUMENTS = ("character", "motion", "seconds")  # keys that are no options of the scene


@dataclass(frozen=True)
class Point:
    """Plain data: a scene by name, the values of the grid, and which replica."""

    scene: str
    values: dict[str, Any]  # of the grid; keys are options, ``ARGUMENTS``, or a push by direction and speed
    common: dict[str, Any]  # what all points share, by the same keys
    pushes: tuple[str, ...]
    replica: int
    replicas: int
    seed: int


class Body(NamedTuple):
    """What a push is drawn from."""

    mass: float  # [kg]
    onset: float  # [s]


def run(point: Point) -> dict[str, Any]:
    """Simulate one point; runs in a worker, which builds the scene itself."""
    scene = _scene(point)
    take = poise.simulate(scene)
    row = {"replica": point.replica, "seed": scene.seed, **trials.verdict(take, scene.seconds)}
    row |= {"fall_time": take.fall_time, "blew_up": take.blew_up is not None, "steps": take.steps}
    return plain(row | {k: v for k, v in take.metrics.items() if k not in row}, finite=True)


def _scene(point: Point) -> Scene:
    told = {**point.common, **point.values}
    if DIRECTION in told or SPEED in told:
        scene = _pushed(point, told)
    else:
        scene = build(point.scene, told, list(point.pushes) or None, point.seed + point.replica)
    if point.replicas > 1 and "pose_noise" not in told:
        scene = replace(scene, pose_noise=trials.POSE_NOISE_RAD)
    return scene


def check(point: Point) -> None:
    """Refuse what makes no scene, before anything is sent away."""
    _scene(point)


def build(name: str, told: dict[str, Any], push: Any, seed: int, **more: Any) -> Scene:
    """A scene from what it was told."""
    arguments = {key: told[key] for key in ARGUMENTS if key in told} | more
    options = {key: value for key, value in told.items() if key not in (*ARGUMENTS, DIRECTION, SPEED)}
    return poise.scene(name, push=push, seed=seed, **arguments, **options)


def _pushed(point: Point, told: dict[str, Any]) -> Scene:
    """A scene pushed as in a push map: a replica has its own onset, direction, height and noise."""
    if DIRECTION not in told or SPEED not in told:
        raise BadInput(f"a push needs both {DIRECTION} [degrees] and {SPEED} [m/s]")
    body = facts(point.scene, json.dumps(told, sort_keys=True))
    case = trials.Case(point.scene, told.get("character"), {}, body.mass, point.seed)
    drawn = trials.draw(case, float(told[DIRECTION]), float(told[SPEED]), point.replica, body.onset)
    more = {} if "seconds" in told else {"seconds": drawn.seconds}
    return build(point.scene, told, [drawn.push, *point.pushes], drawn.seed, after_fall=0.0, **more)


@lru_cache(maxsize=64)
def facts(name: str, told: str) -> Body:
    """Of a scene: the mass that a push is drawn for, and when one that walks is under way."""
    built = build(name, json.loads(told), None, 0)
    walks = isinstance(built.behaviour, Behaviour) and built.behaviour.period is not None
    return Body(built.mass, trials.WALKING_S if walks else trials.ONSET_S)
