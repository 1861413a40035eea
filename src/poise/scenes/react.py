"""A clip reacts: the character that the file implies follows it in physics, and is pushed."""

from __future__ import annotations

from poise.motion import library
from poise.scenes.options import Options
from poise.scenes.registry import scene
from poise.scenes.standing import stage
from poise.simulate import Scene


@scene
def react(o: Options) -> Scene:
    """Follow a motion file on its own skeleton (a twist without one), and take pushes."""
    return stage(o, "adult", library.twist, part="whole")
