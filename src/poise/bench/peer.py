"""Other solvers, each in an interpreter of its own, asked for times in turns with ours."""

from __future__ import annotations

import json
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from poise.bench.urdf import rest_angles, urdf
from poise.character import Character
from poise.errors import PoiseError

INSTALL = "make bench-peers"
SCRIPTS = Path(__file__).with_name("peers")
READS_MJCF = {"mink_ik"}  # the others read URDF
LOOK = "import importlib.util as u, sys; print(*[n for n in sys.argv[1:] if u.find_spec(n)])"


def interpreter() -> Path | None:
    """Python of the peers' environment: .venv-bench here or at the root of the source tree."""
    for root in (Path.cwd(), Path(__file__).parents[3]):
        python = root / ".venv-bench" / "bin" / "python"
        if python.exists():
            return python
    return None


def installed(python: Path | None, names: tuple[str, ...]) -> list[str]:
    """Which packages an interpreter finds."""
    if python is None:
        return []
    return subprocess.run(
        [python, "-c", LOOK, *names], capture_output=True, text=True, check=True
    ).stdout.split()


def standing_task(character: Character, mu: float) -> dict[str, Any]:
    """What a peer that finds forces needs besides the body: pose, feet, friction."""
    feet = []
    for name in character.stance:
        size = np.ptp(character.support(name).points, axis=0)
        feet.append({"frame": f"{name}_sole", "length": float(size[0]), "width": float(size[1])})
    root = [float(x) for x in character.q_rest[:3]]
    return {"rest": rest_angles(character), "root": root, "feet": feet, "mu": mu}


class Peer:
    """One script of ``peers/`` that runs with the same body and task.

    Args:
        name: Of the script: package, then what it solves.
    """

    def __init__(self, python: Path, name: str, character: Character, task: dict[str, Any]) -> None:
        self.name, self.folder = name, tempfile.TemporaryDirectory()
        mjcf = name in READS_MJCF
        body, told = (
            Path(self.folder.name, "body.xml" if mjcf else "body.urdf"),
            Path(self.folder.name, "task"),
        )
        body.write_text(character.spec_xml if mjcf else urdf(character))
        told.write_text(json.dumps(task))
        self.process = subprocess.Popen(
            [python, SCRIPTS / f"{name}.py", body, told],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def times_us(self, n: int) -> dict[str, Any]:
        """n times of one solve (``us``) [µs], degrees of freedom (``dof``), distance from the goal (``error``) [m]."""
        assert self.process.stdin and self.process.stdout and self.process.stderr
        try:
            self.process.stdin.write(f"{n}\n")
            self.process.stdin.flush()
            answer = self.process.stdout.readline()
        except BrokenPipeError:
            answer = ""
        if not answer:
            raise PoiseError(f"{self.name} stopped: {self.process.stderr.read().strip()[-300:]}")
        return json.loads(answer)

    def close(self) -> None:
        """End the other process."""
        self.process.communicate()
        self.folder.cleanup()
