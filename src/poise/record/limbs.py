"""Limbs of a take over time: where joints are and how they bend, found from places of parts, whatever the body."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import mujoco
import numpy as np

from poise.geometry import quat
from poise.record.metrics import root_joint
from poise.record.recording import Recording

SIDES = "lr"
LEG = ("thigh", "shin", "foot")
ARM = ("upper_arm", "forearm", "hand")
WAY = 1.0  # [s] over which the way that a body goes is found: about a stride


@dataclass(frozen=True, eq=False)
class Limbs:
    """Places (T, 3) and turns (T, 4) of named parts; angles are in the vertical plane of the way that the body goes."""

    take: Recording
    places: dict[str, np.ndarray]
    turns: dict[str, np.ndarray]
    mass: float

    @property
    def walks(self) -> bool:
        """Whether it has two legs as people's."""
        return all(f"{part}_{side}" in self.places for part in LEG for side in SIDES)

    @property
    def has_arms(self) -> bool:
        return all(f"{part}_{side}" in self.places for part in ARM for side in SIDES)

    @cached_property
    def way(self) -> np.ndarray:
        """Unit vectors (T, 2) along the way of the centre of mass."""
        c, n = self.take["com"][:, :2], max(1, round(0.5 * WAY / self.take.dt))
        at = np.arange(len(c))
        gone = c[np.minimum(at + n, len(c) - 1)] - c[np.maximum(at - n, 0)]
        return gone / np.maximum(np.linalg.norm(gone, axis=1, keepdims=True), 1e-9)

    def ahead(self, x: np.ndarray) -> np.ndarray:
        """Part (T,) of vectors (T, 2 or 3) along the way."""
        return np.einsum("ti,ti->t", x[:, :2], self.way)

    def aside(self, x: np.ndarray) -> np.ndarray:
        """Part (T,) of vectors to the left of the way."""
        return self.way[:, 0] * x[:, 1] - self.way[:, 1] * x[:, 0]

    def lean(self, upper: str, lower: str) -> np.ndarray:
        """Angle (T,) of the line from one part to another from straight down, forwards positive [rad]."""
        d = self.places[lower] - self.places[upper]
        return np.unwrap(np.arctan2(self.ahead(d), -d[:, 2]))

    # -- joints, flexion positive [rad]

    def hip(self, side: str) -> np.ndarray:
        return self.lean(f"thigh_{side}", f"shin_{side}")

    def knee(self, side: str) -> np.ndarray:
        return self.hip(side) - self.lean(f"shin_{side}", f"foot_{side}")

    def ankle(self, side: str) -> np.ndarray:
        return -self.lean(f"shin_{side}", f"foot_{side}") - self.pitch(side)

    def shoulder(self, side: str) -> np.ndarray:
        return self.lean(f"upper_arm_{side}", f"forearm_{side}")

    def elbow(self, side: str) -> np.ndarray:
        one, two = (self.places[f"{b}_{side}"] - self.places[f"{a}_{side}"] for a, b in (ARM[:2], ARM[1:]))
        return np.arctan2(np.linalg.norm(np.cross(one, two), axis=1), np.einsum("ti,ti->t", one, two))

    def pelvis_yaw(self) -> np.ndarray:
        """Heading of the pelvis, left positive [rad]."""
        x = quat.rotate(self.turns["pelvis"], np.array([1.0, 0.0, 0.0]))
        return np.unwrap(np.arctan2(x[:, 1], x[:, 0]))

    def pelvis_tilt(self) -> np.ndarray:
        """Tilt of the pelvis in the plane of the way, forwards positive [rad]."""
        up = quat.rotate(self.turns["pelvis"], np.array([0.0, 0.0, 1.0]))
        return np.arctan2(self.ahead(up), up[:, 2])

    def pelvis_obliquity(self) -> np.ndarray:
        """Tilt of the pelvis across the way, left side up positive [rad]."""
        return np.arcsin(np.clip(quat.rotate(self.turns["pelvis"], np.array([0.0, 1.0, 0.0]))[:, 2], -1, 1))

    # -- soles

    @cached_property
    def soles(self) -> dict[str, np.ndarray]:
        """Corners (k, 3) of each foot's sole in the foot's axes [m], from a record in which all of them touch."""
        return {side: self._corners(side) for side in SIDES}

    def _corners(self, side: str) -> np.ndarray:
        series = self.take.series["support_points"]
        own = [i for i, name in enumerate(series.names) if name.startswith(f"foot_{side}.")]
        points = series.values[:, own].reshape(len(series.values), -1, 3)
        down = np.flatnonzero(np.isfinite(points).all(axis=(1, 2)))
        if not len(own) or not len(down):
            return np.zeros((0, 3))
        i = down[np.argmin(np.ptp(points[down, :, 2], axis=1))]
        back = quat.conjugate(self.turns[f"foot_{side}"][i])
        return quat.rotate(back, points[i] - self.places[f"foot_{side}"][i])

    def sole_length(self, side: str) -> float:
        return float(np.ptp(self.soles[side][:, 0]))

    def edge(self, side: str, which: str) -> np.ndarray:
        """Middle (T, 3) of the ``heel`` or the ``toe`` edge of a sole, in the world [m]."""
        corners = self.soles[side]
        rank = np.argsort(corners[:, 0] if which == "heel" else -corners[:, 0])
        middle = corners[rank[: max(1, len(corners) // 2)]].mean(axis=0)
        return self.places[f"foot_{side}"] + quat.rotate(self.turns[f"foot_{side}"], middle)

    def pitch(self, side: str) -> np.ndarray:
        """Pitch (T,) of a sole, heel up positive [rad]."""
        d = self.edge(side, "toe") - self.edge(side, "heel")
        return np.arctan2(-d[:, 2], np.linalg.norm(d[:, :2], axis=1))


def limbs_of(take: Recording) -> Limbs:
    """Run the kinematics of a take through."""
    model = mujoco.MjModel.from_xml_string(take.model_xml)
    data = mujoco.MjData(model)
    root = int(model.body_rootid[model.jnt_bodyid[root_joint(model)]])
    own = [b for b in range(model.nbody) if model.body_rootid[b] == root]
    places, turns = np.empty((len(take), len(own), 3)), np.empty((len(take), len(own), 4))
    for i, q in enumerate(take["q"]):
        data.qpos[:] = q
        mujoco.mj_kinematics(model, data)
        places[i], turns[i] = data.xpos[own], data.xquat[own]
    names = [model.body(b).name for b in own]
    mass = float(model.body_mass[own].sum())
    return Limbs(
        take,
        {n: places[:, k] for k, n in enumerate(names)},
        {n: turns[:, k] for k, n in enumerate(names)},
        mass,
    )
