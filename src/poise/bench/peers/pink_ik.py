"""pink's inverse kinematics on the body as URDF. Usage: pink_ik.py body.urdf task."""

# pyright: reportAttributeAccessIssue=false

import numpy as np
import pink  # pyright: ignore[reportMissingImports]
import pinocchio  # pyright: ignore[reportMissingImports]
from pink.tasks import ComTask, FrameTask, PostureTask  # pyright: ignore[reportMissingImports]
from serve import serve_tasks, told  # pyright: ignore[reportMissingImports]


def at_rest(model, task: dict) -> np.ndarray:
    """Configuration at rest: root, then hinges by name."""
    q = pinocchio.neutral(model)
    q[:3] = task["root"]
    for name, angle in task["rest"].items():
        q[model.joints[model.getJointId(name)].idx_q] = angle
    return q


def main() -> None:
    """Feet and trunk as they are, the centre of mass elsewhere, the pose as near to rest as that allows."""
    path, task = told()
    model, hard = pinocchio.buildModelFromUrdf(path, pinocchio.JointModelFreeFlyer()), task["cost"]
    data, rest = model.createData(), at_rest(model, task)
    body = pink.Configuration(model, data, rest)
    feet = [FrameTask(name, hard, hard) for name in task["feet"]]
    trunk = FrameTask(task["trunk"], 0.0, hard)
    com, pose = ComTask(hard), PostureTask(1.0)
    for wish in (*feet, trunk, com, pose):
        wish.set_target_from_configuration(body)
    tasks = [*feet, trunk, com, pose]

    def velocity() -> np.ndarray:
        return pink.solve_ik(body, tasks, 1.0, "daqp", damping=task["damping"], limits=[], safety_break=False)

    serve_tasks(body, rest, com, velocity, task, model.nv)


if __name__ == "__main__":
    main()
