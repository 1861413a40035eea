"""The floor under a body in anybody's model: its friction, its height, and what lies on it."""

from __future__ import annotations

import mujoco
import numpy as np

from poise.dynamics.state import State

AT_ZERO = 0.002  # [m]: a floor this near to zero is at zero; contacts lie a little inside it
GROUNDS = [int(getattr(mujoco.mjtGeom, f"mjGEOM_{kind}")) for kind in ("PLANE", "HFIELD", "BOX")]


def touches_ground(state: State) -> bool:
    """Whether a body that is no support touches something that is not the character's and does not float."""
    model, data, tree = state.model, state.data, state.tree
    mine = np.zeros(model.nbody, dtype=bool)
    mine[tree.body0 : tree.body0 + tree.nbody] = True
    soles = [tree.body0 + tree.body(s.body) for s in state.character.supports]
    foot = np.isin(model.body_weldid, soles)
    bodies = (
        model.geom_bodyid[data.contact.geom[data.contact.dist < 0]] if data.ncon else np.zeros((0, 2), int)
    )
    for pair in bodies:
        for one, other in (pair, pair[::-1]):
            if (
                mine[one]
                and not foot[one]
                and not mine[other]
                and not _floats(model, int(model.body_rootid[other]))
            ):
                return True
    return False


def ground_friction(state: State) -> float:
    """Sliding friction of the feet on the ground: on the first plane, height field or box that does not float."""
    model, tree = state.model, state.tree
    solid = (model.geom_contype != 0) | (model.geom_conaffinity != 0)
    roots = model.body_rootid[model.geom_bodyid]
    still = np.array([not _floats(model, int(root)) for root in roots], dtype=bool)
    grounds = [g for kind in GROUNDS for g in np.flatnonzero(solid & still & (model.geom_type == kind))]
    if not grounds:
        return 0.8
    bodies = {tree.body0 + tree.body(s.body) for s in state.character.supports}
    feet = [g for g in np.flatnonzero(solid) if int(model.body_weldid[model.geom_bodyid[g]]) in bodies]
    both = [grounds[0], *feet[:1]]
    ruling = max(int(model.geom_priority[g]) for g in both)
    return max(float(model.geom_friction[g, 0]) for g in both if model.geom_priority[g] == ruling)


def ground_height(state: State) -> float:
    """Height of the still floor under a body [m]: where it touches it, else that of a plane, else zero."""
    model, data, tree = state.model, state.data, state.tree
    mine = np.zeros(model.nbody, dtype=bool)
    mine[tree.body0 : tree.body0 + tree.nbody] = True
    touching = [
        float(c.pos[2] - 0.5 * c.dist * abs(c.frame[2]))  # a contact lies half-way between the surfaces
        for c in data.contact
        if mine[model.geom_bodyid[c.geom]].sum() == 1 and c.frame[2] ** 2 > 0.5
    ]
    planes = np.flatnonzero((model.geom_type == GROUNDS[0]) & (model.body_weldid[model.geom_bodyid] == 0))
    found = (
        float(np.mean(touching))
        if touching
        else max((float(data.geom_xpos[g, 2]) for g in planes), default=0.0)
    )
    return found if abs(found) > AT_ZERO else 0.0


def _floats(model: mujoco.MjModel, root: int) -> bool:
    joint = model.body_jntadr[root]
    return bool(joint >= 0 and model.jnt_type[joint] == mujoco.mjtJoint.mjJNT_FREE)
