"""How true a take is to the clip that it follows."""

from __future__ import annotations

import mujoco
import numpy as np

from poise.motion.clip import Clip
from poise.motion.score import Score
from poise.record.recording import Recording

LEFT = 0.1  # [m] of ξ: farther off, a body has left its course


def followed(score: Score, clip: Clip, pace: float, take: Recording) -> dict[str, float]:
    """Share of the clip that was followed before a fall, and how far from it the body was."""
    time, xi = take["clip"][:, 0], np.hypot(*take["xi_error"].T)
    fell = take.fall_time
    good = np.ones(len(xi), bool) if fell is None else take.time < fell
    kept = good if good.any() else slice(0, 1)
    landed, steps = take["steps"][-1, :2], take["steps"][-1, 2]
    if fell is not None:
        take.notes.append(_story(take, fell, xi))
    apart = _apart(clip.character.model, take, kept)
    return {
        "kept_share": float(min(time[kept].max() / max(clip.seconds, 1e-9), 1.0)),
        "xi_error_rms_m": float(np.sqrt((xi[kept] ** 2).mean())),
        "xi_error_end_m": float(xi[-1]),
        "landing_error_m": float(take["steps"][-1, 3]),
        "joint_error_max_m": float(apart.max()),
        "start_error_m": _start(score, clip, take),
        "end_error_m": float(apart[-1]),
        "steps_clip": float(landed.sum()),
        "steps_extra": float(steps),
        "shift_max_m": float(np.hypot(*score.shift.T).max()),
        "pace_min": pace,
    }


def _apart(model: mujoco.MjModel, take: Recording, kept) -> np.ndarray:
    """Largest distance of a joint from where the clip, seen from the foot that stands, has it (n,) [m]."""
    one, two = mujoco.MjData(model), mujoco.MjData(model)
    out = []
    for q, q_ref in zip(take["q"][kept], take["q_ref"][kept]):
        one.qpos[:], two.qpos[:] = q[: model.nq], q_ref  # balls come after the body
        mujoco.mj_kinematics(model, one)
        mujoco.mj_kinematics(model, two)
        out.append(np.linalg.norm(one.xpos - two.xpos, axis=1).max())
    return np.array(out)


def _start(score: Score, clip: Clip, take: Recording) -> float:
    """Largest distance of a joint of the first pose from the captured one [m]."""
    model = clip.character.model
    one, two = mujoco.MjData(model), mujoco.MjData(model)
    one.qpos[:], two.qpos[:] = score.clip.q[0], clip.q[0]
    mujoco.mj_kinematics(model, one)
    mujoco.mj_kinematics(model, two)
    return float(np.linalg.norm(one.xpos - two.xpos, axis=1).max())


def _story(take: Recording, fell: float, xi: np.ndarray) -> str:
    """When and in which phase the body left its course before it fell."""
    before = np.flatnonzero((xi > LEFT) & (take.time <= fell))
    i = int(before[0]) if len(before) else int(np.searchsorted(take.time, fell)) - 1
    clip, _, left, right = take["clip"][i]
    feet = {(1, 1): "both feet stood", (1, 0): "the left foot stood", (0, 1): "the right foot stood"}
    where = feet.get((int(left), int(right)), "it flew")
    off = (
        f"it was {xi[i]:.2f} m off its course at {take.time[i]:.2f} s"
        if len(before)
        else "it was on its course"
    )
    return f"fell at {fell:.2f} s: {off}, {clip:.2f} s into the clip, when {where}"
