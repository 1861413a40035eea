"""Files read whole within their budgets, and written whole or not at all."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from zlib import crc32

import numpy as np

from poise import gate
from poise.errors import BadInput
from poise.packed import pack, unpacked

HOST = f"{crc32(os.uname().nodename.encode()) if hasattr(os, 'uname') else 0:08x}"
PARTIAL = re.compile(r"\.poise-([0-9a-f]{8})-(\d+)-")  # host and process that write, or wrote, the file


@contextmanager
def contents(path: str | os.PathLike[str]) -> Iterator[bytes]:
    """The bytes of a file for the block that understands them; its complaints then name the file."""
    data = gate.read(path)
    try:
        with gate.gate("cannot be understood"):
            yield data
    except BadInput as error:
        raise BadInput(f"'{path}' {error}") from error


@contextmanager
def atomic(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Give a temporary path beside the target, with the same ending; rename it when the block ends well.

    A link stays one: the file that it names is replaced. What a process that was killed left there is removed.
    """
    target = Path(os.path.realpath(path))
    part = _beside(target)
    try:
        yield part
        os.chmod(part, 0o666 & ~_umask())
        os.replace(part, target)
    except OSError as error:
        raise BadInput(f"cannot write '{path}': {error.strerror or error}") from error
    finally:
        part.unlink(missing_ok=True)


def put(path: str | os.PathLike[str], text: str) -> None:
    """Write a text file."""
    with atomic(path) as part:
        part.write_text(text, encoding="utf-8")


def save_arrays(path: str | os.PathLike[str], **arrays: np.typing.ArrayLike) -> None:
    """Write arrays to one compressed .npz file."""
    with atomic(path) as part:
        pack(part, arrays)


def load_arrays(path: str | os.PathLike[str], complaint: str, *needed: str) -> dict[str, np.ndarray]:
    """Arrays of an .npz file; one that cannot be read, or lacks what is needed, is BadInput with a complaint."""
    try:
        found = unpacked(path)
        if missing := sorted(set(needed) - set(found)):
            raise BadInput(f"it lacks {', '.join(missing)}")
    except BadInput as error:
        raise BadInput(f"{path} {complaint}: {error}") from None
    return found


def check_folder(target: Path) -> None:
    """Raise BadInput unless a file can be made at that path."""
    with gate.openable(target, "write"):
        target = Path(os.path.realpath(target))
        if target.is_dir():
            raise BadInput(f"cannot write '{target}': it is a folder; give the name of a file in it")
        with suppress(FileNotFoundError, NotADirectoryError):
            os.stat(target)  # a name that is too long
    _beside(target).unlink()


def distinct(paths: list[Path]) -> list[Path]:
    """The same paths, of which no two may be one file."""
    seen: dict[str, Path] = {}
    for path in paths:
        with gate.openable(path, "write"):
            real = os.path.realpath(path)
        if real in seen:
            raise BadInput(f"'{path}' and '{seen[real]}' are one file: the second would replace the first")
        seen[real] = path
    return paths


def sweep(folder: Path) -> None:
    """Remove what killed processes of this machine left half written in a folder."""
    for entry in os.scandir(folder):
        found = PARTIAL.match(entry.name)
        if found and found[1] == HOST and not _alive(int(found[2])):
            with suppress(OSError):
                os.unlink(entry.path)


def _alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        return True  # it belongs to somebody else
    return True


def _beside(target: Path) -> Path:
    folder = target.parent
    with gate.openable(target, "write"):
        known = folder.is_dir(), folder.exists()
    if not known[0]:
        why = "is not a folder" if known[1] else "does not exist"
        raise BadInput(f"cannot write '{target}': the folder '{folder}' {why}")
    try:
        sweep(folder)
        prefix = f".poise-{HOST}-{os.getpid()}-{target.stem[:40]}-"
        handle, name = tempfile.mkstemp(prefix=prefix, suffix=target.suffix[:20], dir=folder)
    except OSError as error:
        raise BadInput(f"cannot write in folder '{folder}': {error.strerror}") from error
    os.close(handle)
    return Path(name)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
