"""Bodies from other people's files: MJCF and URDF."""

from poise.character.foreign.load import load_mjcf, load_urdf

__all__ = ["load_mjcf", "load_urdf"]
