"""A contact sheet: twelve moments of a take in one picture, each with its time."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from poise.draw.shot import Shot
from poise.formats.moments import moments

if TYPE_CHECKING:
    from poise.record.recording import Recording

COLUMNS, ROWS = 6, 2
PLAIN = Shot()
SIZE = (320, 420)  # width, height of one frame [pixels]
GAP = 4  # between frames [pixels]
PAPER, INK = (255, 255, 255), (58, 66, 78)


def save(recording: Recording, path: Path, shot: Shot = PLAIN) -> None:
    """Draw the sheet."""
    from PIL import Image, ImageDraw, ImageFont

    width, height = shot.size or SIZE
    sheet = Image.new("RGB", (COLUMNS * (width + GAP) + GAP, ROWS * (height + GAP) + GAP), PAPER)
    draw = ImageDraw.Draw(sheet)
    font = ImageFont.load_default(size=20)
    times = moments(recording, COLUMNS * ROWS)
    for i, (t, frame) in enumerate(zip(times, shot.frames(recording, times, SIZE), strict=True)):
        x, y = GAP + i % COLUMNS * (width + GAP), GAP + i // COLUMNS * (height + GAP)
        sheet.paste(Image.fromarray(frame), (x, y))
        draw.text((x + 12, y + 8), f"{t:.2f} s", fill=INK, font=font)
    sheet.save(path)
