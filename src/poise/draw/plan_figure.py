"""The figure of a planned take: plan against outcome, its clocks, forces in their cones, footprints on the ground."""

from __future__ import annotations

from os import PathLike
from typing import TYPE_CHECKING

import numpy as np

from poise.draw.figure import Sheet
from poise.draw.plots import AXES, SOLE, components, entitle, from_above, legend, timeline
from poise.record.recording import Recording

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PLAN, BODY = "#e0a030", "#1f2933"
FEET = ("#2e6fad", "#d1495b", "#3a8f6f", "#8a63a8")


def plot(recording: Recording, path: str | PathLike[str]) -> None:
    """Draw one figure. References: [Abstract], fig. 3 (clocks) and fig. 5 (the centre of mass on stairs)."""
    with Sheet(path, (12, 9.4)) as figure:
        grid = figure.add_gridspec(4, 3, height_ratios=[1.25, 1, 1, 1])
        entitle(figure, recording)
        _from_the_side(figure.add_subplot(grid[0, :]), recording)
        from_above(figure.add_subplot(grid[1:3, 0]), recording)
        _clocks(figure.add_subplot(grid[3, 0]), recording)
        _compared(figure.add_subplot(grid[1, 1]), recording, "linear_momentum", "Linear momentum L", "kg m/s")
        _compared(
            figure.add_subplot(grid[1, 2]), recording, "angular_momentum", "Angular momentum H", "kg m²/s"
        )
        _loads(figure.add_subplot(grid[2, 1]), recording)
        _cones(figure.add_subplot(grid[2, 2]), recording)
        _gap(figure.add_subplot(grid[3, 1]), recording)
        _errors(figure.add_subplot(grid[3, 2]), recording)


def _from_the_side(axes: Axes, recording: Recording) -> None:
    axes.set_title("From the side: centre of mass over its footprints")
    com, goal = recording["com"], recording["reference_com"]
    axes.plot(goal[:, 0], goal[:, 2], color=PLAN, linewidth=2.4, label="reference, led to its goals")
    axes.plot(com[:, 0], com[:, 2], color=BODY, label="body")
    points = recording["support_points"].reshape(len(recording), -1, 3)
    for corners in np.moveaxis(points, 1, 0):
        axes.plot(corners[:, 0], corners[:, 2], ".", color=SOLE, markersize=2)
    axes.set_aspect("equal", adjustable="datalim")
    axes.set_xlabel("x [m], forward")
    axes.set_ylabel("z [m]")
    legend(axes, loc="lower right", ncols=2)


def _clocks(axes: Axes, recording: Recording) -> None:
    timeline(axes, recording, "Clocks against elapsed time", "frames")
    t, t_c, t_d = recording["clock"].T
    axes.plot(recording.time, t_c - t, color=PLAN, label="$t_c$, plan")
    axes.plot(recording.time, t_d - t, color=BODY, label="$t_d$, contacts")
    later = recording["final_time_change"][:, 0]
    axes.plot(recording.time, later, "--", color="#9aa1ab", label="later in all")
    legend(axes, loc="best")


def _compared(axes: Axes, recording: Recording, name: str, title: str, unit: str) -> None:
    timeline(axes, recording, title, unit)
    components(axes, recording, recording[name])
    for values, colour in zip(recording[f"plan_{name}"].T, AXES.values()):
        axes.plot(recording.time, values, color=colour, linestyle=":", linewidth=2)
    axes.plot([], [], ":", color="#9aa1ab", label="model")
    legend(axes, loc="best", ncols=4)


def _by_foot(recording: Recording) -> tuple[tuple[str, ...], np.ndarray]:
    """Names of the feet and their forces (T, S, K, 3)."""
    names = recording.series["planted"].names
    return names, recording["force"].reshape(len(recording), len(names), -1, 3)


def _loads(axes: Axes, recording: Recording) -> None:
    timeline(axes, recording, "Vertical force of each foot", "N")
    names, force = _by_foot(recording)
    for s, name in enumerate(names):
        axes.plot(recording.time, force[:, s, :, 2].sum(axis=1), color=FEET[s % len(FEET)], label=name)
    legend(axes, loc="best", ncols=2)


def _cones(axes: Axes, recording: Recording) -> None:
    timeline(axes, recording, "Friction used by the worst point", "|f_t| / f_z")
    names, force = _by_foot(recording)
    normal = force[..., 2]
    used = np.where(normal > 1.0, np.abs(force[..., :2]).max(axis=-1) / np.maximum(normal, 1.0), np.nan)
    for s, name in enumerate(names):
        worst = np.where(np.isfinite(used[:, s]), used[:, s], -1.0).max(axis=1)
        axes.plot(recording.time, np.where(worst < 0, np.nan, worst), color=FEET[s % len(FEET)], label=name)
    axes.axhline(float(recording.info.get("friction", 0.8)), color="#9aa1ab", linestyle="--")
    axes.set_ylim(bottom=0)


def _gap(axes: Axes, recording: Recording) -> None:
    timeline(axes, recording, "Body behind the model, each frame", "mm")
    axes.plot(recording.time, 1e3 * np.linalg.norm(recording["reach_gap"], axis=1), color=BODY)


def _errors(axes: Axes, recording: Recording) -> None:
    timeline(axes, recording, "Centre of mass away from its reference", "cm")
    components(axes, recording, 100 * (recording["com"] - recording["reference_com"]))
    legend(axes, loc="best", ncols=3)
