"""Walk: a scene put together by hand from character, world, behaviour and control. The pace is a function of time:
walk, turn, stop."""

import numpy as np

import poise
from poise.behaviours import Pace, Stepper, Walk


def pace(t: float) -> Pace | None:
    """What is asked for at a time [s]: forward [m/s], to the left [m/s], turn [rad/s]; None is to stand."""
    if t < 0.5 or t > 7.0:
        return None
    return Pace(0.9, 0.0, 0.6 if t > 3.0 else 0.0)


def main(seconds: float = 9.0) -> poise.Recording:
    scene = poise.Scene(
        name="own-walk",
        character=poise.Character.named("adult"),
        world=poise.World(friction=0.8),
        behaviour=Stepper(Walk(pace)),
        seconds=seconds,
    )
    take = poise.simulate(scene)
    way = np.linalg.norm(np.diff(take["com"][:, :2], axis=0), axis=1).sum()
    outcome = "fell" if take.fell else "upright"
    print(f"{outcome}: {take.steps} steps, {way:.1f} m")
    return take


if __name__ == "__main__":
    main().save("walk.png")
