"""Repertoire: what a body can be told to do while it runs, one behaviour taking over from another."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, cast

from poise.behaviours import Balance, Behaviour, Roam, Stepper, Weights
from poise.behaviours.anticipation import svm
from poise.behaviours.anticipation.arms import Arms
from poise.behaviours.anticipation.moves import MOVES, key_pose
from poise.behaviours.anticipation.reaction import Reaction
from poise.behaviours.anticipation.threat import Sight
from poise.behaviours.anticipation.wary import Wary
from poise.behaviours.balance.idle import Idle
from poise.behaviours.falling.poses import Figure
from poise.behaviours.life import Life
from poise.behaviours.rolling.course import Course
from poise.behaviours.tumble import Tumble
from poise.character import Character
from poise.errors import BadInput, unknown
from poise.scenes.build import scene
from poise.scenes.stepping import REACTING

ACTS = {  # what a page or a script may ask for by name, and what it is
    "roam": "stand, step where pushed, walk where told, get up after a fall",
    "stand": "stand with both feet where they are",
    "squat": "up and down",
    "butterfly": "arms up and down",
    "twist": "turn from side to side",
    "side-kick": "kick to the side, again and again",
    "get-up": "get up from the ground, then roam",
    "roll": "turn to a direction, roll once, come up and roam on",
}
CLIPS = {
    "squat": "squat",
    "butterfly": "butterfly",
    "twist": "react",
    "side-kick": "side-kick",
}  # their scenes
FEET = {"foot_l", "foot_r"}
HEIGHTS = (1.6, 1.2, 0.9, 0.4)  # [m] of balls that are rehearsed
Acts = tuple[Behaviour, Behaviour | None]  # what it does, and what it does at its end


@dataclass(frozen=True)
class Wish:
    """How it should be done.

    Args:
        arms: Weight of the arms' pose: light ones swing to balance.
        angular: Whether angular momentum is regulated, in what stands on the spot.
        dodge: Whether it looks out for balls, while it roams.
        heading: Direction of a roll in the world [deg].
        friction: Of the ground.
        motion: Motion file to follow.
    """

    arms: float = 0.1
    angular: bool = True
    dodge: bool = False
    heading: float = 0.0
    friction: float = 0.8
    motion: str = ""


def act(name: str, body: Character, wish: Wish | None = None) -> Acts:
    """A behaviour by its name in ``ACTS``, or ``follow`` for the wish's motion file."""
    wish = wish or Wish()
    if name in ("roam", "get-up"):
        return roaming(body, wish), None
    if name == "roll":
        return _roll(body, wish), roaming(body, wish)
    if name == "follow" and wish.motion:
        return _follow(body, wish)
    if name not in ACTS:
        raise unknown("behaviour", name, ACTS)
    return _standing(CLIPS.get(name, "stand"), body, wish), None


def roaming(body: Character, wish: Wish) -> Behaviour:
    """Stand, step and walk; with what the body is made for besides: look out for balls, and get up."""
    standing = replace(Weights(), arms=wish.arms)
    idle = None if body.source else Idle()
    daily: Behaviour = Stepper(
        Roam(), REACTING.stride, REACTING.weights, standing, mu=0.9 * wish.friction, idle=idle
    )
    stepper = cast(Stepper, daily)
    if set(body.stance) == FEET and _can(Arms, body):
        daily = Wary(stepper, svm.default(), on=wish.dodge)
    return Life(daily, stepper) if _can(Figure, body) else daily


def rehearse(body: Character) -> None:
    """Find the poses of all moves against balls ahead; they are remembered."""
    if not _can(Reaction, body):
        raise BadInput(f"{body.name} has not the limbs that the moves against balls are made for")
    reaction = Reaction(body)
    for move in MOVES:
        key_pose(body, move)
    for height in HEIGHTS:
        sight = Sight(20.0, height, 0.05, 0.3, 8.0, 1.0)
        chosen = svm.default()(sight)
        if chosen is not None:
            reaction.meet(chosen, sight)


def _can(make: Callable[[Character], Any], body: Character) -> bool:
    """Whether something can be made for a body: some need limbs of certain names."""
    try:
        make(body)
    except (BadInput, LookupError, ValueError):
        return False
    return True


def _standing(name: str, body: Character, wish: Wish) -> Behaviour:
    options: dict[str, Any] = {"weights.arms": wish.arms, "angular": wish.angular, "friction": wish.friction}
    made = scene(name, character=body, **options).behaviour
    assert isinstance(made, Balance)
    return made


def _roll(body: Character, wish: Wish) -> Behaviour:
    options: dict[str, Any] = {"stand": "both", "rolls": 1.0, "friction": wish.friction}
    made = scene("roll-forward", character=body, **options).behaviour
    assert isinstance(made, Tumble)
    heading = math.radians(wish.heading)
    made.roll.course = Course(heading=heading)
    turns = Stepper(Roam(face=heading), mu=0.9 * wish.friction)
    return Tumble(made.roll, made.rolls, True, turns, ends=True)


def _follow(body: Character, wish: Wish) -> Acts:
    """Follow a motion file from where the body is, then roam."""
    options: dict[str, Any] = {"friction": wish.friction}
    made = scene("react", character=body, motion=wish.motion, **options).behaviour
    assert isinstance(made, Behaviour)
    return made, roaming(body, wish)
