"""Intake: motion files of any format, units and axes, made sense of. Every guess is reported and can be overridden."""

from poise.capture.intake import Intake, Sole
from poise.capture.load import load
from poise.capture.pops import Pop
from poise.character.report import Guess

__all__ = ["Guess", "Intake", "Pop", "Sole", "load"]
