"""Figure: a skeleton in its standing pose, and how far its joints turn in the clip; what all guesses look at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from poise.capture.anatomy.joined import through
from poise.capture.anatomy.tree import Tree
from poise.geometry import quat
from poise.geometry.linear import norm, principal, times
from poise.geometry.skeleton import Capture, Skeleton

MOST = 600  # frames that statistics look at
MOVES = np.radians(1.5)  # a joint that turns more than this away from its mean moves


class Taken(Protocol):
    """What the rig needs of an imported clip; `poise.capture.Intake` is one."""

    @property
    def capture(self) -> Capture: ...
    @property
    def reference(self) -> np.ndarray: ...
    @property
    def contacts(self) -> dict: ...


@dataclass(frozen=True, eq=False)
class Figure:
    """A skeleton standing."""

    capture: Capture  # its motion, thinned out where it is long
    turned: np.ndarray  # (J, 4) rotation of each joint in the world, standing
    contacts: dict[str, np.ndarray]  # joint name to (T,) whether it rests on the ground

    @classmethod
    def of(cls, intake: Taken) -> Figure:
        """The figure of an imported clip."""
        capture = intake.capture
        step = max(1, len(capture) // MOST)
        contacts = {name: np.asarray(on)[::step] for name, on in intake.contacts.items()}
        for foot in getattr(intake, "feet", ()):  # the tip of a foot may be an end site, which is no joint
            contacts[foot.heel] = (foot.heel_down & foot.toe_down)[::step]
        return cls(capture.frames(slice(None, None, step)), np.asarray(intake.reference), contacts)

    @property
    def skeleton(self) -> Skeleton:
        return self.capture.skeleton

    @cached_property
    def tree(self) -> Tree:
        """Its joints and end sites with the lengths of their bones [m]."""
        skeleton = self.skeleton
        offsets = np.concatenate([self.offsets, skeleton.ends])
        inside = through(skeleton.names, skeleton.parents, self.offsets, self.capture.rotations)
        return Tree.of(skeleton.names, skeleton.parents, skeleton.end_parents, offsets, inside)

    @cached_property
    def offsets(self) -> np.ndarray:
        """(J, 3) each joint in its parent's frame [m]: where the clip has it, else as the skeleton says."""
        return np.median(self.capture.positions, axis=0)

    @cached_property
    def at(self) -> np.ndarray:
        """(J, 3) joints in the world, standing, the root at the origin [m]."""
        return self.every[: len(self.skeleton)]

    @cached_property
    def every(self) -> np.ndarray:
        """(P, 3) joints, then end sites, in the world, standing [m]."""
        return self.placed(self.turned)

    def placed(self, turned: np.ndarray) -> np.ndarray:
        """(P, 3) joints, then end sites, with joints turned (J, 4) in the world, the root at the origin [m]."""
        skeleton, offsets = self.skeleton, np.concatenate([self.offsets, self.skeleton.ends])
        at = np.zeros_like(offsets)
        for j, p in enumerate([*skeleton.parents[1:], *skeleton.end_parents], 1):
            at[j] = at[p] + quat.rotate(turned[p], offsets[j])
        return at

    @cached_property
    def size(self) -> float:
        """Largest extent of the figure from its first branching on [m]: a root on the floor does not count."""
        return float(np.ptp(self.points(self.trunk), axis=0).max())

    @cached_property
    def trunk(self) -> int:
        """The first joint from which the skeleton branches; the root where it never does."""
        joint, count = 0, len(self.skeleton)
        while len(kids := [k for k in self.tree.children[joint] if k < count]) == 1:
            joint = kids[0]
        return joint if kids else 0

    @cached_property
    def below(self) -> list[list[int]]:
        """Each joint and every joint that hangs on it, helpers left out."""
        count = len(self.skeleton)
        return [sorted(k for k in self.tree.down(j) if k < count) for j in range(count)]

    def points(self, joint: int) -> np.ndarray:
        """(k, 3) joints and end sites from a joint on, itself first [m]."""
        inside = self.below[joint]
        return self.every[[*inside, *self.tips_of(inside)]]

    def tips_of(self, joints: Sequence[int]) -> np.ndarray:
        """Points that are end sites of some joints."""
        return len(self.skeleton) + np.flatnonzero(np.isin(self.skeleton.end_parents, joints))

    @cached_property
    def reach(self) -> np.ndarray:
        """(J,) distance from each joint to the farthest point that hangs on it [m]."""
        joints = range(len(self.skeleton))
        return np.array([norm(self.points(j) - self.at[j], axis=1).max() for j in joints])

    @cached_property
    def mean(self) -> np.ndarray:
        """(J, 4) mean rotation of each joint in its parent over the clip."""
        return mean_rotation(self.capture.rotations)

    @cached_property
    def turning(self) -> np.ndarray:
        """(J,) how far each joint turns away from its mean in the clip [rad]."""
        away = quat.difference(self.mean[None], self.capture.rotations)
        return norm(away, axis=2).max(axis=0)

    def moves(self, joint: int) -> bool:
        return bool(self.turning[joint] > MOVES)

    def only_twists(self, joint: int, along: np.ndarray) -> bool:
        """Whether a joint turns about a direction in its own frame and about nothing else."""
        away = quat.difference(self.mean[joint], self.capture.rotations[:, joint])
        axis = along / max(float(norm(along)), 1e-9)
        aside = norm(away - (times(away, axis))[:, None] * axis, axis=1).max()
        return self.moves(joint) and bool(aside < 0.2 * self.turning[joint])

    def facing(self, yaw: float) -> Figure:
        """The same figure turned about the vertical by an angle [rad]; the capture stays as it is."""
        turn = quat.from_rotvec(np.array([0.0, 0.0, yaw]))
        return Figure(self.capture, quat.multiply(turn, self.turned), self.contacts)


def mean_rotation(rotations: np.ndarray) -> np.ndarray:
    """Mean of rotations over the first axis: of (T, ..., 4) quaternions, (..., 4)."""
    outer = np.einsum("t...i,t...j->...ij", rotations, rotations)
    return principal(outer)
