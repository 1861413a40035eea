"""Files read whole, and written whole or not at all."""

from __future__ import annotations

import os
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from poise.errors import BadInput


@contextmanager
def contents(path: str | os.PathLike[str]) -> Iterator[bytes]:
    """The bytes of a file for the block that understands them; its complaints then name the file."""
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise BadInput(f"cannot read '{path}': {error.strerror or error}") from error
    try:
        yield data
    except BadInput as error:
        raise BadInput(f"'{path}' {error}") from error


@contextmanager
def atomic(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Give a temporary path beside the target, with the same ending; rename it when the block ends well."""
    target = Path(path)
    part = _beside(target)
    try:
        yield part
        os.chmod(part, 0o666 & ~_umask())
        os.replace(part, target)
    except OSError as error:
        raise BadInput(f"cannot write '{target}': {error.strerror or error}") from error
    finally:
        part.unlink(missing_ok=True)


def save_arrays(path: str | os.PathLike[str], **arrays: np.typing.ArrayLike) -> None:
    """Write arrays to one compressed .npz file."""
    with atomic(path) as part, open(part, "wb") as file:
        np.savez_compressed(file, **arrays)  # type: ignore[arg-type]


def load_arrays(path: str | os.PathLike[str], complaint: str, *needed: str) -> dict[str, np.ndarray]:
    """Arrays of an .npz file; one that cannot be read, or lacks what is needed, is BadInput with a complaint."""
    try:
        with np.load(path, allow_pickle=False) as file:
            if missing := sorted(set(needed) - set(file.files)):
                raise ValueError(f"it lacks {', '.join(missing)}")
            return {name: file[name] for name in file.files}
    except (OSError, ValueError, EOFError, zipfile.BadZipFile) as error:
        raise BadInput(f"{path} {complaint}: {error}") from None


def check_folder(target: Path) -> None:
    """Raise BadInput unless a file can be made at that path."""
    if target.is_dir():
        raise BadInput(f"cannot write '{target}': it is a folder; give the name of a file in it")
    _beside(target).unlink()


def _beside(target: Path) -> Path:
    folder = target.parent
    if not folder.is_dir():
        why = "is not a folder" if folder.exists() else "does not exist"
        raise BadInput(f"cannot write '{target}': the folder '{folder}' {why}")
    try:
        handle, name = tempfile.mkstemp(prefix=f".{target.stem[:40]}-", suffix=target.suffix, dir=folder)
    except OSError as error:
        raise BadInput(f"cannot write in folder '{folder}': {error.strerror}") from error
    os.close(handle)
    return Path(name)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
