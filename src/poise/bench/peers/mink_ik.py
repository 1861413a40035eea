"""mink's inverse kinematics on the body's own MJCF. Usage: mink_ik.py body.xml task."""

import mink  # pyright: ignore[reportMissingImports]
import mujoco
import numpy as np
from serve import serve_tasks, told  # pyright: ignore[reportMissingImports]


def main() -> None:
    """Feet and trunk as they are, the centre of mass elsewhere, the pose as near to rest as that allows."""
    path, task = told()
    model, hard = mujoco.MjModel.from_xml_path(path), task["cost"]
    body, rest = mink.Configuration(model), np.array(task["q"])
    body.update(rest)
    feet = [mink.FrameTask(name, "body", hard, hard) for name in task["feet"]]
    trunk = mink.FrameTask(task["trunk"], "body", 0.0, hard)
    for frame in (*feet, trunk):
        frame.set_target_from_configuration(body)
    com, pose = mink.ComTask(hard), mink.PostureTask(model, 1.0)
    pose.set_target(rest)
    tasks = [*feet, trunk, com, pose]

    def velocity() -> np.ndarray:
        return mink.solve_ik(body, tasks, 1.0, "daqp", damping=task["damping"], limits=[])

    serve_tasks(body, rest, com, velocity, task, model.nv)


if __name__ == "__main__":
    main()
