"""Frames of a take: by OpenGL where the machine has it, else by a renderer of our own."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

import numpy as np

from poise.draw import gl, look, plain
from poise.draw.view import Camera, Mark, View
from poise.errors import unknown
from poise.record.recording import Recording

FORCE = "POISE_RENDER"  # environment variable that names a backend
BACKENDS = ("egl", "osmesa", "plain") if sys.platform == "linux" else ("glfw", "plain")
INK, PAPER = (150, 40, 28), (240, 243, 246)  # of labels


def frames(
    recording: Recording, times: Iterable[float], width: int, height: int, marks: Sequence[str] = ()
) -> Iterator[np.ndarray]:
    """Pictures (height, width, 3) uint8 of a take at the given times [s].

    `marks` names series of points, such as "com" and "cp", to be shown as small balls.
    """
    model = look.dressed(recording.model_xml)
    view = View(recording, model, width / height, marks)
    painter = _painter(model, width, height)
    try:
        for t in times:
            camera, shown = view.at(float(t))
            yield _labelled(painter(view.data, camera, shown), camera, shown)
    finally:
        painter.close()


@lru_cache
def backend() -> str:
    """The renderer in use: POISE_RENDER if set, else the first that draws here; plain always does."""
    forced = os.environ.get(FORCE, "").strip().lower()
    if forced:
        if forced not in BACKENDS:
            raise unknown(f"{FORCE} renderer", forced, BACKENDS)
        if forced == "plain" or gl.works(forced):
            return forced
        _say(f"{FORCE}={forced} does not draw here: using the plain renderer")
        return "plain"
    found = next(name for name in BACKENDS if name == "plain" or gl.works(name))
    if found == "plain":
        _say("no OpenGL here (neither EGL nor OSMesa draws): using the plain renderer")
    return found


def _painter(model, width: int, height: int) -> gl.GlPainter | plain.PlainPainter:
    name = backend()
    if name == "plain":
        return plain.PlainPainter(model, width, height)
    try:
        return gl.GlPainter(model, width, height, name)
    except Exception as error:  # a driver may raise anything
        _say(f"{name} did not start ({type(error).__name__}: {error}): using the plain renderer")
        return plain.PlainPainter(model, width, height)


def _labelled(frame: np.ndarray, camera: Camera, marks: list[Mark]) -> np.ndarray:
    """Write the size of each push above its tail."""
    arrows = [mark for mark in marks if mark.tail is not None]
    if not arrows:
        return np.ascontiguousarray(frame)
    from PIL import Image, ImageDraw, ImageFont

    height, width = frame.shape[:2]
    picture = Image.fromarray(np.ascontiguousarray(frame))
    draw = ImageDraw.Draw(picture, "RGBA")
    font = ImageFont.load_default(size=max(12, height / 26))
    for arrow in arrows:
        ends = camera.project(np.array([arrow.tail, arrow.tip]), width, height)
        x, y = np.clip(ends[0, 0], 40, width - 40), np.clip(ends[:, 1].min() - 0.03 * height, 20, height - 10)
        ink, paper = ((*colour, int(255 * arrow.rgba[3])) for colour in (INK, PAPER))
        draw.text((x, y), arrow.label, anchor="mb", fill=ink, font=font, stroke_width=2, stroke_fill=paper)
    return np.asarray(picture)


@lru_cache
def _say(text: str) -> None:
    """Tell the user once."""
    print(f"poise: {text}", file=sys.stderr)
