"""Figures of a take, and maps of the pushes that a body survives."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from poise.errors import unknown
from poise.record.metrics import seen_from_ground
from poise.record.pushes import end, pushes
from poise.record.recording import Recording

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ENDINGS = (".png", ".svg", ".pdf")
AXES = {"x": "#d1495b", "y": "#3a8f6f", "z": "#2e6fad"}  # one colour for each direction, everywhere
RATES = {  # series of Ḣ -> label, colour, line
    "angular_momentum_rate_free": ("uncontrolled", "#b9bec6", "-"),
    "angular_momentum_rate_des": ("desired", "#e0a030", "-"),
    "angular_momentum_rate_solved": ("solved", "#2e6fad", "-"),
    "angular_momentum_rate": ("simulated", "#1f2933", "--"),
}
PATHS = {"com": ("CM", "#1f2933"), "cp": ("CP", "#d1495b"), "cmp": ("CMP", "#e0a030")}
CURVES = ("#2e6fad", "#d1495b", "#3a8f6f", "#e0a030", "#7d5ba6", "#6b7280")
FROM_ABOVE = np.array([[0.0, 1.0], [-1.0, 0.0]])  # (x, y) of the world -> right and up on paper
PUSH_SECONDS = 0.1  # a push is quoted in newtons for this long
STYLE: Any = {
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": "#9aa1ab",
    "axes.grid": True,
    "grid.color": "#e8eaed",
    "axes.titlesize": 10,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "legend.frameon": False,
    "lines.linewidth": 1.4,
}


def plot(recording: Recording, path: str | PathLike[str]) -> None:
    """Draw one figure: paths over the support seen from above, L, H, Ḣ four times, and torques.

    Pushes are shaded. References: [Coordination], fig. 2, for the four rates of angular momentum.
    """
    with _figure(path, (12, 8.4)) as figure:
        grid = figure.add_gridspec(3, 3, width_ratios=[1.05, 1, 1])
        _title(figure, recording)
        _from_above(figure.add_subplot(grid[:2, 0]), recording)
        _vector(figure.add_subplot(grid[0, 1]), recording, "linear_momentum", "Linear momentum L", "kg m/s")
        _vector(
            figure.add_subplot(grid[0, 2]), recording, "angular_momentum", "Angular momentum H", "kg m²/s"
        )
        for i, axis in enumerate("xy"):
            _rates(figure.add_subplot(grid[1, 1 + i]), recording, i, axis)
        _rates(figure.add_subplot(grid[2, 1]), recording, 2, "z")
        _torques(figure.add_subplot(grid[2, 2]), recording)
        _height(figure.add_subplot(grid[2, 0]), recording)


def polar(
    limits: Mapping[Any, Any],
    path: str | PathLike[str],
    mass: float | None = None,
    title: str = "Largest push survived",
) -> None:
    """Draw how large a push a body survives from each side.

    Args:
        limits: Direction [degrees, 0 forward, 90 left] -> Δv [m/s]; or name of a curve -> such a map.
        path: Where to write, .png, .svg or .pdf.
        mass: Of the body [kg]; gives the rings a second label, the force in N that does the same in 0.1 s.
        title: Heading.
    """
    curves = _curves(limits)
    with _figure(path, (6.6, 6.9)) as figure:
        axes: Any = figure.add_subplot(projection="polar")
        axes.set_theta_zero_location("N")  # forward is up, left is left
        axes.spines["polar"].set_color("#c9ced6")
        for (name, curve), colour in zip(curves.items(), CURVES * len(curves)):
            angles, values = np.radians(list(curve)), list(curve.values())
            closed = np.append(angles, angles[:1] + 2 * np.pi), np.append(values, values[:1])
            axes.plot(*closed, color=colour, label=name or None, marker="o", markersize=4, linewidth=2)
            axes.fill(*closed, color=colour, alpha=0.10, linewidth=0)
        _rings(axes, max((value for curve in curves.values() for value in curve.values()), default=0.0), mass)
        axes.set_title(title, loc="center", pad=24)
        if any(curves):
            axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.07), ncols=min(len(curves), 3))


def _curves(limits: Mapping[Any, Any]) -> dict[str, dict[float, float]]:
    """Named curves, each in order of direction."""
    named = limits if any(isinstance(curve, Mapping) for curve in limits.values()) else {"": limits}
    return {str(n): dict(sorted((float(a), float(v)) for a, v in c.items())) for n, c in named.items()}


def _rings(axes: Any, largest: float, mass: float | None) -> None:
    step = next(s for s in (0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 1e9) if largest <= 5 * s)
    rings = np.arange(1, max(2, int(np.ceil(largest / step - 1e-9))) + 1) * step
    axes.set_ylim(0, rings[-1] * 1.04)
    axes.set_yticks(rings, [f"{r:g} m/s" for r in rings], color="#5b6470", fontsize=8)
    axes.set_rlabel_position(-22.5)
    names = {0: "forward", 90: "left", 180: "back", 270: "right"}
    axes.set_xticks(np.radians(np.arange(0, 360, 45)), [names.get(a, f"{a}°") for a in range(0, 360, 45)])
    if mass:
        for ring in rings:
            text = f"{ring * mass / PUSH_SECONDS:.0f} N"
            axes.text(np.radians(22.5), ring, text, color="#8a93a0", fontsize=8, ha="center", va="center")


def _from_above(axes: Axes, recording: Recording) -> None:
    from matplotlib.patches import Polygon

    axes.set_title("From above")
    for corners in _supports(recording):
        axes.add_patch(Polygon(corners, facecolor="#2e6fad", alpha=0.10, edgecolor="#2e6fad", linewidth=0.8))
    for name, (label, colour) in PATHS.items():
        if name in recording:
            x, y, _ = seen_from_ground(recording, recording[name][:, None])[:, 0].T
            axes.plot(-y, x, color=colour, label=label, linewidth=1.2, alpha=0.9)
            last = np.flatnonzero(np.isfinite(x))[-1:]
            axes.plot(-y[last], x[last], "o", color=colour, markersize=4)
    axes.set_aspect("equal", adjustable="datalim")
    axes.margins(0.12)
    axes.set_xlabel("left  ←  y [m]  →  right")
    axes.set_ylabel("x [m], forward")
    axes.xaxis.set_major_formatter(lambda value, _: f"{0 - value:g}")
    _legend(axes, loc="upper right")


def _supports(recording: Recording) -> list[np.ndarray]:
    """Outlines (n, 2), in the axes of the plot, of the support in its different stances."""
    from poise.geometry.polygon import hull

    if "support_points" not in recording or not len(recording):
        return []
    points = recording["support_points"].reshape(len(recording), -1, 3)
    points = seen_from_ground(recording, points)
    on = np.isfinite(points.sum(axis=2))
    changes = np.flatnonzero(np.any(on[1:] != on[:-1], axis=1)) + 1
    outlines = []
    for i in [0, *changes[:20]]:
        held = points[i, on[i], :2]
        if len(held) > 2:
            outlines.append(hull(held) @ FROM_ABOVE)
    return outlines


def _vector(axes: Axes, recording: Recording, name: str, title: str, unit: str) -> None:
    _timeline(axes, recording, title, unit)
    if name in recording:
        for i, (axis, colour) in enumerate(AXES.items()):
            axes.plot(recording.time, recording[name][:, i], color=colour, label=axis)
    _legend(axes, ncols=3)


def _rates(axes: Axes, recording: Recording, i: int, axis: str) -> None:
    _timeline(axes, recording, f"Rate of angular momentum, {axis}", "N m")
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
        _legend(axes, ncols=2)


def _torques(axes: Axes, recording: Recording) -> None:
    _timeline(axes, recording, "Torques: largest, and half of all below", "N m")
    if "tau" in recording and recording["tau"].size:
        tau = np.abs(recording["tau"])
        axes.fill_between(recording.time, tau.max(axis=1), color="#7d5ba6", alpha=0.18, linewidth=0)
        axes.plot(recording.time, tau.max(axis=1), color="#7d5ba6")
        axes.plot(recording.time, np.median(tau, axis=1), color="#7d5ba6", linewidth=0.9, linestyle="--")
        axes.set_ylim(bottom=0)


def _height(axes: Axes, recording: Recording) -> None:
    _timeline(axes, recording, "Height of the CM", "m")
    if "com" in recording:
        axes.plot(recording.time, recording["com"][:, 2], color=PATHS["com"][1])
        low, high = axes.get_ylim()
        if high - low < 0.05:
            axes.set_ylim(0.5 * (low + high) - 0.025, 0.5 * (low + high) + 0.025)


def _timeline(axes: Axes, recording: Recording, title: str, unit: str) -> None:
    axes.set_title(title)
    axes.set_ylabel(unit)
    axes.set_xlabel("s")
    if len(recording) > 1:
        axes.set_xlim(recording.time[0], recording.time[-1])
    for push in pushes(recording):
        axes.axvspan(push.start, end(push), color="#d1495b", alpha=0.16, linewidth=0)
    if recording.fall_time is not None:
        axes.axvline(recording.fall_time, color="#1f2933", linewidth=0.8, linestyle=":")


def _title(figure: Figure, recording: Recording) -> None:
    info = recording.info
    what = f"{info.get('scene', 'take')} · {info.get('character', '')} · seed {info.get('seed', 0)}"
    end = f"fell at {recording.fall_time:.2f} s" if recording.fell and recording.fall_time else "did not fall"
    pushed = "  ".join(str(p) for p in (info.get("pushes") or [])[:3])
    figure.suptitle(
        f"{what} · {'fell' if recording.fell and not recording.fall_time else end}   {pushed}", fontsize=11
    )


def _legend(axes: Axes, **options) -> None:
    if axes.get_legend_handles_labels()[1]:
        axes.legend(fontsize=8, handlelength=1.6, columnspacing=1.0, **options)


class _figure:
    """A figure with our style, written to the path when the block ends well."""

    def __init__(self, path: str | PathLike[str], size: tuple[float, float]) -> None:
        self._path, self._size = Path(path), size
        if self._path.suffix.lower() not in ENDINGS:
            raise unknown("ending", self._path.suffix or self._path.name, ENDINGS)

    def __enter__(self) -> Figure:
        from matplotlib import rc_context
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure

        self._style = rc_context(STYLE)
        self._style.__enter__()
        self._made = Figure(figsize=self._size, dpi=150, layout="constrained", facecolor="white")
        FigureCanvasAgg(self._made)
        return self._made

    def __exit__(self, kind, error, trace) -> None:
        from poise.formats.atomic import atomic

        try:
            if kind is None:
                with atomic(self._path) as part:
                    self._made.savefig(part)
        finally:
            self._style.__exit__(kind, error, trace)
