"""Scan: a raw file with its limbs found, as every detector looks at it. File axes and units, time in frames."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from poise.intake import limbs
from poise.intake.limbs import Body, Limb
from poise.intake.raw import Raw

MOST = 4000  # frames that statistics look at


@dataclass(frozen=True, eq=False)
class Scan:
    """A file and the parts of its body.

    Attributes:
        raw: The file.
        first: Index of the first captured frame: 1 after an artificial pose.
    """

    raw: Raw
    first: int = 0

    @cached_property
    def lengths(self) -> np.ndarray:
        """(P,) length of the bone that leads to each point (joints, then end sites) [file units]; 0 for the root."""
        at = np.median(self.raw.positions[self.some], axis=0)
        lengths = np.linalg.norm(np.concatenate([at, self.raw.bvh.ends]), axis=-1)
        lengths[0] = 0.0
        return lengths

    @cached_property
    def body(self) -> Body:
        """Limbs and trunk."""
        return limbs.find(self.raw.bvh.parents, self.raw.bvh.end_parents, self.lengths)

    @cached_property
    def some(self) -> np.ndarray:
        """Captured frames, thinned out where there are very many."""
        step = max(1, (len(self.raw) - self.first) // MOST)
        return np.arange(min(self.first, len(self.raw) - 1), len(self.raw), step)

    @cached_property
    def reach(self) -> float:
        """Length of a leg from trunk to tip, or of the longest way where there are no limbs [file units]."""
        if self.body.legs is None:
            return float(self.lengths.sum())
        return float(np.mean([self.lengths[list(leg.chain)].sum() for leg in self.body.legs]))

    def middle(self, limbs_: tuple[Limb, ...], which: int, frames: np.ndarray | slice) -> np.ndarray:
        """Mean of the which-th points of some limbs (T, 3)."""
        return self.raw.points[frames][:, [limb.chain[which] for limb in limbs_]].mean(axis=1)
