"""Chains: which joints along a limb, the spine or the neck become bodies; twists and coinciding joints do not."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from poise.capture.anatomy import names
from poise.capture.anatomy.figure import Figure
from poise.capture.anatomy.limbs import Chain
from poise.geometry.linear import norm, times

SMALL = 0.15  # of the figure's size: a hand or a head is no larger
BONE = 1.6  # a bone longer than this times what it carries is a limb's, not a detail's,
LONG_BONE = 0.06  # if it has this part of the figure's size
ALONG = 0.04  # of the figure's size: a branch this near to a longer one beside it is a helper
COINCIDE = 0.01  # of the figure's size: joints nearer than this are in one place
MIDDLE = 0.015  # of the figure's size: a hip is farther from the middle plane than this
STUB = 0.25  # of the next bone: a bone shorter than this carries a leg rather than being part of it
CLAVICLE_BONE = 0.75  # of the next bone: shorter than this, the first bone of an arm is a clavicle
INSIDE = 0.2  # of the next joint's distance from the middle plane: nearer to it than this, the same
SPINE_BODIES, NECK_BODIES, TAIL_BODIES = 3, 3, 4  # bodies at the most

Piece = tuple[str, str, int]  # name, kind, joint


@dataclass(frozen=True)
class End:
    """The end of a limb."""

    path: tuple[int, ...]  # joints from the root to the last that is more than a detail
    small: bool  # whether that last joint is a small part, such as a hand; else it is a long bone that ends in a tip


def end_of(figure: Figure, chain: Chain) -> End:
    """The end of an arm, a head or a tail: its hand, its fingers and the like left out."""
    joints = [j for j in chain if j < len(figure.skeleton)]
    small = SMALL * figure.size
    while len(joints) > 1 and figure.reach[joints[-2]] <= small and not _is_limb(figure, *joints[-2:]):
        joints.pop()
    return End(figure.tree.path(joints[-1]), bool(figure.reach[joints[-1]] <= small))


def leg_end(figure: Figure, heel: int) -> End:
    """The end of a leg at its heel; a long bone where the heel is a tip."""
    joint = heel < len(figure.skeleton)
    return End(figure.tree.path(heel if joint else int(figure.tree.parents[heel])), joint)


def leg(figure: Figure, end: End, trunk: set[int], side: str) -> list[Piece]:
    """Thigh, shin, whatever lies between, and foot; a foot is made up where the last bone ends on its tip."""
    way = [j for j in end.path if j not in trunk]
    foot = [way.pop()] if end.small and len(way) > 1 else []
    body = _plain(figure, way, foot)
    while len(body) > 1 and _carries(figure, body, foot):
        body.pop(0)
    kinds = ["thigh", "shin", *(["tarsus"] * len(body))]
    pieces = [(_numbered(kinds, i) + side, kinds[i], j) for i, j in enumerate(body)]
    return [*pieces, (f"foot{side}", "foot", foot[0] if foot else -1)]


def arm(figure: Figure, end: End, trunk: set[int], side: str) -> list[Piece]:
    """Clavicle where it moves, upper arm, forearm, whatever lies between, and hand."""
    way = [j for j in end.path if j not in trunk]
    hand = [_turns(figure, way.pop())] if end.small and len(way) > 1 and not _no_hand(figure, way) else []
    body = _plain(figure, way, hand)
    pieces: list[Piece] = []
    while len(body) > 2 and _is_clavicle(figure, body):
        first = body.pop(0)
        if figure.moves(first):
            pieces = [(f"clavicle{side}", "clavicle", first)]
    kinds = ["upper_arm", *(["forearm"] * len(body))]
    pieces += [(_numbered(kinds, i) + side, kinds[i], j) for i, j in enumerate(body)]
    return pieces + [(f"hand{side}", "hand", j) for j in hand]


def spine(figure: Figure, way: list[int]) -> list[int]:
    """Joints of the spine that become bodies; the last carries the arms."""
    return _fewest(figure, _apart(figure, way), SPINE_BODIES)


def neck(figure: Figure, way: list[int]) -> list[int]:
    """Joints of neck and head that become bodies; the last is the head."""
    way = list(way)
    while way and (kid := _only(figure, way[-1])) is not None:
        said = names.part(figure.skeleton.names[kid])
        if not figure.moves(kid) and figure.reach[kid] < 0.02 * figure.size and said != "head":
            break  # a nub that says where the head ends
        way.append(kid)
    return _fewest(figure, _apart(figure, way), NECK_BODIES)


def tail(figure: Figure, end: End, trunk: set[int]) -> list[int]:
    """Joints of a tail that become bodies."""
    way = [j for j in end.path if j not in trunk]
    while (kid := _only(figure, way[-1])) is not None and figure.reach[kid] > 0.02 * figure.size:
        way.append(kid)
    return _fewest(figure, _apart(figure, way), TAIL_BODIES)


def _only(figure: Figure, joint: int) -> int | None:
    """The child of a joint where it has one alone that leads anywhere."""
    kids = [k for k in figure.tree.children[joint] if figure.tree.size(k) > 0 and k < len(figure.at)]
    return kids[0] if len(kids) == 1 else None


def bone(figure: Figure, a: int, b: int) -> float:
    """Distance of two joints [m]."""
    return float(norm(figure.at[a] - figure.at[b]))


def _is_limb(figure: Figure, joint: int, kid: int) -> bool:
    """Whether the way from a joint to a kid of it is a limb's bone: long for what it carries, and the only way on."""
    a, b = figure.at[joint], figure.at[kid]
    others = [k for k in figure.skeleton.children[joint] if k != kid]
    alone = all(_gap(figure.at[k], a, b) < ALONG * figure.size for k in others)
    return alone and bool(bone(figure, joint, kid) > max(LONG_BONE * figure.size, BONE * figure.reach[kid]))


