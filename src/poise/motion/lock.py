"""Captured feet locked to the ground: flat, level and still while they stand, and untouched in style in the air.

[Balance] section 9: "All motions were filtered using IK to ensure flat and level support conditions." Unlike `plant`,
which puts the feet of a keyed clip at their rest places, every stance here keeps its own place.
"""

from __future__ import annotations

from dataclasses import replace

import mujoco
import numpy as np

from poise.character.constants import GRAVITY
from poise.geometry import polygon, quat
from poise.geometry.easing import quintic
from poise.geometry.linear import norm
from poise.motion.clip import Clip
from poise.motion.dynamic import INSET, lean_by, zero_moment_point
from poise.motion.feet import Tracks, corners, stances, stands, tracks
from poise.motion.filters import smoothed
from poise.motion.ik import CONVERGED, Solver, Targets
from poise.motion.plant import Ahead

ROUNDS = 2  # of moving the centre of mass until the zero-moment point lies inside the support
FARTHEST = 0.12  # [m] that the zero-moment point is moved at a frame: beyond, a clip must step or jump
LIGHT = 0.3  # of the weight: with less on the ground the zero-moment point means little
KINKS = 6.0  # [Hz] cut-off of the filter that takes kinks out
SOFTER = 1e-3  # of the feet's weight that the centre of mass has: out of reach, it gives way
UPRIGHT = 30.0  # [per m²] weight of the root's captured height; a joint has about one per rad²
PACES = (1.0, 0.7, 0.5, 0.35, 0.25)  # of the captured speed, tried in this order
STRAY = 0.02  # [m] that the zero-moment point may be out of the support ...
SHARE = 0.95  # ... for this share of the time: shorter excursions are carried by spin
ROUGHLY = (
    1e-5  # [rad, m] size of the last step of poses on the way: their accelerations are right to 0.04 rad/s²
)
MISSED = 5e-3  # [m] of a foot: a pose that misses by more is tried again from the captured one


def locked(clip: Clip, balanced: bool = True) -> Clip:
    """The clip, of even frames, with each standing sole flat, level and still.

    Where ``balanced`` the centre of mass shifts by as little as brings the zero-moment point into the support.
    """
    raw, down = tracks(clip), stands(clip)
    feet = _feet(clip, raw, down)
    moved = feet.place[..., :2] - raw.place[..., :2]
    com = raw.com[:, :2] + moved.mean(axis=1)  # goes along with the feet
    if len(clip.times) < 4 or not down.any():
        return _solve(clip, feet, com)
    solved = _solve(clip, feet, com, ROUGHLY)
    for _ in range(ROUNDS if balanced else 0):
        out = outside(solved, feet, down)
        if np.abs(out).max() < INSET:
            break
        com = com + lean_by(solved, -out, free=True)
        solved = _solve(clip, feet, com, ROUGHLY)
    for last in range(
        1 - ROUNDS, 1
    ):  # a joint that meets its limit leaves a kink, which no body could follow
        solved = _solve(smoothed(solved, KINKS), feet, com, ROUGHLY if last else CONVERGED)
    return solved


def _feet(clip: Clip, raw: Tracks, down: np.ndarray) -> Tracks:
    """Where every support's body should be at every frame."""
    place, turn = raw.place.copy(), raw.turn.copy()
    for s, support in enumerate(clip.character.supports):
        spans = [_span(clip, *w) for w in stances(clip, support.name)]
        spans = [span for span in spans if span.stop > span.start]
        goals = [_stand(support.points, raw.place[span, s], raw.turn[span, s]) for span in spans]
        for span, (where, heading) in zip(spans, goals):
            place[span, s], turn[span, s] = where, heading
        for k in range(len(spans) + 1):
            before = (spans[k - 1].stop - 1, goals[k - 1]) if k else None
            after = (spans[k].start, goals[k]) if k < len(spans) else None
            _carry(place[:, s], turn[:, s], raw.place[:, s], raw.turn[:, s], before, after)
    feet = replace(raw, place=place, turn=turn)
    for s in range(len(clip.character.supports)):  # nothing below the ground
        sunk = np.minimum(corners(clip, feet, s)[..., 2].min(axis=1), 0.0)
        place[:, s, 2] -= np.where(down[:, s], 0.0, sunk)
    return feet


def _span(clip: Clip, t0: float, t1: float) -> slice:
    inside = np.flatnonzero((clip.times >= t0 - 1e-9) & (clip.times <= t1 + 1e-9))
    return slice(int(inside[0]), int(inside[-1]) + 1) if len(inside) else slice(0, 0)


