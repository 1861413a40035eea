"""Soles that are meshes: given balls at their corners, since a mesh on a plane hops between its vertices."""

from __future__ import annotations

from dataclasses import replace

import mujoco
import numpy as np

from poise.character.character import Support
from poise.character.foreign.anatomy import ModelAnatomy
from poise.character.foreign.source import Notes
from poise.geometry import quat

PROUD = 0.01  # of the sole's size: how far the balls reach below the mesh
RADIUS = 0.03  # of the sole's size
MESH, HIDDEN = int(mujoco.mjtGeom.mjGEOM_MESH), 3  # the group is not drawn


def on_balls(spec: mujoco.MjSpec, anatomy: ModelAnatomy, support: Support, notes: Notes) -> Support:
    """The support, raised onto balls that are added to the body where its sole is a mesh."""
    model = anatomy.model
    body = model.body(support.body).id
    mine = [g for g in range(model.ngeom) if model.body_weldid[model.geom_bodyid[g]] == body]
    solid = [g for g in mine if model.geom_contype[g] or model.geom_conaffinity[g]]
    if support.is_point or any(support.radius) or any(model.geom_type[g] != MESH for g in solid):
        return support
    up = quat.to_matrix(np.array(support.frame))[:, 2]
    size = float(np.linalg.norm(np.ptp(support.points, axis=0)))
    radius = RADIUS * size
    points = support.points - PROUD * size * up
    like = solid[0]
    for point in points:
        ball = spec.body(support.body).add_geom(
            type=mujoco.mjtGeom.mjGEOM_SPHERE, size=[radius, 0, 0], mass=0.0
        )
        ball.pos, ball.group = point + radius * up, HIDDEN
        ball.contype, ball.conaffinity = int(model.geom_contype[like]), int(model.geom_conaffinity[like])
        ball.condim, ball.friction = int(model.geom_condim[like]), model.geom_friction[like]
        ball.solref, ball.solimp = model.geom_solref[like], model.geom_solimp[like]
        ball.margin, ball.priority = model.geom_margin[like], int(model.geom_priority[like])
    notes(
        f"sole of {support.name}",
        f"{len(points)} balls",
        "its mesh would touch the ground with a few vertices at a time",
    )
    return replace(support, points=points, radius=(radius,) * len(points))
