"""The root of somebody's body: free, fixed, or on six joints; a free joint stands for it."""

from __future__ import annotations

from poise.character.constants import BALL, FREE, HINGE, SLIDE
from poise.character.foreign.source import Source
from poise.errors import BadInput


def root_joints(source: Source) -> list[int]:
    """Joints of the root that one free joint stands for; an error where they leave it less than free."""
    model, root = source.model, source.root
    joints = list(range(model.body_jntadr[root], model.body_jntadr[root] + model.body_jntnum[root]))
    if model.body_jntnum[root] == 0:
        if not any(g.what == "root" for g in source.notes.guesses):
            source.notes(
                "root", model.body(root).name, "fixed to the world in the file; a free joint was added"
            )
        return []
    kinds = [int(model.jnt_type[j]) for j in joints]
    if FREE in kinds:
        return joints
    if kinds.count(SLIDE) == 3 and (kinds.count(HINGE) == 3 or kinds.count(BALL) == 1):
        named = ", ".join(model.joint(j).name or "?" for j in joints)
        source.notes("root", model.body(root).name, f"one free joint in the place of {named}")
        return joints
    if SLIDE in kinds:
        named = ", ".join(model.joint(j).name or "?" for j in joints)
        raise BadInput(
            f"{source.path}: the root {model.body(root).name!r} moves along {named} only, as in a plane; "
            "Poise balances bodies that float freely: give the root a <freejoint/>"
        )
    source.notes(
        "root", model.body(root).name, "held to the world by joints that turn; a free joint was added"
    )
    return []
