"""Follow clips that nobody had seen, made of shared ones: docs/following-held-out.md."""

from __future__ import annotations

import os
import re
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np
from follow_table import BESIDE, NOISE, follow

DOCS = Path(__file__).resolve().parents[1] / "docs" / "following-held-out.md"
REPLICAS = 3
SIDES = (("Left", "Right"), ("_L", "_R"), ("LHip", "RHip"), ("LThumb", "RThumb"))  # in names of joints
FLIPPED = ("Xposition", "Yrotation", "Zrotation")  # channels that a mirror across x turns round
WALK_LEFT = "nc/dataset-1_walk-left_normal_001.bvh"
MADE = (  # file, and what is made of it
    *(("bvh/02_01.bvh", way) for way in ("mirror", "30 Hz", "24 Hz", "size 0.8", "size 1.2", "pace 0.9", "pace 1.1")),
    *(("bvh/136_21.bvh", way) for way in ("mirror", "size 0.8", "size 1.2", "30 Hz", "pace 1.1", "pace 0.9")),
    *(("bvh/69_20.bvh", way) for way in ("mirror", "30 Hz", "pace 1.1")),
    ("bvh/76_11.bvh", "mirror"), ("bvh/83_20.bvh", "mirror"), ("bvh/83_55.bvh", "size 0.8"),
    ("bvh/83_55.bvh", "size 1.2"), (WALK_LEFT, "mirror"),
)  # fmt: skip
HEAD = f"""# Clips that nobody had seen, followed

`make held-out-table` writes this page: clips made of shared ones, on which nothing was chosen, all collisions on,
{REPLICAS} runs each with {NOISE} rad of noise on every joint at the start. *mirror*: left and right exchanged; *size*:
skeleton and way times so much; *pace*: so many times as quick; Hz: of the file's frames. *kept*: replicas that came to
the clip's end with a DCM error below 0.25 m there; the rest are medians, as in
[the table of all clips](following-table.md).

| clip | made of it | kept | DCM cm | slip cm | landing cm | upper rad | knock N |
|---|---|---|---|---|---|---|---|
"""


def made(text: str, way: str) -> str:
    """Another BVH file, made of one."""
    kind, _, by = way.partition(" ")
    head, motion = text.split("MOTION", 1)
    lines = motion.split("\n")
    at = next(i for i, line in enumerate(lines) if line.strip().startswith("Frame Time"))
    seconds = float(lines[at].split(":")[1])
    frames = np.array([line.split() for line in lines[at + 1 :] if line.strip()], float)
    if kind == "mirror":
        head, frames = mirrored(head, frames)
    elif kind == "size":
        head = _offsets(head, np.full(3, float(by)))
        frames[:, _channels(head, ("Xposition", "Yposition", "Zposition"))] *= float(by)
    elif kind == "pace":
        seconds /= float(by)
    else:
        step = round(1.0 / (float(kind) * seconds))
        frames, seconds = frames[::step], seconds * step
    rows = "\n".join(" ".join(f"{x:.6f}" for x in row) for row in frames)
    return f"{head}MOTION\nFrames: {len(frames)}\nFrame Time: {seconds:.7f}\n{rows}\n"


def mirrored(head: str, frames: np.ndarray) -> tuple[str, np.ndarray]:
    """Hierarchy and frames seen in a mirror across x: what was left is right, and is called so."""
    frames = frames.copy()
    frames[:, _channels(head, FLIPPED)] *= -1.0
    head = _offsets(head, np.array([-1.0, 1.0, 1.0]))
    return re.sub(r"((?:ROOT|JOINT)\s+)(\S+)", lambda m: m[1] + _other(m[2]), head), frames


def _other(name: str) -> str:
    """The name of the same joint on the other side."""
    for left, right in SIDES:
        if left in name:
            return name.replace(left, right)
        if right in name:
            return name.replace(right, left)
    return name


def _offsets(head: str, by: np.ndarray) -> str:
    """A hierarchy whose offsets are multiplied."""

    def scaled(m: re.Match[str]) -> str:
        return "OFFSET " + " ".join(f"{x:.6f}" for x in by * np.array(m[1].split(), float))

    return re.sub(r"OFFSET[ \t]+([^\n\r]+)", scaled, head)


def _channels(head: str, names: tuple[str, ...]) -> np.ndarray:
    """Which columns of the frames are channels of these names."""
    every = " ".join(re.findall(r"CHANNELS\s+\d+\s+([^\n\r]+)", head)).split()
    return np.array([name in names for name in every])


def row(file: str, way: str, found: list[dict | str]) -> str:
    """One line of the table."""
    takes = [take for take in found if isinstance(take, dict)]
    name = Path(file).stem
    if not takes:
        return f"| {name} | {way} | – | | | | | {found[0]} |"
    figures = (
        ("xi_error_rms_m", 100, 1),
        ("foot_slip_m", 100, 1),
        ("landing_error_m", 100, 1),
        ("upper", 1, 3),
        ("knock", 1, 0),
    )
    mid = [f"{by * np.nanmedian([take[key] for take in takes]):.{digits}f}" for key, by, digits in figures]
    return f"| {name} | {way} | {sum(take['good'] for take in takes)}/{len(takes)} | {' | '.join(mid)} |"


def main() -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else os.environ.get("POISE_MOCAP", BESIDE))
    with tempfile.TemporaryDirectory() as place, ProcessPoolExecutor(max_workers=os.cpu_count()) as pool:
        tasks = []
        for i, (file, way) in enumerate(MADE):
            path = Path(place) / f"{i:02d}.bvh"
            path.write_text(made((folder / file).read_text(), way))
            tasks.append((str(path), tuple(range(REPLICAS))))
        found = list(pool.map(follow, tasks))
    DOCS.write_text(HEAD + "\n".join(row(*one, takes) for one, takes in zip(MADE, found)) + "\n")
    takes = [take for own in found for take in own if isinstance(take, dict)]
    print(f"{sum(take['good'] for take in takes)} of {len(takes)} takes kept; wrote {DOCS.name}")


if __name__ == "__main__":
    main()
