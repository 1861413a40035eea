"""make soak: scenes that run on and on, handed out in parts; memory stays flat, and no fall is the last word."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import poise
from poise.simulate import stream

FLAT = 0.05  # part by which memory may grow after the first parts
SETTLED = 2  # parts before memory is looked at
LONG = 86400.0  # [s]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0, help="of the clock, all scenes together")
    parser.add_argument(
        "--simulated", type=float, default=0.0, help="of each scene; then the clock does not count"
    )
    parser.add_argument("--scenes", default="stand,walk")
    asked = parser.parse_args()
    names = asked.scenes.split(",")
    return max([run(name, asked.seconds / len(names), asked.simulated) for name in names])


def run(name: str, seconds: float, simulated: float) -> int:
    """Run one scene until the time is up; 1 where memory grew, or the body lies at the end."""
    first = now = resident()
    begun, take = time.monotonic(), None
    for part, made in enumerate(stream(poise.scene(name, seconds=simulated or LONG))):
        take, now = made, resident()
        first = now if part < SETTLED else first
        if not simulated and time.monotonic() - begun > seconds:
            break
    assert take is not None
    falls, up = (int(take.metrics.get(key) or 0) for key in ("falls", "up_again"))
    print(f"scene={name} simulated_s={take.time[-1]:.0f} fell={take.fell} falls={falls} up_again={up} "
          f"memory_mb={first / 2**20:.0f} grown={100 * (now / first - 1):.1f}%", flush=True)  # fmt: skip
    return int(take.fell or falls > up + 1 or now > (1 + FLAT) * first)


def resident() -> int:
    """Memory of this process now [bytes]."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


if __name__ == "__main__":
    sys.exit(main())
