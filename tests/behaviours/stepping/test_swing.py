"""Swing: a sole that drags while its path is high has not landed."""

from __future__ import annotations

import math

import numpy as np

import poise
from poise.behaviours.stepping.swing import SwingPath


def test_a_sole_that_scuffs_has_not_landed():
    scene = poise.scene("reactive-step", seconds=0.1)
    state = poise.Session(scene).state
    path = SwingPath(0.01, math.sqrt(9.81))
    path.lift(state, 0, np.array([0.1, 0.04]))
    path.falling, path.value[2] = True, 0.04
    assert path.touches(state, 0) and not path.touches(state, 0, 0.025)
    path.value[2] = 0.02
    assert path.touches(state, 0, 0.025)
