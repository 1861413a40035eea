"""Legs that pass each other: a swing goes round the leg that stands, wide enough for what a body in physics misses."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import mujoco
import numpy as np

from poise.character.character import Character
from poise.character.limbs import chain
from poise.geometry.linear import norm
from poise.motion.clip import Clip
from poise.motion.score import columns as cols
from poise.motion.score.prints import Print
from poise.motion.score.samples import DT

WIDEST = 0.08  # in heights: a swing is moved no farther
LOW = 0.4  # of the way from hip to sole: above, legs cannot be parted by moving feet
MIDDLE = 0.3  # of the bump that parts them: nearer to its ends a swing is left alone
LEVEL = 0.5  # least part of the way between legs that lies in the plane, across the swing


class Pass(NamedTuple):
    """How two legs pass each other at an instant."""

    lack: float  # [m] that a sole must move for them to be far enough apart,
    way: np.ndarray  # (2,) in this direction, across its own


def part(
    clip: Clip, soles: list[int], prints: tuple[list[Print], ...], rows: np.ndarray, room: float
) -> np.ndarray:
    """Move the paths of soles in the air, in ``rows``, so that legs keep ``room`` heights apart as they pass.

    Returns which samples (n,) were moved.
    """
    character, n = clip.character, rows.shape[1]
    legs, h = _Legs(character, soles), float(character.com_rest[2])
    moved = np.zeros(n, bool)
    for k, own in enumerate(prints):
        shift = np.zeros((n, 2))
        for before, after in pairwise(own):
            air = np.arange(before.last, after.first + 1)
            u = np.linspace(0.0, 1.0, len(air))
            bump = 16.0 * (u * (1.0 - u)) ** 2
            found = [
                legs.passes(clip.at(clip.start + i * DT), k, room * h, rows[k, i, cols.X_DOT][:2])
                for i in air[bump > MIDDLE]
            ]
            shift[air] += bump[:, None] * _aside(found, bump[bump > MIDDLE], WIDEST * h)
        v = np.gradient(shift, DT, axis=0)
        for column, by in ((cols.X, shift), (cols.X_DOT, v), (cols.X_DDOT, np.gradient(v, DT, axis=0))):
            rows[k, :, column][:, :2] += by
        moved |= shift.any(axis=1)
    return moved


def _aside(found: list[Pass | None], bump: np.ndarray, most: float) -> np.ndarray:
    """How far and where to (2,) the middle of a swing goes, so that no instant of it lacks room [m]."""
    near = [(one.lack / b, one.way) for one, b in zip(found, bump) if one is not None]
    if not near:
        return np.zeros(2)
    far, way = max(near, key=lambda one: one[0])
    return min(far, most) * way


class _Legs:
    """Shapes of two legs, and how near they are."""

    def __init__(self, character: Character, soles: list[int]):
        self.model = model = character.model
        self.data = mujoco.MjData(model)
        self.feet = [character.body(character.supports[s].body) for s in soles]
        limbs = [chain(character, character.supports[s].body) for s in soles]
        self.hips = [limb[0] for limb in limbs]
        shapes = [
            [g for g in range(model.ngeom) if model.geom_bodyid[g] in limb and model.geom_contype[g]]
            for limb in limbs
        ]
        self.pairs = [(a, b) for a in shapes[0] for b in shapes[1]]
        self._ends = np.zeros(6)

    def passes(self, q: np.ndarray, k: int, room: float, v: np.ndarray) -> Pass | None:
        """What leg ``k`` lacks of ``room`` [m] to the other, across its speed ``v`` (2,); None where nothing."""
        model, data = self.model, self.data
        data.qpos[:] = q
        mujoco.mj_kinematics(model, data)
        hip, foot = data.xpos[self.hips[k], 2], data.xpos[self.feet[k], 2]
        worst = None
        for a, b in self.pairs:
            d = mujoco.mj_geomDistance(model, data, a, b, room, self._ends)
            if d >= room:
                continue
            own, other = (self._ends[:3], self._ends[3:]) if k == 0 else (self._ends[3:], self._ends[:3])
            way, low = (own - other) * np.sign(d), (hip - own[2]) / max(hip - foot, 1e-6)
            aside = way[:2] - (way[:2] @ v) * v / max(v @ v, 1e-9)
            level = norm(aside)
            if low < LOW or level < LEVEL * norm(way) or level < 1e-9:
                continue
            lack = (room - d) / min(low, 1.0)
            if worst is None or lack > worst.lack:
                worst = Pass(lack, aside / level)
        return worst
