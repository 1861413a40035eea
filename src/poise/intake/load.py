"""load: read a motion file, decide what it means, and give it back clean."""

from __future__ import annotations

from os import PathLike
from pathlib import Path

import numpy as np

from poise.geometry import quat
from poise.geometry.skeleton import Capture, Skeleton
from poise.intake import axes, feet, raw, tpose, units
from poise.intake.guess import Guess
from poise.intake.intake import Intake, Placing
from poise.intake.scan import Scan


def load(path: str | PathLike[str], *, metres_per_unit: float | None = None, up: str | None = None,
         rate: float | None = None, drop_first: bool | None = None, floor: float | None = None,
         facing: float | None = None, progress: raw.Progress | None = None) -> Intake:  # fmt: skip
    """Read a file and clean it."""
    file = raw.read(Path(path), None, progress)
    scan = Scan(file)
    guesses: list[Guess] = []
    artificial, why = tpose.detect(scan)
    if drop_first is not None:
        artificial, why = drop_first, "given"
    guesses.append(Guess("artificial first frame", str(artificial), why, "drop_first=False"))
    scan = Scan(file, int(artificial))
    votes = axes.upright(scan, scan.some).mean(axis=0) + axes.upright(scan, np.array([0]))[0] * artificial
    name = up or axes.NAMES[int(np.argmax(axes.DIRECTIONS @ votes))]
    guesses.append(Guess("up axis", name, "feet to hips to chest", 'up="Y"'))
    upwards = axes.axis(name)
    scale, why = units.guess(scan)
    if metres_per_unit is not None:
        scale, why = metres_per_unit, "given"
    guesses.append(Guess("metres per unit", f"{scale:.6g}", why, "metres_per_unit=0.01"))
    found = feet.find(scan, upwards)
    ahead, why = feet.forward(scan, upwards, found)
    turn_axes = axes.turn_up(upwards)
    at, turned = file.world
    front = quat.rotate(turn_axes, quat.rotate(turned[scan.first, feet.pelvis(scan)], ahead))
    yaw = -np.arctan2(front[1], front[0])
    turn = np.array([np.cos(yaw / 2), 0, 0, np.sin(yaw / 2)])
    guesses.append(Guess("facing", f"{np.degrees(-yaw):.0f}°", why, "facing=90"))
    low = np.min(file.points[scan.some] @ upwards, axis=1)
    level = float(np.percentile(low, 10)) * scale if floor is None else floor
    guesses.append(Guess("floor", f"{level:.3f} m", "lowest points", "floor=0.0"))
    hz = rate or file.hz or 120.0
    guesses.append(Guess("frame rate", f"{hz:.6g} Hz", "header", "rate=60"))
    n = len(file.bvh.names)
    placing = Placing(turn_axes, turn, scale, np.array([0, 0, -level]), np.zeros((n, 3)))
    rotations, positions = placing.clean(file.rotations[scan.first :], file.positions[scan.first :])
    b = file.bvh
    skeleton = Skeleton(
        b.names, b.parents, placing.vectors(b.offsets), placing.vectors(b.ends), b.end_parents
    )
    capture = Capture(skeleton, np.arange(len(rotations)) / hz, rotations, positions)
    stand = placing.clean(file.rotations[:1], file.positions[:1])
    pose = Capture(skeleton, np.zeros(1), *stand)
    front = quat.rotate(pose.world[1][0, feet.pelvis(scan)], quat.rotate(turn_axes, ahead))
    yaw = -np.arctan2(front[1], front[0])
    straight = np.array([np.cos(yaw / 2), 0, 0, np.sin(yaw / 2)])
    contacts = {}
    for foot in found:
        for point in (foot.heel, *foot.toes):
            if point < n:
                p = capture.world[0][:, point]
                speed = np.linalg.norm(np.gradient(p, axis=0), axis=-1) * hz
                contacts[b.names[point]] = (speed < 0.3) & (p[:, 2] < 0.12)
    pairs = tuple(
        (
            b.names[f.heel] if f.heel < n else b.names[0],
            b.names[f.toes[0]] if f.toes and f.toes[0] < n else None,
        )
        for f in found
    )
    return Intake(
        capture, file.source, tuple(guesses), b.notes, scale, name, file.hz, hz, artificial, level, False, (),
        contacts, pairs, quat.multiply(straight, pose.world[1][0]), quat.rotate(straight, pose.world[0][0]),
        file.markers, b, placing,
    )  # fmt: skip
