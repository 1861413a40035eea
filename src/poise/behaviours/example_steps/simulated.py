"""The step database that ships: steps of our own adult, taken in physics in 8 directions and 3 lengths.

Made again by ``poise steps build --simulated -o steps.npz``.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from poise.behaviours.stepping.footprints import Footprint, Footprints
from poise.behaviours.stepping.legs import Legs
from poise.behaviours.stepping.stepper import Stepper
from poise.character.character import Character
from poise.errors import BadInput
from poise.motion.clip import Clip
from poise.motion.feet import merged
from poise.motion.parts import runs
from poise.record.recording import Recording

DIRECTIONS = range(0, 360, 45)  # [deg], 0 forwards, 90 to the left
LENGTHS = (0.14, 0.22, 0.3)  # in heights of the centre of mass
SIDEWAYS = 0.65  # of a length that a step to the side has
SECONDS = 4.2  # for a step of each foot
SWINGS = (0.6, 0.7, 0.5)  # [s] of a step, tried in turn
BRIEF = 0.05  # [s]: a sole off the ground for less has not been lifted


def clips(character: Character, report: Callable[[str], None] = lambda name: None) -> list[tuple[str, Clip]]:
    """(name, clip) of every direction and length; each clip has a step and the step of the other foot after it."""
    out = []
    for direction in DIRECTIONS:
        for length in LENGTHS:
            name = f"simulated {direction} deg {length:g} h"
            report(name)
            out.append((name, clip_of(_take(character, direction, length), character)))
    return out


def pair(legs: Legs, direction: float, length: float, swing: float) -> list[Footprint]:
    """Two footprints that take the whole body some way [in heights] in a direction [deg]; the outer foot leads."""
    a = math.radians(direction)
    x, y = length * legs.height * math.cos(a), SIDEWAYS * length * legs.height * math.sin(a)
    first = 0 if y > 1e-6 else 1
    half = 0.5 * legs.width
    return [Footprint(limb, x, y + (half if limb == 0 else -half), 0.0, swing) for limb in (first, 1 - first)]


def _take(character: Character, direction: float, length: float) -> Recording:
    """A take in which both steps are taken and the body stands; slower steps are tried where quick ones fail."""
    for swing in SWINGS:
        take = _simulated(character, pair(Legs(character), direction, length, swing), SECONDS)
        if not take.fell and take.steps == 2:
            return take
    raise BadInput(
        f"{character.name!r} cannot take steps of {length:g} heights at {direction} deg to be recorded"
    )


def _simulated(character: Character, prints: list[Footprint], seconds: float) -> Recording:
    from poise.control.controller import Control
    from poise.simulate import Scene, simulate
    from poise.worlds.world import World

    behaviour, control = Stepper(Footprints(prints)), Control(refresh_hz=200.0)
    return simulate(
        Scene("", character, World(), behaviour, seconds=seconds, control=control, after_fall=0.0)
    )


def clip_of(take: Recording, character: Character) -> Clip:
    """What a take's body did, as a clip with contacts."""
    planted = take["planted"] > 0.5
    contacts = {}
    for k, support in enumerate(character.supports):
        spans = [(a, b - 1) for a, b in runs(planted[:, k]) if b - a > 1]
        times = tuple((float(take.time[a]), float(take.time[b])) for a, b in spans)
        contacts[support.name] = merged(times, BRIEF)
    return Clip(
        character, take.time - take.time[0], np.asarray(take["q"][:, : character.model.nq]), contacts=contacts
    )
