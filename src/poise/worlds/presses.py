"""Presses: what each sole presses on the ground with, and where; and the hardest knock of anything else."""

from __future__ import annotations

from collections.abc import Sequence

import mujoco
import numpy as np

from poise.compiled import compiled


class Presses:
    """Added up after every step of the engine, while its contact forces are known; read and cleared at each record.

    Args:
        bodies: All bodies of the character.
        soles: For each support, the bodies that are rigidly part of it.
    """

    def __init__(
        self, model: mujoco.MjModel, data: mujoco.MjData, bodies: range, soles: Sequence[Sequence[int]]
    ):
        self.data = data
        part = np.full(model.nbody, -2)  # -2: not of the character, -1: of no sole
        part[list(bodies)] = -1
        for k, own in enumerate(soles):
            part[list(own)] = k
        self._part = part[model.geom_bodyid]
        self._ground = np.array([model.geom(g).name.startswith("ground") for g in range(model.ngeom)])
        self._body = np.where(part >= -1, np.arange(model.nbody) - bodies.start, -1)[model.geom_bodyid]
        self._sums = np.zeros((len(soles), 3))  # f, f x, f y
        self._knock, self._steps = np.zeros(3), 0

    def reset(self) -> None:
        self._sums[:], self._knock[:], self._steps = 0.0, 0.0, 0

    def add(self) -> None:
        """The step that was just taken."""
        self._steps += 1
        if self.data.ncon:
            contact = self.data.contact
            _add(contact.geom.copy(), contact.efc_address.copy(), contact.pos.copy(), self.data.efc_force,
                 self._part, self._body, self._ground, self._sums, self._knock)  # fmt: skip

    def read(self, force: np.ndarray, cp: np.ndarray, knock: np.ndarray) -> None:
        """Mean force of the ground on each sole (S,) [N] along the ground's normal, where it acts (S * 2,) [m], and
        the hardest other contact (3,) since the last reading: force [N] and which two of the character's bodies it is
        between, -1 for what is not the character's."""
        force[:] = self._sums[:, 0] / max(self._steps, 1)
        with np.errstate(invalid="ignore", divide="ignore"):
            cp[:] = (self._sums[:, 1:] / self._sums[:, :1]).ravel()
        knock[:] = self._knock
        self.reset()


@compiled
def _add(pairs, rows, places, force, part, body, ground, sums, knock):
    """Contacts of one step: of a sole with the ground, or of anything else that is the character's."""
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
