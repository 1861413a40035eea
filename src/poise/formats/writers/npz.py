"""The take itself: every series as float64 and everything else as JSON text, in one .npz without pickle."""

from __future__ import annotations

import json
import zipfile
import zlib
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from poise.errors import BadInput
from poise.record.recording import Recording, Series, plain

FORMAT = "poise-take"
VERSION = 1
FIELDS = ("info", "model_xml", "metrics", "fell", "fall_time", "steps", "real_time_factor", "notes")
BROKEN = (OSError, ValueError, KeyError, TypeError, EOFError, AttributeError, zipfile.BadZipFile, zlib.error)


def save(recording: Recording, path: Path) -> None:
    """Write a take so that `load` gives it back bit for bit."""
    head = {"format": FORMAT, "version": VERSION}
    head |= {name: plain(getattr(recording, name)) for name in FIELDS}
    head["series"] = {name: [s.unit, s.frame, list(s.names)] for name, s in recording.series.items()}
    arrays: dict[str, Any] = {f"series/{name}": s.values for name, s in recording.series.items()}
    with open(path, "wb") as file:
        np.savez_compressed(file, take=np.array(json.dumps(head)), time=recording.time, **arrays)


def load(path: str | PathLike[str]) -> Recording:
    """Read a take; a file that is missing, damaged or from elsewhere is BadInput."""
    path = Path(path)
    if not path.is_file():
        raise BadInput(f"take '{path}' not found: no such file")
    try:
        with np.load(path, allow_pickle=False) as file:
            return _read(file)
    except BadInput as error:
        raise BadInput(f"'{path}' {error}") from error
    except BROKEN as error:
        why = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise BadInput(f"'{path}' is not a take of Poise, or it is damaged ({why})") from error


def _read(file: np.lib.npyio.NpzFile) -> Recording:
    head = json.loads(str(file["take"]))
    if head.get("format") != FORMAT:
        raise BadInput(f"is not a take of Poise: its format is {head.get('format')!r}")
    if head["version"] > VERSION:
        raise BadInput(f"was written by a newer Poise: take version {head['version']}, known is {VERSION}")
    time = _array(file, "time", (-1,))
    series = {}
    for name, (unit, frame, names) in head["series"].items():
        values = _array(file, f"series/{name}", (len(time), len(names)))
        series[name] = Series(values, unit, frame, tuple(names))
    return Recording(time=time, series=series, **{name: head[name] for name in FIELDS})


def _array(file: np.lib.npyio.NpzFile, name: str, shape: tuple[int, ...]) -> np.ndarray:
    values = file[name]
    fits = values.ndim == len(shape) and all(b in (-1, a) for a, b in zip(values.shape, shape, strict=True))
    if values.dtype != np.float64 or not fits:
        raise BadInput(f"is damaged: {name} is {values.dtype} {values.shape}, expected float64 {shape}")
    values.flags.writeable = False
    return values
