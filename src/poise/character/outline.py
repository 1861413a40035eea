"""Outlines of shapes: points with radii whose hull is the shape, for finding soles and overlaps."""

from __future__ import annotations

import mujoco
import numpy as np

from poise.geometry.linear import times

Outline = tuple[np.ndarray, np.ndarray]  # points (n, 3) and radii (n,) [m]
SPHERE, CAPSULE, ELLIPSOID, CYLINDER, BOX, MESH = (
    int(getattr(mujoco.mjtGeom, f"mjGEOM_{kind}"))
    for kind in ("SPHERE", "CAPSULE", "ELLIPSOID", "CYLINDER", "BOX", "MESH")
)
RIM = 16  # points round a cylinder's edge
BALL = 200  # points on an ellipsoid


def solid(model: mujoco.MjModel) -> np.ndarray:
    """Whether each geom collides with anything (ngeom,)."""
    return (model.geom_contype != 0) | (model.geom_conaffinity != 0)


def of_geom(model: mujoco.MjModel, g: int) -> Outline:
    """Of one geom in its own frame; empty for planes and the like."""
    kind, (a, b, c) = int(model.geom_type[g]), model.geom_size[g]
    if kind == SPHERE:
        return np.zeros((1, 3)), np.array([a])
    if kind == CAPSULE:
        return np.array([[0, 0, -b], [0, 0, b]]), np.array([a, a])
    if kind == BOX:
        points = np.array(np.meshgrid([-a, a], [-b, b], [-c, c])).reshape(3, -1).T
    elif kind == CYLINDER:
        turn = 2 * np.pi * np.arange(RIM) / RIM
        ring = np.stack([a * np.cos(turn), a * np.sin(turn)], axis=1)
        points = np.concatenate([np.column_stack([ring, np.full(RIM, z)]) for z in (-b, b)])
    elif kind == ELLIPSOID:
        points = _ball() * np.array([a, b, c])
    elif kind == MESH:
        i = model.geom_dataid[g]
        start, count = model.mesh_vertadr[i], model.mesh_vertnum[i]
        points = model.mesh_vert[start : start + count].astype(float)
    else:
        points = np.zeros((0, 3))
    return points, np.zeros(len(points))


def of_part(model: mujoco.MjModel, data: mujoco.MjData, part: int) -> Outline:
    """Of all that collides on a part and on what is welded to it, in the part's frame; data has kinematics run."""
    points, radii = [np.zeros((0, 3))], [np.zeros(0)]
    R, x = data.xmat[part].reshape(3, 3), data.xpos[part]
    for g in np.flatnonzero(solid(model) & (model.body_weldid[model.geom_bodyid] == part)).tolist():
        local, radius = of_geom(model, g)
        world = data.geom_xpos[g] + times(local, data.geom_xmat[g].reshape(3, 3).T)
        points.append(times(world - x, R))
        radii.append(radius)
    return np.concatenate(points), np.concatenate(radii)


def top(model: mujoco.MjModel, data: mujoco.MjData, g: int) -> float:
    """Highest point of a geom in the world [m]."""
    local, radius = of_geom(model, g)
    if len(local) == 0:
        return float(data.geom_xpos[g, 2])
    return float((data.geom_xpos[g, 2] + times(local, data.geom_xmat[g].reshape(3, 3)[2]) + radius).max())


def _ball() -> np.ndarray:
    """Points spread evenly over the unit sphere, poles included."""
    i = np.arange(BALL)
    z = 1 - 2 * i / (BALL - 1)
    turn, ring = np.pi * (1 + np.sqrt(5)) * i, np.sqrt(1 - z**2)
    return np.column_stack([ring * np.cos(turn), ring * np.sin(turn), z])
