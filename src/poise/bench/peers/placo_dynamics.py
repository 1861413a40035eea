"""placo's DynamicsSolver: a standing body with the tasks of a balance tick. Usage: placo_dynamics.py body.urdf task."""

import numpy as np
import placo  # pyright: ignore[reportMissingImports]
from serve import serve, told  # pyright: ignore[reportMissingImports]


def build(urdf: str, task: dict) -> tuple:
    """CM, two flat feet with friction, posture, trunk."""
    robot = placo.RobotWrapper(urdf, placo.Flags.ignore_collisions)
    for name, angle in task["rest"].items():
        robot.set_joint(name, angle)
    T = np.eye(4)
    T[:3, 3] = task["root"]
    robot.set_T_world_fbase(T)
    robot.update_kinematics()
    solver = placo.DynamicsSolver(robot)
    solver.dt = 0.002
    solver.enable_torque_limits(True)
    for foot in task["feet"]:
        frame = solver.add_frame_task(foot["frame"], robot.get_T_world_frame(foot["frame"]))
        frame.configure(foot["frame"], "hard", 1.0, 1.0)
        contact = solver.add_planar_contact(frame)
        contact.length, contact.width, contact.mu = foot["length"], foot["width"], task["mu"]
    com = solver.add_com_task(robot.com_world())
    com.configure("com", "soft", 1000.0)
    trunk = solver.add_orientation_task("torso", robot.get_T_world_frame("torso")[:3, :3])
    trunk.configure("trunk", "soft", 10.0)
    joints = solver.add_joints_task()
    joints.set_joints({name: robot.get_joint(name) for name in robot.joint_names()})
    joints.configure("joints", "soft", 1.0)
    return robot, solver


def main() -> None:
    """Build once, then answer requests until stdin ends."""
    urdf, task = told()
    robot, solver = build(urdf, task)
    rng, names = np.random.default_rng(0), list(robot.joint_names())

    def prepare(k: int) -> None:
        for name in names:  # a state that is never quite the same, as in a loop
            robot.set_joint(name, task["rest"].get(name, 0.0) + 1e-3 * rng.standard_normal())

    def solve(k: int) -> float:
        robot.update_kinematics()
        if not solver.solve(False).success:
            raise SystemExit("placo found no solution")
        return 0.0

    serve(len(robot.state.qd), solve, prepare)


if __name__ == "__main__":
    main()
