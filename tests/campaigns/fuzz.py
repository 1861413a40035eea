"""make fuzz: mutated files for every reader, nasty values for every option, wild takes; bounded in time, seeded.

Each part runs in a child of its own, so that a crash of the engine is found as well. A finding is whatever is neither
read nor refused with BadInput, takes more than CPU_S, or writes a number that is not finite. It is made smaller and
kept in tests/corpus/, where tests/test_corpus.py reads it from then on.
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
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))
CORPUS = Path(__file__).parents[1] / "corpus"
CPU_S = 5.0  # that one input may take
MEMORY = 3 << 30  # bytes of address space a child may use beyond what it starts with
COMPILING_S = 60.0  # that the first good input may take


def main() -> int:
    from campaigns.samples import READERS

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0, help="of all parts together")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="", help="one part: a reader, options or takes")
    parser.add_argument("--child", default="", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.child:
        print(json.dumps(child(asked.child, asked.seconds, asked.seed)))
        return 0
    parts = [asked.only] if asked.only else [*READERS, "options", "options", "takes", "takes"]
    found = [part(name, asked.seconds / len(parts), asked.seed + k) for k, name in enumerate(parts)]
    for row in found:
        print(" ".join(f"{key}={value}" for key, value in row.items() if key != "findings"))
        for finding in row["findings"]:
            print("  FOUND", finding)
    total = sum(row["inputs"] for row in found)
    print(f"total inputs={total} findings={sum(len(row['findings']) for row in found)}")
    return int(any(row["findings"] for row in found))


def part(name: str, seconds: float, seed: int) -> dict[str, Any]:
    """One part in a child; a child that dies is a finding."""
    words = [sys.executable, __file__, "--child", name, "--seconds", str(seconds), "--seed", str(seed)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=seconds + 300)
    if done.returncode:
        why = f"{name}: the process died with {done.returncode}: {done.stderr[-300:]}"
        return {"part": name, "inputs": 0, "findings": [why]}
    return json.loads(done.stdout.splitlines()[-1])


def child(name: str, seconds: float, seed: int) -> dict[str, Any]:
    from campaigns import options, takes

    rng = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        if name == "options":
            return options.campaign(seconds, rng)
        if name == "takes":
            return takes.campaign(seconds, rng, Path(folder))
        return files(name, seconds, rng, Path(folder))


def files(name: str, seconds: float, rng: random.Random, folder: Path) -> dict[str, Any]:
    """Mutate the sample of one reader until the time is up."""
    from campaigns.mutate import mutated, smallest
    from campaigns.samples import READERS

    ending, sample, read = READERS[name]
    good = sample(folder)
    path = folder / f"case{ending}"
    complaint, _, no = attempt(path, good, read)
    assert complaint is None and not no, f"the sample of {name} is not read: {complaint}"
    limit = resource.getrlimit(resource.RLIMIT_AS)[1]
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY + 4 * resident(), limit))
    inputs, refused, slowest, findings = 0, 0, 0.0, {}
    begun = time.monotonic()
    while time.monotonic() - begun < seconds:
        data = mutated(good, rng)
        kind, cpu, no = attempt(path, data, read)
        inputs, refused, slowest = inputs + 1, refused + no, max(slowest, cpu)
        if kind is not None and kind not in findings:
            bad = smallest(data, lambda d, kind=kind: attempt(path, d, read)[0] == kind)
            findings[kind] = keep(name, kind, bad, ending)
    return {"part": name, "inputs": inputs, "refused": refused, "slowest_s": round(slowest, 2),
            "peak_mb": resident() >> 20, "findings": [f"{k} in {v}" for k, v in findings.items()]}  # fmt: skip


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
    if kind is None and cpu > CPU_S and time.process_time() > COMPILING_S:
        kind = "slow"
    return kind, cpu, no


def keep(name: str, kind: str, data: bytes, ending: str) -> str:
    """Put a bad case where the tests find it."""
    from zlib import crc32

    target = CORPUS / f"{name}-{crc32(kind.encode()):08x}{ending}"
    target.write_bytes(data)
    return str(target)


def resident() -> int:
    """Peak memory of this process [bytes]."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


if __name__ == "__main__":
    sys.exit(main())
