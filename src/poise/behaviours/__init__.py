"""What is wanted over time."""

from poise.behaviours.balance import Balance
from poise.behaviours.behaviour import Behaviour
from poise.behaviours.gains import Gains, Weights

__all__ = ["Balance", "Behaviour", "Gains", "Weights"]
