"""How the feet of somebody's body meet the ground: the floor its file was made for, and balls under soles of mesh.

A mesh on a plane hops between its vertices, so soles that are meshes are given balls at their corners.
"""

from __future__ import annotations

from dataclasses import replace

import mujoco
import numpy as np

from poise.character.character import Floor, Support
from poise.character.foreign.anatomy import ModelAnatomy
from poise.character.foreign.source import Notes, Source
from poise.character.outline import MESH, solid
from poise.geometry import quat

FLOORS = [int(getattr(mujoco.mjtGeom, f"mjGEOM_{k}")) for k in ("PLANE", "HFIELD", "BOX")]
DEFAULT_SOLREF = (0.02, 1.0)
DEFAULT_FRICTION = 1.0
PROUD = 0.01  # of the sole's size: how far the balls reach below the mesh
RADIUS = 0.03  # of the sole's size
HIDDEN = 3  # a group that is not drawn


def floor_of(source: Source, feet: set[int], notes: Notes) -> Floor | None:
    """What the engine would make of a foot (bodies by id) on the file's own floor; None where neither says anything."""
    model, hits = source.model, solid(source.model)
    hits[list(source.floor_geoms)] = True
    weld = model.body_weldid[model.geom_bodyid]
    mine = np.flatnonzero(hits & np.isin(weld, list(feet))).tolist()
    world = np.flatnonzero(solid(model) & (weld == 0) & np.isin(model.geom_type, FLOORS)).tolist()
    ground = min(world, key=lambda g: FLOORS.index(int(model.geom_type[g])), default=None)
    both = mine[:1] + ([] if ground is None else [ground])
    if not both:
        return None
    ruling = [g for g in both if model.geom_priority[g] == model.geom_priority[both].max()]
    friction = float(model.geom_friction[ruling, 0].max())
    shares = [max(model.geom_solmix[g], 1e-9) for g in ruling]
    solref = np.average(model.geom_solref[ruling], axis=0, weights=shares)
    firm = None if np.allclose(solref, DEFAULT_SOLREF) else (float(solref[0]), float(solref[1]))
    bits = int(np.bitwise_or.reduce(model.geom_contype[mine] | model.geom_conaffinity[mine]))
    if ground is None and friction == DEFAULT_FRICTION:
        return Floor(None, firm, bits | 1)
    whose = "of the feet" + (" on the file's own floor" if ground is not None else "")
    notes("friction", round(friction, 3), whose)
    return Floor(friction, firm, bits | 1)


def on_balls(spec: mujoco.MjSpec, anatomy: ModelAnatomy, support: Support, notes: Notes) -> Support:
    """The support, raised onto balls that are added to the body where its sole is a mesh."""
    model = anatomy.model
    mine = model.body_weldid[model.geom_bodyid] == model.body(support.body).id
    own = np.flatnonzero(mine & solid(model))
    if support.is_point or any(support.radius) or (model.geom_type[own] != MESH).any():
        return support
    up = quat.to_matrix(np.array(support.frame))[:, 2]
    size = float(np.linalg.norm(np.ptp(support.points, axis=0)))
    radius = RADIUS * size
    points = support.points - PROUD * size * up
    like, kind = own[0], mujoco.mjtGeom.mjGEOM_SPHERE
    for point in points:
        ball = spec.body(support.body).add_geom(type=kind, size=[radius, 0, 0], mass=0.0)
        ball.pos, ball.group = point + radius * up, HIDDEN
        ball.contype, ball.conaffinity = int(model.geom_contype[like]), int(model.geom_conaffinity[like])
        ball.condim, ball.friction = int(model.geom_condim[like]), model.geom_friction[like]
        ball.solref, ball.solimp = model.geom_solref[like], model.geom_solimp[like]
        ball.margin, ball.priority = model.geom_margin[like], int(model.geom_priority[like])
    why = "its mesh would touch the ground with a few vertices at a time"
    notes(f"sole of {support.name}", f"{len(points)} balls", why)
    return replace(support, points=points, radius=(radius,) * len(points))
