"""from_capture: a skeleton in, a body out. Parts, zero pose, joints, size, soles, limbs, rest, in that order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from os import PathLike
from typing import Any

import numpy as np

from poise.capture.anatomy import roles
from poise.capture.anatomy.figure import Figure, Taken
from poise.capture.anatomy.parts import Anatomy, corrected
from poise.capture.autorig import corrections, limbs, masses, rest, soles, stand
from poise.capture.autorig.corrections import Corrections
from poise.capture.autorig.limits import written
from poise.capture.autorig.mapping import Mapped, poses
from poise.capture.autorig.passing import touching
from poise.capture.autorig.plan import Plan, joint_name, with_hinges
from poise.character.build import Limb, build
from poise.character.character import Character, SwingTwist
from poise.character.report import Guess, Report
from poise.character.shapes import Sole
from poise.errors import BadInput, unknown


@dataclass(frozen=True)
class Size:
    """Height [m], mass [kg] where it was given, and whether human tables apply."""

    height: float
    mass: float | None
    human: bool


def from_capture(
    intake: Taken,
    mass: float | None = None,
    rig: str | PathLike[str] | Mapping[str, Any] | None = None,
    name: str = "rigged",
) -> Character:
    """A body with the skeleton of an imported clip.

    Args:
        intake: What `poise.capture.load` returned.
        mass: Total [kg]; from the height when missing.
        rig: Corrections, see `Character.from_bvh`.
        name: Of the character.
    """
    if getattr(intake, "markers", False):
        raise BadInput("the file holds loose markers and no bones; a body needs a skeleton (BVH or ASF/AMC)")
    given = corrections.read(rig)
    if mass is not None:
        given = replace(given, mass=corrections.number(mass, "mass"))
    notes: list[Guess] = []
    anatomy = _anatomy(Figure.of(intake), given, notes)
    stances = {foot: soles.stance(anatomy, anatomy.part(foot)) for foot in anatomy.feet}
    plan = Plan(anatomy, stand.zero_pose(anatomy, {foot: seen.up for foot, seen in stances.items()}))
    plan = _joints(plan, given, notes)
    size = _size(plan, given, notes)
    made = _soles(plan, soles.level(plan, stances), size, given, notes)
    flesh, why = limbs.limbs(plan, size.height, size.mass, size.human, made, given.limits)
    notes += [
        Guess(f"limits {limb.joint}", written(limb.limits), why[limb.joint]) for limb in flesh if limb.limits
    ]
    stance = _stance(anatomy, given, notes)
    character = _standing(name, plan, flesh, made, size, stance, notes)
    return replace(character, report=_report(character, plan, made, size, stance, notes))


def _anatomy(figure: Figure, given: Corrections, notes: list[Guess]) -> Anatomy:
    """The parts by geometry, then as the user has it."""
    try:
        anatomy = roles.recognise(figure)
    except BadInput:
        if not given.roles:
            raise
        anatomy = None  # all depends on what was given
    if given.roles:
        anatomy = corrected(figure, anatomy, given.roles)
    assert anatomy is not None
    names = figure.skeleton.names
    for part in anatomy.parts:
        joint = names[part.joint] if part.joint >= 0 else None
        notes.append(Guess(f"roles {part.name}", joint, anatomy.evidence[part.name]))
    if "front" in anatomy.evidence:
        notes.append(Guess("front", "x", anatomy.evidence["front"]))
    return anatomy


def _joints(plan: Plan, given: Corrections, notes: list[Guess]) -> Plan:
    names = [joint_name(part.name) for part in plan.parts[1:]]
    for name in (*given.joints, *given.limits):
        if name not in names:
            raise unknown("joint of the rig", name, names)
    plan, why = with_hinges(plan, dict(given.joints))
    for part in plan.parts[1:]:
        bounds = given.limits.get(name := joint_name(part.name))
        if bounds is not None and isinstance(bounds, SwingTwist) == (part.name in plan.axes):
            wanted = (
                "hinge: give a pair" if part.name in plan.axes else "ball: give swing_x, swing_y and twist"
            )
            raise BadInput(f"rig: limits: {name} is a {wanted} [deg]")
    for part in plan.parts[1:]:
        name = joint_name(part.name)
        kind = "hinge" if part.name in plan.axes else "ball"
        notes.append(
            Guess(f"joints {name}", kind, "given" if name in given.joints else why.get(name, "by its role"))
        )
    return plan


def _size(plan: Plan, given: Corrections, notes: list[Guess]) -> Size:
    human, why = masses.is_human(plan)
    if given.human is not None:
        if given.human and not masses.has_human_parts(plan):
            raise BadInput(f"rig: human: the tables are about a body with {masses.PARTS}; this one has not")
        human, why = given.human, "given"
    notes.append(Guess("human", human, why))
    height, why = masses.stature(plan) if human else masses.extent(plan)
    if given.height is not None:
        height, why = given.height, "given"
    notes.append(Guess("height", round(height, 3), f"[m] {why}"))
    return Size(height, given.mass, human)


def _soles(
    plan: Plan, stances: dict[str, soles.Stance], size: Size, given: Corrections, notes: list[Guess]
) -> dict[str, Sole]:
    made = {}
    for name in given.soles:
        if name not in stances:
            raise unknown("foot of the rig", name, stances)
    for name, seen in stances.items():
        sole, why = soles.sole(plan, plan.anatomy.part(name), seen, size.height, size.human)
        if name in given.soles:
            sole, why = replace(sole, **given.soles[name]), "given"
        made[name] = sole
        notes.append(Guess(f"soles {name}", _rounded(sole), f"[m] {why}"))
    return made


def _stance(anatomy: Anatomy, given: Corrections, notes: list[Guess]) -> tuple[str, ...]:
    for name in given.stance:
        if name not in anatomy.feet:
            raise unknown("foot of the rig", name, anatomy.feet)
    stance = given.stance or anatomy.feet
    notes.append(Guess("stance", list(stance), "given" if given.stance else "limbs that end on the floor"))
    return stance


def _standing(
    name: str, plan: Plan, flesh: tuple[Limb, ...], made: dict[str, Sole], size: Size, stance: tuple[str, ...],
    notes: list[Guess],
) -> Character:  # fmt: skip
    """The body in its rest pose; what touches there, or often in the clip, may pass through each other."""
    passes: set[tuple[str, str]] = set()
    mapped, missed = Mapped.of(plan), 0.0
    character = build(name, flesh, stance)
    for _ in range(3):
        character = replace(build(name, _passing(flesh, passes), stance), mapped=mapped)
        character, missed = rest.rested(character, plan, made, size.height)
        new = touching(character, poses(character, plan.anatomy.figure.capture)) - passes
        if not new:
            break
        passes |= new
    notes.append(Guess("rest", "flat feet", f"{1000 * missed:.2f} mm or mrad from flat and balanced"))
    for a, b in sorted(passes):
        notes.append(Guess(f"passes {a}", b, "they touch at rest or often in the clip"))
    return character


def _passing(flesh: tuple[Limb, ...], passes: set[tuple[str, str]]) -> tuple[Limb, ...]:
    return tuple(
        replace(
            limb, passes=(*limb.passes, *(b for a, b in passes if a == limb.name and b not in limb.passes))
        )
        for limb in flesh
    )


def _report(
    character: Character,
    plan: Plan,
    made: dict[str, Sole],
    size: Size,
    stance: tuple[str, ...],
    notes: list[Guess],
) -> Report:
    names, figure = plan.anatomy.figure.skeleton.names, plan.anatomy.figure
    why = "average build for the height" if size.human else "volume of its shapes"
    notes.insert(0, Guess("mass", round(character.mass, 2), f"[kg] {why if size.mass is None else 'given'}"))
    own = {part.joint for part in plan.parts}
    for j, name in enumerate(names):
        if j not in own:
            moved = (
                f"turns by {np.degrees(figure.turning[j]):.0f}° in the clip"
                if figure.moves(j)
                else "does not move"
            )
            notes.append(Guess(f"fused {name}", plan.parts[plan.owner[j]].name, moved))
    bounds = {
        guess.what.removeprefix("limits "): guess.value for guess in notes if guess.what.startswith("limits ")
    }
    settings = {
        "mass": round(character.mass, 3),
        "height": round(size.height, 4),
        "human": size.human,
        "roles": {part.name: names[part.joint] if part.joint >= 0 else None for part in plan.parts},
        "joints": {joint_name(p.name): "hinge" if p.name in plan.axes else "ball" for p in plan.parts[1:]},
        "limits": bounds,
        "soles": {name: _rounded(sole) for name, sole in made.items()},
        "stance": list(stance),
    }
    return Report(
        tuple(notes),
        settings,
        "The rig of this skeleton: lengths in metres, angles in degrees; edit and give back",
    )


def _rounded(sole: Sole) -> dict[str, Any]:
    plain = {name: round(float(getattr(sole, name)), 4) for name in ("heel", "toe", "depth", "radius")}
    return {**plain, "width": [round(float(w), 4) for w in sole.width]}
