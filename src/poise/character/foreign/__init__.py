"""Bodies from other people's files: MJCF and URDF."""

from poise.character.foreign.load import load_mjcf, load_urdf
from poise.character.foreign.servos import with_motors

__all__ = ["load_mjcf", "load_urdf", "with_motors"]
