"""A strip of stick figures: one stride of each walk, from strike to strike, with nothing but bones to tell them by.

Skeletons differ in where they have neck, ankles and balls of the feet; all are drawn with those of people.
"""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike

import mujoco
import numpy as np

from poise.draw.figure import Sheet
from poise.geometry import quat
from poise.record.limbs import ARM, LEG, SIDES, Limbs, limbs_of
from poise.record.recording import Recording
from poise.record.strides import strides_of

FIGURES = 10
APART = 0.55  # in heights: from one figure to the next
UP, HEAD = 0.09, 0.035  # in heights: how far the middle of a head is from where the neck ends, and its radius
NECK = 0.15  # in heights: of people's heads above their shoulders,
ANKLE = 0.05  # and of their ankles above their soles (Drillis & Contini 1966)
BALL = 0.75  # of a foot's length, where toes bend
TRUNK, LEFT, RIGHT = "#1c2430", "#2e6fad", "#9aa1ab"
WIDTH = {TRUNK: 3.0, LEFT: 2.0, RIGHT: 1.8}

Line = tuple[str, np.ndarray]  # colour, and points (n, 2) along the way and up [m]


def draw(takes: Sequence[tuple[str, Recording]], path: str | PathLike[str]) -> bool:
    """Write a row for each named walk; false, and no file, where one of them has no strides."""
    rows = [(name, limbs_of(take)) for name, take in takes]
    spans = [span for _, limbs in rows if (span := _span(limbs)) is not None]
    if len(spans) < len(rows):
        return False
    with Sheet(path, (13, 3.0 * len(rows))) as figure:
        for axes, (name, limbs), (first, last) in zip(
            figure.subplots(len(rows), squeeze=False)[:, 0], rows, spans
        ):
            axes.set_title(name)
            axes.set_aspect("equal")
            axes.axis("off")
            _row(axes, limbs, np.linspace(first, last, FIGURES).round().astype(int))
    return True


def _span(limbs: Limbs) -> tuple[int, int] | None:
    """Records of the stride in the middle of a walk; none where there is none."""
    strides = strides_of(limbs)
    if strides is None or not limbs.has_arms:
        return None
    own = strides.spans["l"] or strides.spans["r"]
    return own[len(own) // 2]


def _row(axes, limbs: Limbs, records: np.ndarray) -> None:
    """Figures beside each other, each where its pelvis is."""
    height = float(np.ptp([limbs.places[part][records[0], 2] for part in ("head", "foot_l")]))
    tips = {side: _tip(limbs, side) for side in SIDES}
    for k, i in enumerate(records):
        at = k * APART * height
        for colour, points in _figure(limbs, i, tips, height):
            axes.plot(
                at + points[:, 0], points[:, 1], color=colour, linewidth=WIDTH[colour], solid_capstyle="round"
            )
        head = _seen(limbs, i, _skull(limbs, i, height, NECK * height))
        ring = np.linspace(0.0, 2 * np.pi, 40)
        axes.plot(at + head[0] + HEAD * height * np.cos(ring), head[1] + HEAD * height * np.sin(ring),
                  color=TRUNK, linewidth=2.0)  # fmt: skip
    axes.axhline(0.0, color="#c9cdd3", linewidth=1.0, zorder=0)


def _figure(limbs: Limbs, i: int, tips: dict[str, np.ndarray], height: float) -> list[Line]:
    """Lines of one record, the far side first."""
    x = limbs.places
    lines: list[Line] = []
    for side, colour in (("r", RIGHT), ("l", LEFT)):
        ankle = _ankle(limbs, i, side, ANKLE * height)
        for points in (
            [*(x[f"{part}_{side}"][i] for part in LEG[:2]), ankle],
            _foot(limbs, i, side, ankle, tips[side]),
            [x[f"{part}_{side}"][i] for part in ARM],
        ):
            lines.append((colour, np.array([_seen(limbs, i, p) for p in points])))
    chin = _skull(limbs, i, height, (NECK - HEAD) * height)
    back = [_middle(limbs, i, LEG[0]), _middle(limbs, i, ARM[0]), chin]
    return [*lines, (TRUNK, np.array([_seen(limbs, i, p) for p in back]))]


def _ankle(limbs: Limbs, i: int, side: str, high: float) -> np.ndarray:
    """End of a shin whose ankle is so high above its sole [m]; skeletons differ in where they have theirs."""
    shin, ankle = (limbs.places[f"{part}_{side}"][i] for part in LEG[1:])
    down = (ankle - shin) / np.linalg.norm(ankle - shin)
    return ankle - (high + limbs.soles[side][:, 2].mean()) * down


def _foot(limbs: Limbs, i: int, side: str, ankle: np.ndarray, tip: np.ndarray) -> list[np.ndarray]:
    """Ankle, heel, ball and tip of a foot; toes bend on the ground."""
    heel = limbs.edge(side, "heel")[i]
    toe = limbs.places[f"foot_{side}"][i] + quat.rotate(limbs.turns[f"foot_{side}"][i], tip)
    ball = heel + BALL * (toe - heel)
    toe[2] = max(toe[2], 0.0)
    return [ankle, heel, ball, toe, ankle]


def _tip(limbs: Limbs, side: str) -> np.ndarray:
    """Farthest point of a foot's shapes ahead, at the height of its sole, in the foot's axes (3,) [m]."""
    model = mujoco.MjModel.from_xml_string(limbs.take.model_xml)
    sole, body = limbs.soles[side], model.body(f"foot_{side}").id
    along = [sole[:, 0].max()]
    for g in np.flatnonzero(model.geom_bodyid == body):
        ahead = quat.rotate(quat.conjugate(model.geom_quat[g]), np.array([1.0, 0.0, 0.0]))
        if model.geom_type[g] == mujoco.mjtGeom.mjGEOM_ELLIPSOID:
            along.append(model.geom_pos[g, 0] + np.linalg.norm(ahead * model.geom_size[g]))
    return np.array([max(along), sole[:, 1].mean(), sole[:, 2].mean()])


def _middle(limbs: Limbs, i: int, part: str) -> np.ndarray:
    return 0.5 * (limbs.places[f"{part}_l"][i] + limbs.places[f"{part}_r"][i])


def _skull(limbs: Limbs, i: int, height: float, away: float) -> np.ndarray:
    """Point so far [m] from between the shoulders on the line to the middle of the skull."""
    up = quat.rotate(limbs.turns["head"][i], np.array([0.0, 0.0, 1.0]))
    shoulders = _middle(limbs, i, ARM[0])
    line = limbs.places["head"][i] + UP * height * up - shoulders
    return shoulders + away * line / np.linalg.norm(line)


def _seen(limbs: Limbs, i: int, point: np.ndarray) -> np.ndarray:
    """A point from the side: along the way from the pelvis, and up."""
    away = point - limbs.places["pelvis"][i]
    return np.array([float(limbs.way[i] @ away[:2]), float(point[2])])
