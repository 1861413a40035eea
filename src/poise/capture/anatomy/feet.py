"""Feet: the pairs of limbs that a body stands on, and where in each a foot begins."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from poise.capture.anatomy.limbs import Limbs, Pair

FLOOR = 0.12  # of the legs' length: what stands on the floor comes this near to it
ANKLE = 0.14  # of the height of the hips: the joint that a foot turns about is no higher
FOOT_PART = 0.4  # of a leg: what is longer is no foot


@dataclass(frozen=True)
class Foot:
    """Points of one foot: the joint it turns about, and what touches the floor in front (joints, tip last).

    A leg without a foot has its tip as heel, and no toes.
    """

    heel: int
    toes: tuple[int, ...]


def standing(limbs: Limbs, heights: np.ndarray) -> list[Pair]:
    """The pairs of limbs that come down to the floor, given the heights (P,) of all points in a stand."""
    low = [min(heights[list(chain)].min() for chain in pair) for pair in limbs.pairs]
    reach = max((limbs.tree.size(pair[0][0]) for pair in limbs.pairs), default=0.0)
    return [pair for pair, bottom in zip(limbs.pairs, low) if bottom < min(low) + FLOOR * reach]


def find(limbs: Limbs, legs: list[Pair], heights: np.ndarray) -> list[Foot]:
    """The feet of the legs, each from the highest joint on that is as low as an ankle."""
    low = [heights[list(chain)].min() for pair in legs for chain in pair]
    hips = min((heights[limbs.node(pair)] for pair in legs), default=0.0) - min(low, default=0.0)
    feet = []
    for chain, bottom in zip([chain for pair in legs for chain in pair], low):
        short = limbs.tree.reach[list(chain)] < FOOT_PART * limbs.tree.size(chain[0])
        ankles = np.flatnonzero(short & (heights[list(chain)] < bottom + ANKLE * hips))
        k = int(ankles[0]) if len(ankles) else len(chain) - 1
        feet.append(Foot(chain[k], chain[k + 1 :]))
    return feet
