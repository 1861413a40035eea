"""Metrics of a roll, from the recording alone. The contract counts the longest run without a pause, not the total."""

from __future__ import annotations

from collections.abc import Callable

import mujoco
import numpy as np

from poise.behaviours.rolling.course import TURN, Course
from poise.character.constants import BALL, GRAVITY
from poise.geometry import quat
from poise.record.recording import Recording

PAUSE, STUCK = 1.0, np.deg2rad(20)  # [s] in which it turned by less than this [rad]: a pause
FLIGHT = 0.02  # of the weight: with less ground force than this the body is in the air
SETTLE = 1.0  # [s] at the start that mean rates leave out
PRONE = 45.0  # [deg] from lying on the front
LAST = 1.0  # [s] at the end that say where it was heading

Measure = Callable[[Recording], dict[str, float | bool | None]]


def rolling(course: Course, mass: float) -> Measure:
    """Revolutions, spin, speed, heading and what tells a roll from a leap or a slide."""

    def measure(take: Recording) -> dict[str, float | bool | None]:
        if len(take) < 3:
            return {"revolutions": 0.0, "revolutions_total": 0.0}
        phase, heading, tilt = take["roll"][:, :3].T
        t, a, n = course.axes.T
        c, late = take["com"], take.time >= min(SETTLE, 0.5 * take.time[-1])
        time = float(take.time[late][-1] - take.time[late][0])
        turned, went = phase[late][-1] - phase[late][0], (c[late][-1] - c[late][0]) @ t
        aside, last = (c - c[0]) @ a, take.time >= take.time[-1] - LAST
        force = np.linalg.norm(take["contact_force"], axis=1)
        found: dict[str, float | bool | None] = {
            "revolutions": longest(phase, take.dt) / TURN,
            "revolutions_total": float(phase[-1] - phase[0]) / TURN,
            "stalled": not {"tumble", "life"} & set(take.series) and still(take, phase),
            "spin_rev_s": float(turned / TURN / time),
            "speed_ms": float(went / time),
            "heading_drift_deg": float(np.degrees(abs(np.mean(heading[last])))),
            "tilt_90_deg": float(np.degrees(np.quantile(np.abs(tilt[late]), 0.9))),
            "lateral_drift_m": float(abs(aside[-1])),
            "lateral_drift_max_m": float(np.abs(aside).max()),
            "air_time_share": float((force[late] < FLIGHT * GRAVITY * mass).mean()),
            "left_right_deg": left_right(take),
            "back_every_revolution": every_revolution(phase, take["roll"][:, 5] > 0),
            "head_share": float((take["roll"][late, 6] > 0).mean()),
            "power_w": power(take),
        }
        if course.slope == 0.0:
            found["com_height_max_m"] = float((c[late] @ n).max())
        return found

    return measure


def after_push(take: Recording) -> dict[str, float | bool | None]:
    """What became of a roll after its last push."""
    from poise.worlds.disturb import Push

    pushes = [Push.parse(text) for text in take.info["pushes"]]
    end = max((p.start + p.duration for p in pushes), default=0.0)
    late = take.time >= end
    if late.sum() < 3:
        return {"revolutions_after_push": 0.0, "heading_peak_deg": 0.0}
    phase, heading = take["roll"][late, 0], np.degrees(np.abs(take["roll"][late, 1]))
    return {
        "revolutions_after_push": longest(phase, take.dt) / TURN,
        "heading_peak_deg": float(heading.max()),
    }


def turned_over(take: Recording) -> dict[str, float | bool | None]:
    """How far a body turned about its long axis, and whether it lies on its front at the end, still."""
    phase = np.degrees(take["roll"][:, 0])
    last = take.time >= take.time[-1] - LAST
    prone = np.abs(phase[last] - 180.0) < PRONE
    return {
        "excursion_peak_deg": float(phase.max()),
        "excursion_final_deg": float(phase[-1]),
        "prone": bool(prone.all()),
        "power_w": power(take),
    }


def longest(phase: np.ndarray, dt: float) -> float:
    """Most that the phase grew [rad] between two pauses."""
    span = max(1, round(PAUSE / dt))
    if len(phase) <= span:
        return float(phase[-1] - phase[0])
    slow = phase[span:] - phase[:-span] < STUCK  # the second that begins here is a pause
    best, begin = 0.0, 0
    for i in np.flatnonzero(slow):
        if i >= begin:
            best = max(best, float(phase[i] - phase[begin]))
        begin = i + 1
    return max(best, float(phase[-1] - phase[min(begin, len(phase) - 1)]))


def still(take: Recording, phase: np.ndarray) -> bool:
    """Whether it turned no more at the end."""
    return bool(phase[-1] - phase[take.time >= take.time[-1] - PAUSE][0] < STUCK)


def every_revolution(phase: np.ndarray, touched: np.ndarray) -> bool:
    """Whether something held in every whole revolution of the furthest phase so far."""
    turns = np.floor((np.maximum.accumulate(phase) - phase[0]) / TURN).astype(int)
    return all(bool(touched[turns == k].any()) for k in range(int(turns[-1])))


def left_right(take: Recording) -> float:
    """Mean difference between the angles of a left joint and its right twin [deg]."""
    model = mujoco.MjModel.from_xml_string(take.model_xml)
    gaps = []
    for j in range(model.njnt):
        name = model.joint(j).name
        if name.endswith("_l"):
            left, right = (int(model.joint(n).qposadr[0]) for n in (name, name[:-2] + "_r"))
            if model.jnt_type[j] == BALL:
                mirrored = take["q"][:, right : right + 4] * (1.0, -1.0, 1.0, -1.0)
                gap = quat.difference(take["q"][:, left : left + 4], mirrored)
                gaps.append(np.linalg.norm(gap, axis=1))
                continue
            sign = 1.0 if abs(model.joint(name).axis[1]) > 0.5 else -1.0
            gaps.append(np.abs(take["q"][:, left] - sign * take["q"][:, right]))
    return float(np.degrees(np.mean(gaps))) if gaps else float("nan")


def power(take: Recording) -> float:
    """Mean mechanical power that the motors give and take [W]."""
    speeds = take["v"][:, -take["tau"].shape[1] :]
    return float(np.abs(take["tau"] * speeds).sum(axis=1).mean())
