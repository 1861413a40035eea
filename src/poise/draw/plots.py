"""The figure of a take: where it went, its momenta, their rates, and the torques."""

from __future__ import annotations

from os import PathLike
from typing import TYPE_CHECKING

import numpy as np

from poise.draw.figure import Sheet
from poise.draw.polar import polar
from poise.record.metrics import seen_from_ground
from poise.record.pushes import end, pushes
from poise.record.recording import Recording

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["plot", "polar"]

AXES = {"x": "#d1495b", "y": "#3a8f6f", "z": "#2e6fad"}  # one colour for each direction, everywhere
RATES = {  # series of Ḣ -> label, colour, line
    "angular_momentum_rate_free": ("uncontrolled", "#b9bec6", "-"),
    "angular_momentum_rate_des": ("desired", "#e0a030", "-"),
    "angular_momentum_rate_solved": ("solved", "#2e6fad", "-"),
    "angular_momentum_rate": ("simulated", "#1f2933", "--"),
}
# point -> label, colour, width of its path: widths differ because paths often lie on one line
PATHS = {"cmp": ("CMP", "#e0a030", 3.0), "cp": ("CP", "#d1495b", 1.8), "com": ("CM", "#1f2933", 1.0)}
SOLE = "#2e6fad"
STANCES, SAME = 20, 0.01  # more stances are not drawn; outlines nearer than this [m] are one
FROM_ABOVE = np.array([[0.0, 1.0], [-1.0, 0.0]])  # (x, y) of the world -> right and up on paper


def plot(recording: Recording, path: str | PathLike[str]) -> None:
    """Draw one figure: paths over the support seen from above, L, H, Ḣ four times, and torques.

    Pushes are shaded. References: [Coordination], fig. 2, for the four rates of angular momentum.
    """
    with Sheet(path, (12, 8.4)) as figure:
        grid = figure.add_gridspec(3, 3, width_ratios=[1.05, 1, 1])
        entitle(figure, recording)
        from_above(figure.add_subplot(grid[:2, 0]), recording)
        vector(figure.add_subplot(grid[0, 1]), recording, "linear_momentum", "Linear momentum L", "kg m/s")
        vector(figure.add_subplot(grid[0, 2]), recording, "angular_momentum", "Angular momentum H", "kg m²/s")
        for i, axis in enumerate("xy"):
            _rates(figure.add_subplot(grid[1, 1 + i]), recording, i, axis)
        _rates(figure.add_subplot(grid[2, 1]), recording, 2, "z")
        _torques(figure.add_subplot(grid[2, 2]), recording)
        height(figure.add_subplot(grid[2, 0]), recording)


def from_above(axes: Axes, recording: Recording) -> None:
    from matplotlib.patches import Polygon

    axes.set_title("From above")
    inside = []  # points that must be in the picture; the CMP of an impact may be metres away and need not
    for outlines, alpha in zip(_supports(recording), (0.07, 0.13)):
        inside += outlines
        for corners in outlines:
            axes.add_patch(Polygon(corners, facecolor=SOLE, alpha=alpha, edgecolor=SOLE, linewidth=0.8))
    for name, (label, colour, width) in PATHS.items():
        if name in recording:
            x, y, _ = seen_from_ground(recording, recording[name][:, None])[:, 0].T
            axes.plot(-y, x, color=colour, label=label, linewidth=width, alpha=0.85)
            last = np.flatnonzero(np.isfinite(x))[-1:]
            axes.plot(-y[last], x[last], "o", color=colour, markersize=4)
            inside += [np.nanpercentile([-y, x], [1, 99], axis=1)] if len(last) else []
    _enclose(axes, inside)
    axes.set_xlabel("left  ←  y [m]  →  right")
    axes.set_ylabel("x [m], forward")
    axes.xaxis.set_major_formatter(lambda value, _: f"{0 - value:g}")
    legend(axes, loc="upper right")


def _enclose(axes: Axes, points: list[np.ndarray]) -> None:
    """Choose the limits of both axes, equal in scale, with a margin around the points (n, 2)."""
    every = np.concatenate(points or [np.zeros((1, 2))])
    low, high = every.min(axis=0), every.max(axis=0)
    room = 0.12 * max(*(high - low), 0.1)
    # auto: the limits may still grow to make the scales equal
    axes.set_xlim(low[0] - room, high[0] + room, auto=True)
    axes.set_ylim(low[1] - room, high[1] + room, auto=True)
    axes.set_aspect("equal", adjustable="datalim")


