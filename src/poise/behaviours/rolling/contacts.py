"""Where a body touches the ground now: points, axes and Jacobians that the feature program may push with."""

from __future__ import annotations

import numpy as np

from poise.compiled import compiled
from poise.dynamics.jacobian import body_jacobian
from poise.dynamics.state import State
from poise.worlds.contact.penalty import contact_points

BACK = ("pelvis", "abdomen", "torso", "chest")
TOUCHING_WITHIN = 0.01  # [m]: a point this near to the plane is a contact, where the engine does not say
TOUCHING = 0.002  # [m]: points of the engine's list that are further from the ground are not held to it
MOST = 24  # contact points looked at; the engine seldom has more than 14 on a body that rolls


class Touch:
    """Contact points of one instant, read from the engine's list.

    Attributes:
        count: Number of points.
        x: (MOST, 3) points [m], world. frame: (MOST, 3, 3) rows: normal out of the ground, two tangents.
        J: (3 * MOST, nv) velocity of each point along its normal and tangents.
        body: (MOST,) which body, counted from the root.
    """

    def __init__(self, state: State, held_out: tuple[str, ...] = ("head",)):
        model, tree = state.model, state.tree
        self.state = state
        self._ground = ground_geoms(model)
        owner = model.geom_bodyid - tree.body0
        mine = (owner >= 0) & (owner < tree.nbody)
        out = [tree.body(name) for name in held_out if name in tree.names]
        self._owner = np.where(mine & ~np.isin(owner, out), owner, -1)
        self.count = 0
        self.x, self.frame = np.zeros((MOST, 3)), np.zeros((MOST, 3, 3))
        self.J, self.body = np.zeros((3 * MOST, state.nv)), np.zeros(MOST, dtype=np.int64)
        self._six = np.zeros((6, state.nv))
        self._points = None
        ground = np.flatnonzero(self._ground)
        if not model.geom_contype[ground].any():  # a contact model outside the engine has the ground
            bodies = [b for b in range(tree.nbody) if b not in out]
            found = [p for b in bodies for p in contact_points(model, tree.body0 + b)]
            self._points = [np.array(column) for column in zip(*found, strict=True)]

    def update(self) -> int:
        """Read the engine's contacts, or look for points near the plane where it has none; the number of points."""
        state = self.state
        if self._points is not None:
            of, local, radius = self._points
            d, plane = state.data, state.model.geom("ground").id
            self.count = _look(
                of, local, radius, d.xpos,
                d.xmat, d.geom_xpos[plane], d.geom_xmat[plane], TOUCHING_WITHIN, d.cdof, state.tree.affects,
                state.c, state.tree.dof0, state.tree.body0, self._six, self.x, self.frame, self.J, self.body,
            )  # fmt: skip
            return self.count
        contact = state.data.contact
        self.count = _gather(
            contact.geom, contact.dist, TOUCHING, contact.pos, contact.frame, self._ground, self._owner,
            state.data.cdof, state.tree.affects,
            state.c, state.tree.dof0, self._six, self.x, self.frame, self.J, self.body,
        )  # fmt: skip
        return self.count


class Grounded:
    """Whether trunk and head touch the ground."""

    def __init__(self, state: State):
        model, tree = state.model, state.tree
        self._ground = ground_geoms(model)
        names = {tree.body0 + b: name for b, name in enumerate(tree.names)}
        kind = {**dict.fromkeys(BACK, 0), "head": 1}
        kinds = [kind.get(names.get(int(b), ""), -1) for b in model.geom_bodyid]
        self._kind, self._on = np.array(kinds), np.zeros(2)

    def update(self, state: State) -> np.ndarray:
        """1 or 0 for trunk and head."""
        contact = state.data.contact
        _grounded(contact.geom, contact.dist, self._ground, self._kind, self._on)
        return self._on


def ground_geoms(model) -> np.ndarray:
    """(ngeom,) true for what the ground is made of."""
    return np.array([model.geom(g).name.startswith("ground") for g in range(model.ngeom)])


@compiled
def _grounded(pairs, dist, ground, kind, on):
    on[:] = 0.0
    for k in range(pairs.shape[0]):
        for i in range(2):
            other = kind[pairs[k, 1 - i]]
            if dist[k] < 0.0 and ground[pairs[k, i]] and other >= 0:
                on[other] = 1.0


@compiled
def _look(
    of, local, radius, xpos, xmat, p_g, R_g, near, cdof, affects, c, dof0, body0, six, x, frame, J, body
):  # fmt: skip
    n = 0
    R = R_g.reshape(3, 3)
    up = R[:, 2].copy()
    for k in range(of.shape[0]):
        point = xpos[of[k]] + xmat[of[k]].reshape(3, 3) @ local[k] - radius[k] * up
        if np.dot(point - p_g, up) > near or n == x.shape[0]:
            continue
        body[n], x[n] = of[k] - body0, point
        frame[n, 0], frame[n, 1], frame[n, 2] = R[:, 2], R[:, 0], R[:, 1]
        body_jacobian(cdof, affects[body[n]], c, point, dof0, six)
        J[3 * n : 3 * n + 3] = frame[n] @ six[:3]
        n += 1
    return n


@compiled
def _gather(pairs, dist, near, pos, frames, ground, owner, cdof, affects, c, dof0, six, x, frame, J, body):
    n = 0
    for k in range(pairs.shape[0]):
        first, second = pairs[k, 0], pairs[k, 1]
        if first < 0 or second < 0 or dist[k] > near:
            continue
        if ground[first] and owner[second] >= 0:
            b, sign = owner[second], 1.0
        elif ground[second] and owner[first] >= 0:
            b, sign = owner[first], -1.0
        else:
            continue
        if n == x.shape[0]:
            break
        body[n] = b
        for i in range(3):
            x[n, i] = pos[k, i]
            for j in range(3):
                frame[n, i, j] = sign * frames[k, 3 * i + j]
        body_jacobian(cdof, affects[b], c, x[n], dof0, six)
        for i in range(3):
            for j in range(six.shape[1]):
                J[3 * n + i, j] = (
                    frame[n, i, 0] * six[0, j] + frame[n, i, 1] * six[1, j] + frame[n, i, 2] * six[2, j]
                )
        n += 1
    return n
