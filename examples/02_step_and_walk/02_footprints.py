"""Footprints: one careful step for each print of a list; here along an arc to the left, by a dinosaur."""

import math

import poise
from poise.behaviours import Footprint, Footprints, Stepper
from poise.behaviours.stepping.legs import Legs


def arc(legs: Legs, radius: float = 1.2, steps: int = 6) -> list[Footprint]:
    """Prints for the left (0) and right (1) limb in turn, about a centre on the left [m]."""
    prints = []
    for i in range(steps):
        angle, limb = 0.18 * (i + 1), 1 - i % 2
        r = radius + (0.5 if limb else -0.5) * legs.width
        prints.append(Footprint(limb, r * math.sin(angle), radius - r * math.cos(angle), angle))
    return prints


def main(seconds: float = 9.0) -> poise.Recording:
    body = poise.Character.named("dinosaur")
    behaviour = Stepper(Footprints(arc(Legs(body))))
    scene = poise.Scene("own-prints", body, poise.World(), behaviour, seconds=seconds)
    take = poise.simulate(scene)
    outcome = "fell" if take.fell else "stands"
    print(f"{outcome} after {take.steps} steps")
    return take


if __name__ == "__main__":
    main().save("footprints.png")
