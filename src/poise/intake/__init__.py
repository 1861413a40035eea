"""Intake: motion files of any format, units and axes, made sense of. Every guess is reported and can be overridden."""

from poise.intake.guess import Guess
from poise.intake.intake import Intake, Pop
from poise.intake.load import load

__all__ = ["Guess", "Intake", "Pop", "load"]
