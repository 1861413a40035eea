"""Roles: which joint of a skeleton is a thigh, a neck, a tail. Geometry decides, names support.

Limbs that end on the floor are legs, pairs that do not are arms, and what is alone is the head or a tail.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from poise.capture.autorig import chains
from poise.capture.autorig.anatomy import Anatomy, Found, assemble
from poise.capture.autorig.ends import End, bases, find, parting, path_to, standing, twins
from poise.capture.autorig.facing import faced
from poise.capture.autorig.figure import Figure
from poise.errors import BadInput

ARMS = ("", "mid_", "low_")  # prefixes of pairs of arms, from the highest down
# prefixes of pairs of legs, from the hindmost on
LEGS = {1: ("",), 2: ("", "fore_"), 3: ("", "mid_", "fore_")}
TRUNK = {0: (), 1: ("torso",), 2: ("torso", "chest"), 3: ("abdomen", "torso", "chest")}


def recognise(figure: Figure) -> Anatomy:
    """The anatomy of a figure."""
    ends = find(figure)
    feet = standing(figure, ends)
    if len(feet) < 2:
        raise BadInput(
            "fewer than two limbs of the skeleton end on the floor in its standing pose: it has no feet"
        )
    figure, front = faced(figure, ends, feet)
    ends = find(figure)
    feet = standing(figure, ends)
    legs = twins(figure, feet) or [(feet[0], feet[1])]
    pelvis = _shared([foot.path for foot in feet])
    free = [end for end in ends if not any(foot.last in end.path or end.last in foot.path for foot in feet)]
    arms = twins(figure, free)
    alone = [end for end in free if not any(end is arm for pair in arms for arm in pair)]
    head, tails = _head(figure, pelvis, alone, [a for a, _ in arms + legs])
    back, neck = _trunk(figure, pelvis, head, arms + legs)
    trunk, spine, neck = {*pelvis, *back, *neck}, chains.spine(figure, back), chains.neck(figure, neck)
    found: list[Found] = [("pelvis" if spine else "torso", "pelvis", pelvis[-1])]
    found += [(name, "spine", j) for name, j in zip(TRUNK[len(spine)], spine)]
    found += [(f"neck_{i + 1}", "neck", j) for i, j in enumerate(neck[:-1])]
    found += [("head", "head", j) for j in neck[-1:]]
    for prefix, pair in zip(_leg_prefixes(len(legs)), sorted(legs, key=lambda pair: _place(figure, pair)[0])):
        found += _both(prefix, pair, lambda end, side: chains.leg(figure, end, trunk, side), figure)
    for prefix, pair in zip(ARMS, sorted(arms, key=lambda pair: -_place(figure, pair)[2])):
        found += _both(prefix, pair, lambda end, side: chains.arm(figure, end, trunk, side), figure)
    for k, end in enumerate(tails):
        joints = chains.tail(figure, end, trunk)
        found += [(f"tail{k + 1 if k else ''}_{n + 1}", "tail", j) for n, j in enumerate(joints)]
    return assemble(figure, found, {"front": front})


def _shared(paths: list[tuple[int, ...]]) -> tuple[int, ...]:
    """The beginning that all paths have in common."""
    node = min((parting(paths[0], path) for path in paths), key=paths[0].index)
    return paths[0][: paths[0].index(node) + 1]


def _head(
    figure: Figure, pelvis: tuple[int, ...], alone: list[End], paired: list[End]
) -> tuple[End | None, list[End]]:
    """Of the ends that have no twin, the one with most limbs on its way, then the highest; the others are tails."""

    def limbs(end: End) -> int:
        return sum(parting(end.path, other.path) not in pelvis for other in paired)

    ordered = sorted(alone, key=lambda end: (limbs(end), float(end.points[:, 2].max())), reverse=True)
    return (ordered[0], ordered[1:]) if ordered else (None, [])


def _trunk(
    figure: Figure, pelvis: tuple[int, ...], head: End | None, pairs: list[tuple[End, End]]
) -> tuple[list[int], list[int]]:
    """All joints of the spine, up to where the last pair of limbs leaves it, and from there to the head."""
    nodes = [parting(a.path, b.path) for a, b in pairs]
    if head is None:
        tops = [path_to(figure, node) for node in nodes if node not in pelvis]
        return [j for j in max(tops, key=len, default=pelvis) if j not in pelvis], []
    way = [j for j in head.path if j not in pelvis]
    last = max((way.index(node) for node in nodes if node in way), default=-1)
    if last < 0:  # nothing branches off: the first bone is the trunk
        last = 0 if len(way) > 1 else -1
    return way[: last + 1], way[last + 1 :]


def _place(figure: Figure, pair: tuple[End, End]) -> np.ndarray:
    """Where a pair of limbs leaves the trunk (3,) [m]."""
    return np.mean(bases(figure, pair), axis=0)


def _both(
    prefix: str, pair: tuple[End, End], chain: Callable[[End, str], list[Found]], figure: Figure
) -> list[Found]:
    """Parts of a pair of limbs; the one that leaves the trunk farther to the left is the left one."""
    one, two = bases(figure, pair)
    left, right = pair if one[1] >= two[1] else pair[::-1]
    return [
        (prefix + name, kind, j)
        for end, side in ((left, "_l"), (right, "_r"))
        for name, kind, j in chain(end, side)
    ]


def _leg_prefixes(count: int) -> tuple[str, ...]:
    return LEGS.get(count, tuple("" if k == 0 else f"leg{k + 1}_" for k in range(count)))
