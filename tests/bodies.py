"""Awkward bodies and takes of them, for the tests of files: any joints, any frames, things lying about."""

from __future__ import annotations

import mujoco
import numpy as np

from poise.record.recording import Recording, Series

# several hinges on a body, joints away from the body's origin, turned frames, slides, welds, no names, a mesh, props
ODD = """
<mujoco model="odd">
  <asset><mesh name="wedge" vertex="0 0 0  .1 0 0  0 .1 0  0 0 .2"/></asset>
  <worldbody>
    <geom type="plane" size="0 0 1"/>
    <geom type="box" size=".1 .1 .1" pos="1 1 .1"/>
    <body name="ball" pos="1 0 .2"><freejoint/><geom type="sphere" size=".1" rgba="1 0 0 1"/></body>
    <body name="lift" pos="0 2 0"><joint type="slide" axis="0 0 1"/><geom type="cylinder" size=".3 .05"/></body>
    <body name="base one" pos="0 0 1" euler="0 0 30">
      <freejoint name="root"/>
      <geom type="box" size=".1 .1 .1"/>
      <body name="hip" pos="0 .1 -.1" euler="20 40 10">
        <joint axis="1 0 0" pos=".01 .02 .03"/><joint axis="0 1 0" pos=".01 .02 .03"/>
        <joint axis="0 0 1" pos=".01 .02 .03"/>
        <geom type="capsule" fromto="0 0 0 0 0 -.3" size=".04"/>
        <body pos="0 0 -.3"><joint type="slide" axis="0 1 1"/><geom type="mesh" mesh="wedge" rgba="0 1 0 .5"/></body>
      </body>
      <body name="two points" pos="0 -.1 -.1">
        <joint axis="1 0 0" pos="0 0 0"/><joint axis="0 1 0" pos="0 0 -.1"/>
        <geom type="ellipsoid" size=".05 .04 .2" pos="0 0 -.2"/>
        <body name="weld" pos="0 0 -.4" quat="0 1 0 0"><geom type="sphere" size=".06"/></body>
        <body name="bare" pos=".1 0 -.4"><joint type="ball"/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/></body>
      </body>
    </body>
  </worldbody>
</mujoco>
"""
FIXED = """
<mujoco>
  <worldbody>
    <body name="lamp" pos="0 0 0"><geom type="sphere" size=".1"/></body>
    <body name="pole" pos="0 1 0">
      <joint axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0 0 .5" size=".05" group="3"/>
      <body name="arm" pos="0 0 .5">
        <joint axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0 0 .5" size=".05" group="4"/>
      </body>
    </body>
  </worldbody>
</mujoco>
"""


def recording(xml: str, frames: int = 30, seed: int = 0, step: float = 0.3) -> Recording:
    """A take of a body that moves at random."""
    model = mujoco.MjModel.from_xml_string(xml)
    random = np.random.default_rng(seed)
    q = np.empty((frames, model.nq))
    q[0] = model.qpos0
    mujoco.mj_integratePos(model, q[0], random.normal(size=model.nv), 1.0)
    for t in range(1, frames):
        q[t] = q[t - 1]
        mujoco.mj_integratePos(model, q[t], random.normal(size=model.nv), step)
    names = tuple(f"q{i}" for i in range(model.nq))
    info = {"scene": "odd", "character": "odd body", "seed": seed, "pushes": ["hip:30,0,10@0.1+0.05"]}
    return Recording(info, xml, np.arange(frames) / 100, {"q": Series(q, "m, rad, 1", "world", names)})


def posed(recording: Recording, frame: int) -> tuple[mujoco.MjModel, mujoco.MjData]:
    """The engine's own answer to where everything is at a frame."""
    model = mujoco.MjModel.from_xml_string(recording.model_xml)
    data = mujoco.MjData(model)
    data.qpos[:] = recording["q"][frame]
    mujoco.mj_kinematics(model, data)
    return model, data
