"""Limbs of a skeleton: pairs of like branches, whatever their names and the pose; the trunk between; what is alone.

Legs are the pair that hangs nearest to the root, arms the next; fingers, eyes and the like are too small to count.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from poise.capture.anatomy.tree import Tree
from poise.geometry.linear import norm

ALIKE = 0.25  # two branches are a pair when their bones differ by no more than this part of the whole
WIDE = 24  # branches of one point that are compared
LIMB = 0.2  # a pair is a limb when it is this part of the longest
PLACE = 0.05  # weight of where limbs end beside the lengths of their bones: a tie-break, since limbs move
APART = 0.03  # of a limb's length: points of two limbs that are farther from each other are not in one place

Chain = tuple[int, ...]  # points from where a limb leaves the trunk to its tip
Pair = tuple[Chain, Chain]
Branch = tuple[int, int, int]  # joint, one child of it, its twin


@dataclass(frozen=True, eq=False)
class Limbs:
    """The parts of a tree."""

    tree: Tree  # the points and their bones
    pairs: tuple[Pair, ...] = ()  # pairs of limbs, legs first, then nearest to the root first
    alone: tuple[Chain, ...] = ()  # branches of the trunk that are no pair: neck and head, tails
    trunk: tuple[int, ...] = (0,)  # from where the legs hang to where the arms do, and on to the head
    outside: tuple[int, ...] = ()  # above the first branching: a root left on the floor

    @property
    def legs(self) -> Pair | None:
        return self.pairs[0] if self.pairs else None

    @property
    def arms(self) -> Pair | None:
        return self.pairs[1] if len(self.pairs) > 1 else None

    def node(self, pair: Pair) -> int:
        """The joint that a pair of limbs hangs on."""
        return int(self.tree.parents[pair[0][0]])


def find(tree: Tree, at: np.ndarray | None = None) -> Limbs:
    """Limbs of a tree; where they stand (P, 3), x ahead and z up, settles which of many like branches are a pair."""
    found = _pairs(tree, at)
    longest = max((tree.size(a) for _, a, _ in found), default=0.0)
    found = [branch for branch in found if tree.size(branch[1]) >= LIMB * longest]
    if not found:
        return Limbs(tree)
    outside = tree.path(found[0][0])[:-1]
    core = {k for node, _, _ in found for k in tree.path(node)}
    taken = core | {k for _, a, b in found for k in (a, b)}
    free = {k: [c for c in tree.children[k] if c not in taken] for k in core}
    if len(found) > 1 and _hangs_by_the_arms(tree, found, free):
        found[:2] = found[1], found[0]
    pairs = tuple((tree.chain(a), tree.chain(b)) for _, a, b in found)
    alone = tuple(tree.chain(c) for k in sorted(core) for c in free[k])
    return Limbs(tree, pairs, alone, _trunk(tree, found, free), outside)


def bases(points: np.ndarray, pair: Pair, size: float) -> tuple[np.ndarray, np.ndarray]:
    """The first points of two limbs that are apart, hips or shoulders, of points (T, P, 3): (T, 3) each."""
    for a, b in zip(*pair):
        one, two = points[:, a], points[:, b]
        if np.median(norm(one - two, axis=-1)) > APART * size:
            return one, two
    return points[:, pair[0][-1]], points[:, pair[1][-1]]


def _pairs(tree: Tree, at: np.ndarray | None) -> list[Branch]:
    """Pairs of like branches, nearest to the root first; no pair inside another's limb."""
    found: list[Branch] = []
    queue = [0]
    while queue:
        point = queue.pop(0)
        kids = [k for k in tree.children[point] if tree.size(k) > 0]
        unlike = sorted((_unlike(tree, a, b, at), a, b) for a, b in combinations(kids[:WIDE], 2))
        twins: set[int] = set()
        for size, one, two in unlike:
            if size <= ALIKE and not {one, two} & twins:
                found.append((point, one, two))
                twins |= {one, two}
        queue += [k for k in tree.children[point] if k not in twins]
    return found


def _unlike(tree: Tree, one: int, two: int, at: np.ndarray | None) -> float:
    """How much two branches differ, 0 for none: in their bones, how high they begin and, a little, where they end."""
    chains = tree.chain(one), tree.chain(two)
    most = max(len(chain) for chain in chains)
    a, b = (np.pad(tree.lengths[list(chain)], (0, most - len(chain))) for chain in chains)
    size = max(a.sum(), b.sum())
    uneven = np.abs(a - b).sum()
    if at is not None:
        begin = np.subtract(*bases(at[None], chains, size))[0]
        end = at[chains[0][-1]] - at[chains[1][-1]]
        uneven += 2 * abs(begin[2]) + PLACE * (2 * abs(end[2]) + abs(end[0]))
    return float(uneven / size)


def _hangs_by_the_arms(tree: Tree, found: list[Branch], free: dict[int, list[int]]) -> bool:
    """Whether the root is in the chest: the nearest pair has a neck beside it, and a longer pair hangs at the end."""
    (near, a, _), (far, b, _) = found[:2]
    neck = [k for k in free[near] if tree.size(k) > 0]
    return bool(neck and not free[far] and tree.size(b) > tree.size(a))


def _trunk(tree: Tree, found: list[Branch], free: dict[int, list[int]]) -> tuple[int, ...]:
    """From where the legs hang to where the arms do, then along the longest way that is no limb: the head."""
    legs, arms = found[0][0], found[-1][0] if len(found) < 3 else found[1][0]
    up, down = tree.path(legs)[::-1], tree.path(arms)[::-1]
    shared = next(k for k in up if k in down)
    way = [*up[: up.index(shared) + 1], *reversed(down[: down.index(shared)])]
    heads = [k for k in free[way[-1]] if k not in way]
    return (*way, *tree.chain(max(heads, key=tree.size))) if heads else tuple(way)
