"""What soles press with while a body walks: peaks, humps and the way of the pressure under a foot."""

from __future__ import annotations

import numpy as np

from poise.character.constants import GRAVITY
from poise.geometry.linear import norm
from poise.record.limbs import SIDES
from poise.record.recording import Recording
from poise.record.strides import POINTS, Strides

LOADED = 0.1  # of the weight: with less a foot does not bear
EARLY = 0.15  # of a stance, in which it strikes
SMOOTH = 20.0  # [Hz] cut-off of the pressure's path
HUMP = 0.03  # of the weight, by which a hump stands out,
CALM = 10.0  # [Hz] of a mean force
MOST = 95.0  # percentile over stances


def pressed(strides: Strides) -> dict[str, float]:
    """Peak force of a foot, of its strike, humps, path of the pressure, and the hardest contact of anything else."""
    take = strides.limbs.take
    if "sole_force" not in take:
        return {}
    weight = strides.limbs.mass * GRAVITY
    stances = [(side, a, b) for side in SIDES for a, b in _stances(take, side, weight, strides.walked)]
    found = {"knock_n": float(take["knock"][strides.walked, 0].max())}
    if not stances:
        return found
    loads = [_load(take, side)[a:b] / weight for side, a, b in stances]
    paths = [_path(take, side, a, b) / strides.limbs.sole_length(side) for side, a, b in stances]
    first = [x[: max(1, round(EARLY * len(x)))].max() for x in loads]
    return found | {
        "foot_force_peak_bw": float(np.percentile([x.max() for x in loads], MOST)),
        "strike_force_bw": float(np.percentile(first, MOST)),
        "force_humps": float(_humps(np.mean([_even(x) for x in loads], axis=0), take.dt, loads)),
        "cp_path_soles": float(np.mean(paths)),
    }


def mean_load(strides: Strides) -> np.ndarray | None:
    """Force under a foot over the mean stance (POINTS,), in weights; None where it was not recorded."""
    take, weight = strides.limbs.take, strides.limbs.mass * GRAVITY
    if "sole_force" not in take:
        return None
    loads = [
        _even(_load(take, s)[a:b] / weight)
        for s in SIDES
        for a, b in _stances(take, s, weight, strides.walked)
    ]
    return np.mean(loads, axis=0) if loads else None


def _load(take: Recording, side: str) -> np.ndarray:
    return take["sole_force"][:, take.series["sole_force"].names.index(f"foot_{side}")]


def _stances(take: Recording, side: str, weight: float, on: slice) -> list[tuple[int, int]]:
    """First and last record + 1 of the whole stances of a foot while it walks."""
    down = (_load(take, side) > LOADED * weight).astype(int)
    turns = np.diff(down)
    begins, ends = np.flatnonzero(turns == 1) + 1, np.flatnonzero(turns == -1) + 1
    spans = [(int(a), int(ends[ends > a][0])) for a in begins if (ends > a).any()]
    joined: list[tuple[int, int]] = []
    for a, b in spans:  # a foot that bounces has not left
        if joined and (a - joined[-1][1]) * take.dt < 0.1:
            joined[-1] = joined[-1][0], b
        else:
            joined.append((a, b))
    return [(a, b) for a, b in joined if a >= on.start and b < on.stop and (b - a) * take.dt > 0.1]


def _path(take: Recording, side: str, a: int, b: int) -> float:
    """Length of the way of the pressure under a foot [m]."""
    from scipy.signal import butter, sosfiltfilt

    names = take.series["sole_cp"].names
    p = take["sole_cp"][a:b, [names.index(f"foot_{side}.{axis}") for axis in "xy"]]
    p = p[np.isfinite(p).all(axis=1)]
    if len(p) < 8:
        return 0.0
    sections = butter(2, SMOOTH, fs=1.0 / take.dt, output="sos")
    smooth = sosfiltfilt(sections, p, axis=0, padlen=min(len(p) - 1, 15))
    return float(sum(norm(step) for step in np.diff(smooth, axis=0)))


def _even(x: np.ndarray) -> np.ndarray:
    return np.interp(np.linspace(0, len(x) - 1, POINTS), np.arange(len(x)), x)


def _humps(mean: np.ndarray, dt: float, loads: list[np.ndarray]) -> int:
    """Maxima of the mean stance that stand out, without what is quicker than ``CALM``."""
    from scipy.signal import butter, find_peaks, sosfiltfilt

    seconds = float(np.mean([len(x) for x in loads])) * dt
    rate = (POINTS - 1) / seconds
    smooth = sosfiltfilt(butter(2, CALM, fs=rate, output="sos"), mean)
    return len(find_peaks(np.concatenate([[0.0], smooth, [0.0]]), prominence=HUMP)[0])
