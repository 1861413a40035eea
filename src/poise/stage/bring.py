"""Files that are dropped on the page: capped in size, read by a child process with limits before they are used."""

from __future__ import annotations

import atexit
import base64
import binascii
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from poise.errors import BadInput
from poise.simulate import Scene
from poise.stage.messages import BadMessage

LARGEST = 8 << 20  # bytes of a motion file
SECONDS = 60.0  # that its reader may take
MEMORY = 6 << 30  # bytes of address space that it may have
ENDINGS = (".bvh",)


class Upload:
    """A file on its way. Its name chooses the reader by its ending and is used for nothing else."""

    def __init__(self, name: str, size: int):
        self.ending = Path(name).suffix.lower()
        if self.ending not in ENDINGS:
            raise BadInput(
                f"a file with ending {self.ending[:12]!r} is not taken; taken: {', '.join(ENDINGS)}"
            )
        if size > LARGEST:
            raise BadInput(f"a file of {size >> 20} MB; {LARGEST >> 20} MB at the most")
        self.size, self._parts, self.have = size, [], 0

    def add(self, data: str) -> bool:
        """Take a part, base64; true when the file is whole."""
        try:
            part = base64.b64decode(data, validate=True)
        except (binascii.Error, ValueError):
            raise BadMessage("a part that is not base64") from None
        if not part or self.have + len(part) > self.size:
            raise BadMessage(f"a part of {len(part)} bytes after {self.have} of {self.size}")
        self._parts.append(part)
        self.have += len(part)
        return self.have == self.size

    def scene(self) -> Scene:
        """Read it apart, and make a scene that follows it on its own skeleton."""
        from poise.stage.house import scene_of

        folder = tempfile.mkdtemp(prefix="poise-brought-")
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        path = Path(folder) / f"brought{self.ending}"
        path.write_bytes(b"".join(self._parts))
        check(path)
        return scene_of("react", motion=str(path))


def check(path: Path) -> None:
    """Read a motion file in a child process with limits of time and memory. Raises BadInput."""
    command = [sys.executable, "-m", "poise.stage.bring", str(path)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        raise BadInput(f"the file took longer than {SECONDS:.0f} s to read") from None
    if done.returncode:
        said = done.stderr.strip().splitlines()
        raise BadInput(said[-1][:300].replace(str(path), "the file") if said else "the file cannot be read")


def limited() -> None:
    """Bound what this process may use, where the system can."""
    try:
        import resource
    except ImportError:  # Windows: the time limit of the parent is all there is
        return
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (int(SECONDS), int(SECONDS)))
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 26, 1 << 26))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def main(path: str) -> int:
    """The child: read a file, say what is wrong with it."""
    limited()
    from poise.capture.load import load
    from poise.errors import PoiseError

    try:
        load(path)
    except PoiseError as error:
        print(error, file=sys.stderr)
        return 2
    except (MemoryError, Exception) as error:
        print(f"the file cannot be read: {type(error).__name__}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
