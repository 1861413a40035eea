"""One frame, packed: poses of everything that is drawn, the quantities of the record, pulls and a ghost.

Little endian. Header: acknowledged message u32, frame u32, step u32, flags u32, simulated time f64, when it was made
f64 (monotonic clock), oldest and newest time that can be gone to f64 each, real-time factor f32, speed f32. Then f32:
seven a node, the series in the order that the page was told, ``PULLS`` pulls of ten (node, point, target, force),
seven a node for a ghost if flagged.
"""

from __future__ import annotations

import struct

import numpy as np

from poise.formats.skeletal import Bodies
from poise.geometry import quat
from poise.simulate import Session

HEAD = struct.Struct("<IIIIddddff")
PULLS = 4
PAUSED, GHOST, FELL, OVER = 1, 2, 4, 8  # flags
SERIES = (
    "com", "cp", "cmp", "contact_force", "linear_momentum", "angular_momentum", "linear_momentum_rate_des",
    "angular_momentum_rate", "angular_momentum_rate_des", "support_points", "ground", "xi", "footprint",
)  # fmt: skip


class Packer:
    """Packs the present moment of a session."""

    def __init__(self, session: Session, world: Bodies):
        """``world`` is what the page's nodes were made of."""
        self.session = session
        own = world.own.tolist()
        props = [b for b in range(world.model.nbody) if b not in own and world.geoms(b)]
        names = [world.model.body(b).name for b in (*own, *props)]
        model = session.arena.model
        known = {model.body(b).name: b for b in range(model.nbody)}
        self.bodies = np.array([known.get(n, 0) for n in names])
        self.nodes = {n: k for k, n in enumerate(names)}
        zero = world.zero.xquat
        self._anchors = np.array([world.anchor(b) for b in own] + [np.zeros(3)] * len(props))
        self._back = np.array([quat.conjugate(zero[b]) for b in own] + [quat.IDENTITY] * len(props))
        self.layout = [(name, len(session.row[name])) for name in SERIES if name in session.row]
        self._pulls = np.full((PULLS, 10), np.nan, dtype="<f4")

    @property
    def frames(self) -> list[tuple[list[float], list[float]]]:
        """Origin and rotation of each node in its body's frame."""
        return [
            (a.tolist(), quat.conjugate(b).tolist()) for a, b in zip(self._anchors, self._back, strict=True)
        ]

    def poses(self) -> bytes:
        """Position and rotation of every node, seven numbers each."""
        data = self.session.arena.data
        turned = data.xquat[self.bodies]
        out = np.empty((len(self.bodies), 7), dtype="<f4")
        out[:, :3] = data.xpos[self.bodies] + quat.rotate(turned, self._anchors)
        out[:, 3:] = quat.multiply(turned, self._back)
        return out.tobytes()

    def rest(self) -> bytes:
        """Series and pulls."""
        row = self.session.row
        series = np.concatenate([row[name] for name, _ in self.layout]).astype("<f4")
        self._pulls[:] = np.nan
        for k, pull in enumerate(self.session.pulls[:PULLS]):
            self._pulls[k] = self.nodes.get(pull.body, 0), *pull.point, *pull.target, *pull.force
        return series.tobytes() + self._pulls.tobytes()
