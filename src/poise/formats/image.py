"""A contact sheet: twelve moments of a take in one picture, each with its time."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from poise.record.recording import Recording

COLUMNS, ROWS = 6, 2
SIZE = (320, 420)  # width, height of one frame [pixels]
GAP = 4  # between frames [pixels]
PAPER, INK = (255, 255, 255), (58, 66, 78)


def save(recording: Recording, path: Path) -> None:
    """Draw the sheet."""
    from PIL import Image, ImageDraw, ImageFont

    from poise.draw.render import frames

    width, height = SIZE
    sheet = Image.new("RGB", (COLUMNS * (width + GAP) + GAP, ROWS * (height + GAP) + GAP), PAPER)
    draw = ImageDraw.Draw(sheet)
    font = ImageFont.load_default(size=20)
    times = moments(recording, COLUMNS * ROWS)
    for i, (t, frame) in enumerate(zip(times, frames(recording, times, width, height), strict=True)):
        x, y = GAP + i % COLUMNS * (width + GAP), GAP + i // COLUMNS * (height + GAP)
        sheet.paste(Image.fromarray(frame), (x, y))
        draw.text((x + 12, y + 8), f"{t:.2f} s", fill=INK, font=font)
    sheet.save(path)


def moments(recording: Recording, n: int) -> np.ndarray:
    """Times spread over the take [s]; the one nearest to each push is moved into it, so that pushes show."""
    from poise.record.pushes import end, pushes

    first, last = recording.time[[0, -1]]
    times = np.linspace(first, last, n)
    free = np.ones(n, dtype=bool)
    for push in pushes(recording):
        middle = 0.5 * (push.start + end(push))
        if (
            free.any()
            and first <= middle <= last
            and not np.any((push.start <= times) & (times <= end(push)))
        ):
            nearest = int(np.argmin(np.where(free, np.abs(times - middle), np.inf)))
            times[nearest], free[nearest] = middle, False
    return np.sort(times)
