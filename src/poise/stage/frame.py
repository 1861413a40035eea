"""One frame, packed: poses of everything that is drawn, the quantities of the record, pulls and a ghost.

Little endian. Header: acknowledged message u32, frame u32, step u32, flags u32, simulated time f64, when it was made
f64 (monotonic clock), oldest and newest time that can be gone to f64 each, real-time factor f32, speed f32. Then f32:
seven a node, the series in the order that the page was told, ``PULLS`` pulls of ten (node, point, target, force; the
target of a hand that leans is nan), seven a node for a ghost if flagged, seven a joint for the reference if flagged.
"""

from __future__ import annotations

import struct

import numpy as np

from poise.formats.skeletal import Bodies
from poise.geometry import quat
from poise.simulate import Session

HEAD = struct.Struct("<IIIIddddff")
PULLS = 4
PAUSED, GHOST, FELL, OVER, REFERENCE = 1, 2, 4, 8, 16  # flags
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
        known = {name: b for b, name in enumerate(session.bodies)}
        self.bodies = np.array([known.get(n, 0) for n in names])
        self.nodes = {n: k for k, n in enumerate(names)}
        zero = world.zero.xquat
        self._anchors = np.array([world.anchor(b) for b in own] + [np.zeros(3)] * len(props))
        self._back = np.array([quat.conjugate(zero[b]) for b in own] + [quat.IDENTITY] * len(props))
        self.own = len(own)
        self.layout = [(name, len(session.row[name])) for name in SERIES if name in session.row] + [
            ("capture", 2)
        ]
        self._pulls = np.full((PULLS, 10), np.nan, dtype="<f4")

    @property
    def frames(self) -> list[tuple[list[float], list[float]]]:
        """Origin and rotation of each node in its body's frame."""
        return [
            (a.tolist(), quat.conjugate(b).tolist()) for a, b in zip(self._anchors, self._back, strict=True)
        ]

    def poses(self) -> bytes:
        """Position and rotation of every node, seven numbers each."""
        return self._packed(*self.session.places, len(self.bodies))

    def reference(self) -> bytes:
        """The same of the joints in the pose that is followed; nothing where there is none."""
        found = self.session.reference
        return b"" if found is None else self._packed(*found, self.own)

    def _packed(self, places: np.ndarray, rotations: np.ndarray, count: int) -> bytes:
        which = self.bodies[:count]
        turned = rotations[which]
        out = np.empty((count, 7), dtype="<f4")
        out[:, :3] = places[which] + quat.rotate(turned, self._anchors[:count])
        out[:, 3:] = quat.multiply(turned, self._back[:count])
        return out.tobytes()

    def rest(self) -> bytes:
        """Series and pulls."""
        row = self.session.row
        values = [row[name] for name, _ in self.layout[:-1]]
        series = np.concatenate([*values, self.session.capture_point]).astype("<f4")
        self._pulls[:] = np.nan
        for k, pull in enumerate(self.session.pulls[:PULLS]):
            self._pulls[k] = self.nodes.get(pull.body, 0), *pull.point, *pull.target, *pull.force
        return series.tobytes() + self._pulls.tobytes()
