"""Compiled forms on disk: one file for each function and signature, checked when read, replaced in one go."""

from __future__ import annotations

import hashlib
import os
import pickle
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

from poise.compiled import quick
from poise.compiled.digest import digest
from poise.compiled.folder import folder

if TYPE_CHECKING:
    from poise.compiled.function import Function

ENDING = ".nbc"
SUM = 32  # bytes of the check sum in front
OLD = 7 * 86400.0  # [s]: files of an older text of a function are removed after this long
LETTERS = 16  # of a digest in a file name


class Kept:
    """What numba asks of a cache, for one function.

    The name of a file holds the digest of the function with all it calls, and that of signature and processor: nothing
    is looked up in an index, so processes that compile the same at one time cannot break one another.
    """

    def __init__(self, function: Function) -> None:
        self.function = function
        self.name = f"{function.py_func.__module__}.{function.py_func.__qualname__}".replace("<locals>.", "")

    @property
    def cache_path(self) -> str:
        """The folder."""
        return str(folder())

    def load_overload(self, sig: Any, context: Any) -> Any:
        """The compiled form for a signature, or None; a damaged file is thrown away."""
        context.refresh()
        path = self._file(sig, context.codegen())
        try:
            data = path.read_bytes()
        except OSError:
            return None
        if hashlib.sha256(data[SUM:]).digest() == data[:SUM]:
            with suppress(Exception), quick.loading():
                return _rebuilt(context, *pickle.loads(data[SUM:]))
        with suppress(OSError):
            path.unlink()
        return None

    def save_overload(self, sig: Any, cres: Any) -> None:
        """Keep a compiled form; where the disk is full or read-only, do without."""
        if cres.library.has_dynamic_globals or any(not lifted.can_cache for lifted in cres.lifted):
            return
        data = dumps(cres._reduce())
        path = self._file(sig, cres.target_context.codegen())
        with suppress(OSError):
            _write(path, hashlib.sha256(data).digest() + data)
            self._prune(path.name.split("-")[1])

    def _file(self, sig: Any, codegen: Any) -> Path:
        key = hashlib.sha256(repr((sig, codegen.magic_tuple(), quick.ON)).encode()).hexdigest()
        return folder() / f"{self.name}-{digest(self.function)[:LETTERS]}-{key[:LETTERS]}{ENDING}"

    def _prune(self, now: str) -> None:
        """Remove what was made from an older text of this function."""
        for path in folder().glob(f"{self.name}-*{ENDING}"):
            if path.name.split("-")[1] != now and path.stat().st_mtime < time.time() - OLD:
                path.unlink(missing_ok=True)

    def enable(self) -> None:
        """Part of what numba asks; this cache is always on."""

    disable = flush = enable


def kept() -> list[Path]:
    """The files of all compiled forms."""
    return sorted(folder().glob(f"*{ENDING}"))


def _rebuilt(context: Any, *parts: Any) -> Any:
    """numba's record of a compiled form; values it refers to are only kept alive where there is no machine code yet."""
    code, *others, environments = parts
    _, kind, _ = code
    rebuild: Any = CompileResult._rebuild
    cres = rebuild(context, code, *others, environments if kind == "object" else ())
    cres.library.environments = environments
    return cres


def _write(path: Path, data: bytes) -> None:
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.replace(name, path)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise
