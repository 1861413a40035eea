"""Another solver in an interpreter of its own, asked for times in turns with ours."""

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
SCRIPT = Path(__file__).with_name("placo_peer.py")


def interpreter() -> Path | None:
    """Python of the peers' environment: .venv-bench here or at the root of the source tree."""
    for root in (Path.cwd(), Path(__file__).parents[3]):
        python = root / ".venv-bench" / "bin" / "python"
        if python.exists():
            return python
    return None


def standing_task(character: Character, mu: float) -> dict[str, Any]:
    """What the peer needs besides the URDF: pose, feet, friction."""
    feet = []
    for name in character.stance:
        size = np.ptp(character.support(name).points, axis=0)
        feet.append({"frame": f"{name}_sole", "length": float(size[0]), "width": float(size[1])})
    root = [float(x) for x in character.q_rest[:3]]
    return {"rest": rest_angles(character), "root": root, "feet": feet, "mu": mu}


class Placo:
    """placo's DynamicsSolver, standing on two feet with the same body."""

    def __init__(self, python: Path, character: Character, mu: float = 0.8) -> None:
        self.folder = tempfile.TemporaryDirectory()
        body, task = Path(self.folder.name, "body.urdf"), Path(self.folder.name, "task.json")
        body.write_text(urdf(character))
        task.write_text(json.dumps(standing_task(character, mu)))
        self.process = subprocess.Popen(
            [python, SCRIPT, body, task],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def times_us(self, n: int) -> tuple[int, list[float]]:
        """Degrees of freedom, and n times of one solve [µs]."""
        assert self.process.stdin and self.process.stdout and self.process.stderr
        try:
            self.process.stdin.write(f"{n}\n")
            self.process.stdin.flush()
            answer = self.process.stdout.readline()
        except BrokenPipeError:
            answer = ""
        if not answer:
            raise PoiseError(f"placo stopped: {self.process.stderr.read().strip()[-300:]}")
        found = json.loads(answer)
        return found["dof"], found["us"]

    def close(self) -> None:
        """End the other process."""
        self.process.communicate()
        self.folder.cleanup()
