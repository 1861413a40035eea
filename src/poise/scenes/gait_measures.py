"""Metrics of steps and walks; each reads the recording alone."""

from __future__ import annotations

import numpy as np

from poise.record.pushes import pushes
from poise.record.recording import Recording

GAIT_WINDOW = 1.0  # [s] at the end of a take in which a walker must be back in its gait
SAME_PACE = 0.2  # of its speed, and of the time of its steps, by which they may differ then
SAME_WAY = 0.25  # [rad] by which its feet may point elsewhere then
BEATS = 4  # steps that tell a rhythm
PACE_WINDOW = 1.0  # [s] over which speed is measured along a way that may turn
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


def onset(push: float, take: Recording) -> dict[str, float]:
    """Time from the take's first push, or the scene's own at a time [s], to the first foot that leaves the ground."""
    given = pushes(take)
    push = given[0].start if given else push
    lifted = np.flatnonzero(take["gait"][:, 0] == 2)
    return {"step_onset_s": float(take.time[lifted[0]] - push)} if len(lifted) else {}


def together(take: Recording) -> dict[str, float]:
    """How far the feet are at the end from how they stood beside each other at the start."""
    soles = take["soles"]
    (x, y), c, s = (soles[:, :2] - soles[:, 3:5]).T, np.cos(soles[:, 2]), np.sin(soles[:, 2])
    ahead, left = c * x + s * y, c * y - s * x
    return {"feet_apart_m": float(np.hypot(ahead[-1] - ahead[0], left[-1] - left[0]))}


def arm_swing(take: Recording) -> dict[str, float]:
    """Amplitude of the left shoulder's pitch, and its phase against the left hip's at the frequency of the stride."""
    import mujoco

    model = mujoco.MjModel.from_xml_string(take.model_xml)
    known = {model.joint(j).name for j in range(model.njnt)}
    if not {"shoulder_l", "hip_l"} <= known or len(take) < 300:
        return {}
    late = take.time >= 0.4 * take.time[-1]
    q, at = take["q"][late], [model.joint(name).qposadr[0] for name in ("shoulder_l", "hip_l")]
    arm, leg = (np.degrees(2 * np.arctan2(q[:, a + 2], q[:, a])) for a in at)  # rotation about y
    window = np.hanning(len(arm))
    A, B = (np.fft.rfft((x - x.mean()) * window) for x in (arm, leg))
    k = int(np.abs(B).argmax())
    low, high = np.percentile(arm, [2, 98])
    phase = abs(float(np.degrees(np.angle(A[k] / B[k]))))
    return {"arm_swing_deg": float(high - low) / 2, "arm_leg_phase_deg": phase}


def walking(start: float, take: Recording) -> dict[str, float]:
    """Speed along the way, length, time and regularity of steps, knees in mid-stance, and H over m v h, under way."""
    late = take.time >= min(start + SETTLE, 0.5 * take.time[-1])
    com, t = take["com"][late], take.time[late]
    apart = max(1, round(PACE_WINDOW / take.dt))  # so that sway does not count as way
    marks = com[::apart, :2]
    way = float(np.linalg.norm(np.diff(marks, axis=0), axis=1).sum())
    mean = way / max((len(marks) - 1) * round(PACE_WINDOW / take.dt) * take.dt, 1e-9)
    mass = float(np.nanmedian(np.abs(take["linear_momentum"][late, 0] / take["com_velocity"][late, 0])))
    H = np.linalg.norm(take["angular_momentum"][late], axis=1)
    found = {"speed_ms": mean, "h_over_mvh": float(H.mean() / max(mass * mean * com[:, 2].mean(), 1e-9))}
    return found | _landings(take, t[0]) | _mid_stance(take, t[0])


def _landings(take: Recording, after: float) -> dict[str, float]:
    """Distance of the soles along the heading at each landing, and the time between landings."""
    gait, soles = take["gait"], take["soles"]
    new = np.flatnonzero((np.diff(gait[:, 1], prepend=0.0) > 0) & (take.time >= after))
    if len(new) < 3:
        return {}
    swing = gait[new, 2].astype(int)
    rows = soles[new].reshape(-1, 2, 3)
    each = np.arange(len(new))
    gap, heading = rows[each, swing, :2] - rows[each, 1 - swing, :2], rows[each, swing, 2]
    length = gap[:, 0] * np.cos(heading) + gap[:, 1] * np.sin(heading)
    spread = {"step_length_m": length.mean(), "step_length_sd_m": length.std()}
    return {k: float(v) for k, v in spread.items()} | {"step_time_s": float(np.diff(take.time[new]).mean())}


def _mid_stance(take: Recording, after: float) -> dict[str, float]:
    """Bend of the stance leg's knee half-way through the other foot's swing, mean of all steps."""
    import mujoco

    model = mujoco.MjModel.from_xml_string(take.model_xml)
    known = {model.joint(j).name for j in range(model.njnt)}
    if not {"knee_l", "knee_r"} <= known:
        return {}
    at = [int(model.joint(name).qposadr[0]) for name in ("knee_l", "knee_r")]
    swinging = (take["gait"][:, 0] == 2) & (take.time >= after)
    starts, ends = (np.flatnonzero(np.diff(swinging.astype(int)) == s) + 1 for s in (1, -1))
    ends = ends[ends > starts[0]] if len(starts) else ends
    bends = []
    for a, b in zip(starts, ends):
        middle = (a + b) // 2
        stance = 1 - int(take["gait"][middle, 2])
        bends.append(abs(float(take["q"][middle, at[stance]])))
    return {"stance_knee_deg": float(np.degrees(np.mean(bends)))} if bends else {}


def back_in_gait(
    speed: float, side: float, take: Recording, ahead: float | None = None
) -> dict[str, bool | float]:
    """Whether it walks as asked in the last second, on whatever line, and how far it is beside its own then.

    As asked: with the velocity, feet that point ``ahead`` [rad] or where they did, and steps as quick as before a push.
    """
    last = take.time >= take.time[-1] - GAIT_WINDOW
    com, soles = take["com"], take["soles"][:, 2::3]
    velocity = take["com_velocity"][last].mean(axis=0)[:2]
    ahead = float(soles[0].mean()) if ahead is None else ahead
    c, s = np.cos(ahead), np.sin(ahead)
    wanted = np.array([c * speed - s * side, s * speed + c * side])
    size = float(np.linalg.norm(wanted))
    across = np.array([-wanted[1], wanted[0]]) / size if size > 0.05 else np.array([-s, c])
    beside = abs(float(((com[last] - com[0]).mean(axis=0)[:2]) @ across))
    pace = float(np.linalg.norm(velocity - wanted)) < SAME_PACE * max(size, 0.3)
    turned = abs(float(np.angle(np.exp(1j * (soles[last] - ahead)).mean())))
    back = not take.fell and pace and turned < SAME_WAY and _same_rhythm(take)
    return {"back_in_gait": bool(back), "beside_line_m": beside}


def _same_rhythm(take: Recording) -> bool:
    """Whether the last steps are as quick as the last ones before the first push."""
    landed = take.time[np.diff(take["gait"][:, 1], prepend=0.0) > 0]
    given = pushes(take)
    before, after = landed[landed < (given[0].start if given else np.inf)], landed
    times = [float(np.diff(of[-BEATS - 1 :]).mean()) if len(of) > 2 else np.nan for of in (before, after)]
    late = take.time[-1] - landed[-1] if len(landed) else np.inf
    return bool(abs(times[1] / times[0] - 1.0) < SAME_PACE and late < (1.0 + SAME_PACE) * times[0])
