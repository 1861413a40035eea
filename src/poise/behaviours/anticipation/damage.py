"""Damage of an impact: its energy by the part of the body that takes it, and what came of a threat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

PARTS = {  # damage per joule, first word that a body's name begins with; ours, after how well each part takes a knock
    "head": 1.0, "neck": 1.0, "chest": 0.7, "torso": 0.7, "spine": 0.7, "abdomen": 0.8, "pelvis": 0.7,
    "thigh": 0.4, "shin": 0.5, "foot": 0.25, "upper_arm": 0.3, "forearm": 0.15, "hand": 0.1,
}  # fmt: skip
OTHERS = 0.5
GUARDS = ("forearm", "hand")  # parts that block
GRAZED = 0.02  # of the ball's energy: less is no touch worth a word
THROUGH = 0.1  # of the ball's energy on parts that do not block: more is a hit
HIT, FALL = 3.0, 30.0  # [J] that a hit and a fall count for beyond their energy
EFFORT = 0.004  # damage per joule of work of the muscles: of two moves that save as much, the lighter one


def weights(names: Sequence[str]) -> np.ndarray:
    """Damage per joule of every body (n,)."""
    return np.array(
        [next((w for part, w in PARTS.items() if name.startswith(part)), OTHERS) for name in names]
    )


def damage(energy: Mapping[str, float]) -> float:
    """Impact energies [J] by body, weighed [J]."""
    return float(weights(list(energy)) @ np.array(list(energy.values()))) if energy else 0.0


def result(energy: Mapping[str, float], ball: float) -> str:
    """``avoided``, ``blocked`` or ``hit``, for a ball that brought so much energy [J]."""
    bare = sum(e for name, e in energy.items() if not name.startswith(GUARDS))
    if sum(energy.values()) < GRAZED * ball:
        return "avoided"
    return "hit" if bare > THROUGH * ball else "blocked"
