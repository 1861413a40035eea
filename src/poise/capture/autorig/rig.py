"""from_capture: a skeleton in, a body out. Parts, zero pose, joints, size, soles, limbs, rest, in that order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
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
from poise.capture.autorig.masses import Size
from poise.capture.autorig.plan import Plan, joint_name, with_hinges
from poise.character.build import Limb, build
from poise.character.character import Character, SwingTwist
from poise.character.report import Guess, Report
from poise.character.shapes import Sole
from poise.errors import BadInput, unknown
from poise.motion.collide import often_touching

ROUNDS = 3  # of standing up and letting pass what touches, at the most
TITLE = "The rig of this skeleton: lengths in metres, angles in degrees; edit and give back"


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
    given = given if mass is None else replace(given, mass=corrections.number(mass, "mass"))
    notes: list[Guess] = []
    anatomy = _anatomy(Figure.of(intake), given, notes)
    stances = {foot: soles.stance(anatomy, anatomy.part(foot)) for foot in anatomy.feet}
    plan = Plan(anatomy, stand.zero_pose(anatomy, {foot: seen.up for foot, seen in stances.items()}))
    plan = _joints(plan, given, notes)
    size = _size(plan, given, notes)
    made = _soles(plan, soles.level(plan, stances), size, given, notes)
    flesh, why = limbs.limbs(plan, size, made, given.limits)
    bounds = {limb.joint: written(limb.limits) for limb in flesh if limb.limits}
    notes += [Guess(f"limits {joint}", value, why[joint]) for joint, value in bounds.items()]
    stance = _stance(anatomy, given, notes)
    character = _standing(name, plan, flesh, made, size, stance, notes)
    return replace(character, report=_report(character, plan, made, size, bounds, notes))


def _anatomy(figure: Figure, given: Corrections, notes: list[Guess]) -> Anatomy:
    """The parts by geometry, then as the user has it."""
    try:
        guessed = roles.recognise(figure)
    except BadInput:
        if not given.roles:
            raise
        guessed = None  # all depends on what was given
    anatomy = corrected(figure, guessed, given.roles) if guessed is None or given.roles else guessed
    for part in anatomy.parts:
        notes.append(Guess(f"roles {part.name}", anatomy.joint(part), anatomy.evidence[part.name]))
    if "front" in anatomy.evidence:
        notes.append(Guess("front", "x", anatomy.evidence["front"]))
    return anatomy


def _joints(plan: Plan, given: Corrections, notes: list[Guess]) -> Plan:
    """Hinges where the clip or the user has them, balls elsewhere."""
    bodies = {joint_name(part.name): part.name for part in plan.parts[1:]}
    _known("joint of the rig", (*given.joints, *given.limits), bodies)
    plan, why = with_hinges(plan, dict(given.joints))
    for name, body in bodies.items():
        hinge, bounds = body in plan.axes, given.limits.get(name)
        if bounds is not None and isinstance(bounds, SwingTwist) == hinge:
            wanted = "hinge: give a pair" if hinge else "ball: give swing_x, swing_y and twist"
            raise BadInput(f"rig: limits: {name} is a {wanted} [deg]")
        evidence = "given" if name in given.joints else why.get(name, "by its role")
        notes.append(Guess(f"joints {name}", "hinge" if hinge else "ball", evidence))
    return plan


def _size(plan: Plan, given: Corrections, notes: list[Guess]) -> Size:
    """Height, and whether the body is a human's."""
    human, why = masses.is_human(plan)
    if given.human is not None:
        if given.human and not masses.has_human_parts(plan):
            raise BadInput(f"rig: human: the tables are about {masses.HUMAN_PARTS}; it has not")
        human, why = given.human, "given"
    notes.append(Guess("human", human, why))
    height, why = masses.stature(plan) if human else (plan.anatomy.figure.size, "largest extent")
    if given.height is not None:
        height, why = given.height, "given"
    notes.append(Guess("height", round(height, 3), f"[m] {why}"))
    return Size(height, given.mass, human)


