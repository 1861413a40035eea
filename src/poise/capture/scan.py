"""Scan: a raw file with its limbs found, as every detector looks at it. File axes and units, time in frames."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from poise.capture.anatomy.joined import through
from poise.capture.anatomy.limbs import Limbs, Pair, find
from poise.capture.anatomy.tree import Tree
from poise.capture.raw import Raw
from poise.geometry import quat
from poise.geometry.linear import norm

SCANNED = 4000  # frames that statistics look at
LIKE = 0.78  # fore limbs over hind limbs, two longest bones, from which a beast may stand on both; a human has 0.68


@dataclass(frozen=True, eq=False)
class Scan:
    """A file and the parts of its body."""

    raw: Raw  # the file
    first: int = 0  # index of the first captured frame: 1 after an artificial pose
    known: Limbs | None = None  # its parts, where they were found before

    @cached_property
    def limbs(self) -> Limbs:
        """Limbs and trunk; markers are a trunk without limbs."""
        if self.known is not None:
            return self.known
        file, at = self.raw.bvh, np.median(self.raw.positions[self.some], axis=0)
        inside = through(file.names, file.parents, at, self.raw.rotations[self.some])
        tree = Tree.of(file.names, file.parents, file.end_parents, np.concatenate([at, file.ends]), inside)
        if self.raw.markers:
            return Limbs(tree, trunk=tuple(range(1, len(at))), outside=(0,))
        return find(tree)

    @cached_property
    def some(self) -> np.ndarray:
        """Captured frames, thinned out where there are very many."""
        step = max(1, (len(self.raw) - self.first) // SCANNED)
        return np.arange(min(self.first, len(self.raw) - 1), len(self.raw), step)

    @cached_property
    def reach(self) -> float:
        """Length of a leg from trunk to tip; without limbs, half of how far the points reach [file units]."""
        if self.limbs.legs is None:
            return 0.5 * float(np.median(np.ptp(self.points[self.some], axis=1).max(axis=-1)))
        return float(np.mean([self.limbs.tree.size(leg[0]) for leg in self.limbs.legs]))

    @cached_property
    def points(self) -> np.ndarray:
        """Points of the body (T, P, 3), as in `raw.points`; what is outside the body is put where its pelvis is."""
        points, outside = self.raw.points, list(self.limbs.outside)
        if not outside:
            return points
        points = points.copy()
        points[:, outside] = points[:, [self.limbs.trunk[0]]]
        return points

    @property
    def pelvis(self) -> int:
        """The joint that the legs hang on."""
        return self.limbs.node(self.limbs.legs) if self.limbs.legs else 0

    def posed(self, rotations: np.ndarray, positions: np.ndarray) -> Scan:
        """The same body in one pose: local rotations (J, 4) and positions (J, 3)."""
        return Scan(self.raw.moved(rotations[None], positions[None]), known=self.limbs)

    @cached_property
    def at_rest(self) -> Scan:
        """The skeleton with nothing turned."""
        file = self.raw.bvh
        return self.posed(np.tile(quat.IDENTITY, (len(file.names), 1)), file.offsets)

    def upright(self, frames: np.ndarray) -> np.ndarray:
        """Up, for a body that stands (T, 3): feet to hips to chest, or along all fours. Short where it bends."""
        legs, arms = self.limbs.legs, self.limbs.arms
        if legs is None:
            return np.zeros((len(frames), 3))
        hips, leg = self._middle(legs, 0, frames), self._along(legs, frames)
        if arms is None:
            return leg
        if self.on_all_fours:
            return 0.5 * (leg + self._along(arms, frames))
        return 0.5 * (leg + _unit(self._middle(arms, 0, frames) - hips))

    @cached_property
    def on_all_fours(self) -> bool:
        """Whether both pairs of limbs are alike and point the same way, square to the trunk, most of the time."""
        legs, arms, some = self.limbs.legs, self.limbs.arms, self.some
        if legs is None or arms is None:
            return False
        hind, fore = self.limbs.tree.span(legs), self.limbs.tree.span(arms)
        if not LIKE < fore / max(hind, 1e-12) < 1 / LIKE:
            return False
        leg, arm = self._along(legs, some), self._along(arms, some)
        trunk = _unit(self._middle(arms, 0, some) - self._middle(legs, 0, some))
        along, alike = (np.median(np.sum(leg * other, axis=-1)) for other in (trunk, arm))
        return bool(along < 0.5 and alike > 0.7)

    def _along(self, pair: Pair, frames: np.ndarray) -> np.ndarray:
        """Unit vectors (T, 3) from the tips of a pair of limbs to where they begin."""
        return _unit(self._middle(pair, 0, frames) - self._middle(pair, -1, frames))

    def _middle(self, pair: Pair, which: int, frames: np.ndarray) -> np.ndarray:
        """Mean of the which-th points of a pair of limbs (T, 3)."""
        return np.mean([self.points[frames, chain[which]] for chain in pair], axis=0)


def _unit(v: np.ndarray) -> np.ndarray:
    return v / np.maximum(norm(v, axis=-1, keepdims=True), 1e-12)
