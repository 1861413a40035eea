"""What a body is."""

from poise.character.build import Limb, ball, both_sides, build, degrees
from poise.character.character import Character, Floor, Support, SwingTwist
from poise.character.morphologies import CHARACTERS, load
from poise.character.quiet import hush
from poise.character.shapes import Shape, Sole, capsule, look

__all__ = [
    "CHARACTERS",
    "Character",
    "Floor",
    "Limb",
    "Shape",
    "Sole",
    "Support",
    "SwingTwist",
    "ball",
    "both_sides",
    "build",
    "capsule",
    "degrees",
    "load",
    "look",
]

hush()
