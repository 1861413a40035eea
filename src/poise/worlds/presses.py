"""Presses: what each sole presses on the ground with, and where; and the hardest knock of anything else."""

from __future__ import annotations

from collections.abc import Sequence

import mujoco
import numpy as np

from poise.compiled import compiled
from poise.records import Flags, Indices, Matrix, Record, Vector


class Presses(Record):
    """Added up after every step of the engine, while its contact forces are known; read and cleared at each record.

    Args:
        bodies: All bodies of the character.
        soles: For each support, the bodies that are rigidly part of it.
    """

    part: Indices  # of each shape: its sole, -1 for another of the character, -2 for none of its own
    ground: Flags
    sums: Matrix  # (S, 3) f, f x, f y of each sole
    body: Indices  # of each shape: the character's body that it is of, -1 for none
    knock: Vector  # (3,) hardest other contact [N], and the bodies that it is between

    def __init__(
        self, model: mujoco.MjModel, data: mujoco.MjData, bodies: range, soles: Sequence[Sequence[int]]
    ):
        self.data = data
        part = np.full(model.nbody, -2)
        part[list(bodies)] = -1
        for k, own in enumerate(soles):
            part[list(own)] = k
        self.part = part[model.geom_bodyid]
        self.ground = np.array([model.geom(g).name.startswith("ground") for g in range(model.ngeom)])
        self.body = np.where(part >= -1, np.arange(model.nbody) - bodies.start, -1)[model.geom_bodyid]
        self.sums, self.knock, self._steps = np.zeros((len(soles), 3)), np.zeros(3), 0
        self.seal()

    def reset(self) -> None:
        self.sums[:], self.knock[:], self._steps = 0.0, 0.0, 0

    def add(self) -> None:
        """The step that was just taken."""
        self._steps += 1
        if self.data.ncon:
            contact = self.data.contact
            _add(
                self, contact.geom.copy(), contact.efc_address.copy(), contact.pos.copy(), self.data.efc_force
            )

    def read(self, force: np.ndarray, cp: np.ndarray, knock: np.ndarray) -> None:
        """Mean force of the ground on each sole (S,) [N] along the ground's normal, where it acts (S * 2,) [m], and
        the hardest other contact (3,) since the last reading: force [N] and which two of the character's bodies it is
        between, -1 for what is not the character's."""
        _read(self, max(self._steps, 1), force, cp, knock)
        self._steps = 0


@compiled
def _add(presses, pairs, rows, places, force):
    """Contacts of one step: of a sole with the ground, or of anything else that is the character's."""
    part, ground, body, sums, knock = presses.part, presses.ground, presses.body, presses.sums, presses.knock
    for k in range(pairs.shape[0]):
        if rows[k] < 0:
            continue
        a, b = pairs[k]
        f = force[rows[k]]
        sole = max(part[a], part[b])
        if sole >= 0 and (ground[a] or ground[b]):
            sums[sole, 0] += f
            sums[sole, 1] += f * places[k, 0]
            sums[sole, 2] += f * places[k, 1]
        elif sole > -2 and f > knock[0]:
            knock[0], knock[1], knock[2] = f, body[a], body[b]


@compiled
def _read(presses, steps, force, cp, knock):
    """What was added up in so many steps, to be forgotten; the place of no force at all is nan."""
    sums = presses.sums
    for s in range(sums.shape[0]):
        force[s] = sums[s, 0] / steps
        cp[2 * s], cp[2 * s + 1] = sums[s, 1] / sums[s, 0], sums[s, 2] / sums[s, 0]
    knock[:] = presses.knock
    sums[:, :], presses.knock[:] = 0.0, 0.0
