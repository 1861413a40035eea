"""Scan: a raw file with its limbs found, as every detector looks at it. File axes and units, time in frames."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from poise.capture import limbs
from poise.capture.limbs import Body, Limb
from poise.capture.raw import Raw

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
        """Limbs and trunk; markers are a trunk without limbs."""
        if self.raw.markers:
            every = tuple(range(1, len(self.lengths)))
            return Body((), every, (0,), self.raw.bvh.parents, self.lengths)
        return limbs.find(self.raw.bvh.parents, self.raw.bvh.end_parents, self.lengths)

    @cached_property
    def some(self) -> np.ndarray:
        """Captured frames, thinned out where there are very many."""
        step = max(1, (len(self.raw) - self.first) // MOST)
        return np.arange(min(self.first, len(self.raw) - 1), len(self.raw), step)

    @cached_property
    def reach(self) -> float:
        """Length of a leg from trunk to tip; without limbs, half of how far the points reach [file units]."""
        if self.body.legs is None:
            return 0.5 * float(np.median(np.ptp(self.points[self.some], axis=1).max(axis=-1)))
        return float(np.mean([self.lengths[list(leg.chain)].sum() for leg in self.body.legs]))

    @cached_property
    def points(self) -> np.ndarray:
        """Points of the body (T, P, 3), as in `raw.points`; what is outside the body is put where its pelvis is."""
        points, outside = self.raw.points, list(self.body.outside)
        if not outside:
            return points
        points = points.copy()
        points[:, outside] = points[:, [self.body.trunk[0]]]
        return points

    def middle(self, limbs_: tuple[Limb, ...], which: int, frames: np.ndarray | slice) -> np.ndarray:
        """Mean of the which-th points of some limbs (T, 3)."""
        return np.mean([self.points[frames, limb.chain[which]] for limb in limbs_], axis=0)
