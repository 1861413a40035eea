"""A neutral stand of the body, from which an auto-rig can define its frames."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from poise.capture import tpose
from poise.capture.floor import speeds
from poise.capture.scan import Scan
from poise.errors import BadInput
from poise.geometry.linear import norm, times

STANDS_UPRIGHT = 0.95  # cosine
STRAIGHT = 0.9  # hip to tip of the leg over the length of its bones, as in a stand
LEVEL = 0.06  # leg lengths between the heights of two feet


@dataclass(frozen=True, eq=False)
class Stand:
    """Local rotations (J, 4) and positions (J, 3) of a stand, as in the file, and where it was found."""

    rotations: np.ndarray
    positions: np.ndarray
    what: str
    evidence: str


def find(scan: Scan, up: np.ndarray, hz: float, given: int | str | None = None) -> Stand:
    """The artificial first frame if there is one, else the rest pose if it can stand, else the calmest stand seen."""
    if scan.raw.markers:
        return _stand(scan, 0, "markers have no pose", "none")
    if given == "rest":
        return _stand(scan.at_rest, 0, "given", "rest pose")
    if given is not None:
        return _stand(scan, _frame(given, len(scan.raw)), "given")
    if scan.first and posture(scan, np.array([0]), up)[0][0] > STANDS_UPRIGHT:
        return _stand(scan, 0, "the artificial first frame stands upright")
    slope, legs, level = (float(x[0]) for x in posture(scan.at_rest, np.array([0]), up))
    told = f"upright {slope:.2f}, legs straight {legs:.2f}, feet level to {level:.2f} leg lengths"
    if slope > STANDS_UPRIGHT and legs > STRAIGHT and level < LEVEL:
        return _stand(scan.at_rest, 0, f"it can stand: {told}", "rest pose")
    why = f"the rest pose cannot stand ({told}); this is the calmest upright frame"
    return _stand(scan, _calmest(scan, up, hz), why)


def _stand(scan: Scan, frame: int, evidence: str, what: str = "") -> Stand:
    return Stand(scan.raw.rotations[frame], scan.raw.positions[frame], what or f"frame {frame}", evidence)


def _frame(given: int | str, count: int) -> int:
    try:
        frame = int(given)
    except ValueError:
        frame = -1
    if not 0 <= frame < count:
        raise BadInput(f"reference {given!r}; give 'rest' or a frame of the file, 0 to {count - 1}")
    return frame


def posture(scan: Scan, frames: np.ndarray, up: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """How a body holds itself in some frames (T,): cosine between it and up; how straight its legs are, 1 for a line;
    difference of height between the tips of its legs, in leg lengths.
    """
    slope, legs, points = times(scan.upright(frames), up), scan.limbs.legs, scan.points[frames]
    if legs is None:
        return slope, np.zeros(len(frames)), np.ones(len(frames))
    heights = np.stack([times(points[:, leg[-1]], up) for leg in legs], axis=1)
    straight = np.mean([_straight(scan, leg, points) for leg in legs], axis=0)
    return slope, straight, np.ptp(heights, axis=1) / max(scan.reach, 1e-12)


def _straight(scan: Scan, chain: tuple[int, ...], points: np.ndarray) -> np.ndarray:
    """Distance between the ends of the two longest bones of a leg over their lengths (T,)."""
    tree, (upper, lower) = scan.limbs.tree, scan.limbs.tree.long_bones(chain)
    start, end = points[:, chain[max(upper - 1, 0)]], points[:, chain[lower]]
    size = float(tree.lengths[list(chain[upper : lower + 1])].sum())
    return norm(end - start, axis=-1) / max(size, 1e-12)


def _calmest(scan: Scan, up: np.ndarray, hz: float) -> int:
    """The frame that is most upright, straight, level, mirror-like and slow."""
    frames = scan.some
    if scan.limbs.legs is None:
        return int(frames[0])
    slope, straight, uneven = posture(scan, frames, up)
    slow = 0.3 * speeds(scan.points[frames], hz).mean(axis=1) / max(scan.reach, 1e-12)
    score = slope + straight - uneven - slow
    best = np.argsort(-score, kind="stable")[:20]
    return int(frames[min(best, key=lambda k: tpose.unevenness(scan, int(frames[k])) - score[k])])
