"""The part of the page's data that is seen in space: things, their shapes and where they were."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np

from poise.draw import look
from poise.draw.mesh import merged
from poise.draw.skin import Skin, skin_of
from poise.draw.view import reference
from poise.formats import pack
from poise.formats.actor import SCENERY, Actor, Patch, moves
from poise.formats.skeletal import Bodies
from poise.geometry import quat
from poise.record.pushes import pushes
from poise.record.recording import Recording

REFERENCE_HZ = 30.0  # of the pose that is followed, which a page mixes
MOST_JOINTS = 100  # that a graphics card surely takes at once
GROUNDS = ("platform", "ground", "floor", SCENERY)  # props that the body stands on


def scene(actor: Actor, recording: Recording) -> dict[str, Any]:
    """Nodes with their shapes and places, bones between them, the floor, and the pushes."""
    skeleton = actor.capture.skeleton
    at, turned = actor.capture.world
    skin = None if actor.world is None or len(skeleton) > MOST_JOINTS else skin_of(actor.world)
    bare = skin.covers if skin else ()
    nodes = [
        _node(name, [p for p in actor.patches if p.joint == j and j not in bare], at[:, j], turned[:, j])
        for j, name in enumerate(skeleton.names)
    ]
    nodes += [
        _node(p.name, p.patches, p.positions, p.rotations, casts=p.name not in GROUNDS) for p in actor.props
    ]
    return {
        "nodes": nodes,
        "bones": [[j, int(p)] for j, p in enumerate(skeleton.parents) if p >= 0],
        "tips": [[int(j), *np.round(end, 4).tolist()] for j, end in zip(skeleton.end_parents, skeleton.ends)],
        "skin": _skin(skin) if skin else None,
        "reference": _reference(actor.world, recording),
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


def _skin(skin: Skin) -> dict[str, Any]:
    """The skin: corners in sixteen bits, all else in eight; colours as runs of corners that share one."""
    big = len(skin.vertices) > 65535
    ends = np.flatnonzero(np.any(np.diff(skin.colours, axis=0, append=-1.0), axis=1))
    return {
        "vertices": pack.numbers(skin.vertices),
        "normals": pack.text(np.round(127 * skin.normals).astype("i1")),
        "faces": pack.text(skin.faces.astype("<u4" if big else "<u2")),
        "wide": big,
        "joints": pack.text(skin.joints.astype("u1")),
        "weights": pack.text(np.round(255 * skin.weights).astype("u1")),
        "colours": [[int(e), *np.round(255 * skin.colours[e]).astype(int).tolist()] for e in ends],
        "rest": np.round(skin.rest, 5).tolist(),
    }


def _reference(world: Bodies | None, recording: Recording) -> dict[str, Any] | None:
    """The pose that was followed: of each joint, where it would be with the root where it is."""
    if world is None or "q_ref" not in recording:
        return None
    model, own, data = world.model, world.own, mujoco.MjData(world.model)
    every = max(1, round(1.0 / (REFERENCE_HZ * recording.dt))) if recording.dt else 1
    q, q_ref = recording["q"][: len(world.times) : every], recording["q_ref"][: len(world.times) : every]
    at = int(model.jnt_qposadr[model.body_jntadr[own[0]]])
    if at + q_ref.shape[1] > model.nq or not np.isfinite(q_ref[:, 7:]).all(axis=1).any():
        return None
    anchors, back = np.array([world.anchor(b) for b in own]), quat.conjugate(world.zero.xquat[own])
    out = np.full((len(q), len(own), 7), np.nan)
    for t, (now, wanted) in enumerate(zip(q, q_ref, strict=True)):
        followed = reference(now, wanted, at)
        if followed is None:
            continue
        data.qpos[:] = followed
        mujoco.mj_kinematics(model, data)
        out[t, :, :3] = data.xpos[own] + quat.rotate(data.xquat[own], anchors)
        out[t, :, 3:] = quat.multiply(data.xquat[own], back)
    hz = 1.0 / (every * recording.dt) if recording.dt else 1.0
    return {"hz": hz, "poses": [pack.numbers(aligned(out[:, j])) for j in range(len(own))]}


def aligned(poses: np.ndarray) -> np.ndarray:
    """Poses (T, 7) whose quaternions do not jump to their opposite."""
    known = np.isfinite(poses[:, 3])
    out = poses.copy()
    if known.any():
        out[known, 3:] = quat.align(poses[known, 3:])
    return out


def _floor(model_xml: str) -> dict[str, list[float]] | None:
    """Where the first plane of the world is, as in pictures; None if it has none."""
    model = look.dressed(model_xml)
    planes = np.flatnonzero((model.geom_type == mujoco.mjtGeom.mjGEOM_PLANE) & (model.geom_bodyid == 0))
    if not len(planes):
        return None
    return {"position": model.geom_pos[planes[0]].tolist(), "rotation": model.geom_quat[planes[0]].tolist()}
