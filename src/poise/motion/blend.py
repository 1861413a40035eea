"""Clips joined: one is moved so that a foot stays where it stands, then eased into the other. And clips re-timed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from scipy.interpolate import PchipInterpolator

from poise.errors import BadInput
from poise.geometry import quat
from poise.geometry.easing import quintic
from poise.motion import coordinates as layout
from poise.motion.clip import Clip
from poise.motion.feet import stances
from poise.motion.ik import Solver

RATE = 120.0  # [Hz] frames of a joined clip


def moved(clip: Clip, shift: Sequence[float] = (0.0, 0.0, 0.0), yaw: float = 0.0) -> Clip:
    """The clip turned about the world's z axis by ``yaw`` [rad], then shifted [m]."""
    return replace(clip, q=layout.relocated(clip.q, shift, yaw))


def delayed(clip: Clip, by: float) -> Clip:
    """The clip with all its times later by some seconds."""
    contacts = {k: tuple((a + by, b + by) for a, b in w) for k, w in clip.contacts.items()}
    return replace(clip, times=clip.times + by, contacts=contacts)


def blend(a: Clip, b: Clip, seconds: float, support: str) -> Clip:
    """Clip a, then b, eased into one another over the last ``seconds`` of a, about a foot that stays put.

    b is turned and shifted in the plane so that the support stands where it stands in a, half-way through the blend.
    In the blend every joint goes the shortest way, by a weight with ease-in and ease-out (C2); the root follows the
    support, so that it does not slide.

    Args:
        a, b: Clips of one character, neither looping.
        seconds: Length of the blend [s].
        support: The support that stands through it.
    """
    if a.character is not b.character:
        both = f"{a.character.name!r} and {b.character.name!r}"
        raise BadInput(f"clips of two characters, {both}, cannot be blended")
    if a.loop or b.loop:
        raise BadInput("a clip that loops has no end to blend at; trim it first")
    if not 0 < seconds <= min(a.seconds, b.seconds):
        raise BadInput(
            f"blend of {seconds} s; give above zero, up to the shorter clip ({min(a.seconds, b.seconds):g} s)"
        )
    start = a.end - seconds
    b = delayed(b, start - b.start)
    b = _onto(a, b, start + seconds / 2, support)
    times = np.linspace(a.start, b.end, round((b.end - a.start) * RATE) + 1)
    solver, q = Solver(a.character), np.empty((len(times), a.character.model.nq))
    for i, t in enumerate(times):
        s = quintic((t - start) / seconds)
        q[i] = a.at(t) if s <= 0 else b.at(t) if s >= 1 else _mix(solver, a.at(t), b.at(t), s, support)
    contacts = {name: _joined(a, b, name, start + seconds / 2) for name in {*a.contacts, *b.contacts}}
    return Clip(a.character, times, q, contacts=contacts)


def warped(clip: Clip, keys: Sequence[tuple[float, float]]) -> Clip:
    """The clip re-timed: a smooth increasing curve through (time in the clip, time wanted) [s].

    Between two keys of equal spacing the movement keeps its speed; contacts are re-timed along.
    """
    old, new = np.array(keys, float).T if len(keys) else (np.zeros(0), np.zeros(0))
    if len(keys) < 2 or np.any(np.diff(old) <= 0) or np.any(np.diff(new) <= 0):
        raise BadInput("a time warp needs two or more keys (time in the clip, time wanted), both increasing")
    if clip.loop:
        raise BadInput("a clip that loops cannot be warped; trim it to one round first")
    if old[0] != clip.start or old[-1] != clip.end:
        raise BadInput(
            f"the first and last key must be the ends of the clip, {clip.start:g} and {clip.end:g} s"
        )
    curve = PchipInterpolator(old, new)
    contacts = {k: tuple((float(curve(p)), float(curve(r))) for p, r in w) for k, w in clip.contacts.items()}
    return replace(clip, times=curve(clip.times), contacts=contacts)


def _onto(a: Clip, b: Clip, t: float, support: str) -> Clip:
    """b moved in the plane so that at time t a support stands as in a."""
    solver, body = Solver(a.character), a.character.support(support).body
    place_a, turn_a = solver.place(a.at(t), body)
    turn_b = solver.place(b.at(t), body)[1]
    yaw = float(quat.swing_twist(quat.multiply(turn_a, quat.conjugate(turn_b)))[1])
    turned = moved(b, yaw=yaw)
    gap = place_a - solver.place(turned.at(t), body)[0]
    return moved(turned, (gap[0], gap[1], 0.0))


def _mix(solver: Solver, p: np.ndarray, r: np.ndarray, s: float, support: str) -> np.ndarray:
    """Pose between two, with the support where the two poses' own places mix to."""
    body = solver.character.support(support).body
    (place_p, turn_p), (place_r, turn_r) = solver.place(p, body), solver.place(r, body)
    q = p + s * (r - p)
    for i, _ in layout.quaternions(solver.model):
        q[i : i + 4] = quat.slerp(p[i : i + 4], r[i : i + 4], s)
    wanted = place_p + s * (place_r - place_p), quat.slerp(turn_p, turn_r, s)
    place, turn = solver.place(q, body)
    fix = quat.multiply(wanted[1], quat.conjugate(turn))
    q[:3] = wanted[0] + quat.rotate(fix, q[:3] - place)
    q[3:7] = quat.multiply(fix, q[3:7])
    return q


def _joined(a: Clip, b: Clip, support: str, t: float) -> tuple[tuple[float, float], ...]:
    """When a support stands: as in a before t, as in b after."""
    before = [(p, min(r, t)) for p, r in stances(a, support) if p < t]
    after = [(max(p, t), r) for p, r in stances(b, support) if r > t]
    if before and after and before[-1][1] == after[0][0] == t:
        before[-1], after = (before[-1][0], after[0][1]), after[1:]
    return (*before, *after)
