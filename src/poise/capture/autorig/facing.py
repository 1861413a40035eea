"""Which way a figure faces: its hips give the axis; feet, head, names and the importer vote for the sense."""

from __future__ import annotations

import numpy as np

from poise.capture.autorig import names
from poise.capture.autorig.ends import End, bases, parting, twins
from poise.capture.autorig.figure import Figure

UP = np.array([0.0, 0.0, 1.0])
TOE = 0.03  # of the figure's size: feet that point this far from their ankles tell the front
LEVEL = 0.3  # of the figure's size: a head this far ahead of the hind limbs tells the front


def faced(figure: Figure, ends: list[End], feet: list[End]) -> tuple[Figure, str]:
    """The figure turned to face x, and why."""
    left = _across(figure, feet)
    votes = _votes(figure, ends, feet, np.cross(left, UP))
    sign = 1.0 if sum(votes.values()) >= 0 else -1.0
    ahead = sign * np.cross(left, UP)
    agree = ", ".join(f"{who} {vote * sign:+.1f}" for who, vote in votes.items())
    return figure.facing(-float(np.arctan2(ahead[1], ahead[0]))), f"votes: {agree}"


def _across(figure: Figure, feet: list[End]) -> np.ndarray:
    """Level direction from one side of the body to the other, as near to y as its sign allows."""
    total = np.zeros(3)
    for pair in twins(figure, feet):
        one, two = bases(figure, pair)
        total += one - two if one[1] >= two[1] else two - one
    total[2] = 0.0
    size = float(np.linalg.norm(total))
    return total / size if size > 0.02 * figure.size else np.array([0.0, 1.0, 0.0])


def _votes(figure: Figure, ends: list[End], feet: list[End], ahead: np.ndarray) -> dict[str, float]:
    """Who says that ``ahead`` is the front (positive) or the back, and how loudly."""
    at, votes = figure.at, {"importer": 1.0 if ahead[0] >= 0 else -1.0}
    toes = [float(((foot.points - at[foot.last]) @ ahead).max() + ((foot.points - at[foot.last]) @ ahead).min())
            for foot in feet if foot.small]  # fmt: skip
    if toes and abs(np.mean(toes)) > TOE * figure.size:
        votes["feet"] = 3.0 * float(np.sign(np.mean(toes)))
    free = [
        end for end in ends if all(end.last not in foot.path and foot.last not in end.path for foot in feet)
    ]
    if free and len(feet) > 2:
        top = max(free, key=lambda end: float(end.points[:, 2].max()))
        reach = float((top.points.mean(axis=0) - at[[foot.last for foot in feet]].mean(axis=0)) @ ahead)
        if abs(reach) > LEVEL * figure.size:
            votes["head"] = 3.0 * float(np.sign(reach))
    left = np.cross(UP, ahead)
    middle = at[parting(feet[0].path, feet[1].path)]
    said = [
        (names.side(name), float((at[j] - middle) @ left)) for j, name in enumerate(figure.skeleton.names)
    ]
    heard = [
        (1.0 if side == "l" else -1.0) * np.sign(y)
        for side, y in said
        if side and abs(y) > 0.01 * figure.size
    ]
    if heard:
        votes["names"] = 2.0 * float(np.mean(heard))
    return votes
