"""Paths of the soles: still on their prints while they stand, as captured in the air, with ends that meet them."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from poise.geometry import quat
from poise.geometry.easing import quintic
from poise.motion.score.manner import Manner
from poise.motion.score.prints import Print, without_kinks
from poise.motion.score.samples import DT, Samples

SETTLE, DESCENT = 0.2, 0.1  # [s] before landing in which a foot slows down, to [m/s] downwards
LEAVE = 0.2  # [s] after lift-off in which it takes up its path, where it leaves as it rolled
LONG = 0.25  # [s] of a swing that a clip begins or ends in: a shorter one cannot be raised
SHOULDER = 0.15  # of a swing at both ends in which it is on its way there


def placed(
    p: Print, tilt: np.ndarray, half: np.ndarray, radius: float = 0.0
) -> tuple[np.ndarray, np.ndarray]:
    """Centres (k, 3) and axes (k, 4) of a sole on its print that tilts (k,) about its toes or its heel, which may be
    round."""
    ahead = np.array([np.cos(p.heading), np.sin(p.heading), 0.0])
    edge = np.sign(tilt) * half[0]
    along = edge * (1.0 - np.cos(tilt))
    x = np.append(p.place, p.level) + along[:, None] * ahead
    x[:, 2] += np.abs(half[0] * np.sin(tilt)) + radius * (1.0 - np.cos(tilt))
    level = quat.from_rotvec(np.array([0.0, 0.0, p.heading]))
    lean = quat.from_rotvec(np.stack([0 * tilt, tilt, 0 * tilt], axis=1))
    return x, quat.multiply(level, lean)


def path_of(
    samples: Samples, k: int, prints: list[Print], tilt: np.ndarray, half: np.ndarray, manner: Manner
) -> tuple[np.ndarray, np.ndarray]:
    """Centres (n, 3) and axes (n, 4) of one sole through the clip."""
    x, turn = samples.x[:, k].copy(), samples.turn[:, k].copy()
    for p in prints:
        span = slice(p.first, p.last + 1)
        x[span], turn[span] = placed(p, tilt[span], half, manner.heel)
    ends = [None, *prints, None]
    for before, after in pairwise(ends):
        _carry(x, turn, samples.x[:, k], samples.turn[:, k], before, after, half, manner)
    return x, turn


def _carry(x, turn, raw, raw_turn, before: Print | None, after: Print | None, half, manner: Manner) -> None:
    """In the air: corrected as at lift-off and at touch-down, by a smooth mix in between, and clear of the ground."""
    first = 0 if before is None else before.last
    last = len(x) - 1 if after is None else after.first
    ends = ([first] if before else []) + ([last] if after else [])
    if last - first < 2 or not ends:
        return
    fixes = [
        (x[i] - raw[i], quat.to_rotvec(quat.multiply(turn[i], quat.conjugate(raw_turn[i])))) for i in ends
    ]
    (shift, twist), (shift2, twist2) = fixes[0], fixes[-1]
    share = np.linspace(0.0, 1.0, last - first + 1)
    s = (quintic(share) if len(ends) == 2 else np.zeros(len(share)))[:, None]
    inner = slice(first + (before is not None), last + (after is None))
    pick = slice(inner.start - first, inner.stop - first)
    x[inner] = raw[inner] + (shift + s * (shift2 - shift))[pick]
    turn[inner] = quat.multiply(quat.from_rotvec(twist + s * (twist2 - twist)), raw_turn[first : last + 1])[
        pick
    ]
    air = slice(first, last + 1)
    rolls = manner.meets and after is not None and last + 1 < len(x)
    if after:
        _settle(x[air], turn[air], *(_motion(x, turn, last) if rolls else (np.zeros(3), np.zeros(3))))
    if before and manner.meets and first > 0:
        _leave(x[air], turn[air], *_motion(x, turn, first - 1))
    one = np.ones_like(share)
    bump = (_shoulder(share) if before else one) * (_shoulder(1.0 - share) if after else one)
    if before and after:
        ground = before.level + (after.level - before.level) * quintic(share)
        _clear(x[air], turn[air], half, ground + manner.clearance * bump, bump)
    part = not (before and after) and manner.blunt > 0.0 and (last - first) * DT > LONG
    floor = min(end.level for end in (before, after) if end)  # feet have toes that bend, a sole is rigid
    sunk = np.maximum(floor - _lowest(x[air], turn[air], half, manner.blunt if part else 0.0), 0.0)
    x[air, 2] += without_kinks(sunk) if part else sunk
    if part:
        _clear(x[air], turn[air], half, floor + manner.clearance * bump, bump)


def _motion(x: np.ndarray, turn: np.ndarray, i: int) -> tuple[np.ndarray, np.ndarray]:
    """Velocity (3,) and spin (3,) from one sample to the next."""
    spin = quat.to_rotvec(quat.multiply(turn[i + 1], quat.conjugate(turn[i])))
    return (x[i + 1] - x[i]) / DT, spin / DT


def _settle(x: np.ndarray, turn: np.ndarray, v: np.ndarray, w: np.ndarray) -> None:
    """Give the end of a swing, (k, 3) and (k, 4), the speed and spin of the sole that then stands, and a little
    downwards: a foot that lands with more is stopped by a blow."""
    k = min(round(SETTLE / DT), len(x) - 1)
    speed, spin = _motion(x, turn, len(x) - 2)
    u = np.linspace(0.0, 1.0, k + 1)[:, None]
    fade = (u**4 - u**3) * k * DT
    x[-k - 1 :] += fade * (v + np.array([0.0, 0.0, -DESCENT]) - speed)
    turn[-k - 1 :] = quat.multiply(quat.from_rotvec(fade * (w - spin)), turn[-k - 1 :])


def _leave(x: np.ndarray, turn: np.ndarray, v: np.ndarray, w: np.ndarray) -> None:
    """Give the beginning of a swing the speed and spin with which the sole rolled off."""
    k = min(round(LEAVE / DT), len(x) - 1)
    speed, spin = _motion(x, turn, 0)
    u = np.linspace(1.0, 0.0, k + 1)[:, None]
    fade = (u**3 - u**4) * k * DT
    x[: k + 1] += fade * (v - speed)
    turn[: k + 1] = quat.multiply(quat.from_rotvec(fade * (w - spin)), turn[: k + 1])


def _shoulder(share: np.ndarray) -> np.ndarray:
    """From 0 to 1 (k,) on the first part of a swing."""
    return quintic(np.clip(share / SHOULDER / 2, 0, 1))


def _clear(x: np.ndarray, turn: np.ndarray, half: np.ndarray, high: np.ndarray, bump: np.ndarray) -> None:
    """Raise a swing by a bump (k,) until its lowest corner is as high (k,) as it should be."""
    wide = bump > 0.3
    if wide.any():
        lack = (high - _lowest(x, turn, half))[wide] / bump[wide]
        x[:, 2] += max(float(lack.max()), 0.0) * bump


def _lowest(x: np.ndarray, turn: np.ndarray, half: np.ndarray, radius: float = 0.0) -> np.ndarray:
    """Height (k,) of the lowest corner of soles at (k, 3) with axes (k, 4), whose edges may be round."""
    corners = np.array([[a * half[0], b * half[1], radius] for a in (-1, 1) for b in (-1, 1)])
    return x[:, 2] + quat.rotate(turn[:, None], corners[None])[..., 2].min(axis=1) - radius
