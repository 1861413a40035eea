"""Tip: how a forward roll begins at rest. Half crouched, leaning forward, arms ahead, the body falls into its roll."""

from __future__ import annotations

import math

import numpy as np

from poise.behaviours.rolling.cycle import Cycle
from poise.character import Character

LEAN = math.radians(55)  # phase of the trunk at the start: the weight is ahead of the feet
OVER = math.radians(80)  # phase from which the cycle goes on
CROUCH = {  # [deg]
    "spine": (15.0,), "hip": (60.0,), "knee": (60.0,), "shoulder": (120.0,), "elbow": (10.0,), "neck": (20.0,),
    "ankle": (20.0,),
}  # fmt: skip


def crouch(body: Character) -> np.ndarray:
    """Joint angles (nq - 7,) of the crouch [rad]."""
    return Cycle("forward", CROUCH).table(body)[0]
