"""The take itself: every series as float64 and everything else as JSON text, in one .npz without pickle."""

from __future__ import annotations

import json
import math
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from poise.console import plain
from poise.errors import BadInput
from poise.gate import gate, openable
from poise.packed import pack, unpacked
from poise.record.recording import Recording, Series

FORMAT = "poise-take"
VERSION = 1
MOST = 2**63  # size of a whole number
REAL, NOTHING = (int, float), type(None)
SCHEMA: dict[str, tuple[type, ...]] = {
    "info": (dict,), "model_xml": (str,), "metrics": (dict,), "fell": (bool,), "fall_time": (*REAL, NOTHING),
    "steps": (int,), "real_time_factor": (*REAL, NOTHING), "notes": (list,),
}  # fmt: skip
LATER: dict[str, tuple[type, ...]] = {"blew_up": (*REAL, NOTHING)}  # that older takes have not
INFO: dict[str, tuple[type, ...]] = {
    "scene": (str,), "character": (str,), "seconds": REAL, "seed": (int,), "options": (dict,), "pushes": (list,),
    "dt": REAL, "record_hz": REAL, "version": (str,), "motion": (dict,), "character_asked": (str, NOTHING),
    "direction": (dict,), "part": (int,), "ends": (bool,),
}  # fmt: skip
FOREIGN = "is not a take of Poise, or it is damaged"


def save(recording: Recording, path: Path) -> None:
    """Write a take so that `load` gives it back bit for bit; a metric that is not finite is none."""
    head = {"format": FORMAT, "version": VERSION}
    head |= {name: plain(getattr(recording, name), finite=True) for name in (*SCHEMA, *LATER)}
    head["series"] = {name: [s.unit, s.frame, list(s.names)] for name, s in recording.series.items()}
    arrays = {f"series/{name}": s.values for name, s in recording.series.items()}
    pack(path, {"take": np.array(json.dumps(head, allow_nan=False)), "time": recording.time, **arrays})


def load(path: str | PathLike[str]) -> Recording:
    """Read a take; a file that is missing, damaged or from elsewhere is BadInput."""
    path = Path(path)
    with openable(path):
        if not path.is_file():
            raise BadInput(f"take '{path}' not found: no such file")
    try:
        arrays = unpacked(path)
    except BadInput as error:
        raise BadInput(f"'{path}' {FOREIGN} ({error})") from error
    with gate(f"'{path}' {FOREIGN}"):
        try:
            return _read(arrays)
        except BadInput as error:
            raise BadInput(f"'{path}' {error}") from error


def _read(file: dict[str, np.ndarray]) -> Recording:
    if "take" not in file or file["take"].shape != ():
        raise BadInput(FOREIGN)
    head = json.loads(str(file["take"]))
    if not isinstance(head, dict) or head.get("format") != FORMAT:
        raise BadInput(f"{FOREIGN}: its head does not say {FORMAT!r}")
    if not isinstance(head.get("version"), int) or head["version"] > VERSION:
        raise BadInput(
            f"was written by a newer Poise: take version {head.get('version')}, known is {VERSION}"
        )
    fields = _typed("", head, SCHEMA, True) | _typed("", head, LATER, False)
    _typed("info.", head["info"], INFO, False)
    if fields["fell"] != (fields["fall_time"] is not None):
        raise BadInput("is damaged: a take that fell has a time of falling, and no other")
    if not all(isinstance(text, str) for text in (*fields["notes"], *head["info"].get("pushes", []))):
        raise BadInput("is damaged: a note or a push is no text")
    time = _array(file, "time", (-1,))
    series = {}
    for name, (unit, frame, names) in _columns(head).items():
        values = _array(file, f"series/{name}", (len(time), len(names)))
        series[name] = Series(values, str(unit), str(frame), tuple(map(str, names)))
    if fields["real_time_factor"] is None:
        fields["real_time_factor"] = math.nan
    return Recording(time=time, series=series, **fields)


def _columns(head: dict[str, Any]) -> dict[str, list[Any]]:
    """Unit, frame and names of the columns of each series."""
    found: Any = head.get("series")
    for kind in found.values() if isinstance(found, dict) else [None]:
        if not isinstance(kind, list) or [type(part) for part in kind] != [str, str, list]:
            raise BadInput("is damaged: a series has no unit, frame and names of columns")
    return found


def _typed(
    where: str, found: dict[str, Any], schema: dict[str, tuple[type, ...]], needed: bool
) -> dict[str, Any]:
    """Those of the schema that are there, each of its type."""
    for name, kinds in schema.items():
        if name not in found and needed:
            raise BadInput(f"is damaged: it lacks {where}{name}")
        value = found.get(name)
        wrong = name in found and (
            not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds)
        )
        huge = isinstance(value, int) and abs(value) > MOST
        if wrong or huge or (isinstance(value, float) and not needed and not math.isfinite(value)):
            raise BadInput(f"is damaged: {where}{name} is {str(value)[:40]!r}")
    return {name: found[name] for name in schema if name in found}


def _array(file: dict[str, np.ndarray], name: str, shape: tuple[int, ...]) -> np.ndarray:
    if name not in file:
        raise BadInput(f"is damaged: it lacks {name}")
    values = file[name]
    fits = values.ndim == len(shape) and all(b in (-1, a) for a, b in zip(values.shape, shape, strict=True))
    if values.dtype != np.float64 or not fits:
        raise BadInput(f"is damaged: {name} is {values.dtype} {values.shape}, expected float64 {shape}")
    values.flags.writeable = False
    return values
