"""What is wanted over time."""

from poise.behaviours.balance.balance import Balance
from poise.behaviours.balance.gains import Gains, Weights
from poise.behaviours.life import Life
from poise.behaviours.rolling.roll import Roll
from poise.behaviours.rolling.roll_over import RollOver
from poise.behaviours.stepping.footprints import Footprint, Footprints
from poise.behaviours.stepping.recover import Recover
from poise.behaviours.stepping.roam import Roam
from poise.behaviours.stepping.stepper import Stepper
from poise.behaviours.stepping.stride import StepWeights, Stride
from poise.behaviours.stepping.walk import Pace, Walk
from poise.control.behaviour import Behaviour

__all__ = [
    "Balance", "Behaviour", "Footprint", "Footprints", "Gains", "Life", "Pace", "Recover", "Roam", "Roll", "RollOver",
    "StepWeights", "Stepper", "Stride", "Walk", "Weights",
]  # fmt: skip
