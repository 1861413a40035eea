"""Where a body touches the ground now: points, axes and Jacobians that the feature program may push with."""

from __future__ import annotations

import numpy as np

from poise.compiled import compiled
from poise.dynamics.jacobian import body_jacobian
from poise.dynamics.state import State
from poise.records import Cube, Flags, Indices, Matrix, Record, Vector
from poise.solvers.dot import against, applied, dot
from poise.worlds.contact.points import contact_points

BACK = ("pelvis", "abdomen", "torso", "chest")
TOUCHING_WITHIN = 0.01  # [m]: a point this near to the plane is a contact, where the engine does not say
TOUCHING = 0.002  # [m]: points of the engine's list that are further from the ground are not held to it
MOST = 24  # contact points looked at; the engine seldom has more than 14 on a body that rolls


class Touch(Record):
    """Contact points of one instant, read from the engine's list.

    Attributes:
        count: Number of points.
        x: (MOST, 3) points [m], world. frame: (MOST, 3, 3) rows: normal out of the ground, two tangents.
        J: (3 * MOST, nv) velocity of each point along its normal and tangents.
        body: (MOST,) which body, counted from the root.
    """

    ground: Flags  # (ngeom,)
    owner: Indices  # (ngeom,) body, -1 for those that do not count
    x: Matrix
    frame: Cube
    J: Matrix
    body: Indices
    six: Matrix  # work array (6, nv)
    of: Indices  # points of the body to look at where the engine does not: their bodies
    local: Matrix
    radius: Vector
    p_g: Vector  # the plane they may touch
    R_g: Vector

    def __init__(self, state: State, held_out: tuple[str, ...] = ("head",)):
        model, tree = state.model, state.tree
        self.state = state
        self.ground = ground_geoms(model)
        owner = model.geom_bodyid - tree.body0
        mine = (owner >= 0) & (owner < tree.nbody)
        out = [tree.body(name) for name in held_out if name in tree.names]
        self.owner = np.where(mine & ~np.isin(owner, out), owner, -1).astype(np.int64)
        self.count = 0
        self.x, self.frame = np.zeros((MOST, 3)), np.zeros((MOST, 3, 3))
        self.J, self.body = np.zeros((3 * MOST, state.nv)), np.zeros(MOST, dtype=np.int64)
        self.six = np.zeros((6, state.nv))
        found, plane = [], 0
        if not model.geom_contype[self.ground].any():  # a contact model outside the engine has the ground
            bodies = [b for b in range(tree.nbody) if b not in out]
            found = [p for b in bodies for p in contact_points(model, tree.body0 + b)]
            plane = model.geom("ground").id
        self.of = np.array([body - tree.body0 for body, _, _ in found], dtype=np.int64)
        self.local = np.array([local for _, local, _ in found]).reshape(-1, 3)
        self.radius = np.array([radius for _, _, radius in found], dtype=float)
        self.p_g, self.R_g = state.data.geom_xpos[plane], state.data.geom_xmat[plane]
        self.seal()

    def update(self) -> int:
        """Read the engine's contacts, or look for points near the plane where it has none; the number of points."""
        if len(self.of):
            self.count = _look(self.state, self)
        else:
            found = self.state.data.contact
            self.count = _gather(self.state, self, found.geom, found.dist, found.pos, found.frame)
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
        pairs = contact.geom[contact.dist < 0.0]
        kinds = self._kind[pairs[:, ::-1][self._ground[pairs]]]
        self._on[:] = (kinds == 0).any(), (kinds == 1).any()
        return self._on


def ground_geoms(model) -> np.ndarray:
    """(ngeom,) true for what the ground is made of."""
    return np.array([model.geom(g).name.startswith("ground") for g in range(model.ngeom)])


@compiled
def _look(state, touch):
    engine, frame, n = state.engine, touch.frame, 0
    R = touch.R_g.reshape(3, 3)
    up = R[:, 2].copy()
    for k in range(touch.of.shape[0]):
        b = touch.of[k]
        point = engine.xpos[b] + applied(engine.xmat[b].reshape(3, 3), touch.local[k]) - touch.radius[k] * up
        if dot(point - touch.p_g, up, 3) > TOUCHING_WITHIN or n == touch.x.shape[0]:
            continue
        touch.body[n], touch.x[n] = b, point
        frame[n, 0], frame[n, 1], frame[n, 2] = R[:, 2], R[:, 0], R[:, 1]
        body_jacobian(engine.cdof, engine.affects[b], state.c, point, engine.dof0, touch.six)
        touch.J[3 * n : 3 * n + 3] = against(frame[n], touch.six[:3].T)
        n += 1
    return n


@compiled
def _gather(state, touch, pairs, dist, pos, frames):
    engine, ground, owner, n = state.engine, touch.ground, touch.owner, 0
    x, frame, six = touch.x, touch.frame, touch.six
    for k in range(pairs.shape[0]):
        first, second = pairs[k, 0], pairs[k, 1]
        if first < 0 or second < 0 or dist[k] > TOUCHING:
            continue
        if ground[first] and owner[second] >= 0:
            b, sign = owner[second], 1.0
        elif ground[second] and owner[first] >= 0:
            b, sign = owner[first], -1.0
        else:
            continue
        if n == x.shape[0]:
            break
        touch.body[n] = b
        for i in range(3):
            x[n, i] = pos[k, i]
            for j in range(3):
                frame[n, i, j] = sign * frames[k, 3 * i + j]
        body_jacobian(engine.cdof, engine.affects[b], state.c, x[n], engine.dof0, six)
        for i in range(3):
            for j in range(six.shape[1]):
                touch.J[3 * n + i, j] = (
                    frame[n, i, 0] * six[0, j] + frame[n, i, 1] * six[1, j] + frame[n, i, 2] * six[2, j]
                )
        n += 1
    return n
