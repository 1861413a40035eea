"""Own loop: your model, your MjData, your mj_step. The controller takes plain MuJoCo objects and returns torques."""

import mujoco
import numpy as np

import poise
from poise.motion import Clip
from poise.record.kinematic import recording_of

MOMENTS = (0.4, 0.55, 0.75, 1.0, 2.5)  # of its picture [s]


def main(seconds: float = 3.0) -> poise.Recording:
    robot = poise.Character.named("adult")
    spec = mujoco.MjSpec.from_string(robot.spec_xml)
    spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_PLANE, size=[5, 5, 0.1])
    spec.option.timestep = 0.002
    model = spec.compile()
    data = mujoco.MjData(model)
    data.qpos[:] = robot.q_rest
    controller = poise.Controller(robot, poise.behaviours.Balance())
    times, poses = [], []
    torso = model.body("torso").id
    while data.time < seconds:
        data.xfrc_applied[torso, 1] = 250.0 if 0.5 <= data.time < 0.6 else 0.0  # to the left [N]
        data.ctrl[:] = controller(model, data)
        mujoco.mj_step(model, data)
        times.append(data.time)
        poses.append(data.qpos.copy())
    state = controller.state
    print(f"centre of mass at {state.c[2]:.3f} m, speed {np.linalg.norm(state.c_dot):.3f} m/s")
    return recording_of(Clip(robot, np.array(times), np.array(poses)))  # to draw it


if __name__ == "__main__":
    main().save("own-loop.png")
