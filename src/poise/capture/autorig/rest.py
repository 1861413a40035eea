"""Rest: a comfortable stand, feet flat on the floor and the centre of mass over their middle."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from poise.capture.anatomy.parts import Part
from poise.capture.autorig.plan import Plan, frames, joint_name
from poise.capture.autorig.shapes import pattern
from poise.capture.autorig.stand import straight_legs
from poise.character.character import Character
from poise.character.shapes import Sole
from poise.geometry import quat
from poise.geometry.linear import norm, times
from poise.motion.ik import Solver, Targets

FEET_APART = (0.055, 0.08)  # of the height: bounds of an ankle's distance from the middle
SPREAD = 0.45  # [rad] by which each pair of arms is held farther out than the one below it
LEAST_BEND = np.radians(9)  # no knee is straighter: a straight leg has no way to give
LOWER = 0.003  # of the height: the body is let down by this until its knees are bent,
LOWERINGS = 10  # so many times at the most


def rested(
    character: Character, plan: Plan, soles: dict[str, Sole], height: float
) -> tuple[Character, float]:
    """The character with its rest pose, and how far that is from flat feet and balance [m, rad]."""
    start, straight = _start(character, plan), straight_legs(plan.anatomy)
    feet = [plan.anatomy.part(name) for name in character.stance]
    posed = character.posed(start)
    places = {}
    for foot in feet:
        x, y, _ = posed.body(foot.name).xpos
        _, yaw = quat.swing_twist(posed.body(foot.name).xquat)
        if straight:
            x, yaw = 0.0, 0.0
            y = foot.side * float(np.clip(abs(y), FEET_APART[0] * height, FEET_APART[1] * height))
        place = np.array([x, y, soles[foot.name].depth])
        places[foot.name] = place, quat.from_rotvec(np.array([0.0, 0.0, yaw]))
    corners = [place + quat.rotate(turn, soles[name].points) for name, (place, turn) in places.items()]
    targets = Targets(bodies=places, com=np.mean(np.vstack(corners), axis=0)[:2])
    solver = Solver(character)
    q = solver.solve(start, targets)
    for _ in range(LOWERINGS if straight else 0):
        if _straightest(character, plan, q) > LEAST_BEND:
            break
        targets = replace(targets, root_height=float(q[2]) - LOWER * height)
        q = solver.solve(q, targets)
    missed = float(np.abs(solver.rows(q, targets)[1]).max())
    rest: dict[str, np.ndarray | float] = {"root": q[:7].copy()}
    for part in plan.parts[1:]:
        name = joint_name(part.name)
        at = character.model.joint(name).qposadr[0]
        rest[name] = float(q[at]) if part.name in plan.axes else q[at : at + 4].copy()
    return replace(character, rest=rest), missed


def _start(character: Character, plan: Plan) -> np.ndarray:
    """Where the search begins: the adult's rest for a biped with straight legs, else the standing pose."""
    model, q = character.model, character.model.qpos0.copy()
    figure = plan.anatomy.figure
    bodies = frames(plan, figure.turned[None])
    straight = straight_legs(plan.anatomy)
    if not straight:
        q[3:7] = bodies[plan.parts[0].name][0]
    pairs = [prefix for prefix in ("low_", "mid_", "") if f"{prefix}upper_arm_l" in bodies]
    for part in plan.parts[1:]:
        relative = quat.multiply(quat.conjugate(bodies[part.parent]), bodies[part.name])[0]
        if straight and part.kind not in ("spine", "neck", "head", "tail", "clavicle"):
            relative = _like_adult(part)
            if part.kind == "upper_arm":
                out = SPREAD * pairs.index(part.name.removesuffix("upper_arm" + part.name[-2:]))
                relative = quat.multiply(quat.from_rotvec(np.array([part.side * out, 0.0, 0.0])), relative)
        elif straight:
            relative = quat.IDENTITY
        start = model.joint(joint_name(part.name)).qposadr[0]
        if part.name in plan.axes:
            q[start] = float(times(quat.to_rotvec(relative), plan.axes[part.name]))
        else:
            q[start : start + 4] = relative
    posed = character.posed(q)
    q[2] -= min(posed.body(name).xpos[2] for name in character.stance)
    return q


def _straightest(character: Character, plan: Plan, q: np.ndarray) -> float:
    """Smallest bend of a knee [rad]."""
    data, bends = character.posed(q), []
    at = {part.name: data.body(part.name).xpos for part in plan.parts}
    for part in plan.parts:
        if part.kind == "shin":
            bones = [at[kid.name] - at[part.name] for kid in plan.anatomy.kids(part.name)]
            above = at[part.name] - at[part.parent]
            bends += [float(np.arctan2(norm(np.cross(above, b)), times(above, b))) for b in bones]
    return min(bends, default=np.pi)


def _like_adult(part: Part) -> np.ndarray:
    limb = pattern(part)
    rest = np.zeros(3) if limb is None or not len(limb.rest) else np.array(limb.rest, float)
    return quat.from_rotvec(rest if len(rest) == 3 else np.array([0.0, rest[0], 0.0]))
