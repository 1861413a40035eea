"""The part of the page's data that is seen in space: things, their shapes and where they were."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np

from poise.draw import look
from poise.formats import pack
from poise.formats.actor import SCENERY, Actor, Patch, moves
from poise.formats.mesh import merged
from poise.record.pushes import pushes
from poise.record.recording import Recording

GROUNDS = ("platform", "ground", "floor", SCENERY)  # props that the body stands on


def scene(actor: Actor, recording: Recording) -> dict[str, Any]:
    """Nodes with their shapes and places, bones between them, the floor, and the pushes."""
    skeleton = actor.capture.skeleton
    at, turned = actor.capture.world
    nodes = [
        _node(name, [p for p in actor.patches if p.joint == j], at[:, j], turned[:, j])
        for j, name in enumerate(skeleton.names)
    ]
    nodes += [
        _node(p.name, p.patches, p.positions, p.rotations, casts=p.name not in GROUNDS) for p in actor.props
    ]
    return {
        "nodes": nodes,
        "bones": [[j, int(p)] for j, p in enumerate(skeleton.parents) if p >= 0],
        "tips": [[int(j), *np.round(end, 4).tolist()] for j, end in zip(skeleton.end_parents, skeleton.ends)],
        "floor": _floor(recording.model_xml),
        "pushes": [
            {"node": skeleton.names.index(p.body) if p.body in skeleton.names else 0, "body": p.body,
             "force": list(p.force), "start": p.start, "duration": p.duration, "offset": list(p.offset)}
            for p in pushes(recording)
        ],
    }  # fmt: skip


def _node(
    name: str, patches: Any, positions: np.ndarray, rotations: np.ndarray, casts: bool = True
) -> dict[str, Any]:
    places = np.concatenate([positions, rotations], axis=1)
    return {
        "name": name,
        "pose": pack.numbers(places if moves(places) else places[:1]),
        "casts": casts,  # a shadow on the ground
        "mesh": _mesh(list(patches)) if patches else None,
    }


def _mesh(patches: list[Patch]) -> dict[str, Any]:
    """Corners in sixteen bits, normals and colours in eight."""
    whole = merged([p.mesh for p in patches])
    colours = np.repeat([p.rgba[:3] for p in patches], [len(p.mesh.vertices) for p in patches], axis=0)
    big = len(whole.vertices) > 65535
    return {
        "vertices": pack.numbers(whole.vertices),
        "normals": pack.text(np.round(127 * whole.normals).astype("i1")),
        "colours": pack.text(np.round(255 * colours).astype("u1")),
        "faces": pack.text(whole.faces.astype("<u4" if big else "<u2")),
        "wide": big,
    }


def _floor(model_xml: str) -> dict[str, list[float]] | None:
    """Where the first plane of the world is, as in pictures; None if it has none."""
    model = look.dressed(model_xml)
    planes = np.flatnonzero((model.geom_type == mujoco.mjtGeom.mjGEOM_PLANE) & (model.geom_bodyid == 0))
    if not len(planes):
        return None
    return {"position": model.geom_pos[planes[0]].tolist(), "rotation": model.geom_quat[planes[0]].tolist()}
