"""Channels of a BVH file as rotations and positions, and back. File axes and units."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from poise.geometry import quat

if TYPE_CHECKING:
    from poise.capture.readers.bvh import Bvh

AXES = "xyz"
LOCK = 1e-6  # cosine of the middle angle below which the outer two act as one


def _columns(bvh: Bvh) -> list[tuple[int, list[tuple[int, int]], str, list[int]]]:
    """For each joint: its index, (column, axis) of its positions, order of its rotations and their columns."""
    table, at = [], 0
    for j, names in enumerate(bvh.channels):
        keys = [name.lower() for name in names]
        places = [(at + k, AXES.index(key[0])) for k, key in enumerate(keys) if key.endswith("position")]
        turns = [(at + k, key[0]) for k, key in enumerate(keys) if key.endswith("rotation")]
        table.append((j, places, "".join(axis for _, axis in turns), [column for column, _ in turns]))
        at += len(names)
    return table


def _by_order(bvh: Bvh) -> dict[str, tuple[list[int], np.ndarray]]:
    """Joints that turn, grouped by the order of their angles: joints and columns (joints, angles)."""
    groups: dict[str, tuple[list[int], list[list[int]]]] = {}
    for j, _, order, columns in _columns(bvh):
        if order:
            joints, table = groups.setdefault(order, ([], []))
            joints.append(j)
            table.append(columns)
    return {order: (joints, np.array(table)) for order, (joints, table) in groups.items()}


def local(bvh: Bvh) -> tuple[np.ndarray, np.ndarray]:
    """Each joint in its parent's frame: rotations (T, J, 4) wxyz, positions (T, J, 3) [file units]."""
    rotations = np.tile(quat.IDENTITY, (len(bvh), len(bvh.names), 1))
    positions = np.tile(bvh.offsets, (len(bvh), 1, 1))
    for j, places, order, columns in _columns(bvh):  # all joints at once take several times the memory
        if order:
            rotations[:, j] = quat.from_euler(np.radians(bvh.values[:, columns]), order)
        for column, axis in places:
            positions[:, j, axis] = bvh.values[:, column]
    return rotations, positions


def values_of(bvh: Bvh, rotations: np.ndarray, positions: np.ndarray) -> np.ndarray:
    """Channel values (T, C) of a motion: the inverse of :func:`local`.

    Angles [degrees] go on from frame to frame without jumps; the first frame is taken near the file's own first.
    What the channels cannot say (a turn about an axis that a joint lacks) is left out.
    """
    values = np.zeros((len(rotations), bvh.values.shape[1]))
    for order, (joints, columns) in _by_order(bvh).items():
        start = np.radians(bvh.values[0, columns]) if len(bvh) else np.zeros(columns.shape)
        turned = rotations[:, joints]
        if len(order) == 3:
            angles = continuous(quat.to_euler(turned, order), start, order)
        else:
            angles = np.unwrap(np.concatenate([start[None], _few(turned, order)]), axis=0)[1:]
        values[:, columns] = np.degrees(angles)
    for j, places, _, _ in _columns(bvh):
        for column, axis in places:
            values[:, column] = positions[:, j, axis]
    return values


def _few(q: np.ndarray, order: str) -> np.ndarray:
    """The one or two angles (T, J, n) [rad] that come nearest to rotations (T, J, 4).

    Half angles a and b about axes i and j make w = cos a cos b, q_i = sin a cos b, q_j = cos a sin b and
    q_k = ± sin a sin b: the table [[w, q_j], [q_i, ± q_k]] is the product of (cos a, sin a) and (cos b, sin b).
    """
    i = AXES.index(order[0])
    if len(order) == 1:
        return 2.0 * np.arctan2(q[..., 1 + i], q[..., 0])[..., None]
    j = AXES.index(order[1])
    sign = 1.0 if (j - i) % 3 == 1 else -1.0
    w, qi, qj, qk = q[..., 0], q[..., 1 + i], q[..., 1 + j], sign * q[..., 1 + (3 - i - j)]
    a = 0.5 * np.arctan2(2 * (w * qi + qj * qk), w**2 + qj**2 - qi**2 - qk**2)
    b = np.arctan2(np.cos(a) * qj + np.sin(a) * qk, np.cos(a) * w + np.sin(a) * qi)
    return 2.0 * np.stack([a, b], axis=-1)


def continuous(angles: np.ndarray, start: np.ndarray, order: str) -> np.ndarray:
    """The same rotations with the angles (T, J, 3) [rad] of each frame nearest to the frame before.

    A rotation has two triples, (a, b, c) and (a + π, π - b, c + π), each up to whole turns; where cos b = 0 only
    a + c or a - c is given, and a is kept from the frame before.
    """
    angles = angles.copy()
    other = np.stack([angles[..., 0] + np.pi, np.pi - angles[..., 1], angles[..., 2] + np.pi], axis=-1)
    locked = np.abs(np.cos(angles[..., 1])) < LOCK
    even = 1.0 if order in "xyzxy" else -1.0
    before = start
    for t in range(len(angles)):
        one, two = _near(angles[t], before), _near(other[t], before)
        pick = np.sum(np.abs(one - before), axis=-1) <= np.sum(np.abs(two - before), axis=-1)
        best = np.where(pick[:, None], one, two)
        if locked[t].any():
            best = np.where(locked[t][:, None], _unlock(best, before, even), best)
        angles[t] = before = best
    return angles


def _near(angles: np.ndarray, goal: np.ndarray) -> np.ndarray:
    return angles + 2 * np.pi * np.round((goal - angles) / (2 * np.pi))


def _unlock(angles: np.ndarray, before: np.ndarray, even: float) -> np.ndarray:
    """At the lock turning by c is turning by ± c about the first axis: keep a, and let c make up for it."""
    sign = even * np.sign(np.sin(angles[:, 1]))
    total = angles[:, 0] + sign * angles[:, 2]
    kept = np.stack([before[:, 0], angles[:, 1], sign * (total - before[:, 0])], axis=-1)
    return _near(kept, before)
