"""Which way a body faces: square to its hips, to the side that feet, names or knees tell."""

from __future__ import annotations

import numpy as np

from poise.capture.anatomy import names
from poise.capture.anatomy.feet import Foot
from poise.capture.anatomy.limbs import Limbs, Pair, bases
from poise.geometry import quat
from poise.geometry.linear import norm, times

TOE = 0.04  # of a leg: feet that point this far from their ankles tell the front
AGREED = 0.3  # length of the mean of unit vectors that agree
FLEETING = 0.01  # of a leg; shorter directions say nothing


def front(limbs: Limbs, feet: list[Foot], hind: Pair | None, fore: Pair | None, points: np.ndarray, turned: np.ndarray,
          up: np.ndarray) -> tuple[np.ndarray | None, str]:  # fmt: skip
    """Where a body faces, as a direction in the frame of its pelvis, and why; None where nothing tells.

    On all fours it has a ``fore`` pair of legs too; points (T, P, 3) and the turned pelvis (T, 4) are of some frames.
    """
    if hind is None:
        return None, "nothing clear (no legs to tell the front)"
    size, back = limbs.tree.size(hind[0][0]), quat.conjugate(turned)
    vector, why = _seen(limbs, feet, hind, fore, points, up)
    flat = vector - (times(vector, up))[:, None] * up
    long = norm(flat, axis=-1, keepdims=True)
    mean = np.median(quat.rotate(back, flat / np.maximum(long, 1e-12)), axis=0)
    if norm(mean) < AGREED or np.median(long) < FLEETING * size:
        return None, f"nothing clear ({why})"
    hips = np.median(quat.rotate(back, across(limbs, hind, points)), axis=0)
    square = np.cross(hips, np.median(quat.rotate(back, up), axis=0))
    long = float(norm(square))
    if long < FLEETING * size or abs(times(square, mean)) < 0.5 * long * AGREED:
        return mean / norm(mean), why
    return np.sign(times(square, mean)) * square / long, f"square to the hips; {why}"


def across(limbs: Limbs, pair: Pair, points: np.ndarray) -> np.ndarray:
    """From the hip of the second leg of a pair to that of the first (T, 3)."""
    return np.subtract(*bases(points, pair, limbs.tree.size(pair[0][0])))


def by_names(limbs: Limbs, pair: Pair, points: np.ndarray, up: np.ndarray) -> np.ndarray | None:
    """Directions (T, 3) to the front, by the names of left and right along a pair; None where they do not tell."""
    known = limbs.tree.names
    told = [names.is_left(known[a], known[b]) for a, b in zip(*pair) if max(a, b) < len(known)]
    votes = told.count(True) - told.count(False)
    return np.sign(votes) * np.cross(across(limbs, pair, points), up) if votes else None


def _seen(limbs: Limbs, feet: list[Foot], hind: Pair, fore: Pair | None, points: np.ndarray, up: np.ndarray
          ) -> tuple[np.ndarray, str]:  # fmt: skip
    """Directions (T, 3): along a trunk on all fours, else along feet, else by left and right, else as knees bend."""
    if fore is not None:
        starts = [points[:, [chain[0] for chain in pair]].mean(axis=1) for pair in (hind, fore)]
        return starts[1] - starts[0], "it stands on all fours: from hind to front limbs"
    toes = np.sum([points[:, (f.heel, *f.toes)[-1]] - points[:, f.heel] for f in feet], axis=0)
    level = norm(toes - (times(toes, up))[:, None] * up, axis=-1) / len(feet)
    if np.median(level) > TOE * limbs.tree.size(hind[0][0]):
        return toes, "the feet point there, ankle to toe"
    named = by_names(limbs, hind, points, up)
    if named is not None:
        return named, "by the names of left and right"
    return np.sum([_knee(limbs, leg, points) for leg in hind], axis=0), "the knees bend that way"


def _knee(limbs: Limbs, leg: tuple[int, ...], points: np.ndarray) -> np.ndarray:
    """From the line between hip and foot to the knee (T, 3)."""
    lengths, upper = limbs.tree.lengths[list(leg)], limbs.tree.long_bones(leg)[0]
    part = lengths[upper] / max(float(lengths[upper:].sum()), 1e-12)
    hip, knee, foot = (points[:, leg[k]] for k in (max(upper - 1, 0), upper, -1))
    return knee - (1 - part) * hip - part * foot
