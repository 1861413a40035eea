"""What a body is."""

from .build import Limb, Shape, Sole, both_sides, build
from .character import Character, Support, SwingTwist, swing_twist
from .morphologies import CHARACTERS, load

__all__ = [
    "CHARACTERS", "Character", "Limb", "Shape", "Sole", "Support", "SwingTwist", "both_sides", "build", "load", "swing_twist",
]  # fmt: skip
