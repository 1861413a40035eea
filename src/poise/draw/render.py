"""Frames of a take, drawn on all cores."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor

import numpy as np

from poise.draw import look
from poise.draw.camera import Camera
from poise.draw.marks import Mark
from poise.draw.painter import Painter, Pose
from poise.draw.view import View
from poise.record.recording import Recording
from poise.threads import cores

INK, PAPER = (150, 40, 28), (240, 243, 246)  # of labels


def frames(
    recording: Recording, times: Iterable[float], width: int, height: int, camera: str = "three-quarter",
    ghost: bool = False, marks: Iterable[str] = (),
) -> Iterator[np.ndarray]:  # fmt: skip
    """Pictures (height, width, 3) uint8 of a take at the given times [s].

    Args:
        camera: Name of a way to look, one of ``shot.CAMERAS``.
        ghost: Whether the pose that was followed is shown too, see-through.
        marks: Series of points, such as "com" and "cp", to be shown as small balls.
    """
    model = look.dressed(recording.model_xml)
    view = View(recording, model, width / height, tuple(marks), camera)
    painter = Painter(model, width, height, view.extent)
    waiting: deque[Future[np.ndarray]] = deque()
    with ThreadPoolExecutor(cores()) as pool:
        try:
            for t in times:
                seen, shown = view.at(float(t))
                pose = painter.pose(view.data, seen, shown, view.ghost(float(t)) if ghost else None)
                waiting.append(pool.submit(_drawn, painter, pose))
                if len(waiting) > cores():
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()


def _drawn(painter: Painter, pose: Pose) -> np.ndarray:
    return _labelled(painter(pose), pose.camera, pose.marks)


def _labelled(frame: np.ndarray, camera: Camera, marks: list[Mark]) -> np.ndarray:
    """Write the size of each push above its tail."""
    arrows = [mark for mark in marks if mark.label]
    if not arrows:
        return frame
    from PIL import Image, ImageDraw, ImageFont

    height, width = frame.shape[:2]
    picture = Image.fromarray(frame)
    draw = ImageDraw.Draw(picture, "RGBA")
    font = ImageFont.load_default(size=max(12, height / 26))
    for arrow in arrows:
        ends = camera.project(np.array([arrow.tail, arrow.tip]), width, height)
        x, y = np.clip(ends[0, 0], 40, width - 40), np.clip(ends[:, 1].min() - 0.03 * height, 20, height - 10)
        ink, paper = ((*colour, int(255 * arrow.rgba[3])) for colour in (INK, PAPER))
        draw.text((x, y), arrow.label, anchor="mb", fill=ink, font=font, stroke_width=2, stroke_fill=paper)
    return np.asarray(picture)