def _soles(
    plan: Plan, flat: dict[str, soles.FlatFoot], size: Size, given: Corrections, notes: list[Guess]
) -> dict[str, Sole]:
    _known("foot of the rig", given.soles, flat)
    made = {}
    for name, seen in flat.items():
        sole, why = soles.sole(plan, plan.anatomy.part(name), seen, size.height, size.human)
        if name in given.soles:
            sole, why = replace(sole, **given.soles[name]), "given"
        made[name] = sole
        notes.append(Guess(f"soles {name}", _rounded(sole), f"[m] {why}"))
    return made


def _stance(anatomy: Anatomy, given: Corrections, notes: list[Guess]) -> tuple[str, ...]:
    _known("foot of the rig", given.stance, anatomy.feet)
    stance = given.stance or anatomy.feet
    notes.append(Guess("stance", list(stance), "given" if given.stance else "limbs that end on the floor"))
    return stance


def _known(what: str, asked: Iterable[str], known: Iterable[str]) -> None:
    """Complain about the first name that is not known."""
    for name in asked:
        if name not in known:
            raise unknown(what, name, known)


def _standing(
    name: str, plan: Plan, flesh: tuple[Limb, ...], made: dict[str, Sole], size: Size, stance: tuple[str, ...],
    notes: list[Guess],
) -> Character:  # fmt: skip
    """The body in its rest pose; what touches there, or often in the clip, may pass through each other."""
    passes: set[tuple[str, str]] = set()
    mapped = Mapped.of(plan)
    for _ in range(ROUNDS):
        character = replace(build(name, _passing(flesh, passes), stance), mapped=mapped)
        character, missed = rest.rested(character, plan, made, size.height)
        new = often_touching(character, poses(character, plan.anatomy.figure.capture)) - passes
        if not new:
            break
        passes |= new
    notes.append(Guess("rest", "flat feet", f"{1000 * missed:.2f} mm or mrad from flat and balanced"))
    notes += [Guess(f"passes {a}", b, "they touch at rest or often in the clip") for a, b in sorted(passes)]
    return character


def _passing(flesh: tuple[Limb, ...], passes: set[tuple[str, str]]) -> tuple[Limb, ...]:
    """Limbs that pass through others too."""
    more = {limb.name: [b for a, b in passes if a == limb.name and b not in limb.passes] for limb in flesh}
    return tuple(replace(limb, passes=(*limb.passes, *more[limb.name])) for limb in flesh)


def _report(
    character: Character, plan: Plan, made: dict[str, Sole], size: Size, bounds: dict[str, Any], notes: list[Guess]
) -> Report:  # fmt: skip
    """Every guess, and the same as settings to be edited and given back."""
    why = "average build for the height" if size.human else "volume of its shapes"
    mass = Guess("mass", round(character.mass, 2), f"[kg] {why if size.mass is None else 'given'}")
    settings = {
        "mass": round(character.mass, 3),
        "height": round(size.height, 4),
        "human": size.human,
        "roles": {part.name: plan.anatomy.joint(part) for part in plan.parts},
        "joints": {joint_name(p.name): "hinge" if p.name in plan.axes else "ball" for p in plan.parts[1:]},
        "limits": bounds,
        "soles": {name: _rounded(sole) for name, sole in made.items()},
        "stance": list(character.stance),
    }
    return Report((mass, *notes, *_fused(plan)), settings, TITLE)


def _fused(plan: Plan) -> Iterator[Guess]:
    """Joints of the skeleton that have no body of their own."""
    figure, own = plan.anatomy.figure, {part.joint for part in plan.parts}
    for j, name in enumerate(figure.skeleton.names):
        if j not in own:
            turns = f"turns by {np.degrees(figure.turning[j]):.0f}° in the clip"
            why = turns if figure.moves(j) else "does not move"
            yield Guess(f"fused {name}", plan.parts[plan.owner[j]].name, why)


def _rounded(sole: Sole) -> dict[str, Any]:
    plain = {name: round(float(getattr(sole, name)), 4) for name in ("heel", "toe", "depth", "radius")}
    return {**plain, "width": [round(float(w), 4) for w in sole.width]}
