"""Results on disk, one JSON line each, so that an interrupted sweep goes on where it stopped."""

from __future__ import annotations

import hashlib
import json
import platform
import shlex
import sys
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

import poise
from poise.console import dumps
from poise.errors import BadInput
from poise.files import put


@cache
def code_version() -> str:
    """Version of the package and a digest of its source: results of other code are not reused."""
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parents[1].rglob("*.py")):
        digest.update(path.read_bytes())
    return f"{poise.__version__}+{digest.hexdigest()[:12]}"


@cache
def versions() -> dict[str, str]:
    """What numbers depend on: the code and what it is computed with."""
    parts = {name: metadata.version(name) for name in ("mujoco", "numba", "numpy", "scipy")}
    return {"poise": code_version(), "python": platform.python_version(), **parts}


def sign(folder: Path) -> None:
    """Leave the command that made a folder's results there, and the versions."""
    command = shlex.join([Path(sys.argv[0]).name, *sys.argv[1:]])
    lines = [command, *(f"# {name} {number}" for name, number in versions().items())]
    put(folder / "command.txt", "\n".join(lines) + "\n")


def key(task: dict[str, Any]) -> str:
    """Name of a task: the same task under the same code has the same key."""
    text = json.dumps([code_version(), task], sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:24]


class Ledger:
    """Known results by key; without a path it only remembers."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.known: dict[str, dict[str, Any]] = {}
        if path is None:
            return
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch()
            text = path.read_text()
        except (OSError, UnicodeDecodeError) as error:
            raise BadInput(f"cannot keep results in {path}: {error}") from error
        if text and not text.endswith("\n"):  # killed while writing: start a fresh line
            with path.open("a") as file:
                file.write("\n")
        for line in text.splitlines():
            self._read(line)

    def _read(self, line: str) -> None:
        try:
            entry = json.loads(line)
            self.known[entry["key"]] = entry
        except (ValueError, KeyError, TypeError):
            return  # a half-written line: that task runs again

    def add(self, name: str, result: dict[str, Any]) -> None:
        """Remember a result, on disk before returning."""
        self.known[name] = {"key": name, **result}
        if self.path is not None:
            with self.path.open("a") as file:
                file.write(dumps(self.known[name]) + "\n")
