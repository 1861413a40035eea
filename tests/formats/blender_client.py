"""Run by a Python that has `bpy`: opens a file and prints where its bones are, as JSON on the last line.

    python blender_client.py FILE FRAME,FRAME,... HZ

Positions are the heads of the bones in our axes (x forward, y left, z up) [m], by frame and bone; `rest` are those of
the rest pose, `boxes` the box about the skinned meshes, `props` the places of other objects, `keys` the first and last
frame with a key.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import bpy  # pyright: ignore[reportMissingImports]


def load(path: Path, hz: float):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.fps, scene.render.fps_base = round(hz), round(hz) / hz
    match path.suffix:
        case ".bvh":
            bpy.ops.import_anim.bvh(
                filepath=str(path),
                global_scale=0.01,
                update_scene_fps=False,
                use_fps_scale=False,
                frame_start=1,
            )
        case ".glb":
            bpy.ops.import_scene.gltf(filepath=str(path))
        case ".fbx":
            bpy.ops.import_scene.fbx(filepath=str(path), anim_offset=0.0)
        case _:
            bpy.ops.wm.usd_import(filepath=str(path), set_frame_range=True)
    return scene


def ours(v) -> list[float]:
    """Blender has turned the file's y-up axes to x left, y backward, z up."""
    return [-v[1], v[0], v[2]]


def bounds(meshes) -> list[list[float]]:
    """The box about some meshes as Blender has deformed them: least and largest corner."""
    graph = bpy.context.evaluated_depsgraph_get()
    found = []
    for thing in meshes:
        seen = thing.evaluated_get(graph)
        found += [ours(seen.matrix_world @ v.co) for v in seen.data.vertices]
    return [[f(axis) for axis in zip(*found)] for f in (min, max)]


def main() -> None:
    path, frames, hz = Path(sys.argv[1]), [int(f) for f in sys.argv[2].split(",")], float(sys.argv[3])
    scene = load(path, hz)
    rig = next(thing for thing in bpy.data.objects if thing.type == "ARMATURE")
    skins = [
        t for t in bpy.data.objects if t.type == "MESH" and any(m.type == "ARMATURE" for m in t.modifiers)
    ]
    others = [t for t in bpy.data.objects if t.type in ("MESH", "EMPTY") and t not in skins]
    said: dict = {"rest": {b.name: ours(rig.matrix_world @ b.head_local) for b in rig.data.bones}}
    said |= {"range": [scene.frame_start, scene.frame_end], "frames": {}, "boxes": {}, "props": {}}
    said["keys"] = list(rig.animation_data.action.frame_range)
    for frame in frames:
        scene.frame_set(frame + (path.suffix == ".bvh"))  # Blender counts the frames of a BVH from 1
        said["frames"][frame] = {b.name: ours(rig.matrix_world @ b.head) for b in rig.pose.bones}
        said["boxes"][frame] = bounds(skins)
        said["props"][frame] = {t.name: ours(t.matrix_world.translation) for t in others}
    print("\n" + json.dumps(said))


main()
