"""Bodies and motions made in code, and files of them in any unit, axes, channel order and rate."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from poise.capture.readers import bvh
from poise.geometry import quat
from poise.geometry.skeleton import Capture, Skeleton

G = 9.81
DOWN = np.array([0.0, 0.0, -1.0])


@dataclass(frozen=True)
class Part:
    """A joint: its name, its parent's name, and where it is in a stand with arms out, in parts of stature."""

    name: str
    parent: str | None
    at: tuple[float, float, float]


def _sided(rows: list[tuple[str, str, tuple[float, float, float]]]) -> list[Part]:
    parts = []
    for side, sign in (("l_", 1), ("r_", -1)):
        for name, parent, (x, y, z) in rows:
            above = side + parent[1:] if parent.startswith("*") else parent
            parts.append(Part(side + name, above, (x, sign * y, z)))
    return parts


HUMAN = [
    Part("pelvis", None, (0, 0, 0.53)),
    *_sided([
        ("thigh", "pelvis", (0, 0.05, 0.53)), ("shank", "*thigh", (0, 0.05, 0.285)),
        ("foot", "*shank", (0, 0.05, 0.039)), ("toe", "*foot", (0.1, 0.05, 0.01)),
    ]),
    Part("spine", "pelvis", (0, 0, 0.6)),
    Part("chest", "spine", (0, 0, 0.72)),
    Part("neck", "chest", (0, 0, 0.83)),
    Part("head", "neck", (0, 0, 0.87)),
    *_sided([
        ("collar", "chest", (0, 0.02, 0.8)), ("arm", "*collar", (0, 0.11, 0.81)), ("elbow", "*arm", (0, 0.29, 0.81)),
        ("hand", "*elbow", (0, 0.44, 0.81)),
    ]),
]  # fmt: skip
HUMAN_ENDS = {
    "l_toe": (0.05, 0, 0),
    "r_toe": (0.05, 0, 0),
    "head": (0, 0, 0.13),
    "l_hand": (0, 0.1, 0),
    "r_hand": (0, -0.1, 0),
}

BEAST = [
    Part("pelvis", None, (0, 0, 0.6)),
    *_sided([
        ("thigh", "pelvis", (0, 0.1, 0.58)), ("shank", "*thigh", (0.05, 0.1, 0.33)),
        ("foot", "*shank", (-0.04, 0.1, 0.1)), ("paw", "*foot", (0.0, 0.1, 0.01)),
    ]),
    Part("tail", "pelvis", (-0.1, 0, 0.62)),
    Part("back", "pelvis", (0.3, 0, 0.62)),
    Part("withers", "back", (0.6, 0, 0.62)),
    Part("neck", "withers", (0.75, 0, 0.75)),
    Part("head", "neck", (0.85, 0, 0.85)),
    *_sided([
        ("upper", "withers", (0.6, 0.1, 0.55)), ("fore", "*upper", (0.57, 0.1, 0.3)),
        ("wrist", "*fore", (0.6, 0.1, 0.1)), ("hand", "*wrist", (0.62, 0.1, 0.01)),
    ]),
]  # fmt: skip
BEAST_ENDS = {"l_paw": (0.05, 0, 0), "r_paw": (0.05, 0, 0), "head": (0.15, 0, -0.03), "tail": (-0.3, 0, 0),
              "l_hand": (0.05, 0, 0), "r_hand": (0.05, 0, 0)}  # fmt: skip


BIRD = [
    Part("pelvis", None, (0, 0, 0.6)),
    *_sided([
        ("thigh", "pelvis", (0, 0.1, 0.58)), ("shank", "*thigh", (0.15, 0.1, 0.45)),
        ("foot", "*shank", (-0.08, 0.1, 0.2)), ("toe", "*foot", (0.0, 0.1, 0.02)),
    ]),
    Part("tail", "pelvis", (-0.15, 0, 0.65)),
    Part("chest", "pelvis", (0.2, 0, 0.65)),
    Part("neck", "chest", (0.3, 0, 0.8)),
    Part("head", "neck", (0.33, 0, 0.95)),
]  # fmt: skip
BIRD_ENDS = {"l_toe": (0.12, 0, 0), "r_toe": (0.12, 0, 0), "head": (0.1, 0, 0), "tail": (-0.15, 0, 0.05)}