def _supports(recording: Recording) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """Outlines (n, 2), in the axes of the plot: of the whole support in its first stances, and of each sole."""
    from poise.geometry.polygon import hull

    if "support_points" not in recording or not len(recording):
        return [], []
    points = recording["support_points"].reshape(len(recording), -1, 3)
    points = seen_from_ground(recording, points)
    soles = np.array([name.split(".")[0] for name in recording.series["support_points"].names[::3]])
    on = np.isfinite(points.sum(axis=2))
    changes = np.flatnonzero(np.any(on[1:] != on[:-1], axis=1)) + 1
    whole, single = [], []
    for i in [0, *changes[:STANCES].tolist()]:
        parts = [points[i, on[i] & (soles == sole), :2] for sole in np.unique(soles)]
        single += [hull(part) @ FROM_ABOVE for part in parts if len(part) > 2]
        whole += [hull(points[i, on[i], :2]) @ FROM_ABOVE] if on[i].sum() > 2 else []
    return _distinct(whole), _distinct(single)


def _distinct(outlines: list[np.ndarray]) -> list[np.ndarray]:
    """Without those that lie on an earlier one, so that a foot which comes and goes is drawn once."""
    kept: list[np.ndarray] = []
    for corners in outlines:
        if not any(corners.shape == old.shape and np.abs(corners - old).max() < SAME for old in kept):
            kept.append(corners)
    return kept


def vector(axes: Axes, recording: Recording, name: str, title: str, unit: str) -> None:
    timeline(axes, recording, title, unit)
    if name in recording:
        components(axes, recording, recording[name])
    legend(axes, ncols=3)


def components(axes: Axes, recording: Recording, values: np.ndarray) -> None:
    """x, y and z over time, from values (T, 3)."""
    for i, (axis, colour) in enumerate(AXES.items()):
        axes.plot(recording.time, values[:, i], color=colour, label=axis)


def _rates(axes: Axes, recording: Recording, i: int, axis: str) -> None:
    timeline(axes, recording, f"Rate of angular momentum, {axis}", "N m")
    shown = [(name, recording[name][:, i]) for name in RATES if name in recording]
    for name, values in shown:
        label, colour, line = RATES[name]
        axes.plot(recording.time, values, color=colour, linestyle=line, label=label, linewidth=1.2)
    finite = [values[np.isfinite(values)] for _, values in shown]
    if finite and all(len(values) for values in finite):
        low, high = (f([np.percentile(v, p) for v in finite]) for f, p in ((min, 0.3), (max, 99.7)))
        room = 0.15 * max(high - low, 1.0)  # single spikes of an impact are left out of the range
        axes.set_ylim(low - room, high + room)
    if i == 0:
        legend(axes, ncols=2)


def _torques(axes: Axes, recording: Recording) -> None:
    timeline(axes, recording, "Torques: largest and mean", "N m")
    if "tau" in recording and recording["tau"].size:
        tau = np.abs(recording["tau"])
        axes.fill_between(recording.time, tau.max(axis=1), color="#7d5ba6", alpha=0.18, linewidth=0)
        axes.plot(recording.time, tau.max(axis=1), color="#7d5ba6")
        axes.plot(recording.time, tau.mean(axis=1), color="#7d5ba6", linewidth=0.9, linestyle="--")
        axes.set_ylim(bottom=0)


def height(axes: Axes, recording: Recording) -> None:
    timeline(axes, recording, "Height of the CM", "m")
    if "com" in recording:
        axes.plot(recording.time, recording["com"][:, 2], color=PATHS["com"][1])
        low, high = axes.get_ylim()
        if high - low < 0.05:
            axes.set_ylim(0.5 * (low + high) - 0.025, 0.5 * (low + high) + 0.025)


def timeline(axes: Axes, recording: Recording, title: str, unit: str) -> None:
    axes.set_title(title)
    axes.set_ylabel(unit)
    axes.set_xlabel("s")
    if len(recording) > 1:
        axes.set_xlim(recording.time[0], recording.time[-1])
    for push in pushes(recording):
        axes.axvspan(push.start, end(push), color="#d1495b", alpha=0.16, linewidth=0)
    if recording.fall_time is not None:
        axes.axvline(recording.fall_time, color="#1f2933", linewidth=0.8, linestyle=":")


def entitle(figure: Figure, recording: Recording) -> None:
    info = recording.info
    what = f"{info.get('scene', 'take')} · {info.get('character', '')} · seed {info.get('seed', 0)}"
    end = f"fell at {recording.fall_time:.2f} s" if recording.fell and recording.fall_time else "did not fall"
    pushed = "  ".join(str(p) for p in (info.get("pushes") or [])[:3])
    figure.suptitle(
        f"{what} · {'fell' if recording.fell and not recording.fall_time else end}   {pushed}", fontsize=11
    )


def legend(axes: Axes, **options) -> None:
    if axes.get_legend_handles_labels()[1]:
        axes.legend(fontsize=8, handlelength=1.6, columnspacing=1.0, **options)
