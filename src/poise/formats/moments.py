"""Which moments of a take are drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from poise.record.recording import Recording


def film_times(recording: Recording, fps: float) -> np.ndarray:
    """Times of a film's frames [s], from the first record to the last."""
    start, end = recording.time[[0, -1]]
    return start + np.arange(int(np.floor((end - start) * fps + 1e-6)) + 1) / fps


def moments(recording: Recording, n: int) -> np.ndarray:
    """Times spread over the take [s]; the one nearest to each push is moved into it, so that pushes show."""
    from poise.record.pushes import end, pushes

    first, last = recording.time[[0, -1]]
    times = np.linspace(first, last, n)
    free = np.ones(n, dtype=bool)
    for push in pushes(recording):
        middle = 0.5 * (push.start + end(push))
        if (
            free.any()
            and first <= middle <= last
            and not np.any((push.start <= times) & (times <= end(push)))
        ):
            nearest = int(np.argmin(np.where(free, np.abs(times - middle), np.inf)))
            times[nearest], free[nearest] = middle, False
    return np.sort(times)