def _stand(points: np.ndarray, place: np.ndarray, turn: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Level place and heading of a foot that should not have moved: the middle of where it was."""
    ahead = quat.rotate(turn, np.array([1.0, 0.0, 0.0]))
    yaw = np.arctan2(np.median(ahead[:, 1]), np.median(ahead[:, 0]))
    heading = quat.from_rotvec(np.array([0.0, 0.0, yaw]))
    centre = points.mean(axis=0)
    sole = np.median(place + quat.rotate(turn, centre), axis=0)
    where = sole - quat.rotate(heading, centre)
    where[2] = -points[:, 2].min()
    return where, heading


def _carry(place: np.ndarray, turn: np.ndarray, raw: np.ndarray, raw_turn: np.ndarray, before, after) -> None:
    """In the air: the captured path, corrected as at lift-off and touch-down and by a smooth mix in between."""
    first = 0 if before is None else before[0]
    last = len(place) - 1 if after is None else after[0]
    if last - first < (2 if before and after else 1):
        return
    fixes = [_fix(raw[i], raw_turn[i], goal) for i, goal in (e for e in (before, after) if e)]
    if not fixes:
        return
    x = np.linspace(0.0, 1.0, last - first + 1)
    s = quintic(x) if len(fixes) == 2 else np.zeros(len(x))
    (shift, twist), (shift2, twist2) = fixes[0], fixes[-1]
    inner = slice(first + (before is not None), last + (after is None))
    pick = slice(inner.start - first, inner.stop - first)
    place[inner] += (shift + s[:, None] * (shift2 - shift))[pick]
    mixed = quat.from_rotvec(twist + s[:, None] * (twist2 - twist))[pick]
    turn[inner] = quat.multiply(mixed, turn[inner])


def _fix(place: np.ndarray, turn: np.ndarray, goal) -> tuple[np.ndarray, np.ndarray]:
    """World shift and rotation vector that take a foot to its goal."""
    where, heading = goal
    return where - place, quat.to_rotvec(quat.multiply(heading, quat.conjugate(turn)))


def _solve(clip: Clip, feet: Tracks, com: np.ndarray, converged: float = CONVERGED) -> Clip:
    """Poses nearest to the clip's with feet and centre of mass in place."""
    character = clip.character
    solver, ahead, q = Solver(character, converged), Ahead(character), np.empty_like(clip.q)
    weights = solver.weights.copy()
    weights[2] = UPRIGHT
    for i, wanted in enumerate(clip.q):
        bodies = {s.body: (feet.place[i, k], feet.turn[i, k]) for k, s in enumerate(character.supports)}
        goal = Targets(bodies=bodies, com=com[i], com_share=SOFTER)
        pose = solver.solve(wanted, goal, ahead.guess(wanted), weights)
        if _miss(solver, pose, goal) > MISSED:
            again = solver.solve(wanted, goal, None, weights)
            pose = min(pose, again, key=lambda p: _miss(solver, p, goal))
        q[i] = ahead.follow(pose)
    return replace(clip, q=q)


def _miss(solver: Solver, q: np.ndarray, goal: Targets) -> float:
    """How far the feet of a pose are from their places [m, rad]."""
    return float(np.abs(solver.rows(q, goal)[1][: 6 * len(goal.bodies)]).max(initial=0.0))


def outside(clip: Clip, feet: Tracks, down: np.ndarray) -> np.ndarray:
    """How far (T, 2) the zero-moment point lies out of the support, less a margin [m]; zero in flight."""
    soles = [corners(clip, feet, s)[..., :2] for s in range(down.shape[1])]
    out, data = np.zeros((len(clip.times), 2)), mujoco.MjData(clip.character.model)
    weight = GRAVITY * clip.character.mass
    for i, t in enumerate(clip.times):
        if down[i].any():
            area = polygon.hull(np.vstack([soles[s][i] for s in np.flatnonzero(down[i])]))
            p = zero_moment_point(clip, t, data)
            if data.qfrc_inverse[2] > LIGHT * weight:
                out[i] = p - polygon.nearest(polygon.inset(area, INSET), p)
    return np.clip(out, -FARTHEST, FARTHEST)


def carried(clip: Clip) -> bool:
    """Whether the clip's zero-moment point stays by its support: elsewhere the body would have to step or jump."""
    down = stands(clip)
    if len(clip.times) < 4 or not down.any():
        return True
    stray = norm(outside(clip, tracks(clip), down), axis=1)
    return bool(np.quantile(stray, SHARE) <= STRAY)
