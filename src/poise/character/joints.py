"""Kinds of joints, as the engine numbers them."""

from __future__ import annotations

import mujoco

FREE = int(mujoco.mjtJoint.mjJNT_FREE)
BALL = int(mujoco.mjtJoint.mjJNT_BALL)
SLIDE = int(mujoco.mjtJoint.mjJNT_SLIDE)
HINGE = int(mujoco.mjtJoint.mjJNT_HINGE)
WIDTH = {FREE: 7, BALL: 4, SLIDE: 1, HINGE: 1}  # entries of q that a joint has
