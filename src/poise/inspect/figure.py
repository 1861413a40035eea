"""The figure of an inspected clip: stick figures, paths from above, momenta, rotation indices, contacts and spin."""

from __future__ import annotations

from os import PathLike
from typing import TYPE_CHECKING

import numpy as np

from poise.capture import Intake
from poise.draw.figure import Sheet
from poise.draw.plots import AXES, from_above, height, legend, timeline, vector
from poise.record.recording import Recording

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from poise.inspect.inspection import Inspection

STICKS = 12  # stick figures in the strip
INK, LEFT, RIGHT = "#1f2933", "#d1495b", "#2e6fad"
MIDDLE = 0.03  # [m] from the middle plane: bones nearer are drawn as trunk
SHOWN = 9  # guesses in the corner; all of them are in the text and the page


def draw(inspection: Inspection, path: str | PathLike[str]) -> None:
    """Draw one sheet; what needs a body is left out for loose markers."""
    take = inspection.take
    with Sheet(path, (13, 11)) as figure:
        grid = figure.add_gridspec(4, 3, height_ratios=[1.0, 1, 1, 1], width_ratios=[1.05, 1, 1])
        figure.suptitle(_title(inspection), fontsize=11)
        sticks(figure.add_subplot(grid[0, :]), inspection.intake)
        _guesses(figure.add_subplot(grid[3, 0]), inspection)
        if take is None:
            return
        from_above(figure.add_subplot(grid[1:3, 0]), take)
        vector(figure.add_subplot(grid[1, 1]), take, "linear_momentum", "Linear momentum L", "kg m/s")
        vector(figure.add_subplot(grid[1, 2]), take, "angular_momentum", "Angular momentum H", "kg m²/s")
        vector(figure.add_subplot(grid[2, 1]), take, "angular_velocity", "AV, angular velocity", "rad/s")
        vector(figure.add_subplot(grid[2, 2]), take, "angular_excursion", "AE, angular excursion", "rad")
        height(figure.add_subplot(grid[3, 1]), take)
        _contacts(figure.add_subplot(grid[3, 2]), take)


def sticks(axes: Axes, intake: Intake, count: int = STICKS) -> None:
    """The skeleton seen from its right at even times, side by side; the bones of each side in their own colour."""
    capture = intake.capture
    at = np.concatenate([capture.world[0], capture.end_points], axis=1)
    parents = np.concatenate([capture.skeleton.parents, capture.skeleton.end_parents])
    bones = [(p, j) for j, p in enumerate(parents) if p >= 0]
    frames = np.unique(np.linspace(0, len(capture) - 1, count).round().astype(int))
    width = 1.15 * max(
        0.6, float(np.ptp(at[frames] - at[frames].mean(axis=1, keepdims=True), axis=(0, 1))[:2].max())
    )
    for k, frame in enumerate(frames):
        points = at[frame] - [*at[frame, :, :2].mean(axis=0), 0.0]
        if bones:
            lines = np.array([[points[p], points[j]] for p, j in bones])
            x = lines[..., 0] + k * width
            side = _sides(intake)
            for i in range(len(bones)):
                colour = INK if abs(side[i]) < MIDDLE else LEFT if side[i] > 0 else RIGHT
                axes.plot(x[i], lines[i, :, 2], color=colour, linewidth=1.1, solid_capstyle="round")
        else:
            axes.plot(points[:, 0] + k * width, points[:, 2], ".", color=INK, markersize=3)
        axes.annotate(f"{capture.times[frame] - capture.times[0]:.2f} s", (k * width, 0), (0, -12),
                      textcoords="offset points", ha="center", fontsize=7, color="#6b7280")  # fmt: skip
    axes.axhline(0.0, color="#9aa1ab", linewidth=0.8)
    axes.set_aspect("equal")
    axes.set_title("Seen from the right; left side red, right side blue")
    axes.set_xticks([])
    axes.set_ylabel("m")
    axes.grid(visible=False)


def _sides(intake: Intake) -> np.ndarray:
    """How far left of the root each bone ends in the reference stand, end sites as their joints [m]."""
    at = intake.reference_positions[:, 1] - intake.reference_positions[0, 1]
    joints = np.flatnonzero(intake.capture.skeleton.parents >= 0)
    return np.concatenate([at[joints], at[intake.capture.skeleton.end_parents]])


def _contacts(axes: Axes, take: Recording) -> None:
    """When each support stands, and when the CMP is outside them."""
    names = take.series["planted"].names
    timeline(axes, take, "On the ground; spin outside the support", "")
    for k in range(len(names)):
        on = take["planted"][:, k] > 0.5
        axes.fill_between(take.time, k + 0.15, k + 0.85, where=on, color=RIGHT, alpha=0.6, linewidth=0)
    spin = take["spin"][:, 0]
    top = len(names)
    axes.fill_between(take.time, top + 0.15, top + 0.85, where=spin > 0.5, color=LEFT, alpha=0.7, linewidth=0)
    axes.fill_between(
        take.time, top + 0.15, top + 0.85, where=spin < 0.5, color=AXES["y"], alpha=0.25, linewidth=0
    )
    axes.set_yticks(np.arange(top + 1) + 0.5, [*names, "NZS"])
    axes.set_ylim(0, top + 1)
    axes.grid(visible=False)
    legend(axes)


def _guesses(axes: Axes, inspection: Inspection) -> None:
    axes.set_axis_off()
    axes.set_title("What the importer decided")
    lines = [f"{g.what}: {g.value}" for g in inspection.intake.guesses[:SHOWN]]
    text = "\n".join(line if len(line) < 58 else line[:57] + "…" for line in lines)
    axes.text(0.0, 0.98, text, va="top", fontsize=7.5, family="monospace", transform=axes.transAxes)


def _title(inspection: Inspection) -> str:
    intake = inspection.intake
    seconds = float(intake.capture.times[-1] - intake.capture.times[0])
    return (
        f"{inspection.path.name} · {len(intake.capture)} frames, {seconds:.2f} s at {intake.true_hz:g} Hz · "
        f"{intake.metres_per_unit:.6g} m per unit, {intake.up_axis} up"
    )
