"""All that is seen of a world as triangles whose corners follow bodies: the skin of a character, and rigid things."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from poise.draw import raster
from poise.draw.form import Form
from poise.draw.mesh import Mesh, of_geom
from poise.draw.shade import Solid
from poise.draw.skin import skin_of


class Cloth(NamedTuple):
    """Corners in the zero configuration of a world."""

    vertices: np.ndarray  # (n, 3) [m]
    normals: np.ndarray  # (n, 3) unit
    colours: np.ndarray  # (n, 3) 0 to 1
    faces: np.ndarray  # (m, 3)
    joints: np.ndarray  # (n, 4) bodies of the model
    weights: np.ndarray  # (n, 4)

    def at(self, moved: np.ndarray) -> Solid:
        """Where it is when bodies have moved by dual quaternions (B, 8)."""
        points, normals = np.empty_like(self.vertices), np.empty_like(self.normals)
        raster.bend(self.vertices, self.normals, self.joints, self.weights, moved, points, normals)
        return Solid(points=points, normals=normals, colours=self.colours, faces=self.faces)


def clothes(form: Form) -> tuple[Cloth, Cloth, Cloth]:
    """The character; other things that may move; what is fixed to the world."""
    skin, model = skin_of(form), form.model
    worn = [] if skin is None else [
        Cloth(skin.vertices, skin.normals, skin.colours, skin.faces, form.own[skin.joints], skin.weights)
    ]  # fmt: skip
    covered = form.own[sorted(skin.covers)] if skin is not None else []
    parts: tuple[list[Cloth], list[Cloth], list[Cloth]] = (worn, [], [])
    for g in form.drawn.tolist():
        body = int(model.geom_bodyid[g])
        mesh = None if body in covered else of_geom(model, g)
        if mesh is not None:
            kind = (
                0 if body in form.own else 2 if model.body_weldid[body] == 0 and not _led(form, body) else 1
            )
            placed = mesh.moved(form.zero.xpos[body], form.zero.xquat[body])
            parts[kind].append(rigid(placed, form.colour(g)[:3], body))
    character, others, fixed = (joined(part) for part in parts)
    return character, others, fixed


def rigid(mesh: Mesh, rgb: np.ndarray, body: int = 0) -> Cloth:
    """A mesh in the world that follows one body."""
    n = len(mesh.vertices)
    weights = np.zeros((n, 4))
    weights[:, 0] = 1.0
    colours = np.tile(np.asarray(rgb, dtype=float), (n, 1))
    return Cloth(mesh.vertices, mesh.normals, colours, mesh.faces, np.full((n, 4), body), weights)


def joined(parts: Sequence[Cloth]) -> Cloth:
    """Several as one."""
    if not parts:
        empty, whole = np.zeros((0, 3)), np.zeros((0, 3), np.int64)
        return Cloth(empty, empty, empty, whole, np.zeros((0, 4), np.int64), np.zeros((0, 4)))
    starts = np.cumsum([0, *(len(p.vertices) for p in parts[:-1])])
    faces = np.concatenate([p.faces + start for p, start in zip(parts, starts, strict=True)])
    rest = {
        name: np.concatenate([getattr(p, name) for p in parts]) for name in Cloth._fields if name != "faces"
    }
    kinds = {"joints": np.int64}
    return Cloth(faces=np.ascontiguousarray(faces, np.int64),
                 **{name: np.ascontiguousarray(x, kinds.get(name, float)) for name, x in rest.items()})  # fmt: skip


def _led(form: Form, body: int) -> bool:
    """Whether a body is moved from outside, as platforms are."""
    return bool(form.model.body_mocapid[form.model.body_rootid[body]] >= 0)
