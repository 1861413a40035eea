"""Moving pictures: .mp4 through the ffmpeg that imageio-ffmpeg brings, .gif through Pillow."""

from __future__ import annotations

import contextlib
import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from poise.errors import BadInput, PoiseError
from poise.formats.image import moments

if TYPE_CHECKING:
    from PIL import Image

    from poise.record.recording import Recording

MP4_FPS = 30
MP4_SIZE = (960, 540)  # width, height [pixels]
GIF_FPS = 20  # a gif counts in hundredths of a second, so 20 is exact and 30 is not
GIF_SIZE = (480, 360)
GIF_COLOURS, GIF_REDS = 255, 12  # in the palette; of the latter, shades of an arrow
GIF_SAMPLES = 8  # frames that the palette is made from


def save_mp4(recording: Recording, path: Path, fps: int = MP4_FPS, size: tuple[int, int] = MP4_SIZE) -> None:
    """Write H.264 video at the speed of life."""
    from poise.draw.render import frames

    exe = ffmpeg()
    source = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{size[0]}x{size[1]}", "-r", str(fps), "-i", "-"]
    coding = ["-an", "-c:v", "libx264", "-preset", "veryfast", "-crf", "19", "-pix_fmt", "yuv420p"]
    command = [exe, "-y", "-loglevel", "error", *source, *coding, "-movflags", "+faststart", str(path)]
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=log, stderr=log)
        assert process.stdin is not None
        try:
            for frame in frames(recording, frame_times(recording, fps), *size):
                process.stdin.write(np.ascontiguousarray(frame))
        except BrokenPipeError:
            pass  # ffmpeg has ended by itself: its log says why
        except BaseException:
            process.kill()
            raise
        finally:
            _close(process)
        if process.returncode:
            log.seek(0)
            why = log.read().decode(errors="replace").strip()
            raise PoiseError(f"ffmpeg could not write the video: {why}")


def save_gif(recording: Recording, path: Path, fps: int = GIF_FPS, size: tuple[int, int] = GIF_SIZE) -> None:
    """Write a looping gif at the speed of life, with one palette for all frames so that colours keep still."""
    from PIL import Image

    from poise.draw.render import frames

    times = frame_times(recording, fps)
    palette = _palette(frames(recording, moments(recording, min(len(times), GIF_SAMPLES)), *size))
    pictures = (Image.fromarray(frame) for frame in frames(recording, times, *size))
    flat = (picture.quantize(palette=palette, dither=Image.Dither.NONE) for picture in pictures)
    first = next(flat)
    first.save(path, save_all=True, append_images=flat, duration=round(1000 / fps), loop=0, disposal=1)


def ffmpeg() -> str:
    """Path of the ffmpeg program, or BadInput that says how to get one."""
    try:
        import imageio_ffmpeg

        return imageio_ffmpeg.get_ffmpeg_exe()
    except (ImportError, RuntimeError) as error:
        raise BadInput(
            'writing .mp4 needs the package imageio-ffmpeg, which is not installed: pip install "poise[video]" '
            "(or write a .gif, which needs nothing more)"
        ) from error


def frame_times(recording: Recording, fps: float) -> np.ndarray:
    """Times of the frames [s], from the first record to the last."""
    start, end = recording.time[[0, -1]]
    return start + np.arange(int(np.floor((end - start) * fps + 1e-6)) + 1) / fps


def _palette(some: Iterable[np.ndarray]) -> Image.Image:
    """The colours of a few frames together, with the reds of the arrows, which are small but matter."""
    from PIL import Image

    from poise.draw.look import ARROW

    strip = np.concatenate(list(some))
    shades = np.outer(np.linspace(60, 255, GIF_REDS), ARROW).astype(np.uint8)
    reds = np.repeat(shades, strip.shape[1] // GIF_REDS + 1, axis=0)[: strip.shape[1]]
    rows = len(strip) // 12  # enough that the reduction of colours does not pass over them
    strip = np.concatenate([strip, np.broadcast_to(reds, (rows, *reds.shape))])
    return Image.fromarray(strip).quantize(GIF_COLOURS, method=Image.Quantize.MEDIANCUT)


def _close(process: subprocess.Popen) -> None:
    """Let ffmpeg finish, also when it has ended by itself."""
    assert process.stdin is not None
    with contextlib.suppress(BrokenPipeError):
        process.stdin.close()
    process.wait()
