"""Ends: where the limbs, the head and the tail of a figure end, whatever their names; fingers and toes are no ends."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from poise.capture.autorig import names
from poise.capture.autorig.figure import Figure

SMALL = 0.15  # of the figure's size: a hand or a head is no larger
BONE = 1.6  # a bone longer than this times what it carries is a limb's, not a detail's,
LONG = 0.06  # if it has this part of the figure's size
SHORT = 0.10  # of the figure's size: a branch shorter than this is a part of what it hangs on
ALONG = 0.04  # of the figure's size: a branch this near to a longer one beside it is a helper
FLOOR = 0.08  # of the figure's size: what stands on the floor comes this near to it
APART = 0.03  # of the figure's size: joints of a pair of limbs that are farther from each other are not one
ALIKE = (
    0.25  # twins differ by no more than this in their bones and in where they begin and end, of their size
)
PLACE = 0.05  # weight of where ends are beside the lengths of their bones: a tie-break, since limbs move
ANKLE = 0.14  # of the height of the hips: the joint that a foot turns about is no higher


@dataclass(frozen=True, eq=False)
class End:
    """The end of a limb.

    Attributes:
        path: Joints from the root to the last that is more than a detail.
        small: Whether that last joint is a small part, such as a hand; else it is a long bone that ends in a tip.
        points: (k, 3) what lies at the end, standing [m].
    """

    path: tuple[int, ...]
    small: bool
    points: np.ndarray

    @property
    def last(self) -> int:
        return self.path[-1]


def find(figure: Figure) -> list[End]:
    """Ends of a figure that are long enough to matter, in the order of its joints."""
    alive = _alive(figure)
    kids = figure.skeleton.children
    tops = sorted({_top(figure, leaf) for leaf in alive if not any(k in alive for k in kids[leaf])})
    while len(tops) > 1:
        worst = min(tops, key=lambda top: _branch(figure, top, tops))
        if _branch(figure, worst, tops) >= SHORT * figure.size:
            break
        tops.remove(worst)
    return [_end(figure, top) for top in tops]


def parting(one: tuple[int, ...], two: tuple[int, ...]) -> int:
    """The last joint that two paths from the root share."""
    return [a for a, b in zip(one, two) if a == b][-1]


def twins(figure: Figure, ends: list[End]) -> list[tuple[End, End]]:
    """Pairs of ends that are like each other from where they part; each end is in one pair at most."""
    costs = [(_unlike(figure, a, b), a, b) for a, b in combinations(ends, 2)]
    pairs: list[tuple[End, End]] = []
    for cost, a, b in sorted(costs, key=lambda entry: entry[0]):
        if cost < ALIKE and not any(end is a or end is b for pair in pairs for end in pair):
            pairs.append((a, b))
    return pairs


def bases(figure: Figure, pair: tuple[End, End]) -> tuple[np.ndarray, np.ndarray]:
    """The first joints of a pair of limbs that are apart from each other (3,), (3,) [m]: hips or shoulders."""
    node = parting(pair[0].path, pair[1].path)
    ways = [figure.at[list(end.path[end.path.index(node) + 1 :])] for end in pair]
    for a, b in zip(*ways):
        if np.linalg.norm(a - b) > APART * figure.size:
            return a, b
    return ways[0][-1], ways[1][-1]


def standing(figure: Figure, ends: list[End]) -> list[End]:
    """The ends that are on the floor, or whose twin is, each cut where its foot begins."""
    floor = min(end.points[:, 2].min() for end in ends)
    low = [end for end in ends if end.points[:, 2].min() < floor + FLOOR * figure.size]
    low += [b for pair in twins(figure, ends) for a, b in (pair, pair[::-1]) if a in low and b not in low]
    nodes = [parting(a.path, b.path) for a, b in combinations(low, 2)]
    hips = float(min(figure.at[nodes, 2], default=figure.size + floor)) - floor
    return [_foot(figure, end, end.points[:, 2].min() + ANKLE * hips) for end in low]


def path_to(figure: Figure, joint: int) -> tuple[int, ...]:
    """Joints from the root to a joint."""
    path = [joint]
    while (above := int(figure.skeleton.parents[path[-1]])) >= 0:
        path.append(above)
    return tuple(reversed(path))


def _alive(figure: Figure) -> set[int]:
    """Joints that are not helpers by name, all of their children included."""
    said = [names.helper(name) for name in figure.skeleton.names]
    return {j for j in range(len(said)) if not all(said[k] for k in figure.below[j])}


def _top(figure: Figure, leaf: int) -> int:
    """The joint at the top of the small part that a leaf belongs to; the leaf itself where its own bone is long."""
    top = leaf
    while (above := int(figure.skeleton.parents[top])) >= 0 and figure.reach[above] <= SMALL * figure.size:
        if _is_limb(figure, above, top):
            break
        top = above
    return top


def _is_limb(figure: Figure, joint: int, kid: int) -> bool:
    """Whether the way from a joint to a kid of it is a limb's bone: long for what it carries, and the only way on."""
    a, b = figure.at[joint], figure.at[kid]
    bone = np.linalg.norm(b - a)
    others = [k for k in figure.skeleton.children[joint] if k != kid]
    alone = all(_gap(figure.at[k], a, b) < ALONG * figure.size for k in others)
    return alone and bool(bone > max(LONG * figure.size, BONE * figure.reach[kid]))


