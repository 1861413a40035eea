"""make soak: scenes that run on and on in one session; memory stays flat, and nobody falls."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import poise

FLAT = 0.05  # part by which memory may grow after the first minute of simulated time
KEEP_S = 10.0  # of records kept
SETTLE_S = 60.0  # of simulated time before memory is looked at


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0, help="of the clock, all scenes together")
    parser.add_argument("--scenes", default="stand,walk")
    asked = parser.parse_args()
    names = asked.scenes.split(",")
    return max([run(name, asked.seconds / len(names)) for name in names])


def run(name: str, seconds: float) -> int:
    """Step one scene until the time is up; 1 where memory grew or the body fell."""
    session = poise.Session(poise.scene(name, seconds=3600.0), keep=KEEP_S)
    first, begun = None, time.monotonic()
    while time.monotonic() - begun < seconds and not session.over:
        session.step(1.0)
        if first is None and session.time >= SETTLE_S:
            first = resident()
    now = resident()
    first = now if first is None else first
    grown = now / first - 1
    print(f"scene={name} simulated_s={session.time:.0f} fell={session.fell} memory_mb={first / 2**20:.0f} "
          f"grown={100 * grown:.1f}%")  # fmt: skip
    return int(session.fell or session.over or grown > FLAT)


def resident() -> int:
    """Memory of this process now [bytes]."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


if __name__ == "__main__":
    sys.exit(main())
