"""A clip sampled evenly: poses, momenta with their rates, and where its soles are."""

from __future__ import annotations

from dataclasses import dataclass

import mujoco
import numpy as np

from poise.character.constants import GRAVITY
from poise.compiled import compiled
from poise.geometry import quat
from poise.geometry.linear import times
from poise.motion.clip import Clip

DT = 0.01  # [s] between two samples


@dataclass(frozen=True, eq=False)
class Samples:
    """Of n instants and S soles; world axes, SI units."""

    times: np.ndarray  # (n,) of the clip
    c: np.ndarray  # (n, 3) centre of mass
    v: np.ndarray  # (n, 3)
    f: np.ndarray  # (n, 3) force that the ground must give
    H: np.ndarray  # (n, 3) angular momentum about c
    H_dot: np.ndarray  # (n, 3)
    x: np.ndarray  # (n, S, 3) centres of the soles
    turn: np.ndarray  # (n, S, 4) their axes, as quaternions


def sampled(clip: Clip, soles: list[int]) -> Samples:
    """Evenly spaced instants of a clip, both ends included; ``soles`` are indices of supports."""
    character, model = clip.character, clip.character.model
    count = max(2, round(clip.seconds / DT) + 1)
    times = np.linspace(clip.start, clip.end, count)
    supports = [character.supports[s] for s in soles]
    bodies = [character.body(s.body) for s in supports]
    middles = np.array([s.points.mean(axis=0) for s in supports])
    frames = np.array([s.frame for s in supports], float)
    data = mujoco.MjData(model)
    c, v, f, H, H_dot = (np.empty((count, 3)) for _ in range(5))
    x, turn = np.empty((count, len(soles), 3)), np.empty((count, len(soles), 4))
    out = Samples(times, c, v, f, H, H_dot, x, turn)
    for i, t in enumerate(times):
        inside = min(max(t, clip.start + 1e-9), clip.end - 1e-9)
        data.qpos[:], data.qvel[:], data.qacc[:] = clip.sample(inside)
        mujoco.mj_inverse(model, data)
        mujoco.mj_subtreeVel(model, data)
        _fill(out, i, data)
        at = data.xquat[bodies]
        out.x[i] = data.xpos[bodies] + quat.rotate(at, middles)
        out.turn[i] = quat.multiply(at, frames)
    return out


def calmed(samples: Samples, m: float, cutoff: float) -> None:
    """Take what is quicker than a frequency [Hz] out of the height of a body's centre of mass."""
    from scipy.signal import butter, sosfiltfilt

    sections = butter(2, cutoff, fs=1.0 / DT, output="sos")
    samples.c[:, 2] = sosfiltfilt(sections, samples.c[:, 2])
    samples.v[:, 2] = np.gradient(samples.c[:, 2], DT)
    samples.f[:, 2] = m * (GRAVITY + np.gradient(samples.v[:, 2], DT))


def leaning(clip: Clip, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Where the axis of the trunk that is upright at first points, in its own frame (3,) and at every sample (n, 3)."""
    character, data = clip.character, mujoco.MjData(clip.character.model)
    trunk, up = character.body(character.trunk), np.empty((count, 3))
    own = np.zeros(3)
    for i in range(count):
        data.qpos[:] = clip.at(clip.start + min(i * DT, clip.seconds - 1e-9))
        mujoco.mj_kinematics(character.model, data)
        R = data.xmat[trunk].reshape(3, 3)
        own = R[2].copy() if i == 0 else own
        up[i] = times(R, own)
    return own, up


@compiled
def at(table, s):
    """Row of a table of samples at a fractional index."""
    i = min(int(s), table.shape[0] - 2)
    return table[i] + (s - i) * (table[i + 1] - table[i])


def _fill(out: Samples, i: int, data: mujoco.MjData) -> None:
    """Momenta and the wrench of the root: all that the ground must give, whatever the limbs do to each other."""
    out.c[i], out.v[i], out.H[i] = data.subtree_com[1], data.subtree_linvel[1], data.subtree_angmom[1]
    out.f[i] = data.qfrc_inverse[:3]
    moment = quat.rotate(data.qpos[3:7], data.qfrc_inverse[3:6])
    out.H_dot[i] = moment + quat.cross(data.qpos[:3] - out.c[i], out.f[i])
