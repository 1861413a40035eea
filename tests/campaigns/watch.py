"""One part of a campaign in children: each input is noted before it is tried, so that one that kills is known."""

from __future__ import annotations

import json
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

CPU_S = 5.0  # that one input may take
HANG_S = 60.0  # of CPU time: an input that takes so long ends its process
MEMORY = 1 << 30  # bytes that a child may use
DEATHS = 20  # after so many a part is given up


@dataclass
class Watch:
    """What a child tries, for how long it goes on, and what was wrong: each kind of finding once.

    Args:
        note: File for the input that is tried now.
        seconds: How long to go on, where no number of inputs is given.
        inputs: After how many inputs to end; 0 leaves it to the time.
    """

    note: Path
    seconds: float
    inputs: int
    tried: int = 0
    refused: int = 0
    slowest: float = 0.0
    findings: dict[str, str] = field(default_factory=dict)
    begun: float = 0.0  # when the first input was asked for [s]

    def left(self) -> bool:
        """Whether to go on."""
        self.begun = self.begun or time.monotonic()
        return self.tried < self.inputs if self.inputs else time.monotonic() - self.begun < self.seconds

    def attempt(self, what: str, work: Callable[[], str | None], inputs: int = 1) -> None:
        """Try an input: it is done, refused, or a finding; ``work`` returns a complaint, or nothing.

        One that takes long is tried again, since it may have compiled on the way.
        """
        self.note.write_text(json.dumps([self.tried, what]))
        self.tried += inputs
        for last in (False, True):
            signal.setitimer(signal.ITIMER_PROF, HANG_S)  # from here on it may not take longer
            begun = time.process_time()
            kind, no = judged(work)
            cpu = time.process_time() - begun
            if cpu <= CPU_S or last:
                break
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10
        kind = (
            kind
            or (f"slow: {cpu:.0f} s" if cpu > CPU_S else None)
            or ("over 1 GB" if peak > MEMORY else None)
        )
        self.refused, self.slowest = self.refused + no, max(self.slowest, cpu)
        if kind is not None:
            self.found(kind, what)

    def found(self, kind: str, by: str) -> None:
        """Keep a finding, and tell of it at once."""
        if kind not in self.findings:
            print(f"found {kind} by {by}", file=sys.stderr, flush=True)
            self.findings[kind] = by

    def row(self, name: str, **more: int) -> dict[str, Any]:
        """The result of a part."""
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
        said = [f"{kind} by {by}" for kind, by in self.findings.items()]
        counts = {"part": name, "inputs": self.tried, "refused": self.refused, **more}
        return {**counts, "slowest_s": round(self.slowest, 2), "peak_mb": peak, "findings": said}


def judged(work: Callable[[], str | None]) -> tuple[str | None, bool]:
    """The complaint about an input, None where it is well, and whether it was refused."""
    from poise.errors import BadInput

    try:
        return work(), False
    except BadInput:
        return None, True
    except Exception as error:
        return f"{type(error).__name__}: {str(error)[:60]}", False


def part(words: list[str], name: str, inputs: int, seed: int) -> dict[str, Any]:
    """Run a part in children until it is through: one that dies is a finding, and the next goes on after its input."""
    total: dict[str, Any] = {"part": name, "inputs": 0, "findings": []}
    for death in range(DEATHS):
        with tempfile.TemporaryDirectory() as folder:
            note = Path(folder) / "now.json"
            more = [
                "--child",
                name,
                "--note",
                str(note),
                "--inputs",
                str(inputs),
                "--seed",
                str(seed + 1000 * death),
            ]
            done = subprocess.run([sys.executable, *words, *more], stdout=subprocess.PIPE, text=True)
            if not done.returncode:
                return added(total, json.loads(done.stdout.splitlines()[-1]))
            tried, what = json.loads(note.read_text()) if note.exists() else (0, "its start")
        how = "did not end" if done.returncode == -signal.SIGPROF else f"died with {done.returncode}"
        total["findings"].append(f"{name}: the process {how} by {what}")
        total["inputs"], inputs = total["inputs"] + tried + 1, inputs - tried - 1
        if what == "its start" or inputs <= 0:
            break
    return total


def added(total: dict[str, Any], row: dict[str, Any]) -> dict[str, Any]:
    """Counts and findings of two rows together; of times and memory the greater."""
    for key, value in row.items():
        before = total.get(key)
        if key in ("slowest_s", "peak_mb"):
            total[key] = max(value, before or 0)
        elif key != "part":
            total[key] = value if before is None else before + value
    return total
