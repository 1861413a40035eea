"""A cycle from a captured roll: the joint angles of one revolution, sorted by how far the trunk has turned.

A captured roll ends by standing up, so its cycle seldom rolls on by itself; ``mixed`` takes part of its movement into
one that does, which gives that roll some of the captured one's style and leaves it as round as it is.
"""

from __future__ import annotations

import math
from dataclasses import replace
from os import PathLike

import numpy as np

from poise.behaviours.rolling.course import TRUNK, Facing
from poise.behaviours.rolling.cycle import CHANNELS, Cycle, periodic
from poise.character import Character
from poise.errors import BadInput
from poise.geometry import quat
from poise.motion.clip import Clip

KEYS = 12  # of a captured cycle, a revolution
BALLS = ("spine_low", "spine_mid", "spine_top", "neck", "hip", "ankle", "shoulder")


def cycle_of(path: str | PathLike[str], style: str) -> Cycle:
    """The fastest whole revolution of a motion file as a cycle of the adult's joints."""
    from poise.capture.captured import captured

    clip = captured(path, Character.named("adult"), part="whole", lock=False).clip
    phase = _phases(clip, style)
    first, last = _revolution(phase, str(path))
    rows = np.arange(first, last + 1)
    steady = np.maximum.accumulate(phase[rows] - phase[first])
    angles = _angles(clip, rows)
    start = math.degrees(phase[first])
    at = np.arange(KEYS) * 2 * math.pi / KEYS
    keys = {}
    for name, joints in CHANNELS.items():
        if all(joint in angles for joint, _ in joints):
            share = 0.5 if name.endswith("_differ") else 1.0
            values = np.mean([angles[joint] * sign / share for joint, sign in joints], axis=0)
            wanted = np.mod(at - phase[first], 2 * math.pi)
            found = np.interp(wanted, steady + 1e-9 * np.arange(len(steady)), values)
            keys[name] = tuple(float(x) for x in np.degrees(found))
    seconds = float(clip.times[last] - clip.times[first])
    made = {
        "motion": str(path),
        "start_s": float(clip.times[first]),
        "seconds": seconds,
        "from_deg": round(start),
    }
    com = [clip.character.posed(clip.q[i]).subtree_com[0, :2].copy() for i in (first, last)]
    return Cycle(
        style, keys, speed=float(np.linalg.norm(com[1] - com[0])) / seconds, spin=1.0 / seconds, made=made
    )


def mixed(cycle: Cycle, captured: Cycle, share: float) -> Cycle:
    """A cycle with a share of a captured one's movement in its keys; how far it is bent on the whole is its own."""
    keys = {}
    for name in (*cycle.keys, *(n for n in captured.keys if n not in cycle.keys)):
        own, other = (periodic(np.array(c.keys.get(name, (0.0,))), KEYS) for c in (cycle, captured))
        other = other - other.mean() + own.mean() if name in captured.keys else own
        keys[name] = tuple(float(x) for x in (1.0 - share) * own + share * other)
    return replace(cycle, keys=keys, made={**captured.made, "share": share})


def _phases(clip: Clip, style: str) -> np.ndarray:
    """Phase over the frames [rad], unwrapped; it grows where the body rolls in this style."""
    body, facing, wrapped = clip.character, Facing.of(style), np.zeros(len(clip.q))
    for i, q in enumerate(clip.q):
        data = body.posed(q)
        R = np.sum([data.body(name).xmat.reshape(3, 3) for name in TRUNK], axis=0)
        u, side = R @ facing.front, R @ facing.lateral
        side[2] = 0.0
        side /= max(float(np.linalg.norm(side)), 1e-9)
        ahead = np.cross(side, [0.0, 0.0, 1.0])
        wrapped[i] = math.atan2(float(u @ ahead), float(u[2]))
    return np.unwrap(wrapped)


def _revolution(phase: np.ndarray, path: str) -> tuple[int, int]:
    """First and last frame of the shortest stretch in which the phase grows by a whole turn."""
    best: tuple[int, int] | None = None
    for i in range(len(phase)):
        after = np.flatnonzero(phase[i:] >= phase[i] + 2 * math.pi)
        if len(after) and (best is None or after[0] < best[1] - best[0]):
            best = (i, i + int(after[0]))
    if best is None:
        this, other = (math.degrees(float((p - np.minimum.accumulate(p)).max())) for p in (phase, -phase))
        raise BadInput(
            f"motion {path!r} has no whole revolution: its trunk turns by {this:.0f}° this way at the most, "
            f"by {other:.0f}° the other"
        )
    return best


def _angles(clip: Clip, rows: np.ndarray) -> dict[str, np.ndarray]:
    """Angles [rad] by the names that cycles have for them: bend about y, then x, then z."""
    body, out = clip.character, {}
    for joint in body.joint_names[1:]:
        at = int(body.model.joint(joint).qposadr[0])
        side = joint[-2:] if joint.endswith(("_l", "_r")) else ""
        stem = joint.removesuffix(side) if side else joint
        if stem in ("knee", "elbow"):
            out[joint] = clip.q[rows, at]
        elif stem in BALLS:
            euler = np.unwrap(quat.to_euler(clip.q[rows, at : at + 4], "yxz"), axis=0)
            for axis, column in zip("yxz", euler.T, strict=True):
                out[f"{stem}_{axis}{side}"] = column
    return out
