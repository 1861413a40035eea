"""A rig as animators have it: fifty-five joints, fingers that curl and a jaw that slides, in centimetres at 60 Hz."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from motion_files import HUMAN, HUMAN_ENDS, Part, file_of, pose, save, skeleton
from poise.geometry import quat
from poise.geometry.skeleton import Capture, Skeleton

SIZE, HZ = 1.75, 60.0
FINGERS = ("thumb", "index", "middle", "ring", "little")


def fingers() -> list[Part]:
    """Three joints of each finger."""
    parts = []
    for side, sign in (("l_", 1), ("r_", -1)):
        for k, finger in enumerate(FINGERS):
            above = f"{side}hand"
            for n in range(3):
                at = (0.01 * (2 - k), sign * (0.47 + 0.014 * n), 0.81)
                parts.append(Part(f"{side}{finger}{n + 1}", above, at))
                above = parts[-1].name
    return parts


def hero() -> Skeleton:
    """The human with fingers, eyes and a jaw."""
    face = [Part("jaw", "head", (0.03, 0, 0.9)), Part("l_eye", "head", (0.05, 0.02, 0.94))]
    face += [Part("r_eye", "head", (0.05, -0.02, 0.94)), Part("tongue", "jaw", (0.04, 0, 0.89))]
    ends = {k: v for k, v in HUMAN_ENDS.items() if not k.endswith("hand")}
    ends |= {
        p.name: (0, 0.012 if p.name.startswith("l") else -0.012, 0) for p in fingers() if p.name[-1] == "3"
    }
    return skeleton(_nested([*HUMAN, *fingers(), *face]), ends, SIZE)


def _nested(parts: list[Part], above: str | None = None) -> list[Part]:
    """Every part right after those above it."""
    return [q for p in parts if p.parent == above for q in (p, *_nested(parts, p.name))]


def sway(seconds: float = 1.2, body: Skeleton | None = None, speed: float = 1.0) -> Capture:
    """It stands and sways once round, arms and fingers moving: the last frame is the first again."""
    body = hero() if body is None else body
    times = np.arange(round(seconds * HZ) + 1) / HZ
    turn = 2 * np.pi * times / times[-1]
    drop = np.stack([0.0 * turn, 0.02 * np.sin(turn), -0.03 - 0.02 * np.cos(turn)], axis=-1)
    root = body.offsets[0] + SIZE * drop
    ankles = {
        s: np.tile(body.offsets[[0, *(body.index(f"{s}_{n}") for n in ("thigh", "shank", "foot"))]].sum(axis=0),
                   (len(times), 1)) for s in "lr"
    }  # fmt: skip
    made = pose(body, times, root, ankles, 0.3 * speed * np.sin(turn))
    rotations, positions = made.rotations.copy(), made.positions.copy()
    for j, name in enumerate(body.names):
        if any(f in name for f in FINGERS):
            rotations[:, j] = quat.from_rotvec(
                np.stack([0.5 - 0.5 * np.cos(turn), 0 * turn, 0 * turn], axis=-1)
            )
        if name == "jaw":
            positions[:, j, 2] -= 0.01 * (1 - np.cos(turn))
    return replace(made, rotations=rotations, positions=positions)


def written(folder: Path, capture: Capture, name: str = "hero.bvh") -> Path:
    """As a BVH file with position channels on every joint."""
    return save(file_of(capture, unit=0.01, up="Y", order="zxy", hz=HZ, six=True), folder, name)
