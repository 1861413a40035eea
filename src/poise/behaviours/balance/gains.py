"""Gains and weights of standing behaviours, free of size: times in √(h/g), so that one preset serves every body."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Gains:
    """Stiffness in units of g/h and damping in units of √(g/h), h the height of the centre of mass at rest."""

    track: float = 6.0
    track_damping: float = 4.8
    linear: float = 2.0
    linear_damping: float = 2.85
    vertical: float = 6.0
    vertical_damping: float = 4.8
    pressure: float = 40.0  # k_h of the centre of pressure
    pressure_damping: float = 4.0  # d_h
    spin_damping: float = 1.6  # of H about the vertical


@dataclass(frozen=True)
class Weights:
    """Relative weights of the objectives; a tracked joint with weight 1 is the unit."""

    tracking: float = 1.0
    root: float = 1.0  # orientation of the root
    arms: float = 0.1  # joints of the arms, times the body's own tracking weight
    linear: float = 1400.0
    vertical: float = 30.0
    angular: float = 400.0
    spin: float = 400.0  # angular momentum about the vertical
