"""Plan: the rig's bodies in its zero pose: where their frames are and how their joints turn."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from poise.capture.anatomy.parts import Anatomy, Part
from poise.capture.autorig import hinges, stand
from poise.geometry import quat
from poise.geometry.linear import norm

JOINTS = {
    "pelvis": "root", "abdomen": "spine_low", "torso": "spine_mid", "chest": "spine_top", "neck_1": "neck_low",
    "neck_2": "neck_mid", "head": "neck", "upper_arm": "shoulder", "forearm": "elbow", "hand": "wrist", "thigh": "hip",
    "shin": "knee", "tarsus": "hock", "foot": "ankle",
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class Plan:
    """Bodies of a rig before they get mass and shape."""

    anatomy: Anatomy  # the parts
    zero: dict[str, np.ndarray]  # part to the world rotation (4,) of its joint in the zero pose
    axes: dict[str, np.ndarray] = field(default_factory=dict)  # of hinges (3,); others are balls

    @property
    def parts(self) -> tuple[Part, ...]:
        return self.anatomy.parts

    @cached_property
    def owner(self) -> np.ndarray:
        """(J,) index of the part that each joint of the skeleton belongs to; joints above the root are the root's."""
        own = {part.joint: i for i, part in enumerate(self.parts) if part.joint >= 0}
        tree, count = self.anatomy.figure.tree, len(self.anatomy.figure.skeleton)
        paths = [reversed(tree.path(j)) for j in range(count)]
        return np.array([next((own[k] for k in path if k in own), 0) for path in paths])

    @cached_property
    def turned(self) -> np.ndarray:
        """(J, 4) every joint in the world in the zero pose; those without a body of their own as usual in the clip."""
        figure = self.anatomy.figure
        own = {part.joint: self.zero[part.name] for part in self.parts if part.joint >= 0}
        turned = np.zeros((len(figure.skeleton), 4))
        above = figure.tree.path(self.parts[0].joint)
        turned[above[-1]] = own[above[-1]]
        for j, k in zip(above[-2::-1], above[:0:-1]):
            turned[j] = quat.multiply(turned[k], quat.conjugate(figure.mean[k]))
        for j, p in enumerate(figure.skeleton.parents):
            if j not in above:
                turned[j] = own[j] if j in own else quat.multiply(turned[p], figure.mean[j])
        return turned

    @cached_property
    def every(self) -> np.ndarray:
        """(P, 3) joints, then end sites, in the zero pose, the root body's joint at the origin [m]."""
        every = self.anatomy.figure.placed(self.turned)
        return every - every[self.parts[0].joint]

    def place(self, part: Part) -> np.ndarray:
        """A part's joint in the zero pose (3,) [m]; of a foot that was made up, the tip of its leg."""
        if part.joint >= 0:
            return self.every[part.joint]
        above = self.anatomy.part(part.parent)
        points = self.points(above)
        return points[norm(points - points[0], axis=1).argmax()]

    def points(self, part: Part) -> np.ndarray:
        """Joints and end sites that belong to a part (k, 3), its own joint first, in the zero pose [m]."""
        if part.joint < 0:
            return self.place(part)[None]
        figure, own = self.anatomy.figure, self.owner == self.parts.index(part)
        below = [j for j in figure.below[part.joint] if own[j]]
        return self.every[[*below, *figure.tips_of(below)]]

    def end(self, part: Part) -> np.ndarray:
        """Where a part's bone ends (3,) [m]: at the next part of its limb, else at its farthest point."""
        kids = [kid for kid in self.anatomy.kids(part.name) if kid.kind != "tail" or part.kind == "tail"]
        if kids and part.kind not in ("hand", "foot", "head"):
            return np.mean([self.place(kid) for kid in kids], axis=0)
        points = self.points(part)
        return points[norm(points - points[0], axis=1).argmax()]

    def length(self, part: Part) -> float:
        """Of a part's bone [m]."""
        return float(norm(self.end(part) - self.place(part)))

    def frames(self) -> dict[str, np.ndarray]:
        """Rotation (T, 4) of every body in the clip."""
        return frames(self, self.anatomy.figure.capture.world[1])


def joint_name(body: str) -> str:
    """Name of the joint that turns a body: ``shin_l`` turns about ``knee_l``."""
    side = body[-2:] if body[-2:] in ("_l", "_r") else ""
    core = body[: len(body) - len(side)]
    if core in JOINTS:
        return JOINTS[core] + side
    for prefix in ("fore_", "mid_", "low_"):
        if core.startswith(prefix):
            return prefix + joint_name(core.removeprefix(prefix)) + side
    word, _, number = core.rpartition("_")
    return f"{JOINTS[word]}_{number}{side}" if word in JOINTS and number.isdigit() else core + side


def frames(plan: Plan, turned: np.ndarray) -> dict[str, np.ndarray]:
    """Rotation (T, 4) of every body, given those of the skeleton's joints in the world (T, J, 4)."""
    made = {}
    for part in plan.parts:
        if part.joint >= 0:
            made[part.name] = quat.multiply(turned[:, part.joint], quat.conjugate(plan.zero[part.name]))
        else:  # a foot that the skeleton has not stays level
            _, yaw = quat.swing_twist(made[part.parent])
            made[part.name] = quat.from_rotvec(yaw[:, None] * np.array([0.0, 0.0, 1.0]))
    return made


def with_hinges(plan: Plan, wanted: dict[str, str]) -> tuple[Plan, dict[str, str]]:
    """The plan with knees and elbows that turn about one axis, or that are wanted so, as hinges; and why."""
    zero, axes, why = dict(plan.zero), {}, {}
    turned = plan.anatomy.figure.capture.world[1]
    for part in plan.parts[1:]:
        name = joint_name(part.name)
        if part.joint < 0 or (part.kind not in hinges.HINGED and wanted.get(name) != "hinge"):
            continue
        now = frames(replace(plan, zero=zero), turned)
        relative = quat.multiply(quat.conjugate(now[part.parent]), now[part.name])
        along = plan.end(part) - plan.place(part)
        above = plan.place(part) - plan.place(plan.anatomy.part(part.parent))
        fit = hinges.fit(relative, along, above, above if stand.straight_legs(plan.anatomy) else along)
        why[name] = fit.evidence
        if wanted.get(name, "hinge" if fit.good else "ball") == "hinge":
            axes[part.name] = fit.axis
            zero[part.name] = quat.multiply(fit.offset, zero[part.name])
    return Plan(plan.anatomy, zero, axes), why