def _unlike(figure: Figure, one: End, two: End) -> float:
    """How much two ends differ: their bones from where they part, how high they begin and, a little, where they end."""
    node = parting(one.path, two.path)
    ways = [figure.at[list(end.path[end.path.index(node) :])] for end in (one, two)]
    bones = [np.linalg.norm(np.diff(way, axis=0), axis=1) for way in ways]
    most = max(len(b) for b in bones)
    a, b = (np.pad(bone, (0, most - len(bone))) for bone in bones)
    size = max(a.sum(), b.sum(), 1e-9)
    apart = np.abs(ways[0][-1] - ways[1][-1])
    begin = bases(figure, (one, two))
    uneven = np.abs(a - b).sum() + 2 * abs(begin[0][2] - begin[1][2]) + PLACE * (2 * apart[2] + apart[0])
    return float(uneven / size)


def _branch(figure: Figure, top: int, tops: list[int]) -> float:
    """Length of what is left of an end where it has parted from all others; 0 for one that runs along another [m]."""
    path, at = path_to(figure, top), figure.at
    shared = max(path.index(parting(path, path_to(figure, other))) for other in tops if other != top)
    way = at[list(path[shared:])]
    length = float(np.linalg.norm(np.diff(way, axis=0), axis=1).sum() + figure.reach[top])
    tip = max(figure.points(top), key=lambda p: float(np.linalg.norm(p - way[0])))
    kids = figure.skeleton.children[path[shared]]
    for k in set(kids) - set(path):
        if np.linalg.norm(at[k] - way[0]) > length and _gap(tip, way[0], at[k]) < ALONG * figure.size:
            return 0.0
    return length


def _gap(point: np.ndarray, a: np.ndarray, b: np.ndarray) -> float:
    """Distance of a point from a line between two others [m]."""
    along = b - a
    s = np.clip((point - a) @ along / max(float(along @ along), 1e-12), 0.0, 1.0)
    return float(np.linalg.norm(point - a - s * along))


def _end(figure: Figure, top: int) -> End:
    small = bool(figure.reach[top] <= SMALL * figure.size)
    points = figure.points(top)
    return End(path_to(figure, top), small, points if small else points[1:])


def _foot(figure: Figure, end: End, ankle: float) -> End:
    """The same end cut at the highest joint that is as low as an ankle; a leg without one stays a long bone."""
    way, at = list(end.path), figure.at
    while kids := figure.skeleton.children[last := way[-1]]:
        lengths = [float(np.linalg.norm(at[k] - at[last]) + figure.reach[k]) for k in kids]
        way.append(kids[int(np.argmax(lengths))])
    low = [j for j in way if figure.at[j, 2] < ankle and figure.reach[j] < 0.25 * figure.size]
    if not low:
        return replace(end, small=end.small and figure.at[end.last, 2] < ankle)
    return End(path_to(figure, low[0]), True, figure.points(low[0]))
