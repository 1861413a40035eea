"""Metrics that scenes add to the standard ones; each reads the recording alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from poise.record.recording import Recording

if TYPE_CHECKING:
    from poise.capture.captured import Captured

STILL = 0.15  # [m/s]: a centre of mass slower than this has come to rest

SETTLE = 3.0  # [s] before sway is measured


def recovered(take: Recording) -> dict[str, bool]:
    """Upright at the end, and at rest."""
    return {"recovered": not take.fell and float(take.metrics["com_speed_final_ms"] or 0.0) < STILL}


def sway(take: Recording) -> dict[str, float]:
    """How much the centre of mass moves about its mean, seen from above: rms, from the third second on."""
    c = take["com"][take.time >= min(SETTLE, 0.5 * take.time[-1]), :2]
    return {"sway_m": float(np.sqrt(np.mean(np.sum((c - c.mean(axis=0)) ** 2, axis=1))))}


def arm_share(take: Recording) -> dict[str, float]:
    """Part of the horizontal angular momentum that the arms carry at its peak."""
    H, arms = take["angular_momentum"][:, :2], take["arm_angular_momentum"][:, :2]
    size = np.linalg.norm(H, axis=1)
    i = int(size.argmax())
    share = float(H[i] @ arms[i] / max(size[i] ** 2, 1e-9))
    return {
        "arm_h_share": share,
        "arm_h_peak_kgm2s": float(np.linalg.norm(take["arm_angular_momentum"], axis=1).max()),
    }


def tilt(name: str, take: Recording) -> dict[str, float]:
    """Largest lean of a body, from two of its points watched as ``name.base`` and ``name.top``."""
    up = take[f"point.{name}.top"] - take[f"point.{name}.base"]
    angle = np.degrees(np.arctan2(np.linalg.norm(up[:, :2], axis=1), up[:, 2]))
    return {f"{name}_tilt_deg": float(angle.max())}


def drag_error(
    name: str, target: Callable[[float], np.ndarray], start: float, take: Recording
) -> dict[str, float]:
    """Mean and largest distance of a watched point from its moving target, and how far it left the target's plane."""
    late = take.time >= start
    if not late.any():
        return dict.fromkeys(("drag_error_m", "drag_error_max_m", "drag_out_of_plane_m"), float("nan"))
    want = np.array([target(t) for t in take.time[late]])
    gap = take[f"point.{name}"][late] - want
    distance = np.linalg.norm(gap, axis=1)
    return {
        "drag_error_m": float(distance.mean()),
        "drag_error_max_m": float(distance.max()),
        "drag_out_of_plane_m": float(np.abs(gap[:, 1]).max()),
    }


def platform_slip(take: Recording) -> dict[str, float]:
    """Largest drift of a sole over the platform."""
    return {"platform_slip_m": float(take.metrics["foot_slip_m"] or 0.0)}


def highest(name: str, points: Sequence[str], take: Recording) -> dict[str, float]:
    """Greatest height of some watched points; nan where the body has none of them."""
    heights = [take[f"point.{p}"][:, 2].max() for p in points if f"point.{p}" in take]
    return {f"{name}_height_m": float(max(heights, default=np.nan))}


def feet_of(took: Captured, take: Recording) -> dict[str, float]:
    """How far the captured feet slid and sank before they were locked, and after; the speed over the captured one."""
    feet = {"before": took.before, "after": took.after}
    slides = {f"clip_slide_{when}_m": skate.slide_m for when, skate in feet.items()}
    sinks = {f"clip_sink_{when}_m": skate.sink_m for when, skate in feet.items()}
    return slides | sinks | {"clip_speed_ratio": took.speed}
