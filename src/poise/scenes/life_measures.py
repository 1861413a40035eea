"""Metrics of a body that falls and gets up; each reads the recording alone."""

from __future__ import annotations

import numpy as np

from poise.behaviours.falling.stages import FALL, ROLL_OUT
from poise.record.recording import Recording

AFTER = 0.5  # [s] after the reflex, or the roll, is over that a blow still belongs to the fall
PARTS = {"damage_ns": ("head",), "hips_ns": ("pelvis", "thigh"), "hands_ns": ("hand", "forearm")}


def damage(take: Recording) -> dict[str, list[float]]:
    """Normal impulse of the ground in each fall, on the head, on hips and thighs, on hands and forearms."""
    if "blow" not in take or "life" not in take:
        return {}
    state = np.concatenate([[0], np.isin(take["life"][:, 0], (FALL, ROLL_OUT)), [0]])
    begins, ends = np.flatnonzero(np.diff(state) > 0), np.flatnonzero(np.diff(state) < 0)
    blow, names, last = take["blow"], take.series["blow"].names, len(take) - 1
    found: dict[str, list[float]] = {key: [] for key in PARTS}
    for a, b in zip(begins, ends, strict=True):
        gained = blow[min(b + round(AFTER / take.dt), last)] - blow[a]
        for key, stems in PARTS.items():
            found[key].append(round(float(sum(g for n, g in zip(names, gained) if n.startswith(stems))), 2))
    return found
