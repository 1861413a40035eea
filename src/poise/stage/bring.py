"""Files that are dropped on the page: capped in size, read by a child process with limits before they are used."""

from __future__ import annotations

import atexit
import base64
import binascii
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import replace
from functools import cached_property
from pathlib import Path

from poise.errors import BadInput, PoiseError
from poise.simulate import Scene, Session
from poise.stage.messages import BadMessage

LARGEST = 8 << 20  # bytes of a file
SECONDS = 60.0  # that its reader may take
MEMORY = 6 << 30  # bytes of address space that it may have
TRIED = 1.5  # [s] that a body must stand to be let roam
MOTIONS, BODIES = (".bvh",), (".xml", ".mjcf", ".urdf")
ENDINGS = MOTIONS + BODIES
OUTSIDE = (
    "include",
    "plugin",
    "extension",
    "import",
    "model",
)  # elements that name something outside the file,
NAMES = ("file", "plugin", "meshdir", "texturedir", "assetdir")  # and beginnings of attributes


class Upload:
    """A file on its way. Its name chooses the reader by its ending and is shown to people, no more."""

    def __init__(self, name: str, size: int):
        self.ending = Path(name).suffix.lower()
        self.label = re.sub(r"[^\w .-]", "", re.split(r"[/\\]", name)[-1])[:40] or "clip"
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

    @cached_property
    def path(self) -> Path:
        """Where the whole file lies, under a name of ours, until this process ends."""
        folder = tempfile.mkdtemp(prefix="poise-brought-")
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        path = Path(folder) / f"brought{'.xml' if self.ending == '.mjcf' else self.ending}"
        path.write_bytes(b"".join(self._parts))
        return path

    @property
    def clip(self) -> dict[str, str]:
        """A motion that other bodies may follow too: its name for people, and its file."""
        return {self.label: str(self.path)} if self.ending in MOTIONS else {}

    def scene(self) -> Scene:
        """Read it apart; then a motion is followed by its own skeleton, and a body stands there and roams if it can."""
        check(self.path)
        scene = self._scene(str(self.path))
        return replace(scene, info={**scene.info, "file": self.label})

    def _scene(self, body: str) -> Scene:
        from poise.stage.house import scene_of

        if self.ending in MOTIONS:
            return scene_of("react", motion=body)
        try:
            scene = scene_of("roam", character=body)
            return scene if _stands(scene) else scene_of("stand", character=body)
        except PoiseError:  # it has no legs to step with
            return scene_of("stand", character=body)


def _stands(scene: Scene) -> bool:
    """Whether a body stands in its scene for a while."""
    session = Session(scene)
    session.step(TRIED)
    return not session.fell


def check(path: Path) -> None:
    """Read a file in a child process with limits of time and memory. Raises BadInput."""
    command = [sys.executable, "-m", "poise.stage.bring", str(path)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        raise BadInput(f"the file took longer than {SECONDS:.0f} s to read") from None
    if done.returncode:
        said = done.stderr.strip().splitlines()
        raise BadInput(said[-1][:300].replace(str(path), "the file") if said else "the file cannot be read")


def closed(path: Path) -> None:
    """Refuse a description of a body that reaches outside its file: it would open what others named."""
    from xml.etree import ElementTree

    text = path.read_bytes()
    if b"<!doctype" in text.lower() or b"<!entity" in text.lower():
        raise BadInput("the file defines entities; that is not taken")
    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        raise BadInput(f"the file is no XML: {error}") from None
    for element in root.iter():
        tag = str(element.tag).lower()
        asked = [name for name in element.attrib if name.lower().startswith(NAMES)]
        if tag in OUTSIDE or asked:
            what = f"<{tag}>" if tag in OUTSIDE else f"{asked[0]}={element.attrib[asked[0]][:40]!r}"
            raise BadInput(
                f"the file names others ({what}); only one that holds everything itself is taken here"
            )


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


def read(path: Path) -> None:
    """Read a motion or a body as the stage will."""
    if path.suffix in MOTIONS:
        from poise.capture.load import load

        load(str(path))
        return
    from poise.character import Character

    closed(path)
    Character.named(str(path))


def main(path: str) -> int:
    """The child: read a file, say what is wrong with it."""
    limited()
    try:
        read(Path(path))
    except PoiseError as error:
        print(" ".join(str(error).split()), file=sys.stderr)
        return 2
    except (MemoryError, Exception) as error:
        print(f"the file cannot be read: {type(error).__name__}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
