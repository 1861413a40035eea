"""The tumbler: an earlier name of the adult, from when another body rolled."""

from poise.character.bodies.adult import adult
from poise.character.character import Character


def tumbler() -> Character:
    """The adult, by an earlier name."""
    return adult()
