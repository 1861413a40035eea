"""Limbs of a skeleton by its geometry alone: pairs of like branches, whatever their names.

Legs are the pair that hangs nearest to the root, arms the next; fingers, eyes and the like are too small to count.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

ALIKE = 0.15  # two branches are a pair when their bones differ by no more than this part of the whole
WIDE = 24  # branches of one point that are compared
SMALL = 0.3  # a pair is a limb when it reaches this part of the longest


@dataclass(frozen=True)
class Limb:
    """A chain of points from where a limb leaves the trunk to its tip; indices of points (joints, then end sites)."""

    chain: tuple[int, ...]


@dataclass(frozen=True)
class Body:
    """The parts of a skeleton.

    Attributes:
        pairs: Pairs of limbs, nearest to the root first.
        trunk: Points from the first pair's branching to the end of the head, tail left out.
        outside: Points above the first branching, which may lie anywhere: a root left on the floor.
        parents: (P,) parent of each point: joints, then end sites.
        lengths: (P,) length of the bone that leads to each point [file units].
    """

    pairs: tuple[tuple[Limb, Limb], ...]
    trunk: tuple[int, ...]
    outside: tuple[int, ...]
    parents: np.ndarray
    lengths: np.ndarray

    @property
    def legs(self) -> tuple[Limb, Limb] | None:
        return self.pairs[0] if self.pairs else None

    @property
    def arms(self) -> tuple[Limb, Limb] | None:
        return self.pairs[1] if len(self.pairs) > 1 else None


def find(parents: np.ndarray, end_parents: np.ndarray, lengths: np.ndarray) -> Body:
    """Parts of the tree of joints and end sites, given the length of the bone that leads to each (root: 0)."""
    above = np.concatenate([parents, end_parents])
    children: list[list[int]] = [[] for _ in above]
    for point, parent in enumerate(above):
        if parent >= 0:
            children[parent].append(point)
    reach, heir = _reaches(above, children, lengths)
    pairs = _pairs(children, lengths, reach, heir)
    longest = max((reach[a] + lengths[a] for _, a, _ in pairs), default=0.0)
    kept = [p for p in pairs if reach[p[1]] + lengths[p[1]] >= SMALL * longest]
    outside = _above(kept[0][0], above) if kept else ()
    if len(kept) > 1 and _hangs_by_the_arms(kept, children, reach, lengths, above):
        kept[:2] = kept[1], kept[0]
    limbs = tuple((Limb(_chain(a, heir)), Limb(_chain(b, heir))) for _, a, b in kept)
    return Body(limbs, _trunk(kept, children, reach, lengths, above), outside, above, lengths)


def _reaches(
    above: np.ndarray, children: list[list[int]], lengths: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Longest way from each point to a tip, and the child that lies on it (-1 at a tip)."""
    reach, heir = np.zeros(len(above)), np.full(len(above), -1)
    order = _depth_first(children)
    for point in reversed(order):
        for child in children[point]:
            if heir[point] < 0 or reach[child] + lengths[child] > reach[point]:
                reach[point], heir[point] = reach[child] + lengths[child], child
    return reach, heir


def _depth_first(children: list[list[int]]) -> list[int]:
    order, stack = [], [0]
    while stack:
        point = stack.pop()
        order.append(point)
        stack += children[point]
    return order


def _pairs(
    children: list[list[int]], lengths: np.ndarray, reach: np.ndarray, heir: np.ndarray
) -> list[tuple[int, int, int]]:
    """(branching, one child, its twin), nearest to the root first; no pair inside another's limb."""
    found, queue = [], [0]
    while queue:
        point = queue.pop(0)
        kids = [k for k in children[point] if reach[k] + lengths[k] > 0]
        bones = {k: lengths[list(_chain(k, heir))] for k in kids}
        unlike = sorted((_unlike(bones[a], bones[b]), a, b) for a, b in combinations(kids[:WIDE], 2))
        twins: set[int] = set()
        for size, one, two in unlike:
            if size <= ALIKE and not {one, two} & twins:
                found.append((point, one, two))
                twins |= {one, two}
        queue += [k for k in children[point] if k not in twins]
    return found


def _unlike(one: np.ndarray, two: np.ndarray) -> float:
    """How much two chains of bones differ: 0 for equal lengths, 1 and more for strangers."""
    size = max(len(one), len(two))
    a, b = (np.pad(bones, (0, size - len(bones))) for bones in (one, two))
    return float(np.abs(a - b).sum() / max(a.sum(), b.sum()))


def _chain(start: int, heir: np.ndarray) -> tuple[int, ...]:
    chain = [start]
    while heir[chain[-1]] >= 0:
        chain.append(int(heir[chain[-1]]))
    return tuple(chain)


def _above(point: int, above: np.ndarray) -> tuple[int, ...]:
    """Every point on the way from one to the root, itself left out."""
    way = []
    while above[point] >= 0:
        point = int(above[point])
        way.append(point)
    return tuple(way)


def _free(
    joint: int, pairs: list[tuple[int, int, int]], children: list[list[int]], above: np.ndarray
) -> list[int]:
    """Branches of a joint that are no limb and lead to none: a neck, a tail."""
    taken = {k for _, a, b in pairs for k in (a, b)}
    taken |= {k for other, _, _ in pairs for k in (other, *_above(other, above))}
    return [k for k in children[joint] if k not in taken]


def _hangs_by_the_arms(pairs: list[tuple[int, int, int]], children: list[list[int]], reach: np.ndarray,
                       lengths: np.ndarray, above: np.ndarray) -> bool:  # fmt: skip
    """Whether the root is in the chest: the nearest pair has a neck beside it, and a longer pair hangs at the end."""
    (near, a, _), (far, b, _) = pairs[:2]
    neck = [k for k in _free(near, pairs, children, above) if reach[k] + lengths[k] > 0]
    end = _free(far, pairs, children, above)
    return bool(neck and not end and reach[b] + lengths[b] > reach[a] + lengths[a])


def _trunk(pairs: list[tuple[int, int, int]], children: list[list[int]], reach: np.ndarray, lengths: np.ndarray,
           above: np.ndarray) -> tuple[int, ...]:  # fmt: skip
    """From where the legs hang to where the arms do, then along the longest way that is no limb: the head."""
    if not pairs:
        return (0,)
    legs, arms = pairs[0][0], pairs[-1][0] if len(pairs) < 3 else pairs[1][0]
    up, down = (legs, *_above(legs, above)), (arms, *_above(arms, above))
    shared = next(k for k in up if k in down)
    way = [*up[: up.index(shared) + 1], *reversed(down[: down.index(shared)])]
    while True:
        free = [k for k in _free(way[-1], pairs, children, above) if k not in way]
        if not free:
            return tuple(way)
        way.append(max(free, key=lambda k: reach[k] + lengths[k]))
