"""Numbers that many parts share: gravity, and the kinds of joints as the engine numbers them."""

import mujoco

GRAVITY = 9.81  # [m/s²] on Earth; a state has its world's own
FREE = int(mujoco.mjtJoint.mjJNT_FREE)
BALL = int(mujoco.mjtJoint.mjJNT_BALL)
SLIDE = int(mujoco.mjtJoint.mjJNT_SLIDE)
HINGE = int(mujoco.mjtJoint.mjJNT_HINGE)
WIDTH = {FREE: 7, BALL: 4, SLIDE: 1, HINGE: 1}  # numbers of q that a joint has
