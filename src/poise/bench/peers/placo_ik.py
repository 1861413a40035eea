"""placo's KinematicsSolver on the body as URDF. Usage: placo_ik.py body.urdf task."""

import numpy as np
import placo  # pyright: ignore[reportMissingImports]
from serve import serve, settle, told  # pyright: ignore[reportMissingImports]


def main() -> None:
    """Feet and trunk as they are, the centre of mass elsewhere, the pose as near to rest as that allows."""
    path, task = told()
    robot, hard = placo.RobotWrapper(path, placo.Flags.ignore_collisions), task["cost"] ** 2
    T = np.eye(4)
    T[:3, 3] = task["root"]

    def prepare(k: int) -> None:
        for name, angle in task["rest"].items():
            robot.set_joint(name, angle)
        robot.set_T_world_fbase(T)
        robot.update_kinematics()

    prepare(0)
    solver = placo.KinematicsSolver(robot)
    solver.enable_joint_limits(False)
    for name in task["feet"]:
        solver.add_frame_task(name, robot.get_T_world_frame(name)).configure(name, "soft", hard, hard)
    trunk = robot.get_T_world_frame(task["trunk"])[:3, :3]
    solver.add_orientation_task(task["trunk"], trunk).configure("trunk", "soft", hard)
    com = solver.add_com_task(robot.com_world())
    com.configure("com", "soft", hard)
    joints = solver.add_joints_task()
    joints.set_joints({name: robot.get_joint(name) for name in robot.joint_names()})
    joints.configure("joints", "soft", 1.0)
    solver.add_regularization_task(task["damping"])

    def step() -> np.ndarray:
        change = solver.solve(True)
        robot.update_kinematics()
        return change

    def solve(k: int) -> float:
        com.target_world = np.array(task["com"][k % len(task["com"])])
        settle(step, task)
        return float(np.abs(robot.com_world() - com.target_world).max())

    serve(len(robot.state.qd), solve, prepare)


if __name__ == "__main__":
    main()
