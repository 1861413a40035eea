"""Tree: joints and end sites of a skeleton with the lengths of their bones. It knows no pose."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from poise.capture.anatomy import names as said
from poise.geometry.linear import norm


@dataclass(frozen=True, eq=False)
class Tree:
    """Points of a skeleton: joints first, then end sites."""

    names: tuple[str, ...]  # of the joints
    parents: np.ndarray  # (P,) parent of each point, -1 for the root
    lengths: np.ndarray  # (P,) length of the bone that leads to each point, 0 for the root [any unit]
    through: frozenset[int] = frozenset()  # joints inside a bone: nothing hangs on them

    @classmethod
    def of(
        cls, names: tuple[str, ...], parents: np.ndarray, end_parents: np.ndarray, offsets: np.ndarray,
        through: Sequence[int] = (),
    ) -> Tree:  # fmt: skip
        """Tree of joints and end sites at offsets (P, 3) in their parents; bones go ``through`` some joints."""
        lengths, parents = norm(offsets, axis=-1), np.concatenate([parents, end_parents])
        lengths[0] = 0.0
        for joint in through:
            beyond = parents == joint
            parents[beyond], lengths[beyond] = parents[joint], lengths[beyond] + lengths[joint]
            lengths[joint] = 0.0
        return cls(names, parents, lengths, frozenset(through))

    @cached_property
    def children(self) -> list[list[int]]:
        """Children of each point; branches that are helpers by name, down to their tips, are left out."""
        alive = np.zeros(len(self.parents), bool)
        alive[: len(self.names)] = [
            j not in self.through and not said.helper(name, tips=False) for j, name in enumerate(self.names)
        ]
        children: list[list[int]] = [[] for _ in self.parents]
        for point in range(len(self.parents) - 1, 0, -1):
            parent = self.parents[point]
            if point >= len(self.names) or alive[point]:
                children[parent].insert(0, point)
                alive[parent] |= alive[point]
        return children

    @cached_property
    def _ways(self) -> tuple[np.ndarray, np.ndarray]:
        """Longest way from each point to a tip, and the child that lies on it (-1 at a tip)."""
        reach, heir = np.zeros(len(self.parents)), np.full(len(self.parents), -1)
        for point in reversed(self.down(0)):
            for child in self.children[point]:
                if heir[point] < 0 or self.size(child, reach) > reach[point]:
                    reach[point], heir[point] = self.size(child, reach), child
        return reach, heir

    def down(self, point: int) -> list[int]:
        """A point and everything that hangs on it, parents before children."""
        order, stack = [], [point]
        while stack:
            order.append(stack.pop())
            stack += self.children[order[-1]]
        return order

    @property
    def reach(self) -> np.ndarray:
        """(P,) longest way along the bones from each point to a tip."""
        return self._ways[0]

    def size(self, point: int, reach: np.ndarray | None = None) -> float:
        """Longest way along the bones from the parent of a point to a tip."""
        return float((self.reach if reach is None else reach)[point] + self.lengths[point])

    def chain(self, point: int) -> tuple[int, ...]:
        """The longest way from a point to a tip, itself first."""
        chain = [point]
        while (heir := int(self._ways[1][chain[-1]])) >= 0:
            chain.append(heir)
        return tuple(chain)

    def path(self, point: int) -> tuple[int, ...]:
        """Points from the root to a point, itself last."""
        path = [point]
        while (above := int(self.parents[path[-1]])) >= 0:
            path.append(above)
        return tuple(reversed(path))

    def long_bones(self, chain: tuple[int, ...]) -> tuple[int, int]:
        """Where in a chain its two longest bones end: thigh and shin, or upper arm and forearm."""
        longest = np.sort(np.argsort(-self.lengths[list(chain)], kind="stable")[:2])
        return int(longest[0]), int(longest[-1])

    def span(self, pair: tuple[tuple[int, ...], ...]) -> float:
        """Mean length of the two longest bones of some chains together: thigh and shin."""
        return float(np.mean([np.sort(self.lengths[list(chain)])[-2:].sum() for chain in pair]))
