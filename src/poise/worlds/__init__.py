"""Where it happens."""

from poise.worlds.disturb import Drag, Push
from poise.worlds.ground import Move, Platform, Sine
from poise.worlds.world import Arena, World

__all__ = ["Arena", "Drag", "Move", "Platform", "Push", "Sine", "World"]
