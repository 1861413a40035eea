r"""What contacts and pushes do not explain of a performance, from its poses and forces alone.

.. math:: v_k = (q_{k+1} \ominus q_k)/h, \quad H_k = A_H(q_{k+1/2})\,v_k, \quad T_k = \sum (p - c_{k+1/2}) \times F_k

.. math:: gap_k = (H_k - H_{k-1})/h - (T_k + T_{k-1})/2

and the same for L, with gravity. Five frames are averaged: a contact that begins or ends within a frame smears its
moment over two. Nothing of the model or of the solver enters, so neither can hide a moment here. In physics the same is
read from the record, which keeps the mean moment of the contacts since the record before.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import mujoco
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from poise.character.constants import GRAVITY

if TYPE_CHECKING:
    from poise.behaviours.planned.take import Log
    from poise.character.character import Character
    from poise.record.recording import Recording
    from poise.worlds.disturb import Push

FRAMES = 5  # that are averaged


class Gaps(NamedTuple):
    """Largest moment [N m] and force [N] that nothing explains."""

    moment: float
    force: float


def gaps(log: Log) -> Gaps:
    """Of a performance, over all its frames."""
    n = log.frames - 1
    if n < FRAMES + 1:
        return Gaps(0.0, 0.0)
    L, H, T, F = _momenta(log, n)
    return Gaps(_largest(H, T, log.ref.h), _largest(L, F, log.ref.h))


def recorded(character: Character, pushes: Sequence[Push], take: Recording) -> dict[str, float]:
    """``moment_gap_nm`` of a take in physics, until it fell."""
    n = len(take) if take.fall_time is None else int(np.searchsorted(take.time, take.fall_time))
    if n < FRAMES + 2:
        return {"moment_gap_nm": 0.0}
    H, T = take["angular_momentum"][:n], take["angular_momentum_rate"][:n].copy()
    before = np.append(0.0, take.time[: n - 1])
    data, nq = mujoco.MjData(character.model), character.model.nq
    for push in pushes:
        share = np.minimum(take.time[:n], push.start + push.duration) - np.maximum(before, push.start)
        share = np.clip(share, 0.0, None) / np.maximum(take.time[:n] - before, 1e-9)
        for k in np.flatnonzero(share > 0):
            data.qpos[:] = take["q"][k, :nq]
            mujoco.mj_kinematics(character.model, data)
            b = character.body(push.body)
            at = data.xipos[b] + data.xmat[b].reshape(3, 3) @ push.offset
            T[k] += share[k] * np.cross(at - take["com"][k], push.force)
    gap = np.diff(H, axis=0) / np.diff(take.time[:n])[:, None] - T[1:]
    return {"moment_gap_nm": _mean_peak(gap)}


def _momenta(log: Log, n: int) -> tuple[np.ndarray, ...]:
    """L, H (n, 3) on the way from each frame to the next, and the moments and forces (n, 3) that act there."""
    model, h = log.ref.character.model, log.ref.h
    data, mass = mujoco.MjData(model), log.ref.character.mass
    L, H, T = np.empty((n, 3)), np.empty((n, 3)), np.empty((n, 3))
    for k in range(n):
        mujoco.mj_differentiatePos(model, data.qvel, h, log.q[k], log.q[k + 1])
        data.qpos[:] = log.q[k]
        mujoco.mj_integratePos(model, data.qpos, data.qvel, 0.5 * h)
        mujoco.mj_fwdPosition(model, data)
        mujoco.mj_fwdVelocity(model, data)
        mujoco.mj_subtreeVel(model, data)
        c = data.subtree_com[1]
        L[k], H[k] = mass * data.subtree_linvel[1], data.subtree_angmom[1]
        arms = np.nan_to_num(log.points[k] - c)
        T[k] = np.cross(arms, log.F[k]).sum(axis=0) + np.cross(log.pushed[k, 3:] - c, log.pushed[k, :3])
    F = log.F[:n].sum(axis=1) + log.pushed[:n, :3] - [0.0, 0.0, mass * GRAVITY]
    return L, H, T, F


def _largest(momentum: np.ndarray, cause: np.ndarray, h: float) -> float:
    gap = np.diff(momentum, axis=0) / h - 0.5 * (cause[1:] + cause[:-1])
    return _mean_peak(gap)


def _mean_peak(gap: np.ndarray) -> float:
    return float(np.linalg.norm(sliding_window_view(gap, FRAMES, axis=0).mean(axis=-1), axis=1).max())
