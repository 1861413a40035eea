"""Metrics of steps and walks; each reads the recording alone."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from poise.record.recording import Recording

SETTLE = 3.0  # [s] of walking before its speed is measured


def steps(take: Recording) -> dict[str, float]:
    """Steps taken."""
    return {"walk_steps": int(np.nanmax(take["gait"][:, 1]))}


def landing(take: Recording) -> dict[str, float]:
    """Distance of the soles from where they should have landed, mean and largest."""
    gait = take["gait"]
    new = np.flatnonzero(np.diff(gait[:, 1], prepend=0.0) > 0)
    errors = gait[new, 3]
    if not len(errors):
        return {"landing_error_m": float("nan"), "landing_error_max_m": float("nan")}
    return {"landing_error_m": float(errors.mean()), "landing_error_max_m": float(errors.max())}


def onset(push: float) -> Callable[[Recording], dict[str, float]]:
    """Time from the push to the first foot that leaves the ground."""

    def measure(take: Recording) -> dict[str, float]:
        lifted = np.flatnonzero(take["gait"][:, 0] == 2)
        return {"step_onset_s": float(take.time[lifted[0]] - push) if len(lifted) else float("nan")}

    return measure


def walking(speed: float, start: float) -> Callable[[Recording], dict[str, float]]:
    """Speed along the way, and H over m v h, once the walk is under way."""

    def measure(take: Recording) -> dict[str, float]:
        late = take.time >= min(start + SETTLE, 0.5 * take.time[-1])
        com, t = take["com"][late], take.time[late]
        path = np.linalg.norm(np.diff(com[:, :2], axis=0), axis=1).sum()
        mean = float(path / max(t[-1] - t[0], 1e-9))
        mass = float(np.nanmedian(np.abs(take["linear_momentum"][late, 0] / take["com_velocity"][late, 0])))
        H = np.linalg.norm(take["angular_momentum"][late], axis=1)
        return {"speed_ms": mean, "h_over_mvh": float(H.mean() / max(mass * mean * com[:, 2].mean(), 1e-9))}

    return measure
