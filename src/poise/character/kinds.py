"""Kinds of joints, as MuJoCo numbers them."""

from mujoco import mjtJoint

FREE, BALL = int(mjtJoint.mjJNT_FREE), int(mjtJoint.mjJNT_BALL)
SLIDE, HINGE = int(mjtJoint.mjJNT_SLIDE), int(mjtJoint.mjJNT_HINGE)
