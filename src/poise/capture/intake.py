"""Intake: a motion file made sense of, with every guess and the way back to the file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from poise.capture.pops import Pop
from poise.capture.readers import bvh
from poise.character.report import Guess
from poise.geometry import quat
from poise.geometry.skeleton import Capture


@dataclass(frozen=True, eq=False)
class Footfalls:
    """One foot and when it is on the ground."""

    heel: str  # joint that the foot turns about
    toe: str | None  # first joint in front of it, or None where the foot is one bone
    heel_down: np.ndarray  # (T,) whether the heel is on the ground
    toe_down: np.ndarray  # (T,) whether the ball or the tip of the foot is


@dataclass(frozen=True, eq=False)
class Placing:
    """How file axes and units become ours: local frames are re-expressed by `axes`, the root is turned and moved."""

    axes: np.ndarray  # quaternion that takes file axes to z up
    turn: np.ndarray  # quaternion about z, after that, that makes the first frame face x
    scale: float  # metres per unit
    shift: np.ndarray  # added to the root at last [m]
    extra: np.ndarray  # (J, 3) added to each joint's place by the thorax repair [m, our axes]

    def vectors(self, u: np.ndarray) -> np.ndarray:
        """File vectors (..., 3) in our axes [m]."""
        return quat.rotate(self.axes, u) * self.scale

    def clean(self, rotations: np.ndarray, positions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Local rotations and positions of a file in our axes and units."""
        turned, places = np.empty_like(rotations), np.empty_like(positions)
        back = quat.conjugate(self.axes)
        for j in range(rotations.shape[1]):  # joint by joint: all at once takes several times the memory
            turned[:, j] = quat.multiply(quat.multiply(self.axes, rotations[:, j]), back)
            places[:, j] = self.vectors(positions[:, j]) + self.extra[j]
        turned[:, 0] = quat.multiply(self.turn, turned[:, 0])
        places[:, 0] = quat.rotate(self.turn, places[:, 0]) + self.shift
        return turned, places

    def file(self, rotations: np.ndarray, positions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The inverse of :meth:`clean`."""
        turned, places = rotations.copy(), positions - self.extra
        places[:, 0] = quat.rotate(quat.conjugate(self.turn), positions[:, 0] - self.shift) - self.extra[0]
        turned[:, 0] = quat.multiply(quat.conjugate(self.turn), turned[:, 0])
        turned = quat.multiply(quat.multiply(quat.conjugate(self.axes), turned), self.axes)
        return turned, quat.rotate(quat.conjugate(self.axes), places) / self.scale


@dataclass(frozen=True, eq=False)
class Intake:
    """What :func:`poise.capture.load` returns."""

    capture: Capture  # the motion: z up, x where the body faces at first, metres and seconds, floor at z = 0
    source: Any  # what the reader of the file's format returned
    guesses: tuple[Guess, ...]  # every decision with its evidence and its override
    notes: tuple[str, ...]  # what was odd about the file
    metres_per_unit: float  # size of the file's unit [m]
    up_axis: str  # file axis that points up: "X", "Y", "Z", or one of them with a minus
    header_hz: float | None  # frames a second as the file says, or None
    true_hz: float  # frames a second as used
    tpose_first_frame: bool  # whether an artificial first frame was dropped
    floor_m: float  # height of the floor in the file's own axes [m]
    thorax_repaired: bool  # whether the missing thorax bone of the CMU conversion was put back
    pops: tuple[Pop, ...]  # jumps of single frames, those that were smoothed over and those that were not
    contacts: dict[str, np.ndarray]  # joint name -> (T,) on the floor, for heel and toe joint of each foot
    feet: tuple[Footfalls, ...]  # each foot, with heel and toe
    reference: np.ndarray  # (J, 4) world rotations of a neutral stand, upright and facing x
    reference_positions: np.ndarray  # (J, 3) where the joints then are, floor at z = 0 [m]
    markers: bool  # true when the file holds loose points and no bones
    template: bvh.Bvh  # skeleton and channels that :meth:`back` writes to
    placing: Placing  # how file axes and units became ours

    def back(self, rotations: np.ndarray, positions: np.ndarray, frame_time: float | None = None) -> bvh.Bvh:
        """A clean motion (local rotations (T, J, 4), positions (T, J, 3)) in the file's own channels, axes and units.

        Args:
            rotations: Each joint in its parent's frame, as in :attr:`capture`.
            positions: The same [m].
            frame_time: Seconds between frames to write; as in the file's header if not given, even where that is not
                the true one: the take then plays in other tools at the speed that the file does.
        """
        values = bvh.values_of(self.template, *self.placing.file(rotations, positions))
        return self.template.with_values(values, frame_time)
