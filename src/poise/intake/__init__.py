"""Intake: motion files of any format, units and axes, made sense of. Every guess is reported and can be overridden."""

from poise.intake.guess import Guess
from poise.intake.intake import Intake, Sole
from poise.intake.load import load
from poise.intake.pops import Pop

__all__ = ["Guess", "Intake", "Pop", "Sole", "load"]
