"""Which plots the page shows, from the series that a take has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from poise.character.constants import GRAVITY
from poise.record.metrics import seen_from_ground, tracking_angles

if TYPE_CHECKING:
    from poise.record.recording import Recording

LOWEST = 0.05  # [m] of the centre of mass, for the capture point of a body that lies
POINTS = {"com": "CM", "cp": "CP", "cmp": "CMP"}
VECTORS = {  # series -> title, unit
    "linear_momentum": ("Linear momentum L", "kg m/s"),
    "angular_momentum": ("Angular momentum H", "kg m²/s"),
    "contact_force": ("Ground force", "N"),
    "angular_velocity": ("Angular velocity AV", "rad/s"),
    "angular_excursion": ("Angular excursion AE", "rad"),
}
SENT = ("com", "cp", "cmp", "contact_force", "linear_momentum", "angular_momentum", "support_points", "ground",
        "angular_velocity", "angular_excursion", "spin", "xi", "footprint", "angular_momentum_rate",
        "angular_momentum_rate_des")  # fmt: skip

Lines = list[dict[str, Any]]


def charts(recording: Recording) -> tuple[dict[str, np.ndarray], list[dict[str, Any]]]:
    """The series to send (T, k), and the plots of them: title, unit, lines (label, series, column, colour).

    Positions in the plots are seen from the ground, which may be a platform that moves.
    """
    series = {name: recording[name] for name in SENT if name in recording and recording[name].size}
    if "com" in series and "com_velocity" in recording:
        series["capture"] = _capture(recording)
    points = {name: label for name, label in POINTS.items() if name in series}
    for name in points:
        series[f"{name}_on_ground"] = seen_from_ground(recording, recording[name][:, None])[:, 0]
    found = []
    for column, title in enumerate(("Forward (x)", "Left (y)")):
        lines = [_line(label, f"{name}_on_ground", column, name) for name, label in points.items()]
        found.append(_chart(f"{title} of {', '.join(points.values())}", "m", lines))
    if "com" in points:
        found.append(_chart("Height of the CM", "m", [_line("CM", "com_on_ground", 2, "com")]))
    for name, (title, unit) in VECTORS.items():
        lines = [_line(axis, name, i, axis) for i, axis in enumerate("xyz")] if name in series else []
        found.append(_chart(title, unit, lines))
    found += _rates(series)
    found += _tracking(recording, series) + _torques(recording, series)
    if "spin" in series:
        found.append(_chart("Spin: 0 zero, 1 non-zero", "1", [_line("class", "spin", 0, "a")]))
    return series, [chart for chart in found if chart["lines"]]


def _capture(recording: Recording) -> np.ndarray:
    """Capture point (T, 2) over level ground [m]."""
    c, v = recording["com"], recording["com_velocity"]
    return c[:, :2] + v[:, :2] * np.sqrt(np.maximum(c[:, 2:], LOWEST) / GRAVITY)


def _rates(series: dict[str, np.ndarray]) -> list[dict[str, Any]]:
    """Ḣ that the laws ask for beside the one that the ground gives, about the two level axes."""
    both = [n for n in ("angular_momentum_rate_des", "angular_momentum_rate") if n in series]
    if len(both) < 2 or not np.isfinite(series[both[0]]).any():
        return []
    wanted, real = both
    lines = [
        _line("x wanted", wanted, 0, "b"), _line("x real", real, 0, "x"),
        _line("y wanted", wanted, 1, "cmp"), _line("y real", real, 1, "y"),
    ]  # fmt: skip
    return [_chart("Ḣ wanted and real", "N m", lines)]


def _tracking(recording: Recording, series: dict[str, np.ndarray]) -> list[dict[str, Any]]:
    angles = np.degrees(tracking_angles(recording))
    if not angles.shape[1] or not np.isfinite(angles).any():
        return []
    seen = np.where(np.isfinite(angles), angles, 0.0)
    series["tracking"] = np.stack([np.sqrt(np.mean(seen**2, axis=1)), np.abs(seen).max(axis=1)], axis=1)
    lines = [_line("rms", "tracking", 0, "a"), _line("largest", "tracking", 1, "b")]
    return [_chart("Tracking error of the joints", "°", lines)]


def _torques(recording: Recording, series: dict[str, np.ndarray]) -> list[dict[str, Any]]:
    if "tau" not in recording or not recording["tau"].size:
        return []
    tau = np.abs(recording["tau"])
    series["torque"] = np.stack([tau.max(axis=1), tau.mean(axis=1)], axis=1)
    return [_chart("Torques", "N m", [_line("largest", "torque", 0, "b"), _line("mean", "torque", 1, "a")])]


def _chart(title: str, unit: str, lines: Lines) -> dict[str, Any]:
    return {"title": title, "unit": unit, "lines": lines}


def _line(label: str, series: str, column: int, colour: str) -> dict[str, Any]:
    return {"label": label, "series": series, "column": column, "colour": colour}
