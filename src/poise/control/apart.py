"""Apart: limbs that come near each other, or the trunk, slow down and give way before they touch."""

from __future__ import annotations

from collections.abc import Collection

import mujoco
import numpy as np

from poise.character import Character
from poise.control.objective import Objective
from poise.dynamics.state import Measure, State

NEAR = 0.04  # in heights: where parts begin to feel each other,
CLEAR = 0.015  # and the distance that they keep
STIFF, DAMP = 12.0**2, 2 * 12.0  # [1/s²], [1/s]
WEIGHT = 300.0  # of a pair that touches


class Near:
    """Looks for parts of a body that are near each other."""

    def __init__(self, state: State, limbs: Collection[Collection[str]]):
        """``limbs``: the bodies of each limb, legs first. Pairs within one limb are left alone."""
        model, tree = state.model, state.tree
        self.h = float(state.character.com_rest[2])
        of = {tree.body0 + tree.body(b): k for k, limb in enumerate(limbs) for b in limb}
        geoms = [
            g for g in range(model.ngeom) if tree.body0 <= model.geom_bodyid[g] < tree.body0 + tree.nbody
        ]
        skip = {int(s) for s in model.exclude_signature}
        pairs = [
            (a, b) for i, a in enumerate(geoms) for b in geoms[i + 1 :] if _collide(model, of, skip, a, b)
        ]
        self.pairs = np.array(pairs, int).reshape(-1, 2)
        self.reach = model.geom_rbound[self.pairs].sum(axis=1) + NEAR * self.h
        limb = np.array([[of.get(int(model.geom_bodyid[g]), -1) for g in pair] for pair in pairs]).reshape(
            -1, 2
        )
        self._legs = (np.sort(limb, axis=1) == (0, 1)).all(axis=1)  # one of each leg
        self._from_to, self.legs_apart = np.zeros(6), np.inf

    def rows(self, state: State) -> Apart | None:
        """What is near now; None where nothing is."""
        model, data = state.model, state.data
        if not len(self.pairs):
            return None
        away = data.geom_xpos[self.pairs[:, 0]] - data.geom_xpos[self.pairs[:, 1]]
        close = np.flatnonzero(np.einsum("ij,ij->i", away, away) < self.reach**2)
        found, near, ends = [], NEAR * self.h, self._from_to
        self.legs_apart = near
        for i in close:
            a, b = self.pairs[i]
            d = mujoco.mj_geomDistance(model, data, a, b, near, ends)
            if d < near:
                if self._legs[i]:
                    self.legs_apart = min(self.legs_apart, d)
                found.append((a, b, d, ends.copy()))
        return Apart(state, found, self.h) if found else None


class Apart(Objective):
    """One row a pair: the rate of its distance [m/s²]."""

    def __init__(self, state: State, found: list, h: float):
        n = len(found)
        self.y, self.A, self.bias = np.zeros(n), np.zeros((n, state.nv)), np.zeros(n)
        self.d, self.h = np.array([f[2] for f in found]), h
        for i, (a, b, d, ends) in enumerate(found):
            n_ab = ends[3:] - ends[:3]
            size = np.linalg.norm(n_ab)
            if size < 1e-9:
                continue
            n_ab /= size if d > 0 else -size
            one, two = (_point(state, g, x) for g, x in ((a, ends[:3]), (b, ends[3:])))
            self.y[i] = n_ab @ (two.y[:3] - one.y[:3])
            self.A[i] = n_ab @ (two.A[:3] - one.A[:3])
            self.bias[i] = n_ab @ (two.bias[:3] - one.bias[:3])

    def measure(self, state: State) -> Measure:
        return Measure(self.y, self.A, self.bias)

    def desired(self, state: State) -> np.ndarray:
        return STIFF * np.maximum(CLEAR * self.h - self.d, 0.0) - DAMP * np.minimum(self.y, 0.0)

    def weights(self, state: State) -> np.ndarray:
        closer = np.clip(1.0 - self.d / (NEAR * self.h), 0.0, 1.0)
        return WEIGHT * closer**2 * (self.y < 0.0) + WEIGHT * closer**2 * (self.d < CLEAR * self.h) * (
            self.y >= 0.0
        )


def _point(state: State, geom: int, x: np.ndarray) -> Measure:
    body = int(state.model.geom_bodyid[geom])
    R = state.data.xmat[body].reshape(3, 3)
    name = state.model.body(body).name
    return state.point(name, tuple(R.T @ (x - state.data.xpos[body])))


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
