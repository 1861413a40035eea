"""How like a captured stride a walk is."""

from __future__ import annotations

import mujoco
import numpy as np

from poise.geometry import quat
from poise.motion.stride import Stride
from poise.record.recording import Recording

SETTLE = 3.0  # [s] of walking before it is compared
BINS = 50  # of a stride


def alike(stride: Stride, take: Recording) -> dict[str, float]:
    """Speed of the clip's own stride; correlation of the mean bend of the legs over a stride with the clip's."""
    found = {"stride_speed_ms": stride.speed}
    late = take.time >= min(SETTLE, 0.5 * take.time[-1])
    phase = take["stride"][late, 0] % 1.0
    middles = (np.arange(BINS) + 0.5) / BINS
    at = np.minimum((phase * BINS).astype(int), BINS - 1)
    if len(np.unique(at)) < BINS:
        return found
    q, q_clip = take["q"][late], stride.pose(middles)
    for name in ("hip", "knee", "ankle"):
        both = [_bends(stride.character.model, f"{name}_{side}", q, q_clip) for side in "lr"]
        values = [_alike(pair[0], pair[1], at) for pair in both if pair is not None]
        if values:
            found[f"{name}_like_clip"] = float(np.mean(values))
    return found


def _alike(bend: np.ndarray, bend_clip: np.ndarray, at: np.ndarray) -> float:
    mean = np.array([np.median(bend[at == k]) for k in range(BINS)])
    return float(np.corrcoef(mean, bend_clip)[0, 1])


def _bends(model: mujoco.MjModel, name: str, *poses: np.ndarray) -> list[np.ndarray] | None:
    """Bend of a joint about its axis, or about y where it is a ball, in poses (T, nq) [rad]."""
    if name not in {model.joint(j).name for j in range(model.njnt)}:
        return None
    joint = model.joint(name)
    a = int(joint.qposadr[0])
    if model.jnt_type[joint.id] != mujoco.mjtJoint.mjJNT_BALL:
        return [q[:, a] for q in poses]
    return [quat.swing_twist(q[:, a : a + 4], "y")[1] for q in poses]
