"""A small reader of binary glTF: nodes, arrays, where the nodes and the skin are at a frame."""

from __future__ import annotations

import json
import struct
from typing import Any

import numpy as np

from poise.geometry import quat

TYPES = {5121: "u1", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
SHAPES = {"SCALAR": (), "VEC3": (3,), "VEC4": (4,), "MAT4": (4, 4)}


class Document:
    """A file as any reader of glTF sees it."""

    def __init__(self, path) -> None:
        data = path.read_bytes()
        size = struct.unpack_from("<I", data, 12)[0]
        self.tree, self.data = json.loads(data[20 : 20 + size]), data[28 + size :]
        self.nodes = self.tree["nodes"]

    def array(self, index: int) -> np.ndarray:
        accessor = self.tree["accessors"][index]
        view = self.tree["bufferViews"][accessor["bufferView"]]
        shape, kind = SHAPES[accessor["type"]], np.dtype(TYPES[accessor["componentType"]])
        count = accessor["count"] * int(np.prod(shape, dtype=int))
        values = np.frombuffer(self.data, kind, count, view["byteOffset"]).reshape(accessor["count"], *shape)
        return values.astype(float) / (255 if accessor.get("normalized") else 1)

    def node(self, name: str) -> int:
        return next(k for k, node in enumerate(self.nodes) if node["name"] == name)

    def moved(self, frame: int) -> list[np.ndarray]:
        """World matrix of every node at a frame."""
        local = []
        for node in self.nodes:
            local.append({"translation": np.zeros(3), "rotation": np.array([0.0, 0, 0, 1])} | node)
        for animation in self.tree.get("animations", []):
            for channel in animation["channels"]:
                sampler = animation["samplers"][channel["sampler"]]
                local[channel["target"]["node"]][channel["target"]["path"]] = self.array(sampler["output"])[
                    frame
                ]
        out: list[Any] = [None] * len(local)

        def walk(k: int, above: np.ndarray) -> None:
            x, y, z, w = local[k]["rotation"]
            matrix = np.eye(4)
            matrix[:3, :3], matrix[:3, 3] = quat.to_matrix([w, x, y, z]), local[k]["translation"]
            out[k] = above @ matrix
            for child in self.nodes[k].get("children", []):
                walk(child, out[k])

        for k in self.tree["scenes"][0]["nodes"]:
            walk(k, np.eye(4))
        return out

    def skinned(self, frame: int) -> np.ndarray:
        """Corners of the skinned mesh in the world."""
        world, skin = self.moved(frame), self.tree["skins"][0]
        bind = self.array(skin["inverseBindMatrices"]).transpose(0, 2, 1)
        joints = np.array([world[j] @ b for j, b in zip(skin["joints"], bind)])
        found = []
        for part in next(self.tree["meshes"][n["mesh"]] for n in self.nodes if "skin" in n)["primitives"]:
            position, joint, weight = (
                self.array(part["attributes"][a]) for a in ("POSITION", "JOINTS_0", "WEIGHTS_0")
            )
            assert np.array_equal(weight.sum(axis=1), np.ones(len(weight)))
            mixed = np.einsum("vk,vkij->vij", weight, joints[joint.astype(int)])
            found.append(np.einsum("vij,vj->vi", mixed[:, :3, :3], position) + mixed[:, :3, 3])
        return np.concatenate(found)
