"""A film, through the ffmpeg that imageio-ffmpeg brings."""

from __future__ import annotations

import contextlib
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from poise.draw.shot import Shot
from poise.errors import BadInput, PoiseError
from poise.formats.moments import film_times

if TYPE_CHECKING:
    from poise.record.recording import Recording

FPS = 30
PLAIN = Shot()
SIZE = (1280, 720)  # width, height [pixels]


def save(recording: Recording, path: Path, shot: Shot = PLAIN) -> None:
    """Write H.264 video at the speed of life."""
    exe, fps, size = ffmpeg(), shot.fps or FPS, shot.size or SIZE
    source = [
        "-f",
        "rawvideo",
        "-pix_fmt",
        "rgb24",
        "-s",
        f"{size[0]}x{size[1]}",
        "-r",
        f"{fps:g}",
        "-i",
        "-",
    ]
    coding = ["-an", "-c:v", "libx264", "-preset", "veryfast", "-crf", "19", "-pix_fmt", "yuv420p",
              "-vf", "crop=trunc(iw/2)*2:trunc(ih/2)*2"]  # fmt: skip
    command = [exe, "-y", "-loglevel", "error", *source, *coding, "-movflags", "+faststart", str(path)]
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=log, stderr=log)
        assert process.stdin is not None
        try:
            for frame in shot.frames(recording, film_times(recording, fps), SIZE):
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


check = ffmpeg  # before a long simulation


def _close(process: subprocess.Popen) -> None:
    """Let ffmpeg finish, also when it has ended by itself."""
    assert process.stdin is not None
    with contextlib.suppress(BrokenPipeError):
        process.stdin.close()
    process.wait()
