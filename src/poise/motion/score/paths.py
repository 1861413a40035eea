"""Paths of the soles: still on their prints while they stand, as captured in the air, with ends that meet them."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from poise.geometry import quat
from poise.geometry.easing import quintic
from poise.motion.score.prints import Print
from poise.motion.score.samples import DT, Samples

SETTLE, DESCENT = 0.2, 0.1  # [s] before landing in which a foot slows down, to [m/s] downwards
SHOULDER = 0.15  # of a swing at both ends in which it is on its way there


def placed(p: Print, tilt: np.ndarray, half: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Centres (k, 3) and axes (k, 4) of a sole on its print that tilts (k,) about its toes or its heel."""
    ahead = np.array([np.cos(p.heading), np.sin(p.heading), 0.0])
    edge = np.sign(tilt) * half[0]
    along = edge * (1.0 - np.cos(tilt))
    x = np.append(p.place, p.level) + along[:, None] * ahead
    x[:, 2] += np.abs(half[0] * np.sin(tilt))
    level = quat.from_rotvec(np.array([0.0, 0.0, p.heading]))
    lean = quat.from_rotvec(np.stack([0 * tilt, tilt, 0 * tilt], axis=1))
    return x, quat.multiply(level, lean)


def path_of(
    samples: Samples, k: int, prints: list[Print], tilt: np.ndarray, half: np.ndarray, clearance: float
) -> tuple[np.ndarray, np.ndarray]:
    """Centres (n, 3) and axes (n, 4) of one sole through the clip."""
    x, turn = samples.x[:, k].copy(), samples.turn[:, k].copy()
    for p in prints:
        span = slice(p.first, p.last + 1)
        x[span], turn[span] = placed(p, tilt[span], half)
    ends = [None, *prints, None]
    for before, after in pairwise(ends):
        _carry(x, turn, samples.x[:, k], samples.turn[:, k], before, after, half, clearance)
    return x, turn


def _carry(x, turn, raw, raw_turn, before: Print | None, after: Print | None, half, clearance: float) -> None:
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
    if after:
        _settle(x[first : last + 1], turn[first : last + 1])
    air = slice(first, last + 1)
    if before and after:
        _clear(x[air], turn[air], share, half, before.level, after.level, clearance)
    floor = min(end.level for end in (before, after) if end)  # feet have toes that bend, a sole is rigid
    x[air, 2] += np.maximum(floor - _lowest(x[air], turn[air], half), 0.0)


def _settle(x: np.ndarray, turn: np.ndarray) -> None:
    """Take the speed out of the end of a swing, (k, 3) and (k, 4): a foot that lands with it is stopped by a blow."""
    k = min(round(SETTLE / DT), len(x) - 1)
    speed, spin = (x[-1] - x[-2]) / DT, quat.to_rotvec(quat.multiply(turn[-1], quat.conjugate(turn[-2]))) / DT
    u = np.linspace(0.0, 1.0, k + 1)[:, None]
    fade = (u**4 - u**3) * k * DT
    x[-k - 1 :] += fade * (np.array([0.0, 0.0, -DESCENT]) - speed)
    turn[-k - 1 :] = quat.multiply(quat.from_rotvec(-fade * spin), turn[-k - 1 :])


def _clear(
    x: np.ndarray,
    turn: np.ndarray,
    share: np.ndarray,
    half: np.ndarray,
    start: float,
    end: float,
    clearance: float,
) -> None:
    """Raise a swing until its lowest corner clears the ground in the middle."""
    ground = start + (end - start) * quintic(share)
    bump = quintic(np.clip(share / SHOULDER / 2, 0, 1)) * quintic(np.clip((1 - share) / SHOULDER / 2, 0, 1))
    wide = bump > 0.3
    if wide.any():
        lack = (ground + clearance * bump - _lowest(x, turn, half))[wide] / bump[wide]
        x[:, 2] += max(float(lack.max()), 0.0) * bump


def _lowest(x: np.ndarray, turn: np.ndarray, half: np.ndarray) -> np.ndarray:
    """Height (k,) of the lowest corner of soles at (k, 3) with axes (k, 4)."""
    corners = np.array([[a * half[0], b * half[1], 0.0] for a in (-1, 1) for b in (-1, 1)])
    return x[:, 2] + quat.rotate(turn[:, None], corners[None])[..., 2].min(axis=1)
