"""Anatomy: the parts of a figure, by name, with the joints that turn them and what they hang on."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from poise.capture.anatomy import names
from poise.capture.anatomy.figure import Figure
from poise.errors import BadInput, unknown

KINDS = ("pelvis", "neck", "head", "clavicle", "upper_arm", "forearm", "hand", "thigh", "shin", "tarsus", "foot",
         "tail")  # fmt: skip
SPINE = ("abdomen", "torso", "chest")

Found = tuple[str, str, int]  # name, kind, joint (-1 for a foot that the skeleton has not)


@dataclass(frozen=True)
class Part:
    """One body of the rig."""

    name: str  # its name, e.g. ``thigh_l``
    kind: str  # what it is: ``spine``, or one of ``KINDS``
    joint: int  # the skeleton's joint that turns it; -1 for a foot that the skeleton has not
    parent: str = ""  # name of the body it hangs on; empty for the root

    @property
    def side(self) -> float:
        """+1 left, -1 right, 0 middle."""
        return {"_l": 1.0, "_r": -1.0}.get(self.name[-2:], 0.0)


@dataclass(frozen=True, eq=False)
class Anatomy:
    """The parts of a figure that faces x, root first and parents before children, and the evidence for them."""

    figure: Figure
    parts: tuple[Part, ...]
    evidence: dict[str, str]

    def part(self, name: str) -> Part:
        return next(part for part in self.parts if part.name == name)

    def kids(self, name: str) -> list[Part]:
        return [part for part in self.parts if part.parent == name]

    def joint(self, part: Part) -> str | None:
        """Name of the joint that turns a part; None for a foot that the skeleton has not."""
        return self.figure.skeleton.names[part.joint] if part.joint >= 0 else None

    @property
    def feet(self) -> tuple[str, ...]:
        return tuple(part.name for part in self.parts if part.kind == "foot")


def kind_of(body: str) -> str:
    """What a body is by its name: ``fore_thigh_l`` is a thigh; nothing for a name that no body has."""
    core = re.sub(r"^(fore|mid|low|leg\d+)_", "", re.sub(r"_[lr]$", "", body))
    if core in SPINE:
        return "spine"
    core = re.sub(r"_?\d+$", "", re.sub(r"^tail\d*_", "tail_", core))
    return core if core in KINDS else ""


def assemble(figure: Figure, found: list[Found], evidence: dict[str, str]) -> Anatomy:
    """Anatomy of its parts, the root first; each hangs on the nearest that is above it in the skeleton."""
    names_of = {joint: name for name, _, joint in found if joint >= 0}
    root, parts = found[0][0], [Part(*found[0])]
    order = {name: joint if joint >= 0 else len(figure.skeleton) for name, _, joint in found}
    before = dict(zip([name for name, _, _ in found[1:]], [name for name, _, _ in found]))
    for name, kind, joint in sorted(found[1:], key=lambda entry: order[entry[0]]):
        above = [names_of[j] for j in figure.tree.path(joint)[:-1] if j in names_of] if joint >= 0 else []
        parts.append(Part(name, kind, joint, above[-1] if above else root if joint >= 0 else before[name]))
    said = {part.name: _said(figure, part) for part in parts}
    return Anatomy(figure, tuple(parts), evidence | said)


def corrected(figure: Figure, guessed: Anatomy | None, given: Mapping[str, str | None]) -> Anatomy:
    """Anatomy with some bodies on other joints; a joint of None takes a body away, or makes up a foot.

    Where nothing was guessed the given parts are all there are.
    """
    joints, evidence = _joints(figure, given), {}
    if guessed is None:
        figure = _facing_by_hips(figure, joints)
    else:
        figure, evidence, joints = guessed.figure, guessed.evidence, _over(guessed, joints)
    found = [(body, kind_of(body), j) for body, j in joints.items() if j >= 0 or kind_of(body) == "foot"]
    made = assemble(figure, _root_first(found), evidence)
    return replace(made, evidence=made.evidence | {body: "given" for body in given if body in made.evidence})


def _joints(figure: Figure, given: Mapping[str, str | None]) -> dict[str, int]:
    """Body to the index of its joint, -1 for none."""
    known = figure.skeleton.names
    for body, joint in given.items():
        if joint is not None and joint not in known:
            raise unknown(f"joint (role {body})", joint, known)
    return {body: -1 if joint is None else known.index(joint) for body, joint in given.items()}


def _over(guessed: Anatomy, joints: dict[str, int]) -> dict[str, int]:
    """Joints of all bodies, the given ones over the guessed; a joint that was given is nobody else's."""
    taken = {joint for joint in joints.values() if joint >= 0}
    kept = {part.name: part.joint for part in guessed.parts if part.name in joints or part.joint not in taken}
    return kept | joints


def _root_first(found: list[Found]) -> list[Found]:
    """The same with the pelvis, or the torso of a body without one, in front."""
    root = min((part for part in found if part[0] in ("pelvis", "torso")), default=None)
    if root is None:
        raise BadInput("rig: roles: one body must be the pelvis, or the torso of a body without one")
    return [(root[0], "pelvis", root[2]), *(part for part in found if part is not root)]


def _facing_by_hips(figure: Figure, joints: Mapping[str, int]) -> Figure:
    """The figure turned so that the line from its right to its left hip points left."""
    if min(joints.get("thigh_l", -1), joints.get("thigh_r", -1)) < 0:
        return figure
    x, y, _ = figure.at[joints["thigh_l"]] - figure.at[joints["thigh_r"]]
    return figure.facing(float(np.arctan2(x, y)))


def _said(figure: Figure, part: Part) -> str:
    """What the joint's own name says about a part."""
    if part.joint < 0:
        return "made up: the leg ends in a tip"
    name = figure.skeleton.names[part.joint]
    said, side = names.part(name), names.side(name)
    agrees = said in (part.kind, {"pelvis": "spine", "head": "neck"}.get(part.kind)) or part.kind in said
    word = f"the name {name!r} says " + (said or "nothing") + ("" if agrees or not said else " instead")
    return "geometry; " + word + (f", side {side}" if side else "")
