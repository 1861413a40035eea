"""What is wanted at this instant, and the torques that give it."""

from poise.control.controller import Control, Controller, Status
from poise.control.solve import Command, Solution

__all__ = ["Command", "Control", "Controller", "Solution", "Status"]
