"""make fuzz: mutated files for every reader, nasty values for every option, wild takes; bounded in time, seeded.

Each part runs in a child of its own, so that a crash of the engine is found as well. A finding is whatever is neither
read nor refused with BadInput, takes more than CPU_S or MEMORY, or writes a number that is not sane. It is made
smaller and kept in tests/corpus/, where tests/test_corpus.py reads it from then on. With --inputs N the parts end by
number: N files (by the shares of samples.SHARES), N / 5 values of options, N / 50 wild takes.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))
CORPUS = Path(__file__).parents[1] / "corpus"
CPU_S = 5.0  # that one input may take
MEMORY = 1 << 30  # bytes that a child may use


def main() -> int:
    from campaigns.samples import READERS

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0, help="of all parts together")
    parser.add_argument(
        "--inputs", type=int, default=0, help="files instead, and options and takes in proportion"
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--only", default="", help="some parts: readers, files for all of them, options or takes"
    )
    parser.add_argument("--child", default="", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.child:
        print(json.dumps(child(asked.child, Budget(asked.seconds, asked.inputs), asked.seed)))
        return 0
    only = asked.only.replace("files", ",".join(READERS)).split(",")
    parts = only if asked.only else [*READERS, "options", "options", "takes", "takes"]
    if asked.inputs:
        parts = list(dict.fromkeys(parts))
    found = []
    for k, name in enumerate(parts):
        found.append(row := part(name, asked.seconds / len(parts), share(name, asked.inputs), asked.seed + k))
        print(" ".join(f"{key}={value}" for key, value in row.items() if key != "findings"), flush=True)
        for finding in row["findings"]:
            print("  FOUND", finding, flush=True)
    total = sum(row["inputs"] for row in found)
    print(f"total inputs={total} findings={sum(len(row['findings']) for row in found)}")
    return int(any(row["findings"] for row in found))


@dataclass(frozen=True)
class Budget:
    """How long a part goes on: for some time, or, where it is given, for a number of inputs."""

    seconds: float
    inputs: int

    def left(self, begun: float, inputs: int) -> bool:
        return inputs < self.inputs if self.inputs else time.monotonic() - begun < self.seconds


def share(name: str, inputs: int) -> int:
    """Inputs of one part."""
    from campaigns.samples import SHARES

    return inputs // {"options": 5, "takes": 50}[name] if name not in SHARES else round(inputs * SHARES[name])


def part(name: str, seconds: float, inputs: int, seed: int) -> dict[str, Any]:
    """One part in a child; a child that dies is a finding."""
    words = [sys.executable, __file__, "--child", name, "--seconds", str(seconds)]
    words += ["--inputs", str(inputs), "--seed", str(seed)]
    done = subprocess.run(words, stdout=subprocess.PIPE, text=True)
    if done.returncode:
        return {"part": name, "inputs": 0, "findings": [f"{name}: the process died with {done.returncode}"]}
    row = json.loads(done.stdout.splitlines()[-1])
    if row["peak_mb"] << 20 > MEMORY:
        row["findings"].append(f"{row['peak_mb']} MB were used")
    return row


def child(name: str, budget: Budget, seed: int) -> dict[str, Any]:
    from campaigns import options, takes

    rng = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        if name == "options":
            row = options.campaign(budget.left, rng)
        elif name == "takes":
            row = takes.campaign(budget.left, rng, Path(folder))
        else:
            row = files(name, budget, rng, Path(folder))
    return row | {"peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10}


def files(name: str, budget: Budget, rng: random.Random, folder: Path) -> dict[str, Any]:
    """Mutate the sample of one reader until the time is up."""
    from campaigns.mutate import mutated, smallest
    from campaigns.samples import READERS

    ending, sample, read = READERS[name]
    good = sample(folder)
    path = folder / f"case{ending}"
    complaint, _, no = attempt(path, good, read)
    complaint = None if complaint == "slow" else complaint  # it was compiled on the way
    assert complaint is None and not no, f"the sample of {name} is not read: {complaint}"
    inputs, refused, slowest, findings = 0, 0, 0.0, {}
    begun = time.monotonic()
    while budget.left(begun, inputs):
        data = mutated(good, rng)
        kind, cpu, no = attempt(path, data, read)
        inputs, refused, slowest = inputs + 1, refused + no, max(slowest, cpu)
        if kind is not None and kind not in findings:
            bad = smallest(data, lambda d, kind=kind: attempt(path, d, read)[0] == kind)
            findings[kind] = keep(name, kind, bad, ending)
    return {"part": name, "inputs": inputs, "refused": refused, "slowest_s": round(slowest, 2),
            "findings": [f"{k} in {v}" for k, v in findings.items()]}  # fmt: skip


def attempt(path: Path, data: bytes, read: Any) -> tuple[str | None, float, bool]:
    """What was wrong with reading these bytes (None: nothing), CPU time [s], and whether they were refused."""
    from poise.errors import BadInput

    path.write_bytes(data)
    begun, no, kind = time.process_time(), False, None
    try:
        read(path)
    except BadInput:
        no = True
    except Exception as error:
        kind = f"{type(error).__name__}: {str(error)[:60]}"
    cpu = time.process_time() - begun
    if kind is None and cpu > CPU_S:
        kind = "slow"
    return kind, cpu, no


def keep(name: str, kind: str, data: bytes, ending: str) -> str:
    """Put a bad case where the tests find it."""
    from zlib import crc32

    target = CORPUS / f"{name}-{crc32(kind.encode()):08x}{ending}"
    target.write_bytes(data)
    return str(target)


if __name__ == "__main__":
    sys.exit(main())
