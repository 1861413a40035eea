"""make fuzz: mutated files for every reader, nasty values for every option, wild takes; bounded in time, seeded.

Each part runs in a child of its own, so that a crash of the engine is found as well, with the input that caused it. A
finding is whatever is neither read nor refused with BadInput, takes more than CPU_S or MEMORY, or writes a number that
is not sane. Files are made smaller and kept in tests/corpus/, where tests/test_corpus.py reads them from then on. With
--inputs N the parts end by number: N files (by the shares of samples.SHARES), N / 5 values of options, N / 50 takes.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))
CORPUS = Path(__file__).parents[1] / "corpus"


def main() -> int:
    from campaigns.samples import READERS
    from campaigns.watch import Watch, part

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
    parser.add_argument("--note", type=Path, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.child:
        print(json.dumps(child(asked.child, Watch(asked.note, asked.seconds, asked.inputs), asked.seed)))
        return 0
    only = asked.only.replace("files", ",".join(READERS)).split(",")
    parts = only if asked.only else [*READERS, "options", "options", "takes", "takes"]
    if asked.inputs:
        parts = list(dict.fromkeys(parts))
    found = []
    for k, name in enumerate(parts):
        words = [__file__, "--seconds", str(asked.seconds / len(parts))]
        found.append(row := part(words, name, share(name, asked.inputs), asked.seed + k))
        print(" ".join(f"{key}={value}" for key, value in row.items() if key != "findings"), flush=True)
        for finding in row["findings"]:
            print("  FOUND", finding, flush=True)
    total = sum(row["inputs"] for row in found)
    print(f"total inputs={total} findings={sum(len(row['findings']) for row in found)}")
    return int(any(row["findings"] for row in found))


def share(name: str, inputs: int) -> int:
    """Inputs of one part."""
    from campaigns.samples import SHARES

    return inputs // {"options": 5, "takes": 50}[name] if name not in SHARES else round(inputs * SHARES[name])


def child(name: str, watch: Any, seed: int) -> dict[str, Any]:
    """One part, in this process."""
    from campaigns import options, takes

    rng = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        if name == "options":
            return options.campaign(watch, rng)
        if name == "takes":
            return takes.campaign(watch, rng, Path(folder))
        return files(name, watch, rng, Path(folder))


def files(name: str, watch: Any, rng: random.Random, folder: Path) -> dict[str, Any]:
    """Mutate the sample of one reader until the time is up."""
    from campaigns.mutate import mutated, smallest
    from campaigns.samples import READERS
    from campaigns.watch import judged

    ending, sample, read = READERS[name]
    good = sample(folder)
    path = folder / f"case{ending}"

    def quietly() -> None:
        read(path)

    def complaint(data: bytes) -> tuple[str | None, bool]:
        path.write_bytes(data)
        return judged(quietly)

    assert complaint(good) == (None, False), f"the sample of {name} is not read: {complaint(good)}"
    while watch.left():
        path.write_bytes(data := mutated(good, rng))
        known = set(watch.findings)
        watch.attempt(f"{len(data)} bytes: {data[:2000]!r}", quietly)
        for kind in set(watch.findings) - known:
            bad = smallest(data, lambda d, kind=kind: complaint(d)[0] == kind)
            watch.findings[kind] = keep(name, kind, bad, ending)
    return watch.row(name)


def keep(name: str, kind: str, data: bytes, ending: str) -> str:
    """Put a bad case where the tests find it."""
    from zlib import crc32

    target = CORPUS / f"{name}-{crc32(kind.encode()):08x}{ending}"
    target.write_bytes(data)
    return str(target)


if __name__ == "__main__":
    sys.exit(main())
