"""What is wanted over time."""

from poise.behaviours.balance import Balance
from poise.behaviours.behaviour import Behaviour
from poise.behaviours.footprints import Footprint, Footprints
from poise.behaviours.gains import Gains, Weights
from poise.behaviours.roll import Roll
from poise.behaviours.roll_over import RollOver
from poise.behaviours.stepper import Stepper
from poise.behaviours.stride import StepWeights, Stride
from poise.behaviours.supervisor import Recover
from poise.behaviours.walk import Pace, Walk

__all__ = [
    "Balance", "Behaviour", "Footprint", "Footprints", "Gains", "Pace", "Recover", "Roll", "RollOver", "StepWeights",
    "Stepper", "Stride", "Walk", "Weights",
]  # fmt: skip
