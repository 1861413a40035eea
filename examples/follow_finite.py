"""Follow every motion file of a folder, not pushed, pushed and pushed hard: says which takes blew up."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import numpy as np
from follow_table import BESIDE

import poise

SPEEDS, AT = (0.0, 0.3, 1.0), 0.4  # [m/s] given to the whole body in 0.1 s; part of the clip when


def takes(file: Path, side: float) -> list[str]:
    """What each push of a clip came to: finite, blew up, or refused before the run."""
    try:
        plain = poise.scene("react", motion=str(file))
    except poise.BadInput:
        return ["refused"]
    out = []
    for speed in SPEEDS:
        force = plain.character.mass * speed / 0.1
        x, y = force * np.cos(side), force * np.sin(side)
        push = f"torso:{x:.2f},{y:.2f},0@{AT * plain.seconds:.3f}+0.1"
        take = poise.simulate(poise.scene("react", motion=str(file), push=push) if speed else plain)
        sane = take.blew_up is None and all(np.isfinite(take[name]).all() for name in ("q", "v", "tau"))
        out.append("finite" if sane else f"blew up at {speed} m/s")
    return out


def main() -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else os.environ.get("POISE_MOCAP", BESIDE))
    files = sorted(path for kind in ("*.bvh", "*.amc") for path in folder.rglob(kind))
    found = []
    for k, file in enumerate(files):
        own = takes(file, 2.4 * k)
        print(file.name, ", ".join(own), flush=True)
        found += own
    refused, finite = found.count("refused"), found.count("finite")
    print(f"{finite} finite, {len(found) - finite - refused} blew up; {refused} clips refused before the run")


if __name__ == "__main__":
    main()
