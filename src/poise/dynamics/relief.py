"""The still ground of a model as a height over the place: planes, boxes and height fields, read without the engine."""

from __future__ import annotations

import math

import mujoco
import numpy as np

from poise.compiled import compiled
from poise.records import Cube, Indices, Matrix, Record, Vector

PLANE, FIELD, BOX = (int(getattr(mujoco.mjtGeom, f"mjGEOM_{kind}")) for kind in ("PLANE", "HFIELD", "BOX"))
UPRIGHT = 1e-9  # of an axis: one that leans less stands upright


class Relief(Record):
    """Solid shapes that never move; none where the ground is one level plane."""

    kind: Indices
    pos: Matrix
    R: Cube
    size: Matrix  # as the engine has it; of a height field its four
    grid: Matrix  # rows, columns and first height of a height field
    heights: Vector  # of all height fields, from 0 to 1

    def __init__(self, model: mujoco.MjModel, moving: bool):
        """``moving``: the character stands on a body that moves, so that the rest does not matter."""
        data = mujoco.MjData(model)
        mujoco.mj_kinematics(model, data)
        solid = (model.geom_contype != 0) | (model.geom_conaffinity != 0)
        body = model.geom_bodyid
        still = solid & (model.body_weldid[body] == 0) & (model.body_mocapid[body] < 0)
        found = np.flatnonzero(still & np.isin(model.geom_type, (PLANE, FIELD, BOX)))
        level = [g for g in found if model.geom_type[g] == PLANE and data.geom_xmat[g][8] > 1 - UPRIGHT]
        if moving or (len(level) == len(found) and len(np.unique(data.geom_xpos[level, 2])) < 2):
            found = found[:0]
        fields = model.geom_dataid[found]
        self.kind = model.geom_type[found].astype(np.int64)
        self.pos, self.R = data.geom_xpos[found].copy(), data.geom_xmat[found].reshape(-1, 3, 3).copy()
        self.size, self.grid = np.zeros((len(found), 4)), np.zeros((len(found), 3))
        self.size[:, :3] = model.geom_size[found]
        for i in np.flatnonzero(self.kind == FIELD):
            k = fields[i]
            self.size[i] = model.hfield_size[k]
            self.grid[i] = model.hfield_nrow[k], model.hfield_ncol[k], model.hfield_adr[k]
        self.heights = model.hfield_data.astype(float)
        self.seal()


@compiled
def top_at(relief, x, y, below):
    """Height of the highest surface over (x, y) that is not above ``below`` [m]; -inf where there is none."""
    best = -math.inf
    for g in range(relief.kind.shape[0]):
        pos, R = relief.pos[g], relief.R[g]
        if relief.kind[g] == BOX:
            z = _over_box(pos, R, relief.size[g], x, y)
        elif relief.kind[g] == PLANE:
            z = -math.inf
            if R[2, 2] > UPRIGHT:
                z = pos[2] - (R[0, 2] * (x - pos[0]) + R[1, 2] * (y - pos[1])) / R[2, 2]
        else:
            z = _over_field(relief, g, x - pos[0], y - pos[1])
        if best < z <= below:
            best = z
    return best


@compiled
def _over_box(pos, R, size, x, y):
    """Where a vertical line leaves a box at its top."""
    low, high = -math.inf, math.inf
    for k in range(3):
        o, d = R[0, k] * (x - pos[0]) + R[1, k] * (y - pos[1]) - R[2, k] * pos[2], R[2, k]
        if abs(d) > UPRIGHT:
            a, b = (-size[k] - o) / d, (size[k] - o) / d
            low, high = max(low, min(a, b)), min(high, max(a, b))
        elif abs(o) > size[k]:
            return -math.inf
    return high if high >= low else -math.inf


@compiled
def _over_field(relief, g, x, y):
    """A height field stands upright; each of its cells is two triangles, as the engine cuts them."""
    R, size = relief.R[g], relief.size[g]
    grid = relief.grid[g]
    rows, columns, first = int(grid[0]), int(grid[1]), int(grid[2])
    a = (R[0, 0] * x + R[1, 0] * y + size[0]) / (2.0 * size[0]) * (columns - 1)
    b = (R[0, 1] * x + R[1, 1] * y + size[1]) / (2.0 * size[1]) * (rows - 1)
    if not (0.0 <= a <= columns - 1 and 0.0 <= b <= rows - 1):
        return -math.inf
    i, k = min(int(a), columns - 2), min(int(b), rows - 2)
    a, b, at = a - i, b - k, first + k * columns + i
    h00, h01 = relief.heights[at], relief.heights[at + 1]
    h10, h11 = relief.heights[at + columns], relief.heights[at + columns + 1]
    if a > b:
        z = h00 + a * (h01 - h00) + b * (h11 - h01)
    else:
        z = h00 + b * (h10 - h00) + a * (h11 - h10)
    return relief.pos[g, 2] + size[2] * z
