"""ros2_control, its shape: hardware with read and write, a controller with update(time, period), no ROS needed.

The hardware has interfaces by name and nothing else; the controller keeps a model of its own, as on a robot.
"""

import mujoco
import numpy as np

import poise
from poise.motion import Clip
from poise.record.kinematic import recording_of

MOMENTS = (0.4, 0.6, 0.8, 1.1, 1.9)  # of its picture [s]


class Hardware:
    """A system of joints and a floating base: here a simulated one, whose parts are 10 % heavier than anybody knows."""

    def __init__(self, robot: poise.Character, step: float):
        spec = mujoco.MjSpec.from_string(robot.spec_xml)
        spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_PLANE, size=[5, 5, 0.1])
        spec.option.timestep = step
        self.model = spec.compile()
        self.model.body_mass[:] *= 1.1
        self.model.body_inertia[:] *= 1.1
        self.data = mujoco.MjData(self.model)
        self.data.qpos[:] = robot.q_rest
        self.state = {
            name: np.zeros(n) for name, n in (("position", self.model.nq), ("velocity", self.model.nv))
        }
        self.state |= {"contact_force": np.zeros(self.model.nv)}  # from soles that feel
        self.command = {"effort": np.zeros(self.model.nu)}

    def read(self) -> None:
        self.state["position"][:], self.state["velocity"][:] = self.data.qpos, self.data.qvel
        self.state["contact_force"][:] = self.data.qfrc_constraint

    def write(self) -> None:
        self.data.ctrl[:] = self.command["effort"]
        mujoco.mj_step(self.model, self.data)


class MomentumController:
    """What a controller plugin has: configure, activate, update. It sees interfaces, never the hardware."""

    def on_configure(self, robot: poise.Character, state: dict, command: dict) -> None:
        spec = mujoco.MjSpec.from_string(robot.spec_xml)
        spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_PLANE, size=[5, 5, 0.1])
        self.model, self.state, self.command = spec.compile(), state, command
        self.data = mujoco.MjData(self.model)
        self.controller = poise.Controller(robot, poise.behaviours.Balance(), dt=0.002)

    def on_activate(self) -> None:
        self.controller.reset()

    def update(self, time: float, period: float) -> str:
        self.data.time = time
        self.data.qpos[:], self.data.qvel[:] = self.state["position"], self.state["velocity"]
        self.data.qfrc_constraint[:] = self.state["contact_force"]
        mujoco.mj_step1(self.model, self.data)
        self.command["effort"][:] = self.controller(self.model, self.data, ready=True)
        return "OK" if self.controller.status.word != "fallen" else "ERROR"


def main(seconds: float = 3.0) -> poise.Recording:
    robot, period = poise.Character.named("adult"), 0.002
    hardware, plugin = Hardware(robot, period), MomentumController()
    plugin.on_configure(robot, hardware.state, hardware.command)
    plugin.on_activate()
    torso, times, poses = hardware.model.body("torso").id, [], []
    for tick in range(round(seconds / period)):  # what the controller manager does
        hardware.data.xfrc_applied[torso, 0] = 250.0 if 0.5 <= tick * period < 0.6 else 0.0
        hardware.read()
        if plugin.update(tick * period, period) != "OK":
            break
        hardware.write()
        times.append(hardware.data.time)
        poses.append(hardware.data.qpos.copy())
    mass = plugin.controller.state.scale.factor[0]
    print(
        f"{plugin.controller.status.word} after {times[-1]:.2f} s; the ground feels {mass:.2f} of its model's mass"
    )
    return recording_of(Clip(robot, np.array(times), np.array(poses)))


if __name__ == "__main__":
    main().save("ros2-control.png")
