"""Arrays packed in an .npz file, unpacked within budgets: nothing is made that the file cannot hold."""

from __future__ import annotations

import math
import os
import zipfile
import zlib
from collections.abc import Mapping
from tokenize import TokenError
from typing import IO

import numpy as np
from numpy.lib import format as npy

from poise.errors import BadInput
from poise.gate import openable, within

INFLATED = 64 << 20  # bytes that any file may inflate to, however small it is,
RATIO = 64  # and times its own size; takes inflate tenfold
MOST = 8 << 30  # bytes at the most
MEMBERS = 1000
LEVEL = 1  # of compression: numbers of a motion shrink no further by trying harder
KINDS = "fiubU"  # numbers, truth values, text; never objects
BROKEN = (ValueError, KeyError, TypeError, EOFError, SyntaxError, NotImplementedError, RuntimeError, RecursionError,
          MemoryError, OverflowError, zipfile.BadZipFile, zlib.error, TokenError)  # fmt: skip


def pack(path: str | os.PathLike[str], arrays: Mapping[str, np.typing.ArrayLike]) -> None:
    """Write arrays by name to one compressed .npz file."""
    with open(path, "wb") as file:
        archive = zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=LEVEL)
        try:
            for name, values in arrays.items():
                with archive.open(f"{name}.npy", "w", force_zip64=True) as member:
                    npy.write_array(member, np.asarray(values), allow_pickle=False)
            archive.close()
        except BaseException:
            archive.fp = None  # else it complains of a member that is open, and not of what interrupted it
            raise


def unpacked(path: str | os.PathLike[str]) -> dict[str, np.ndarray]:
    """All arrays of a file by name; what is damaged, oversized or no .npz is BadInput that says why."""
    with openable(path):
        size = os.stat(path).st_size
        file = open(path, "rb")  # noqa: SIM115 (closed below)
    with file:
        try:
            with zipfile.ZipFile(file) as archive:
                return _members(archive, size)
        except BROKEN as error:
            said = str(error).splitlines()
            raise BadInput(said[0][:200] if said else type(error).__name__) from error
        except OSError as error:
            raise BadInput(error.strerror or "it cannot be read") from error


def _members(archive: zipfile.ZipFile, size: int) -> dict[str, np.ndarray]:
    entries = archive.infolist()
    within("it", len(entries), MEMBERS, "arrays")
    within("it", sum(e.file_size for e in entries), min(INFLATED + RATIO * size, MOST), "bytes, unpacked")
    found = {}
    for entry in entries:
        with archive.open(entry) as member:
            found[entry.filename.removesuffix(".npy")] = _array(member, entry.file_size)
    return found


def _array(member: IO[bytes], size: int) -> np.ndarray:
    """One array; its header may not promise more than its bytes hold."""
    version = npy.read_magic(member)
    read = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
    shape, columns_first, kind = read(member)
    if kind.kind not in KINDS:
        raise BadInput(f"an array of {kind} is neither numbers nor text")
    count = math.prod(shape)
    if min(shape, default=0) < 0 or count * kind.itemsize > size:
        raise BadInput(f"an array of shape {shape} is said to be in {size} bytes")
    data = member.read(count * kind.itemsize)
    if len(data) < count * kind.itemsize:
        raise BadInput("the file is cut short")
    if not member.read(1) == b"":
        raise BadInput(f"an array of shape {shape} is followed by more bytes")
    values = np.frombuffer(bytearray(data), dtype=kind)
    return values.reshape(shape[::-1]).T if columns_first else values.reshape(shape)
