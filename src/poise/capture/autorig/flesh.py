"""Flesh: mass, centre of mass and inertia of one body."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

DENSITY = 1000.0  # [kg/m³]


@dataclass(frozen=True)
class Flesh:
    """Mass [kg], centre of mass in the body's frame [m] and radii of gyration about its axes [m].

    Without centre and radii they are those of the body's shapes.
    """

    mass: float
    com: np.ndarray | None = None
    gyration: np.ndarray | None = None


def by_volume(volumes: dict[str, float], mass: float | None) -> dict[str, Flesh]:
    """Flesh of even density in volumes [m³]; a given total mass [kg] makes it denser or lighter."""
    density = DENSITY if mass is None else mass / sum(volumes.values())
    return {name: Flesh(density * volume) for name, volume in volumes.items()}
