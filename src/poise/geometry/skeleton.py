"""Skeleton: named joints hanging on one another. Capture: how they turn and move over time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from poise.errors import BadInput, unknown
from poise.geometry import quat


@dataclass(frozen=True, eq=False)
class Skeleton:
    """Joints, parents before children; the first is the only root."""

    names: tuple[str, ...]  # one per joint, unique
    parents: np.ndarray  # (J,) index of each joint's parent, -1 for the root
    offsets: np.ndarray  # (J, 3) each joint in its parent's frame when nothing is animated [m]
    ends: np.ndarray  # (E, 3) tips of bones that end in no joint, in the frame of their joint [m]
    end_parents: np.ndarray  # (E,) the joint each tip belongs to

    def __post_init__(self) -> None:
        n = len(self.names)
        if len(set(self.names)) != n or n == 0:
            raise BadInput("a skeleton needs joints with different names")
        parents = np.array(self.parents, np.int64)
        if (
            parents.shape != (n,)
            or parents[0] != -1
            or np.any(parents[1:] < 0)
            or np.any(parents >= np.arange(n))
        ):
            raise BadInput("a skeleton needs one root, first, and every parent before its children")
        shaped = {
            "parents": parents,
            "offsets": np.array(self.offsets, float).reshape(n, 3),
            "ends": np.array(self.ends, float).reshape(-1, 3),
            "end_parents": np.array(self.end_parents, np.int64).reshape(-1),
        }
        for name, array in shaped.items():
            array.flags.writeable = False
            object.__setattr__(self, name, array)

    def __len__(self) -> int:
        return len(self.names)

    def index(self, name: str) -> int:
        """Position of a joint by its name."""
        if name not in self.names:
            raise unknown("joint", name, self.names)
        return self.names.index(name)

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        """Indices of each joint's children."""
        return tuple(tuple(np.flatnonzero(self.parents == j).tolist()) for j in range(len(self)))

    def tips(self, joint: int) -> np.ndarray:
        """Where the bones of a joint end, in its own frame (k, 3) [m]: its children, then its end sites."""
        return np.concatenate(
            [self.offsets[list(self.children[joint])], self.ends[self.end_parents == joint]]
        )


@dataclass(frozen=True, eq=False)
class Capture:
    """A skeleton in motion. World axes are z up, x where the subject faces at first, metres and seconds.

    Rotations and positions are those of each joint in its parent's frame; the root's are its place in the world. Joints
    that only turn repeat their offset.
    """

    skeleton: Skeleton
    times: np.ndarray  # (T,) strictly increasing [s]
    rotations: np.ndarray  # (T, J, 4) quaternions wxyz
    positions: np.ndarray  # (T, J, 3) [m]

    def __post_init__(self) -> None:
        times = np.asarray(self.times, float)
        shape = (len(times), len(self.skeleton))
        if len(times) == 0 or self.rotations.shape != (*shape, 4) or self.positions.shape != (*shape, 3):
            raise BadInput(
                f"a capture of {len(times)} frames and {shape[1]} joints with rotations {self.rotations.shape} "
                f"and positions {self.positions.shape}"
            )
        object.__setattr__(self, "times", times)

    def __len__(self) -> int:
        return len(self.times)

    @property
    def rate(self) -> float:
        """Frames a second [Hz]; 0 for a single frame."""
        return (len(self) - 1) / float(self.times[-1] - self.times[0]) if len(self) > 1 else 0.0

    @cached_property
    def world(self) -> tuple[np.ndarray, np.ndarray]:
        """Joints in the world: positions (T, J, 3) [m] and rotations (T, J, 4)."""
        return forward(self.skeleton.parents, self.positions, self.rotations)

    @cached_property
    def end_points(self) -> np.ndarray:
        """End sites in the world (T, E, 3) [m]."""
        at, turned = self.world
        joints = self.skeleton.end_parents
        return at[:, joints] + quat.rotate(turned[:, joints], self.skeleton.ends[None])

    def frames(self, chosen: slice | Sequence[int] | np.ndarray) -> Capture:
        """Some of the frames, times unchanged."""
        return Capture(self.skeleton, self.times[chosen], self.rotations[chosen], self.positions[chosen])

    def at(self, times: np.ndarray) -> Capture:
        """The motion at other times (T,) [s], between frames the shortest way, beyond its ends held."""
        inside = np.clip(times, self.times[0], self.times[-1])
        k = np.clip(np.searchsorted(self.times, inside, side="right") - 1, 0, max(len(self) - 2, 0))
        n = np.minimum(k + 1, len(self) - 1)
        part = (inside - self.times[k]) / np.maximum(self.times[n] - self.times[k], 1e-12)
        part = np.clip(part, 0.0, 1.0)[:, None]
        turned = quat.slerp(self.rotations[k], self.rotations[n], part)
        places = self.positions[k] + part[..., None] * (self.positions[n] - self.positions[k])
        return Capture(self.skeleton, times, turned, places)

    def mixed(self, other: Capture, share: np.ndarray) -> Capture:
        """Between this motion and another of the same frames: ``share`` (T,) of the other, joint by joint."""
        share = np.asarray(share, float)[:, None]
        turned = quat.slerp(self.rotations, other.rotations, share)
        places = self.positions + share[..., None] * (other.positions - self.positions)
        return Capture(self.skeleton, self.times, turned, places)


def forward(
    parents: np.ndarray, positions: np.ndarray, rotations: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """World positions and rotations of joints given in their parents' frames, over any leading axes but the joint's."""
    at, turned = positions.copy(), rotations.copy()
    for j, p in enumerate(parents):
        if p >= 0:
            at[:, j] = at[:, p] + quat.rotate(turned[:, p], positions[:, j])
            turned[:, j] = quat.multiply(turned[:, p], rotations[:, j])
    return at, turned
