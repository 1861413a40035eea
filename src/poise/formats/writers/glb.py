"""Binary glTF 2.0: a skinned body of capsules and its animation. Metres, y up, z forward, seconds."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

import poise
from poise.draw.mesh import merged
from poise.files import atomic
from poise.formats import actor as actors
from poise.formats import own_actor, y_up
from poise.formats.actor import ROUGH, Actor, Patch, by_colour, linear, moves
from poise.formats.gltf import ARRAY, INDEX, Glb

if TYPE_CHECKING:
    from poise.geometry.skeleton import Capture
    from poise.record.recording import Recording


def save(recording: Recording, path: Path, ground: bool = False) -> None:
    """Write the character of a take and, as rigid nodes, the other things of its world; `ground` adds a floor."""
    info = recording.info
    extras = {key: info[key] for key in ("scene", "character", "seed", "pushes") if key in info}
    _document(own_actor.of_recording(recording, ground), **extras).write(path)


def save_capture(capture: Capture, path: Path, name: str = "character") -> None:
    """Write any skeleton in motion, with capsules along its bones."""
    with atomic(path) as part:
        _document(actors.of_capture(capture, name)).write(part)


def _document(actor: Actor, **extras) -> Glb:
    glb = Glb(
        f"Poise {poise.__version__}", **y_up.AXES, metres_per_unit=1.0, frame_rate_hz=actor.rate,
        frames=len(actor.capture), **extras,
    )  # fmt: skip
    painter = _Painter(glb)
    channels = _Channels(glb, actor.capture.times)
    joints = _skeleton(glb, actor, channels)
    scene = [joints[0], _skin(glb, actor, joints, painter)] if actor.patches else [joints[0]]
    for prop in actor.props:
        mesh = painter.mesh(prop.name, prop.patches, skinned=False)
        node = glb.add("nodes", name=prop.name, mesh=mesh)
        channels.drive(node, prop.positions, prop.rotations)
        scene.append(node)
    channels.finish(actor.name)
    glb.add("scenes", name=actor.name, nodes=scene)
    glb.tree["scene"] = 0
    return glb


def _skeleton(glb: Glb, actor: Actor, channels: _Channels) -> list[int]:
    """One node per joint. At rest nothing is turned; what never leaves its rest has no channel."""
    capture = actor.capture
    skeleton = capture.skeleton
    nodes = [glb.add("nodes", name=name) for name in skeleton.names]
    for j, children in enumerate(skeleton.children):
        if children:
            glb.tree["nodes"][nodes[j]]["children"] = [nodes[c] for c in children]
        rest = actor.rest[0] if j == 0 else skeleton.offsets[j]
        channels.drive(nodes[j], capture.positions[:, j], capture.rotations[:, j], rest)
    return nodes


def _skin(glb: Glb, actor: Actor, joints: list[int], painter: _Painter) -> int:
    """The body's mesh, each corner held by one joint, bound in the rest pose."""
    bind = np.tile(np.eye(4), (len(joints), 1, 1))
    bind[:, :3, 3] = -y_up.vectors(actor.rest)
    mesh = painter.mesh(actor.name, actor.at_rest, skinned=True)
    skin = glb.add(
        "skins", name=actor.name, joints=joints, skeleton=joints[0], inverseBindMatrices=glb.array(bind, "f4")
    )
    return glb.add("nodes", name=f"{actor.name}_body", mesh=mesh, skin=skin)


class _Painter:
    """Meshes, one primitive and one material per colour; equal colours share a material."""

    def __init__(self, glb: Glb) -> None:
        self._glb, self._materials = glb, {}

    def mesh(self, name: str, patches: tuple[Patch, ...], skinned: bool) -> int:
        primitives = [self._primitive(rgba, some, skinned) for rgba, some in by_colour(patches).items()]
        return self._glb.add("meshes", name=name, primitives=primitives)

    def _primitive(self, rgba: tuple[float, ...], patches: list[Patch], skinned: bool) -> dict:
        glb = self._glb
        whole = merged([p.mesh for p in patches])
        attributes = {
            "POSITION": glb.array(y_up.vectors(whole.vertices), "f4", ARRAY, bounds=True),
            "NORMAL": glb.array(_unit(y_up.vectors(whole.normals)), "f4", ARRAY),
        }
        if skinned:
            held = np.zeros((len(whole.vertices), 4), np.int64)
            held[:, 0] = np.repeat([p.joint for p in patches], [len(p.mesh.vertices) for p in patches])
            weight = np.tile(np.array([255, 0, 0, 0]), (len(held), 1))
            attributes["JOINTS_0"] = glb.array(held, "u1" if held.max() < 256 else "u2", ARRAY)
            attributes["WEIGHTS_0"] = glb.array(weight, "u1", ARRAY, normalized=True)
        small = len(whole.vertices) < 65535
        indices = glb.array(whole.faces.ravel(), "u2" if small else "u4", INDEX)
        return {"attributes": attributes, "indices": indices, "material": self._material(rgba)}

    def _material(self, rgba: tuple[float, ...]) -> int:
        if rgba not in self._materials:
            light = [round(linear(c), 5) for c in rgba[:3]]
            surface = {"baseColorFactor": [*light, rgba[3]], "metallicFactor": 0.0, "roughnessFactor": ROUGH}
            blend = "BLEND" if rgba[3] < 1 else None
            number = len(self._materials) + 1
            self._materials[rgba] = self._glb.add(
                "materials", name=f"colour{number}", pbrMetallicRoughness=surface, alphaMode=blend
            )
        return self._materials[rgba]


class _Channels:
    """The animation: nodes that move get channels, the others a fixed place."""

    def __init__(self, glb: Glb, times: np.ndarray) -> None:
        self._glb, self._times = glb, times - times[0]
        self._clock: int | None = None
        self._samplers: list[dict] = []
        self._channels: list[dict] = []

    def drive(
        self, node: int, positions: np.ndarray, rotations: np.ndarray, rest: np.ndarray | None = None
    ) -> None:
        """Put a node where it is at rest (by default: at first), and move it where it moves."""
        none = {"translation": np.zeros(3), "rotation": np.array([0.0, 0, 0, 1])}
        still = none if rest is None else none | {"translation": y_up.vectors(rest)}
        for path, values in (("translation", y_up.vectors(positions)), ("rotation", y_up.xyzw(rotations))):
            moving = moves(values if rest is None else np.concatenate([still[path][None], values]))
            if moving:
                self._channel(node, path, values)
            start = still[path] if moving and rest is not None else values[0]
            start = np.round(start, 9)
            if np.any(start != none[path]):
                self._glb.tree["nodes"][node][path] = start.tolist()

    def _channel(self, node: int, path: str, values: np.ndarray) -> None:
        if self._clock is None:
            self._clock = self._glb.array(self._times, "f4", bounds=True)
        output = self._glb.array(values, "f4")
        self._samplers.append({"input": self._clock, "output": output, "interpolation": "LINEAR"})
        target = {"node": node, "path": path}
        self._channels.append({"sampler": len(self._samplers) - 1, "target": target})

    def finish(self, name: str) -> None:
        if self._channels:
            self._glb.add("animations", name=name, samplers=self._samplers, channels=self._channels)


def _unit(v: np.ndarray) -> np.ndarray:
    return v / np.linalg.norm(v, axis=1, keepdims=True)
