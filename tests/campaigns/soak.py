"""make soak: scenes that run on and on, handed out in parts; memory stays flat, and no fall is the last word."""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import gc
import json
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path

import poise
from poise.formats import parts
from poise.record.recording import Recording
from poise.simulate import stream

FLAT = 0.05  # part by which memory may grow after the first parts
SETTLED = 4  # parts before memory is looked at
LONG = 86400.0  # [s]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0, help="of the clock, all scenes together")
    parser.add_argument(
        "--simulated", type=float, default=0.0, help="of each scene; then the clock does not count"
    )
    parser.add_argument("--scenes", default="stand,walk")
    parser.add_argument(
        "--keep", type=Path, help="folder for the takes; each is verified by a second process meanwhile"
    )
    asked = parser.parse_args()
    if asked.keep and not asked.simulated:
        parser.error("a take that is kept needs an end: --simulated")
    names = asked.scenes.split(",")
    return max([run(name, asked.seconds / len(names), asked.simulated, asked.keep) for name in names])


def run(name: str, seconds: float, simulated: float, keep: Path | None) -> int:
    """Run one scene until the time is up; 1 where memory grew, the body lies at the end, or a take is not repeated."""
    takes: Iterable[Recording] = stream(poise.scene(name, seconds=simulated or LONG))
    verifier = None
    if keep is not None:
        keep.mkdir(parents=True, exist_ok=True)
        takes = parts.save(takes, keep / f"{name}{parts.ENDING}")
        verifier = _verifier(keep / f"{name}{parts.ENDING}")
    first = now = most = resident()
    begun, take = time.monotonic(), None
    for part, made in enumerate(takes):
        take, now = made, resident()
        first, most = (now, now) if part < SETTLED else (first, max(most, now))
        if not simulated and time.monotonic() - begun > seconds:
            break
    assert take is not None
    falls, up = (int(take.metrics.get(key) or 0) for key in ("falls", "up_again"))
    lies = falls > up + 1 if "falls" in take.metrics else take.fell  # the last fall may still go on
    print(f"scene={name} simulated_s={take.time[-1]:.0f} fell={take.fell} falls={falls} up_again={up} "
          f"memory_mb={first / 2**20:.0f} most={100 * (most / first - 1):+.1f}% "
          f"end={100 * (now / first - 1):+.1f}%", flush=True)  # fmt: skip
    differs = verifier is not None and _differs(name, verifier)
    return int(lies or most > (1 + FLAT) * first or differs)


def _verifier(folder: Path) -> subprocess.Popen[str]:
    """A process that simulates a take again while it is being made."""
    command = [sys.executable, "-m", "poise", "replay", folder, "--verify", "--follow", "--json"]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)


def _differs(name: str, verifier: subprocess.Popen[str]) -> bool:
    """Whether a take was not the same again; waits for the verdict."""
    found = json.loads(verifier.communicate()[0].splitlines()[-1])
    print(f"scene={name} verified={found['equal']} records={found['records']}", flush=True)
    return not found["equal"]


def resident() -> int:
    """Memory of this process's own now [bytes], without what Python and the allocator keep for later."""
    gc.collect()
    with contextlib.suppress(AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
    pages, of_files = (int(n) for n in Path("/proc/self/statm").read_text().split()[1:3])
    return (pages - of_files) * 4096


if __name__ == "__main__":
    sys.exit(main())
