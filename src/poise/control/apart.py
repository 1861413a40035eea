"""Apart: limbs that come near each other, or the trunk, slow down and give way before they touch."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import mujoco
import numpy as np

from poise.character import Character
from poise.compiled import compiled
from poise.control.objective import Objective, Rows
from poise.dynamics.state import Measure, State
from poise.geometry.linear import norm, times

NEAR = 0.04  # in heights: where parts begin to feel each other,
CLEAR = 0.015  # and the distance that they keep
STIFF, DAMP = 12.0**2, 2 * 12.0  # [1/s²], [1/s]
WEIGHT = 300.0  # of a pair that touches,
FIRM = 3000.0  # and of one that would strike
FARTHEST = 0.4  # in heights: parts that are farther apart do not strike each other soon
ROUNDING = 1e-6  # [m]


class Near:
    """Looks for parts of a body that are near each other."""

    def __init__(
        self,
        state: State,
        limbs: Collection[Collection[str]],
        near: float = NEAR,
        ahead: float = 0.0,
        meant: Callable[[int, int], bool] = lambda a, b: False,
    ):
        """``limbs``: the bodies of each limb, legs first; pairs within one limb are left alone. ``near`` in heights.

        Arms that would strike something within ``ahead`` [s] are stopped, unless that is ``meant``, asked by shapes.
        """
        model, tree = state.model, state.tree
        self.h, self.near = float(state.character.com_rest[2]), near
        of = {tree.body0 + tree.body(b): k for k, limb in enumerate(limbs) for b in limb}
        geoms = [
            g for g in range(model.ngeom) if tree.body0 <= model.geom_bodyid[g] < tree.body0 + tree.nbody
        ]
        skip = {int(s) for s in model.exclude_signature}
        pairs = [
            (a, b) for i, a in enumerate(geoms) for b in geoms[i + 1 :] if _collide(model, of, skip, a, b)
        ]
        self.pairs = np.array(pairs, int).reshape(-1, 2)
        self._half, self._radius = _rods(model)
        self._close, self._soon = np.zeros((2, len(pairs)), int)
        self._ahead, self._meant = ahead, meant
        limb = np.array([[of.get(int(model.geom_bodyid[g]), -1) for g in pair] for pair in pairs]).reshape(
            -1, 2
        )
        self._legs = (np.sort(limb, axis=1) == (0, 1)).all(axis=1)  # one of each leg
        self._arms = np.flatnonzero((limb > 1).any(axis=1)) if ahead else np.zeros(0, int)
        self._from_to, self.legs_apart = np.zeros(6), np.inf

    def rows(self, state: State) -> Apart | None:
        """What is near now; None where nothing is."""
        model, data = state.model, state.data
        if not len(self.pairs):
            return None
        found, near, ends = [], self.near * self.h, self._from_to
        self.legs_apart = near
        x, R, close = data.geom_xpos, data.geom_xmat, self._close
        soon = self._meeting(state)
        listed = close[: _within(x, R, self.pairs, self._half, self._radius, near, close)].tolist()
        for i in [*listed, *(i for i in soon if i not in listed)]:
            a, b = self.pairs[i]
            ahead = self._ahead if i in soon else 0.0
            reach = FARTHEST * self.h if ahead else near
            d = mujoco.mj_geomDistance(model, data, a, b, reach, ends)
            if d < reach:
                if self._legs[i]:
                    self.legs_apart = min(self.legs_apart, d)
                found.append(_pair(state, a, b, d, ends, ahead))
        near_ones = [pair for pair in found if pair is not None]
        return Apart(near_ones, self.h, self.near) if near_ones else None

    def _meeting(self, state: State) -> list[int]:
        """Pairs of an arm and something else that would touch soon and should not."""
        if not len(self._arms):
            return []
        model, data = state.model, state.data
        n = _striking(
            data.geom_xpos, data.geom_xmat, self.pairs, self._arms, self._half, self._radius, model.geom_bodyid,
            data.cvel, data.subtree_com[model.body_rootid[state.tree.body0]], self._ahead, CLEAR * self.h,
            FARTHEST * self.h, self._soon,
        )  # fmt: skip
        return [i for i in self._soon[:n].tolist() if not self._meant(*self.pairs[i].tolist())]


def _rods(model: mujoco.MjModel) -> tuple[np.ndarray, np.ndarray]:
    """Half length and radius of a rod along its z axis that holds each shape: itself, or the ball about it [m]."""
    long = np.isin(model.geom_type, (mujoco.mjtGeom.mjGEOM_CAPSULE, mujoco.mjtGeom.mjGEOM_SPHERE))
    half = np.where(model.geom_type == mujoco.mjtGeom.mjGEOM_CAPSULE, model.geom_size[:, 1], 0.0)
    return half, np.where(long, model.geom_size[:, 0], model.geom_rbound)


@compiled
def _within(x, R, pairs, half, radius, near, out):
    """List the pairs whose rods are nearer to each other than ``near`` [m]; returns how many."""
    n, a, b = 0, np.empty(3), np.empty(3)
    for k in range(pairs.shape[0]):
        i, j = pairs[k]
        reach, apart = radius[i] + radius[j] + near, 0.0
        for q in range(3):
            apart += (x[i, q] - x[j, q]) ** 2
        if apart > (reach + half[i] + half[j]) ** 2:
            continue
        for q in range(3):
            a[q], b[q] = half[i] * R[i, 3 * q + 2], half[j] * R[j, 3 * q + 2]
        if rods_apart(x[i], a, x[j], b) < reach + ROUNDING:
            out[n] = k
            n += 1
    return n


@compiled
def _striking(x, R, pairs, some, half, radius, body, cvel, centre, ahead, clear, farthest, out):
    """List those of ``some`` pairs whose rods will be nearer than ``clear`` in ``ahead`` seconds; returns how many."""
    n, a, b, way = 0, np.empty(3), np.empty(3), np.empty(3)
    for k in some:
        i, j = pairs[k]
        thick, apart = radius[i] + radius[j], 0.0
        for q in range(3):
            apart += (x[i, q] - x[j, q]) ** 2
        if apart > (thick + farthest + half[i] + half[j]) ** 2:
            continue
        for q in range(3):
            a[q], b[q] = half[i] * R[i, 3 * q + 2], half[j] * R[j, 3 * q + 2]
        s, t = rods_nearest(x[i], a, x[j], b)
        size = 0.0
        for q in range(3):
            a[q], b[q] = x[i, q] + s * a[q], x[j, q] + t * b[q]
            way[q] = b[q] - a[q]
            size += way[q] ** 2
        size = math.sqrt(size)
        speed = 0.0
        for q in range(3):
            u, w = (q + 1) % 3, (q + 2) % 3
            one, two = cvel[body[i]], cvel[body[j]]
            fast = two[3 + q] + two[u] * (b[w] - centre[w]) - two[w] * (b[u] - centre[u])
            fast -= one[3 + q] + one[u] * (a[w] - centre[w]) - one[w] * (a[u] - centre[u])
            speed += fast * way[q] / max(size, 1e-9)
        if speed < 0.0 and size - thick + speed * ahead < clear:
            out[n] = k
            n += 1
    return n


@compiled
def rods_apart(x, a, y, b):
    """Distance of the segments x ± a and y ± b [m]."""
    s, t = rods_nearest(x, a, y, b)
    apart = 0.0
    for q in range(3):
        apart += (x[q] + s * a[q] - y[q] - t * b[q]) ** 2
    return math.sqrt(apart)


@compiled
def rods_nearest(x, a, y, b):
    """Where the segments x ± a and y ± b are nearest to each other: s and t, x + s a and y + t b."""
    aa, bb, ab, ar, br = 0.0, 0.0, 0.0, 0.0, 0.0
    for q in range(3):
        r = x[q] - y[q]
        aa, bb, ab = aa + a[q] * a[q], bb + b[q] * b[q], ab + a[q] * b[q]
        ar, br = ar + a[q] * r, br + b[q] * r
    s, split = 0.0, aa * bb - ab * ab
    if split > 1e-12 * aa * bb:
        s = min(max((ab * br - bb * ar) / split, -1.0), 1.0)
    t = min(max((ab * s + br) / bb, -1.0), 1.0) if bb > 0.0 else 0.0
    s = min(max((ab * t - ar) / aa, -1.0), 1.0) if aa > 0.0 else 0.0
    return s, t


class Pair(NamedTuple):
    """Two points of two bodies that are near each other: by name and local place, the way from one to two, distance."""

    one: tuple[str, tuple[float, ...]]
    two: tuple[str, tuple[float, ...]]
    way: np.ndarray  # (3,) unit vector, world
    distance: float  # [m], negative inside each other
    ahead: float = 0.0  # [s] within which they should not touch; 0 where they only give way


@dataclass(frozen=True)
class Apart(Objective):
    """One row a pair: how fast its points part, along the way between them [m/s²]."""

    pairs: Sequence[Pair]
    h: float  # height of the centre of mass at rest [m]: the scale
    near: float = NEAR

    def measure(self, state: State) -> Measure:
        ends = [end for pair in self.pairs for end in (pair.one, pair.two)]
        y, J, bias = state.points([body for body, _ in ends], np.array([local for _, local in ends]))
        way = np.array([pair.way for pair in self.pairs])
        y, J, bias = (x[1::2, :3] - x[::2, :3] for x in (y, J, bias))
        return Measure(
            np.einsum("ni,ni->n", way, y), np.einsum("ni,nij->nj", way, J), np.einsum("ni,ni->n", way, bias)
        )

    def desired(self, state: State) -> np.ndarray:
        return self._wanted(self.measure(state).y)

    def weights(self, state: State) -> np.ndarray:
        return self._weights(self.measure(state).y)

    def rows(self, state: State) -> Rows:
        measure = self.measure(state)
        return Rows(measure.A, self._wanted(measure.y) - measure.bias, self._weights(measure.y))

    def _wanted(self, y: np.ndarray) -> np.ndarray:
        gently = STIFF * np.maximum(CLEAR * self.h - self._d, 0.0) - DAMP * np.minimum(y, 0.0)
        lack, ahead = self._lack(y)
        return np.maximum(gently, 2.0 * lack / np.maximum(ahead, 1e-9) ** 2)

    def _lack(self, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """How much nearer than clear they would come in the time that is looked ahead [m], and that time [s]."""
        ahead = np.array([pair.ahead for pair in self.pairs])
        return np.where(ahead > 0.0, np.maximum(CLEAR * self.h - self._d - ahead * y, 0.0), 0.0), ahead

    def _weights(self, y: np.ndarray) -> np.ndarray:
        """A pair that parts already is left alone, unless it is too close."""
        closer = np.clip(1.0 - self._d / (self.near * self.h), 0.0, 1.0)
        firmly = FIRM * np.clip(self._lack(y)[0] / (CLEAR * self.h), 0.0, 1.0)
        return WEIGHT * closer**2 * ((y < 0.0) | (self._d < CLEAR * self.h)) + firmly

    @property
    def _d(self) -> np.ndarray:
        return np.array([pair.distance for pair in self.pairs])


def _pair(state: State, a: int, b: int, d: float, ends: np.ndarray, ahead: float) -> Pair | None:
    """Nearest points of two shapes; None where they have no way between them."""
    way = ends[3:] - ends[:3]
    size = norm(way)
    if size < 1e-9:
        return None
    way /= size if d > 0 else -size
    return Pair(_local(state, a, ends[:3]), _local(state, b, ends[3:]), way, d, ahead)


def _local(state: State, geom: int, x: np.ndarray) -> tuple[str, tuple[float, ...]]:
    body = int(state.model.geom_bodyid[geom])
    R = state.data.xmat[body].reshape(3, 3)
    return state.tree.names[body - state.tree.body0], tuple(times(R.T, x - state.data.xpos[body]))


def _collide(model: mujoco.MjModel, of: dict[int, int], skip: set[int], a: int, b: int) -> bool:
    """Whether the engine lets two shapes collide, and they belong to different limbs or a limb and the trunk."""
    one, two = int(model.geom_bodyid[a]), int(model.geom_bodyid[b])
    limb, other = of.get(one, -1), of.get(two, -1)
    if limb == other:
        return False
    types = (
        model.geom_contype[a] & model.geom_conaffinity[b] | model.geom_contype[b] & model.geom_conaffinity[a]
    )
    one, two = sorted((one, two))
    joined = model.body_weldid[model.body_parentid[two]] == model.body_weldid[one]
    return bool(types) and not joined and ((one << 16) + two) not in skip


def limbs_of(character: Character, legs: Collection[Collection[str]]) -> list[tuple[str, ...]]:
    """Legs, and the arms one by one."""
    arms: dict[str, list[str]] = {}
    model = character.model
    for name in character.arms:
        body = model.body(name).id
        while model.body(int(model.body_parentid[body])).name in character.arms:
            body = int(model.body_parentid[body])
        arms.setdefault(model.body(body).name, []).append(name)
    return [*map(tuple, legs), *map(tuple, arms.values())]