def skeleton(parts: list[Part], ends: dict[str, tuple[float, float, float]], size: float) -> Skeleton:
    """The joints of some parts; the root's offset is its place."""
    names = [p.name for p in parts]
    parents = [-1 if p.parent is None else names.index(p.parent) for p in parts]
    at = size * np.array([p.at for p in parts], float)
    offsets = at - np.where(np.array(parents)[:, None] >= 0, at[parents], 0.0)
    return Skeleton(tuple(names), np.array(parents), offsets, size * np.array([*ends.values()]),
                    np.array([names.index(n) for n in ends]))  # fmt: skip


def human(size: float = 1.75) -> Skeleton:
    return skeleton(HUMAN, HUMAN_ENDS, size)


def beast(size: float = 1.0) -> Skeleton:
    return skeleton(BEAST, BEAST_ENDS, size)


def bird(size: float = 1.0) -> Skeleton:
    return skeleton(BIRD, BIRD_ENDS, size)


def _leg(body: Skeleton, side: str, hip: np.ndarray, ankle: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """World rotations of thigh and shank (T, 4) that put the ankle there, knee forward."""
    upper = np.linalg.norm(body.offsets[body.index(f"{side}_shank")])
    lower = np.linalg.norm(body.offsets[body.index(f"{side}_foot")])
    way = ankle - hip
    reach = np.minimum(np.linalg.norm(way, axis=-1), 0.999 * (upper + lower))[:, None]
    along = way / np.linalg.norm(way, axis=-1, keepdims=True)
    part = (upper**2 - lower**2 + reach**2) / (2 * reach)
    ahead = np.array([1.0, 0.0, 0.0]) - along[:, :1] * along
    ahead /= np.linalg.norm(ahead, axis=-1, keepdims=True)
    knee = part * along + np.sqrt(np.maximum(upper**2 - part**2, 0)) * ahead
    return _point(knee), _point(reach * along - knee)


def _point(direction: np.ndarray) -> np.ndarray:
    """World rotation that takes a bone from straight down to a direction, y kept to the left."""
    z = -direction / np.linalg.norm(direction, axis=-1, keepdims=True)
    y = np.array([0.0, 1.0, 0.0]) - z[:, 1:2] * z
    y /= np.linalg.norm(y, axis=-1, keepdims=True)
    return quat.from_matrix(np.stack([np.cross(y, z), y, z], axis=-1))


def pose(
    body: Skeleton, times: np.ndarray, root: np.ndarray, ankles: dict[str, np.ndarray], swing: np.ndarray
) -> Capture:
    """A human with its pelvis and ankles there, feet flat, arms hanging and swinging by an angle (T,)."""
    world = np.tile(quat.IDENTITY, (len(times), len(body), 1))
    for side, sign in (("l", 1), ("r", -1)):
        hip = root + body.offsets[body.index(f"{side}_thigh")]
        thigh, shank = _leg(body, side, hip, ankles[side])
        world[:, body.index(f"{side}_thigh")], world[:, body.index(f"{side}_shank")] = thigh, shank
        hang = quat.from_rotvec(np.array([-sign * 1.35, 0.0, 0.0]))
        arm = quat.multiply(quat.from_rotvec(np.stack([0 * swing, sign * swing, 0 * swing], -1)), hang)
        bent = quat.multiply(arm, quat.from_rotvec(np.array([0.0, 0.0, -sign * 0.25])))
        world[:, body.index(f"{side}_arm")] = arm
        for name in ("elbow", "hand"):
            world[:, body.index(f"{side}_{name}")] = bent
    sway = quat.from_rotvec(np.stack([0 * swing, 0.05 + 0.04 * swing, 0.1 * swing], -1))
    for name in ("spine", "chest", "neck", "head", "l_collar", "r_collar"):
        world[:, body.index(name)] = sway
    return local(body, times, root, world)


def local(body: Skeleton, times: np.ndarray, root: np.ndarray, world: np.ndarray) -> Capture:
    """A capture from the root's place and every joint's world rotation."""
    above = np.maximum(body.parents, 0)
    rotations = quat.multiply(quat.conjugate(world[:, above]), world)
    rotations[:, 0] = world[:, 0]
    positions = np.tile(body.offsets, (len(times), 1, 1))
    positions[:, 0] = root
    return Capture(body, times, rotations, positions)


def walk(body: Skeleton, hz: float, seconds: float = 3.0) -> Capture:
    """Level walking along x, flat feet that stay while they bear."""
    times = np.arange(int(seconds * hz)) / hz
    step, height = 0.55, body.offsets[0, 2]
    speed = 0.85 * height
    ankles = {}
    for side, late in (("l", 0.0), ("r", 1.0)):
        phase = times / step + late
        count, part = np.floor(phase / 2), np.clip((phase % 2) / 0.8, 0, 1)
        go = part - np.sin(2 * np.pi * part) / (2 * np.pi)
        x = speed * step * (2 * (count + go) - late - 0.6)
        rise = 0.08 * np.sin(np.pi * part) ** 2
        z = (
            body.offsets[[body.index(f"{side}_{n}") for n in ("thigh", "shank", "foot")], 2].sum()
            + height
            + rise
        )
        y = np.full(len(times), body.offsets[body.index(f"{side}_thigh"), 1])
        ankles[side] = np.stack([x, y, z], -1)
    lift = -0.075 * height + 0.012 * np.cos(2 * np.pi * times / step)
    root = np.stack([speed * times, 0.015 * np.sin(np.pi * times / step), height + lift], -1)
    return pose(body, times, root, ankles, 0.35 * np.sin(np.pi * times / step))


def jump(body: Skeleton, hz: float, flight: float = 0.42, ahead: float = 0.3) -> Capture:
    """Crouch, jump, land, stand: a flight that falls with g, in which the body keeps its pose."""
    bend, still = 0.5, 0.8
    times = np.arange(int((2 * still + 3 * bend + flight) * hz)) / hz
    height, low = body.offsets[0, 2], -0.1 * body.offsets[0, 2]
    start, push = still, 0.5 * G * flight
    up = _hermite(times, start, start + bend, low * 0.2, low * 0.1, 0.0, push)
    t0, t1 = start + bend, start + bend + flight
    fly = low * 0.1 + push * (times - t0) - 0.5 * G * (times - t0) ** 2
    land = _hermite(times, t1, t1 + 2 * bend, low * 0.1, low * 0.2, -push, 0.0)
    z = np.where(times < start, low * 0.2, np.where(times < t0, up, np.where(times < t1, fly, land)))
    z = np.where(times > t1 + 2 * bend, low * 0.2, z)
    x = ahead * np.clip((times - t0) / flight, 0, 1)
    z += 0.002 * np.sin(2.0 * times) * ((times < start) | (times > t1 + 2 * bend))
    root = np.stack([x, 0 * x, height + z], -1)
    air = (times >= t0) & (times < t1)
    ankles = {}
    for side in "lr":
        rest = body.offsets[[0, *(body.index(f"{side}_{n}") for n in ("thigh", "shank", "foot"))]].sum(axis=0)
        ankles[side] = rest + np.stack([x, 0 * x, np.where(air, z - low * 0.1, 0.0)], -1)
    return pose(body, times, root, ankles, np.zeros(len(times)))


def _hermite(t: np.ndarray, a: float, b: float, pa: float, pb: float, va: float, vb: float) -> np.ndarray:
    s, w = np.clip((t - a) / (b - a), 0, 1), b - a
    return ((2 * s**3 - 3 * s**2 + 1) * pa + (s**3 - 2 * s**2 + s) * w * va + (3 * s**2 - 2 * s**3) * pb
            + (s**3 - s**2) * w * vb)  # fmt: skip


def prowl(body: Skeleton, hz: float, seconds: float = 2.0) -> Capture:
    """A beast or bird that stands, its head nodding and its tail waving."""
    times = np.arange(int(seconds * hz)) / hz
    wave = np.sin(2 * np.pi * times / 1.3)
    world = np.tile(quat.IDENTITY, (len(times), len(body), 1))
    world[:, body.index("head")] = world[:, body.index("neck")] = quat.from_rotvec(
        np.stack([0 * wave, 0.2 * wave, 0.1 * wave], -1)
    )
    world[:, body.index("tail")] = quat.from_rotvec(np.stack([0 * wave, 0.3 * wave, 0.5 * wave], -1))
    root = np.tile(body.offsets[0], (len(times), 1))
    return local(body, times, root, world)


def file_of(capture: Capture, *, unit: float, up: str, order: str, hz: float, names: tuple[str, ...] | None = None,
            tpose: bool = False, six: bool = False) -> bvh.Bvh:  # fmt: skip
    """A BVH of a capture in another unit, with another axis up, Euler angles in an order, a header of another rate."""
    turn = to_file(up)
    body = capture.skeleton
    rotations = quat.multiply(quat.multiply(turn, capture.rotations), quat.conjugate(turn))
    positions = quat.rotate(turn, capture.positions) / unit
    turns = tuple(f"{axis.upper()}rotation" for axis in order)
    places = ("Xposition", "Yposition", "Zposition")
    channels = tuple((*places, *turns) if six or j == 0 else turns for j in range(len(body)))
    empty = bvh.Bvh(
        names or body.names, names or body.names, body.parents, quat.rotate(turn, body.offsets) / unit,
        quat.rotate(turn, body.ends) / unit, body.end_parents, channels, 1.0 / hz,
        np.zeros((0, sum(map(len, channels)))),
    )  # fmt: skip
    if tpose:
        rotations = np.concatenate([np.tile(quat.IDENTITY, (1, len(body), 1)), rotations])
        first = np.tile(empty.offsets, (1, 1, 1))
        positions = np.concatenate([first, positions])
    return empty.with_values(bvh.values_of(empty, rotations, positions))


def restyled(
    b: bvh.Bvh, frames: np.ndarray, *, scale: float, up: str, orders: list[str], hz: float
) -> bvh.Bvh:
    """Frames of a Y up file with other lengths, another axis up, other orders of angles, and names that say nothing."""
    turn = quat.multiply(to_file(up), quat.from_matrix(np.array([[0.0, 0, 1], [1, 0, 0], [0, 1, 0]])))
    rotations, positions = (x[frames] for x in bvh.local(b))
    places = [tuple(n for n in names if n.lower().endswith("position")) for names in b.channels]
    channels = tuple(
        (*(("Xposition", "Yposition", "Zposition") if kept else ()), *(f"{a.upper()}rotation" for a in order))
        for kept, order in zip(places, orders)
    )
    names = tuple(f"j{k}" for k in range(len(b.names)))
    empty = bvh.Bvh(
        names, names, b.parents, quat.rotate(turn, b.offsets) * scale, quat.rotate(turn, b.ends) * scale,
        b.end_parents, channels, 1.0 / hz, np.zeros((0, sum(map(len, channels)))),
    )  # fmt: skip
    rotations = quat.multiply(quat.multiply(turn, rotations), quat.conjugate(turn))
    return empty.with_values(bvh.values_of(empty, rotations, quat.rotate(turn, positions) * scale))


def to_file(up: str) -> np.ndarray:
    """Quaternion from our axes (z up, x ahead) to file axes with another axis up; what is ahead differs with it."""
    sign = -1.0 if up.startswith("-") else 1.0
    k = "XYZ".index(up[-1])
    z = sign * np.eye(3)[k]
    x = np.eye(3)[(k + 1) % 3] if sign > 0 else np.eye(3)[(k + 2) % 3]
    return quat.from_matrix(np.stack([x, np.cross(z, x), z], axis=-1))


def save(file: bvh.Bvh, folder: Path, name: str = "take.bvh") -> Path:
    path = folder / name
    bvh.write(file, path)
    return path