def _gap(point: np.ndarray, a: np.ndarray, b: np.ndarray) -> float:
    """Distance of a point from a line between two others [m]."""
    along = b - a
    s = np.clip(times(point - a, along) / max(float(times(along, along)), 1e-12), 0.0, 1.0)
    return float(norm(point - a - s * along))


def _plain(figure: Figure, way: list[int], after: list[int]) -> list[int]:
    """A limb's joints without those that coincide with the next and those that only twist."""
    body = _apart(figure, way + after)
    body = body[: -len(after)] if after else body
    nexts = [*body[1:], *after]
    kept = []
    for i, j in enumerate(body):
        onward = i < len(nexts) and figure.skeleton.parents[nexts[i]] == j
        twists = onward and figure.only_twists(j, figure.offsets[nexts[i]])
        if len(body) <= 2 or i == 0 or not (twists or names.helper(figure.skeleton.names[j])):
            kept.append(j)
    return kept


def _apart(figure: Figure, way: list[int]) -> list[int]:
    """Joints without those that lie where the next one does."""
    return [j for j, k in zip(way, [*way[1:], -1]) if k < 0 or bone(figure, j, k) > COINCIDE * figure.size]


def _carries(figure: Figure, body: list[int], foot: list[int]) -> bool:
    """Whether the first joint of a leg is not its hip: in the middle of the body, or a stub before the thigh."""
    thigh = [*body, *foot]
    if _aside(figure, body[0]) < MIDDLE * figure.size:
        return True
    return len(thigh) > 2 and bone(figure, thigh[0], thigh[1]) < STUB * bone(figure, thigh[1], thigh[2])


def _is_clavicle(figure: Figure, body: list[int]) -> bool:
    a, b = bone(figure, body[0], body[1]), bone(figure, body[1], body[2])
    return a < CLAVICLE_BONE * b or _aside(figure, body[0]) < INSIDE * _aside(figure, body[1])


def _no_hand(figure: Figure, way: list[int]) -> bool:
    """Whether an arm ends in its forearm: clavicle, upper arm and one bone more, on which nothing hangs."""
    arm = _apart(figure, way)
    return len(arm) == 3 and not figure.skeleton.children[arm[2]] and _is_clavicle(figure, arm)


def _aside(figure: Figure, joint: int) -> float:
    """Distance of a joint from the middle plane of the body, which goes through its first branching [m]."""
    return float(abs(figure.at[joint, 1] - figure.at[figure.trunk, 1]))


def _turns(figure: Figure, hand: int) -> int:
    """The joint that gives a hand its rotation: the last of those in one place, if it moves."""
    for kid in sorted(figure.skeleton.children[hand], key=lambda k: -figure.reach[k]):
        whole = figure.reach[kid] >= 0.9 * figure.reach[hand]
        if whole and figure.moves(kid) and bone(figure, hand, kid) < COINCIDE * figure.size:
            return kid
    return hand


def _fewest(figure: Figure, joints: list[int], most: int) -> list[int]:
    """Joints without those that never move (where others do) and, beyond a number, those that move least."""
    joints = list(joints)
    moving = [j for j in joints[:-1] if figure.moves(j)]
    if moving:
        joints = [*moving, joints[-1]]
    while len(joints) > most:
        joints.remove(min(joints[:-1], key=lambda j: figure.turning[j]))
    return joints


def _numbered(kinds: list[str], i: int) -> str:
    count = kinds[: i + 1].count(kinds[i])
    return kinds[i] if count == 1 else f"{kinds[i]}_{count}"
