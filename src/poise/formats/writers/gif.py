"""A film as a looping gif, through Pillow."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from poise.draw.shot import Shot
from poise.formats.moments import film_times, moments

if TYPE_CHECKING:
    from PIL import Image

    from poise.record.recording import Recording

PLAIN, FASTEST = Shot(), 50.0  # frames a second that a gif can show
FPS = 20  # a gif counts in hundredths of a second, so 20 is exact and 30 is not
SIZE = (480, 360)  # width, height [pixels]
COLOURS, REDS = 255, 12  # in the palette; of the latter, shades of an arrow
SAMPLES = 8  # frames that the palette is made from


def save(recording: Recording, path: Path, shot: Shot = PLAIN) -> None:
    """Write a looping gif at the speed of life, with one palette for all frames so that colours keep still."""
    from PIL import Image

    fps = min(shot.fps or FPS, FASTEST)
    times = film_times(recording, fps)
    palette = _palette(shot.frames(recording, moments(recording, min(len(times), SAMPLES)), SIZE))
    pictures = (Image.fromarray(frame) for frame in shot.frames(recording, times, SIZE))
    flat = (picture.quantize(palette=palette, dither=Image.Dither.NONE) for picture in pictures)
    first = next(flat)
    first.save(path, save_all=True, append_images=flat, duration=round(1000 / fps), loop=0, disposal=1)


def _palette(some: Iterable[np.ndarray]) -> Image.Image:
    """The colours of a few frames together, with the reds of the arrows, which are small but matter."""
    from PIL import Image

    from poise.draw.look import ARROW

    strip = np.concatenate(list(some))
    shades = np.outer(np.linspace(60, 255, REDS), ARROW).astype(np.uint8)
    reds = np.repeat(shades, strip.shape[1] // REDS + 1, axis=0)[: strip.shape[1]]
    rows = len(strip) // 12  # enough that the reduction of colours does not pass over them
    strip = np.concatenate([strip, np.broadcast_to(reds, (rows, *reds.shape))])
    return Image.fromarray(strip).quantize(COLOURS, method=Image.Quantize.MEDIANCUT)
