"""Arms that swing against the legs: a step made without physics leaves them hanging as they hung in its examples."""

from __future__ import annotations

from dataclasses import replace

import mujoco
import numpy as np

from poise.behaviours.example_steps.step import print_of
from poise.behaviours.example_steps.stepping import Walker
from poise.motion.clip import Clip

SWING = 0.8  # [rad] by which an arm goes back when the foot of its side comes ahead of the other by a height
BEND = 0.6  # of that, by which an elbow bends when its arm goes forward
REST = 0.8  # [s] in which arms come back to rest in a stance that lasts
SIDES = ((0, "l", 1.0), (1, "r", -1.0))


def swung(walker: Walker, clip: Clip) -> Clip:
    """A clip whose arms swing against the legs, where the body has people's shoulders and elbows."""
    body = walker.character
    joints = [body.model.joint(f"{name}_{side}") for _, side, _ in SIDES for name in ("shoulder", "elbow")
              if f"{name}_{side}" in body.joint_names]  # fmt: skip
    if [int(j.type[0]) for j in joints] != [mujoco.mjtJoint.mjJNT_BALL, mujoco.mjtJoint.mjJNT_HINGE] * 2:
        return clip
    frames, back = np.array(clip.q, order="C"), _back(walker, clip)
    for i, angle in enumerate(back):
        by = np.zeros(body.model.nv)
        for k, (_, _, sign) in enumerate(SIDES):
            shoulder, elbow = joints[2 * k], joints[2 * k + 1]
            by[shoulder.dofadr[0] + 1] = sign * angle
            by[elbow.dofadr[0]] = BEND * min(sign * angle, 0.0)
        mujoco.mj_integratePos(body.model, frames[i], by, 1.0)
    return replace(clip, q=frames)


def _back(walker: Walker, clip: Clip) -> np.ndarray:
    """How far the left arm swings back in each frame [rad]: with the feet, and back to rest when they stand."""
    ahead = np.array([_ahead(walker, q) for q in clip.q]) / walker.legs.both.height
    out, angle = np.zeros(len(ahead)), 0.0
    for i in range(1, len(ahead)):
        dt = clip.times[i] - clip.times[i - 1]
        angle += SWING * (ahead[i] - ahead[i - 1]) - angle * dt / REST
        out[i] = angle
    return out


def _ahead(walker: Walker, q: np.ndarray) -> float:
    """How far the left sole is ahead of the right one, the way that both point [m]."""
    left, right = (print_of(walker.legs, q, i) for i in range(2))
    heading = left[2] + 0.5 * ((right[2] - left[2] + np.pi) % (2 * np.pi) - np.pi)
    return float(np.cos(heading) * (left[0] - right[0]) + np.sin(heading) * (left[1] - right[1]))
