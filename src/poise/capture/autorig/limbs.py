"""Limbs of a rig: a plan's parts with flesh, shapes, limits and strength, as `build` takes them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from poise.capture.anatomy.parts import Part
from poise.capture.autorig import creature, limits, masses, shapes
from poise.capture.autorig.hinges import angle
from poise.capture.autorig.limits import Limits
from poise.capture.autorig.masses import Size
from poise.capture.autorig.plan import Plan, joint_name
from poise.capture.autorig.trunk import Flesh
from poise.character.bodies import adult
from poise.character.build import Limb
from poise.character.shapes import Sole
from poise.geometry import quat

ARM_PARTS = ("upper_arm", "forearm", "hand")
STRENGTH = adult.MASS * masses.STATURE  # [kg m]: torques go with mass times height
GIRDLE_TORQUE, TAIL_TORQUE = (150.0, 150.0, 80.0), (80.0, 120.0, 80.0)  # [N m] at the adult's size
SIDEWAYS = (0.5, 1.0, 0.4)  # of a hinge's torque, about x, y, z of a ball in its place
TAIL_TRACK = 0.3  # weight of a tail in tracking
GENEROUS = np.radians(20)  # between a creature's own range and its limits


def limbs(
    plan: Plan, size: Size, soles: dict[str, Sole], given: Mapping[str, Limits]
) -> tuple[tuple[Limb, ...], dict[str, str]]:
    """All limbs, root first, and why the limits of each joint are what they are; some limits the user has given."""
    height, mass, human = size.height, size.mass, size.human
    drawn = (shapes.human if human else creature.shapes)(plan, height, soles)
    volumes = {name: sum(shape.volume for shape in made if shape.drawn) for name, made in drawn.items()}
    flesh = masses.human(plan, mass, height, soles) if human else masses.by_volume(volumes, mass)
    total = sum(part.mass for part in flesh.values())
    scale = total * height / STRENGTH, total * (height / masses.STATURE) ** 2 / adult.MASS
    motion, made, why = plan.frames(), [], {}
    for part in plan.parts:
        name, bounds = joint_name(part.name), None
        if part.parent:
            relative = quat.multiply(quat.conjugate(motion[part.parent]), motion[part.name])
            usual = _limits(plan, part, relative, human)
            bounds, why[name] = (given[name], "given") if name in given else usual
        made.append(
            _limb(plan, part, flesh[part.name], drawn[part.name], bounds, soles.get(part.name), scale)
        )
    return tuple(made), why


def _limb(plan: Plan, part: Part, flesh: Flesh, drawn: tuple, bounds: Limits | None, sole: Sole | None,
          scale: tuple[float, float]) -> Limb:  # fmt: skip
    pattern = shapes.pattern(part)
    above = plan.place(plan.anatomy.part(part.parent)) if part.parent else plan.place(part)
    hinge = part.name in plan.axes
    return Limb(
        part.name, part.parent, joint_name(part.name) if part.parent else "root", tuple(plan.place(part) - above),
        flesh.mass, drawn, bounds, _torque(part, hinge, scale[0]) if part.parent else (),
        com=None if flesh.com is None else tuple(flesh.com),
        gyration=None if flesh.gyration is None else tuple(flesh.gyration),
        axis=tuple(plan.axes[part.name]) if hinge else (0.0, 1.0, 0.0),
        armature=(pattern.armature if pattern else 0.015) * scale[1],
        sole=sole, tips=_tips(plan, part, sole),
        track=TAIL_TRACK if part.kind == "tail" else pattern.track if pattern else 1.0,
        arm=part.kind in ARM_PARTS, passes=_passes(plan, part),
    )  # fmt: skip


def _limits(plan: Plan, part: Part, relative: np.ndarray, human: bool) -> tuple[Limits, str]:
    """A human's by role or a creature's wide ones, widened to the clip, and why."""
    hinge = part.name in plan.axes
    motion = angle(relative, plan.axes[part.name]) if hinge else relative
    usual = _human(part, hinge) if human else None
    if usual is None:
        wide = limits.widened(limits.WIDE_HINGE if hinge else limits.WIDE_BALL, motion, GENEROUS)
        return wide, "[deg] the clip's range and a generous margin"
    wide = limits.widened(usual, motion)
    return wide, "[deg] a human's" + ("" if wide == usual else ", widened to the clip's")


def _human(part: Part, hinge: bool) -> Limits | None:
    """A human's limits of a joint; None for one that humans have not."""
    pattern = shapes.pattern(part)
    usual = pattern.limits if pattern else None
    if part.kind == "neck":
        return limits.NECK_BALL
    if part.kind != "clavicle" and usual is not None and hinge == isinstance(usual, tuple):
        return usual
    left = limits.LEFT_BALLS.get(part.kind) if part.kind == "clavicle" or not hinge else None
    return left.mirrored() if left and part.side < 0 else left


def _torque(part: Part, hinge: bool, strength: float) -> tuple[float, ...]:
    """The adult's torque limits scaled by strength [N m]."""
    pattern = shapes.pattern(part)
    usual = GIRDLE_TORQUE if part.kind == "clavicle" else pattern.torque if pattern else TAIL_TORQUE
    if hinge:
        return (strength * max(usual),)
    if len(usual) == 1:
        usual = [usual[0] * share for share in SIDEWAYS]
    return tuple(strength * float(x) for x in usual)


def _tips(plan: Plan, part: Part, sole: Sole | None) -> dict[str, tuple]:
    """Named points: as the adult's, where this body has them."""
    end = tuple(plan.end(part) - plan.place(part))
    if sole is not None:
        return {part.name: ((sole.heel + sole.toe) / 2, 0.0, -sole.depth)}
    if part.kind == "head":
        return {"head_top": end}
    if part.kind == "hand":
        return {part.name: tuple(0.5 * np.array(end))}
    has_hand = any(kid.kind in ("hand", "forearm") for kid in plan.anatomy.kids(part.name))
    if part.kind == "forearm" and not has_hand:
        return {part.name.replace("forearm", "hand"): end}
    return {part.name: (0.0, 0.0, 0.0)} if part.name in ("pelvis", "chest") else {}


def _passes(plan: Plan, part: Part) -> tuple[str, ...]:
    """Bodies at two joints' distance, when the one between is trunk or clavicle."""
    if not part.parent:
        return ()
    above = plan.anatomy.part(part.parent)
    near = [above.parent] if above.parent else []
    if above.kind not in ("clavicle", "neck", "spine", "pelvis"):
        return ()
    return (*near, *(kid.name for kid in plan.anatomy.kids(above.name) if kid.name < part.name))
