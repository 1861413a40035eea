"""Files that a robot description points at, found although its packages are not installed."""

from __future__ import annotations

from pathlib import Path

CLIMB = 8  # folders above the description that are tried


def find_file(uri: str, description: Path) -> Path | None:
    """The file of ``package://name/path``, of a relative path, or of an absolute path of another machine.

    Every tail of the path is tried in the description's folder and in those above it, the longest tail first.
    """
    text = uri.strip().replace("\\", "/")
    for scheme in ("package://", "model://", "file://"):
        text = text.removeprefix(scheme)
    if text.startswith("/") and Path(text).is_file():
        return Path(text)
    parts = [part for part in text.split("/") if part not in ("", ".")]
    folders = [description.resolve().parent, *description.resolve().parent.parents][:CLIMB]
    for start in range(len(parts)):
        for folder in folders:
            candidate = folder.joinpath(*parts[start:])
            if candidate.is_file():
                return candidate
    return None
