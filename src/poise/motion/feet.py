"""Where the soles of a clip are, and how badly they skate, float or sink."""

from __future__ import annotations

from dataclasses import dataclass

import mujoco
import numpy as np

from poise.geometry import quat
from poise.geometry.linear import norm
from poise.motion.clip import Clip, Intervals


@dataclass(frozen=True)
class Skate:
    """How true the feet of a clip are to the ground."""

    slide_m: float  # largest way that a sole's centre goes from the middle of its place while it stands [m]
    float_m: float  # largest height of a sole's lowest corner above the ground while it stands [m]
    sink_m: float  # largest depth of any corner below the ground at any time [m]
    tilt_deg: float  # largest tilt of a standing sole [deg]


@dataclass(frozen=True)
class Tracks:
    """Frames of a clip: where its supports' bodies are, and its centre of mass."""

    place: np.ndarray  # (T, S, 3) origin of the body of each support [m]
    turn: np.ndarray  # (T, S, 4) its rotation
    com: np.ndarray  # (T, 3) [m]


def tracks(clip: Clip) -> Tracks:
    """Supports and centre of mass at every frame."""
    model, supports = clip.character.model, clip.character.supports
    ids = [clip.character.body(s.body) for s in supports]
    data, n = mujoco.MjData(model), len(clip.times)
    place, turn, com = np.empty((n, len(ids), 3)), np.empty((n, len(ids), 4)), np.empty((n, 3))
    for i in range(n):
        data.qpos[:] = clip.q[i]
        mujoco.mj_kinematics(model, data)
        mujoco.mj_comPos(model, data)
        place[i], turn[i], com[i] = data.xpos[ids], data.xquat[ids], data.subtree_com[1]
    return Tracks(place, turn, com)


def stands(clip: Clip) -> np.ndarray:
    """Whether each support stands at each frame (T, S)."""
    supports = clip.character.supports
    down = [[clip.on_ground(s.name, t) for s in supports] for t in clip.times]
    return np.array(down).reshape(-1, len(supports))


def stances(clip: Clip, support: str) -> Intervals:
    """The times in which a support stands."""
    always = ((clip.start, clip.end),) if support in clip.character.stance else ()
    return clip.contacts.get(support, always)


def corners(clip: Clip, where: Tracks, support: int) -> np.ndarray:
    """Corners of one sole at every frame (T, k, 3) [m]."""
    points = clip.character.supports[support].points
    return where.place[:, support, None] + quat.rotate(where.turn[:, support, None], points[None])


def skate(clip: Clip) -> Skate:
    """Measure the feet of a clip against flat ground at z = 0."""
    where, down = tracks(clip), stands(clip)
    slide = high = deep = tilt = 0.0
    for s, support in enumerate(clip.character.supports):
        at = corners(clip, where, s)
        deep = max(deep, float(-at[..., 2].min()))
        for t0, t1 in stances(clip, support.name):
            during = at[(clip.times >= t0) & (clip.times <= t1)]
            if len(during):
                centre = during.mean(axis=1)[:, :2]
                slide = max(slide, float(norm(centre - np.median(centre, axis=0), axis=1).max()))
                high = max(high, float(during[..., 2].min(axis=1).max()))
        up = quat.rotate(where.turn[down[:, s], s], np.array([0.0, 0.0, 1.0]))
        tilt = max(tilt, float(np.degrees(np.arccos(np.clip(up[:, 2], -1, 1)).max(initial=0.0))))
    return Skate(slide, max(high, 0.0), max(deep, 0.0), tilt)


def merged(spans: Intervals, gap: float) -> Intervals:
    """Intervals of which two that are less than a gap apart are one [s]."""
    out: list[tuple[float, float]] = []
    for a, b in spans:
        if out and a - out[-1][1] < gap:
            out[-1] = out[-1][0], max(b, out[-1][1])
        else:
            out.append((a, b))
    return tuple(out)
