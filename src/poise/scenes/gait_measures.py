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
        return {}
    return {"landing_error_m": float(errors.mean()), "landing_error_max_m": float(errors.max())}


def onset(push: float) -> Callable[[Recording], dict[str, float]]:
    """Time from the push to the first foot that leaves the ground."""

    def measure(take: Recording) -> dict[str, float]:
        lifted = np.flatnonzero(take["gait"][:, 0] == 2)
        return {"step_onset_s": float(take.time[lifted[0]] - push)} if len(lifted) else {}

    return measure


def arm_swing(take: Recording) -> dict[str, float]:
    """Amplitude of the left shoulder's pitch, and its phase against the left hip's at the frequency of the stride."""
    import mujoco

    names = ("arm_swing_deg", "arm_leg_phase_deg")
    model = mujoco.MjModel.from_xml_string(take.model_xml)
    known = {model.joint(j).name for j in range(model.njnt)}
    if not {"shoulder_l", "hip_l"} <= known or len(take) < 300:
        return {}
    late = take.time >= 0.4 * take.time[-1]
    arm, leg = (
        _pitch(take["q"][late], int(model.joint(name).qposadr[0])) for name in ("shoulder_l", "hip_l")
    )
    window = np.hanning(len(arm))
    A, B = (np.fft.rfft((x - x.mean()) * window) for x in (arm, leg))
    k = int(np.abs(B).argmax())
    low, high = np.percentile(arm, [2, 98])
    return dict(
        zip(names, (float(high - low) / 2, abs(float(np.degrees(np.angle(A[k] / B[k]))))), strict=True)
    )


def _pitch(q: np.ndarray, at: int) -> np.ndarray:
    """Rotation about y of a ball joint [deg]."""
    return np.degrees(2 * np.arctan2(q[:, at + 2], q[:, at]))


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
