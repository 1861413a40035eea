"""Gains and weights of standing behaviours, free of size: times in √(h/g), so that one preset serves every body."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Gains:
    """Stiffness in units of g/h and damping in units of √(g/h), h the height of the centre of mass at rest."""

    track: float = 6.0  # joints, towards the clip (eq. 11)
    track_damping: float = 4.8
    linear: float = 2.0  # centre of mass in the plane, towards the reference (eq. 5)
    linear_damping: float = 2.85
    vertical: float = 6.0  # its height
    vertical_damping: float = 4.8
    pressure: float = 40.0  # k of the centre of pressure, towards the middle of the support (eq. 8)
    pressure_damping: float = 4.0  # d of it
    spin_damping: float = 1.6  # of H about the vertical


@dataclass(frozen=True)
class Weights:
    """Relative weights of the objectives; a tracked joint with weight 1 is the unit."""

    tracking: float = 1.0  # joints
    root: float = 1.0  # orientation of the root
    arms: float = 0.1  # joints of the arms, times the body's own tracking weight
    linear: float = 1400.0  # rate of linear momentum in the plane
    vertical: float = 30.0  # and up
    angular: float = 400.0  # rate of angular momentum about the horizontal axes: the centre of pressure
    spin: float = 400.0  # and about the vertical
