"""Intake: motion files of any format, units and axes, made sense of. Every guess is reported and can be overridden."""

from poise.capture.intake import Footfalls, Intake
from poise.capture.load import load
from poise.capture.pops import Pop
from poise.character.report import Guess

__all__ = ["Footfalls", "Guess", "Intake", "Pop", "load"]
