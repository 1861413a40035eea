"""Where it happens."""

from poise.worlds.ball import Ball
from poise.worlds.disturb import Drag, Push
from poise.worlds.ground import Move, Platform, Sine
from poise.worlds.world import Arena, World

__all__ = ["Arena", "Ball", "Drag", "Move", "Platform", "Push", "Sine", "World"]
