"""A scene by name, for whoever and with whatever was asked."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from os import PathLike
from typing import Any

from poise import gate
from poise.character import Character
from poise.errors import BadInput, unknown
from poise.scenes.options import Options
from poise.scenes.registry import SCENES
from poise.simulate import Scene
from poise.simulate.scene import LONGEST, Performance
from poise.worlds.disturb import Push
from poise.worlds.plant import EXACT

MOST_SEED = 2**63 - 1
OWN_PUSHES_KG = 75.0  # mass of the body that the scenes' own pushes are made for


def scene(
    name: str,
    character: str | Character | None = None,
    push: str | Push | Sequence[str | Push] | None = None,
    seconds: float | None = None,
    seed: int = 0,
    after_fall: float = math.inf,
    motion: str | PathLike[str] | None = None,
    **options: Any,
) -> Scene:
    """Build a scene by name.

    Args:
        name: One of ``SCENES``.
        character: Name of a body, or a Character; the scene's own if None.
        push: ``body:fx,fy,fz@start+duration``, one or several; replaces the scene's own pushes.
        seconds: Duration; the scene's own if None.
        seed: Of everything random.
        after_fall: How long to go on once the character has fallen [s].
        motion: Motion file to follow instead of the scene's own clip; on its own skeleton unless a character is given.
        options: Keys of the scene, dots included: ``scene("stand", **{"control.mode": "fast"})``.
    """
    if name not in SCENES:
        raise unknown("scene", name, SCENES)
    seed = gate.number("seed", seed, 0, MOST_SEED, whole=True)
    seconds = (
        None
        if seconds is None
        else gate.number("seconds", seconds, 1e-9, LONGEST, unit="a duration above zero,")
    )
    pushes = None if push is None else _pushes(push)
    if motion is not None:
        if not isinstance(motion, (str, PathLike)):
            raise BadInput(f"motion should be a file; given {gate.shown(motion)}")
        options = {**options, "motion": str(motion)}
    with gate.gate(_called(name, character, options), gate.NUMBERS):
        made = _composed(name, Options(options, character, pushes, seconds, seed))
    made = replace(
        made,
        name=name,
        seed=seed,
        after_fall=after_fall,
        options=dict(options),
        info={**made.info, "character_asked": getattr(character, "name", character)},
        seconds=made.seconds if seconds is None else seconds,
    )
    body = made.character
    own = body.mass / OWN_PUSHES_KG if push is None and body.source else 1.0
    # on a part that the body has, as hard as it is heavy
    fitted = tuple(
        replace(p, body=_part(body, p.body), force=tuple(own * f for f in p.force)) for p in made.world.pushes
    )
    return replace(made, world=replace(made.world, pushes=fitted))


def _composed(name: str, asked: Options) -> Scene:
    """The scene as its function makes it, on the ground and with the plant that were asked for."""
    made = SCENES[name](asked)
    terrain, plant = asked.terrain(made.world.terrain), asked.plant()
    if isinstance(made.behaviour, Performance):
        for what, given in (("terrain", terrain is not None), ("plant", plant != EXACT)):
            if given:
                raise BadInput(f"{name} is no physics scene: it has no {what}")
    asked.finish()
    return replace(made, world=replace(made.world, terrain=terrain, plant=plant))


def _called(name: str, character: str | Character | None, options: dict[str, Any]) -> str:
    """What was asked for, for a complaint."""
    who = "" if character is None else f" with character {getattr(character, 'name', character)!r}"
    how = " ".join(f"{key}={gate.shown(value)}" for key, value in options.items())
    return f"scene {name!r}{who} cannot be made" + (f" with {how}" if how else "")


def _part(body: Character, name: str) -> str:
    """A body by its own name, or by that of a joint of the skeleton that it was made from; ``torso`` is the trunk."""
    if name == "torso":
        return body.trunk
    if name in body.body_names:
        return name
    joints = () if body.mapped is None else body.mapped.skeleton.names
    if name not in joints:
        raise unknown("body", name, (*body.body_names, *joints))
    from poise.capture.autorig import body_of

    return body_of(body, name)


def _pushes(given: str | Push | Sequence[str | Push]) -> tuple[Push, ...]:
    if not isinstance(given, (str, Push, list, tuple)):
        raise BadInput(f"push {given!r} is neither a Push nor text like torso:250,0,0@1.0+0.1")
    many = [given] if isinstance(given, (str, Push)) else given
    for p in many:
        if not isinstance(p, (str, Push)):
            raise BadInput(f"push {p!r} is neither a Push nor text like torso:250,0,0@1.0+0.1")
    return tuple(Push.parse(p) if isinstance(p, str) else p for p in many)
