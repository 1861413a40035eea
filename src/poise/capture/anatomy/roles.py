"""Roles: which joint of a skeleton is a thigh, a neck, a tail. Geometry decides, names support.

Pairs of limbs that end on the floor are legs, other pairs are arms, and what is alone is the head or a tail.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from poise.capture.anatomy import chains, facing, feet
from poise.capture.anatomy.chains import End, end_of, leg_end
from poise.capture.anatomy.figure import Figure
from poise.capture.anatomy.limbs import Chain, Limbs, Pair, bases, find
from poise.capture.anatomy.parts import Anatomy, Found, assemble
from poise.errors import BadInput
from poise.geometry import quat

BRANCH = 0.10  # of the figure's size: a branch of the trunk that is shorter is no head and no tail
ARM_PREFIXES = ("", "mid_", "low_")  # prefixes of pairs of arms, from the highest down
# prefixes of pairs of legs, from the hindmost on
LEG_PREFIXES = {1: ("",), 2: ("", "fore_"), 3: ("", "mid_", "fore_")}
SPINE_NAMES = {0: (), 1: ("torso",), 2: ("torso", "chest"), 3: ("abdomen", "torso", "chest")}


def recognise(figure: Figure) -> Anatomy:
    """The anatomy of a figure."""
    figure, front = _faced(figure)
    limbs, legs = _standing(figure)
    legs = sorted(legs, key=lambda pair: _place(figure, pair)[0])
    arms = sorted((p for p in limbs.pairs if p not in legs), key=lambda pair: -_place(figure, pair)[2])
    pelvis = _shared([figure.tree.path(leg[0]) for pair in legs for leg in pair])
    head, tails = _head(figure, pelvis, limbs)
    back, neck = _trunk(figure, pelvis, head, [limbs.node(pair) for pair in limbs.pairs])
    trunk, spine, neck = {*pelvis, *back, *neck}, chains.spine(figure, back), chains.neck(figure, neck)
    found: list[Found] = [("pelvis" if spine else "torso", "pelvis", pelvis[-1])]
    found += [(name, "spine", j) for name, j in zip(SPINE_NAMES[len(spine)], spine)]
    found += [(f"neck_{i + 1}", "neck", j) for i, j in enumerate(neck[:-1])]
    found += [("head", "head", j) for j in neck[-1:]]
    ends = {arm: end_of(figure, arm) for pair in arms for arm in pair}
    heels = [foot.heel for foot in feet.find(limbs, legs, figure.every[:, 2])]
    ends |= {leg: leg_end(figure, heel) for leg, heel in zip([leg for pair in legs for leg in pair], heels)}
    for prefix, pair in zip(_leg_prefixes(len(legs)), legs):
        found += _both(figure, prefix, pair, lambda leg, side: chains.leg(figure, ends[leg], trunk, side))
    for prefix, pair in zip(ARM_PREFIXES, arms):
        found += _both(figure, prefix, pair, lambda arm, side: chains.arm(figure, ends[arm], trunk, side))
    for k, end in enumerate(tails):
        joints = chains.tail(figure, end, trunk)
        found += [(f"tail{k + 1 if k else ''}_{n + 1}", "tail", j) for n, j in enumerate(joints)]
    return assemble(figure, found, {"front": front})


def _standing(figure: Figure) -> tuple[Limbs, list[Pair]]:
    """Limbs of a figure, and the pairs of them that it stands on."""
    limbs = find(figure.tree, figure.every)
    legs = feet.standing(limbs, figure.every[:, 2])
    if not legs:
        raise BadInput("no two limbs of the skeleton end on the floor in its standing pose: it has no feet")
    return limbs, legs


def _faced(figure: Figure) -> tuple[Figure, str]:
    """The figure turned to face x, and why; as it was imported where nothing tells."""
    (limbs, legs), up = _standing(figure), np.array([0.0, 0.0, 1.0])
    own = feet.find(limbs, legs, figure.every[:, 2])
    nodes = {limbs.node(pair): pair for pair in legs}  # on all fours: legs on several joints of the trunk
    way = [nodes[k] for k in limbs.trunk if k in nodes]
    fore = way[-1] if len(way) > 1 else None
    hind = way[0] if way else legs[0]
    ahead, why = facing.front(limbs, own, hind, fore, figure.every[None], quat.IDENTITY[None], up)
    return (figure, why) if ahead is None else (figure.facing(-float(np.arctan2(ahead[1], ahead[0]))), why)


def _shared(paths: list[tuple[int, ...]]) -> tuple[int, ...]:
    """The beginning that all paths have in common."""
    same = [len(set(points)) == 1 for points in zip(*paths)]
    return paths[0][: (*same, False).index(False)]


def _head(figure: Figure, pelvis: tuple[int, ...], limbs: Limbs) -> tuple[End | None, list[End]]:
    """Of the branches alone, the one with most limbs on its way, then the highest; the others are tails."""

    def rank(chain: Chain) -> tuple[int, float]:
        above = [k for k in figure.tree.path(chain[0]) if k not in pelvis]
        on_way = sum(2 for pair in limbs.pairs if limbs.node(pair) in above)
        return on_way, float(figure.points(chain[0])[:, 2].max())

    alone = [chain for chain in limbs.alone if chain[0] < len(figure.at)]
    long = [chain for chain in alone if figure.tree.size(chain[0]) >= BRANCH * figure.size]
    ends = [end_of(figure, chain) for chain in sorted(long, key=rank, reverse=True)]
    return (ends[0], ends[1:]) if ends else (None, [])


def _trunk(
    figure: Figure, pelvis: Chain, head: End | None, nodes: Sequence[int]
) -> tuple[list[int], list[int]]:
    """All joints of the spine, up to where the last pair of limbs leaves it, and from there to the head."""
    if head is None:
        tops = [figure.tree.path(node) for node in nodes if node not in pelvis]
        return [j for j in max(tops, key=len, default=pelvis) if j not in pelvis], []
    way = [j for j in head.path if j not in pelvis]
    last = max((way.index(node) for node in nodes if node in way), default=-1)
    if last < 0:  # nothing branches off: the first bone is the trunk
        last = 0 if len(way) > 1 else -1
    return way[: last + 1], way[last + 1 :]


def _place(figure: Figure, pair: Pair) -> np.ndarray:
    """Where a pair of limbs leaves the trunk (3,) [m]."""
    return np.mean(bases(figure.every[None], pair, figure.size), axis=(0, 1))


def _both(figure: Figure, prefix: str, pair: Pair, chain: Callable[[Chain, str], list[Found]]) -> list[Found]:
    """Parts of a pair of limbs; the one that leaves the trunk farther to the left is the left one."""
    one, two = bases(figure.every[None], pair, figure.size)
    left, right = pair if one[0, 1] >= two[0, 1] else pair[::-1]
    both = ((left, "_l"), (right, "_r"))
    return [(prefix + name, kind, j) for limb, side in both for name, kind, j in chain(limb, side)]


def _leg_prefixes(count: int) -> tuple[str, ...]:
    return LEG_PREFIXES.get(count, tuple("" if k == 0 else f"leg{k + 1}_" for k in range(count)))
