"""Pops: jumps within a single frame, as marker fits make them. Those that come back at once are smoothed over."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy.ndimage import median_filter

from poise.geometry import quat
from poise.geometry.linear import norm
from poise.motion.parts import runs

LEAST = np.radians(10.0)  # smaller turns are noise
QUICK = 1500.0  # rad/s²: what a limb may do
FAR_JUMP = np.radians(30.0)  # jumps that do not come back are told from here on
PLACE_JUMP = 0.05  # smallest jump of a place relative to the root, in leg lengths at 120 Hz
RARE, RARE_PLACE = 5.0, 4.0  # times the usual step about it
NEAR = 13  # frames that show what is usual
RETURN = 0.5  # a pop comes back: the step over it is at most this part of its edges
POP_TIME = 0.025  # s; what stays away for longer is no pop but a jump


@dataclass(frozen=True)
class Pop:
    """A joint that jumps within one frame."""

    frame: int  # first frame that is off; of the file, counted from 0
    frames: int  # how many are off before it comes back; 0 when it does not
    joint: str  # its name
    size: float  # how far it turns [rad]; for a jump of its place alone, how far it moves [m]
    turns: bool  # whether it turns or moves
    repaired: bool  # whether it was smoothed over


@dataclass(frozen=True)
class Edge:
    """The same inside this file: joint by index, size of a place in file units."""

    frame: int
    frames: int
    joint: int
    size: float
    turns: bool = True


def find(
    rotations: np.ndarray, points: np.ndarray, parents: np.ndarray, hz: float, reach: float
) -> list[Edge]:
    """Pops and jumps of local rotations (T, J, 4) and of the places (T, J, 3) they lead to, in order of frames."""
    if len(rotations) < NEAR:
        return []
    same = np.abs(np.einsum("tjk,tjk->tj", rotations[:-1], rotations[1:]))
    steps = 2.0 * np.arccos(np.minimum(same, 1.0))
    sharp = _sharp(steps, LEAST + 0.5 * QUICK / hz**2, RARE)
    found: list[Edge] = []
    for joint in np.flatnonzero(sharp.any(axis=0)):
        at = np.flatnonzero(sharp[:, joint]) + 1
        found += _pairs(rotations[:, joint], at, steps[:, joint], int(joint), hz)
    found = _whole(found, sharp, parents)
    found = [e for e in found if e.frames or e.size > FAR_JUMP]
    return sorted(found + _leaps(points, parents, sharp, hz, reach), key=lambda e: (e.frame, e.joint))


def _sharp(steps: np.ndarray, least: float, rare: float) -> np.ndarray:
    """Steps (T, J) above a least size and so many times the usual step about them."""
    sharp = steps > least
    for joint in np.flatnonzero(sharp.any(axis=0)):
        usual = median_filter(steps[:, joint], size=NEAR, mode="nearest")
        sharp[:, joint] &= steps[:, joint] > rare * usual
    return sharp


def _pairs(q: np.ndarray, edges: np.ndarray, steps: np.ndarray, joint: int, hz: float) -> list[Edge]:
    """Edges of one joint, each matched with the next that brings it back."""
    found, k = [], 0
    while k < len(edges):
        a, frames = int(edges[k]), 0
        for b in edges[k + 1 :]:
            over = float(norm(quat.difference(q[a - 1], q[b])))
            if b - a <= max(1.0, POP_TIME * hz) and over < RETURN * min(steps[a - 1], steps[b - 1]):
                frames = int(b) - a
                break
        found.append(Edge(a, frames, joint, float(steps[a - 1])))
        k = int(np.searchsorted(edges, a + frames, side="right"))
    return found


def _whole(edges: list[Edge], sharp: np.ndarray, parents: np.ndarray) -> list[Edge]:
    """A pop of one joint while another of the same limb jumps for good is part of that jump: it does not come back."""
    back = {(e.joint, frame) for e in edges if e.frames for frame in (e.frame, e.frame + e.frames)}
    line, kept = _lines(parents), []
    for e in edges:
        near, limb = range(e.frame, min(e.frame + e.frames, len(sharp)) + 1), np.flatnonzero(line[e.joint])
        loose = e.frames and any(sharp[t - 1, k] and (k, t) not in back for k in limb for t in near)
        kept.append(replace(e, frames=0) if loose else e)
    return kept


def _lines(parents: np.ndarray) -> np.ndarray:
    """(J, J) whether one joint is above or below another, or the same; parents come before children."""
    above = np.eye(len(parents), dtype=bool)
    for joint, parent in enumerate(parents[1:], 1):
        above[joint] |= above[parent]
    return above | above.T


def _leaps(points: np.ndarray, parents: np.ndarray, sharp: np.ndarray, hz: float, reach: float) -> list[Edge]:
    """Jumps of places that no sharp turn of the joint or of those above it explains."""
    moves = np.diff(points, axis=0)
    moves[:, 1:] -= moves[:, :1]
    steps = np.sqrt(np.einsum("tjk,tjk->tj", moves, moves))
    leap = _sharp(steps, PLACE_JUMP * reach * 120.0 / hz, RARE_PLACE)
    told, found = sharp.copy(), []
    for joint, parent in enumerate(parents):
        if parent >= 0:
            told[:, joint] |= told[:, parent]
        fresh = np.flatnonzero(leap[:, joint] & ~told[:, joint])
        found += [Edge(int(t) + 1, 0, joint, float(steps[t, joint]), turns=False) for t in fresh]
        told[:, joint] |= leap[:, joint]
    return found


def repair(rotations: np.ndarray, edges: list[Edge]) -> np.ndarray:
    """The same with each pop replaced by the way between its neighbours; jumps stay."""
    fixed = rotations.copy()
    for e in edges:
        if e.frames:
            a, b = fixed[e.frame - 1, e.joint], fixed[e.frame + e.frames, e.joint]
            part = np.arange(1, e.frames + 1) / (e.frames + 1)
            fixed[e.frame : e.frame + e.frames, e.joint] = quat.slerp(a, b, part)
    return fixed


def frozen(rotations: np.ndarray, positions: np.ndarray) -> list[tuple[int, int]]:
    """Runs of frames that repeat the one before exactly, first and last."""
    same = [(np.diff(x, axis=0) == 0).all(axis=(1, 2)) for x in (rotations, positions)]
    return runs(same[0] & same[1])
