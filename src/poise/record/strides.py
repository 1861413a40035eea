"""Strides of a take or clip: where they begin, and angles over the mean one.

A stride begins where the ankle is farthest ahead of the pelvis: a heel strike, to within a frame or two (Zeni, J. A. et
al. (2008), "Two simple methods for determining gait events ...", Gait Posture 27(4)). The same for takes and for clips,
whatever their contacts are said to be.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from poise.record.limbs import SIDES, Limbs

SLOWEST = 0.2  # [m/s]: slower is no walk
SETTLE = 3.0  # [s] of a simulated walk before it is measured
SHORTEST, LONGEST = 0.5, 3.0  # [s] of a stride
AHEAD = 0.08  # [m] that an ankle comes ahead of where it is before and after
POINTS = 101  # of a cycle


@dataclass(frozen=True, eq=False)
class Strides:
    """Strides by the side of the foot that begins them: first and last record of each."""

    limbs: Limbs
    spans: dict[str, list[tuple[int, int]]]

    @property
    def count(self) -> int:
        return sum(map(len, self.spans.values()))

    @property
    def every(self) -> list[tuple[str, int, int]]:
        return [(side, a, b) for side, own in self.spans.items() for a, b in own]

    def across(self, x: np.ndarray) -> np.ndarray:
        """Part of vectors (T, 2 or 3) to the left of the way from strike to strike, at both ends of every stride."""
        c, out = self.limbs.take["com"], []
        for _, a, b in self.every:
            way = (c[b] - c[a])[:2] / np.linalg.norm((c[b] - c[a])[:2])
            out += [way[0] * x[i, 1] - way[1] * x[i, 0] for i in (a, b)]
        return np.array(out)

    @property
    def walked(self) -> slice:
        """Records from the first to the last stride."""
        return slice(min(a for _, a, _ in self.every), max(b for _, _, b in self.every) + 1)

    def cycles(self, angle: Callable[[str], np.ndarray]) -> np.ndarray:
        """An angle of the stride's own side over every stride (n, POINTS)."""
        series = {side: angle(side) for side in self.spans if self.spans[side]}
        return np.array([_over(series[side], a, b) for side, a, b in self.every])

    def mean(self, angle: Callable[[str], np.ndarray]) -> np.ndarray:
        """Mean cycle (POINTS,), both sides counting alike."""
        sides = [s for s in self.spans if self.spans[s]]
        return np.mean(
            [np.mean([_over(angle(s), a, b) for a, b in self.spans[s]], axis=0) for s in sides], axis=0
        )

    def spread(self, values: np.ndarray) -> float:
        """Mean over strides of the range of some values (T,), less what they gain from stride to stride."""
        each = [values[a : b + 1] for _, a, b in self.every]
        return float(np.mean([np.ptp(x - np.linspace(0.0, x[-1] - x[0], len(x))) for x in each]))


def strides_of(limbs: Limbs) -> Strides | None:
    """The strides of a walk; None where there is none to speak of."""
    take = limbs.take
    if not limbs.walks or len(take) < 50:
        return None
    first = round(min(SETTLE, 0.5 * take.time[-1]) / take.dt) if "tau" in take else 0
    spans = {side: _spans(limbs, side, first) for side in SIDES}
    found = Strides(limbs, spans)
    if not found.count:
        return None
    gone = np.linalg.norm(np.diff(take["com"][found.walked, :2], axis=0), axis=1).sum()
    return found if gone > SLOWEST * take.dt * (found.walked.stop - found.walked.start) else None


def _spans(limbs: Limbs, side: str, first: int) -> list[tuple[int, int]]:
    from scipy.signal import find_peaks

    gap = limbs.ahead(limbs.places[f"foot_{side}"] - limbs.places["pelvis"])
    dt = limbs.take.dt
    strikes = find_peaks(gap, prominence=AHEAD, distance=max(1, round(0.8 * SHORTEST / dt)))[0]
    pairs = zip(strikes[:-1].tolist(), strikes[1:].tolist())
    return [(a, b) for a, b in pairs if a >= first and SHORTEST <= (b - a) * dt <= LONGEST]


def _over(values: np.ndarray, a: int, b: int) -> np.ndarray:
    return np.interp(np.linspace(a, b, POINTS), np.arange(a, b + 1), values[a : b + 1])
