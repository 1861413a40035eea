"""Closed linkages: loops of a body that its tree of joints does not show, and those that the solve cannot bear."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import mujoco
import numpy as np

from poise.dynamics.tree import Tree
from poise.errors import BadInput

if TYPE_CHECKING:
    from poise.character import Character

CLOSING = (int(mujoco.mjtEq.mjEQ_CONNECT), int(mujoco.mjtEq.mjEQ_WELD))


class Loop(NamedTuple):
    """Two bodies that a constraint ties together, and the degrees of freedom (nv,) on the way between them."""

    a: str
    b: str
    dofs: np.ndarray


def loops(tree: Tree) -> Iterator[Loop]:
    """Of a body in its model, as it begins."""
    model = tree.model
    for e in range(model.neq):
        if int(model.eq_type[e]) not in CLOSING or not model.eq_active0[e]:
            continue
        a, b = (_body(model, e, int(x)) - tree.body0 for x in (model.eq_obj1id[e], model.eq_obj2id[e]))
        if min(a, b) >= 0 and max(a, b) < tree.nbody:
            yield Loop(tree.names[a], tree.names[b], tree.affects[a] ^ tree.affects[b])


def refuse_passive(tree: Tree, character: Character, low: np.ndarray, high: np.ndarray) -> None:
    """An error where a loop with joints that nothing drives is part of a limb that carries the body.

    The solve leaves the force of a loop out. Where motors drive all of its joints they make up for it; a joint without
    one gives way, and the body falls at once.
    """
    feet = [tree.affects[tree.body(character.support(name).body)] for name in character.stance]
    carries = np.any(feet, axis=0) if feet else np.zeros(tree.nv, dtype=bool)
    carries[:6] = False
    for loop in loops(tree):
        idle = loop.dofs & (low == 0.0) & (high == 0.0)
        if (loop.dofs & carries).any() and idle.any():
            joints = tree.model.dof_jntid[tree.dof0 + np.flatnonzero(idle)]
            named = ", ".join(dict.fromkeys(tree.model.joint(int(j)).name for j in joints))
            raise BadInput(
                f"{loop.a} and {loop.b} of {character.name} close a loop in a leg, with joints that nothing drives "
                f"({named}): the solve does not know the force of such a linkage, and the body would fall at once. "
                "Give the file without the constraint and with motors on these joints"
            )


def _body(model: mujoco.MjModel, e: int, at: int) -> int:
    """The body of an end of a constraint."""
    site = int(model.eq_objtype[e]) == int(mujoco.mjtObj.mjOBJ_SITE)
    return int(model.site_bodyid[at]) if site else at
