"""MJCF as others write it: made to compile where a part that a body does not need stands in the way."""

from __future__ import annotations

from pathlib import Path

import mujoco
import numpy as np

from poise.character.foreign.source import Notes, Source, engine_errors
from poise.character.outline import solid
from poise.errors import BadInput, unknown

FEW = 6  # hinges with a range from which a habit can be told


def read(path: Path, root: str | None = None) -> Source:
    """Compile an MJCF file and find the body in it, by the name of its root, or the heaviest tree with joints."""
    notes = Notes()
    with engine_errors(path, "MuJoCo cannot compile it: "):
        spec = mujoco.MjSpec.from_file(str(path))
        floor = _prepare(spec, notes)
        _angles(spec, notes)
        model = spec.compile()
        if not (solid(model) & (model.geom_bodyid > 0)).any() and not floor:
            for geom in spec.geoms:
                geom.contype = geom.conaffinity = 1
            notes("collision shapes", "all", "no shape of a moving body in the file collides")
            model = spec.compile()
    title = "" if spec.modelname == mujoco.MjSpec().modelname else spec.modelname
    paired = frozenset(model.geom(name).id for name in floor if name)
    return Source(path, model, find_root(model, root, path), notes, title, floor_geoms=paired)


def find_root(model: mujoco.MjModel, name: str | None, path: Path) -> int:
    """Top body of the named part, or of the heaviest tree that has joints; mocap bodies and props are no trees."""
    joints = np.zeros(model.nbody, dtype=int)
    for j in range(model.njnt):
        joints[model.body_rootid[model.jnt_bodyid[j]]] += 1
    trees = [b for b in range(1, model.nbody) if model.body_parentid[b] == 0 and joints[b] > 0]
    if name is not None:
        found = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, name)
        if found <= 0:
            raise unknown("body", name, [model.body(b).name for b in range(1, model.nbody)])
        return int(model.body_rootid[found])
    limbed = [b for b in trees if joints[b] > 1] or trees
    if not limbed:
        raise BadInput(f"{path}: nothing in it moves: no body has a joint")
    return max(limbed, key=lambda b: float(model.body_subtreemass[b]))


def _prepare(spec: mujoco.MjSpec, notes: Notes) -> set[str]:
    """Take out what a body does not need and what may be missing; names of geoms that are paired with a floor."""
    for flex in spec.flexes:
        notes("flex left out", flex.name, "deformable parts are not simulated")
    for material in spec.materials:
        material.textures = [""] * len(material.textures)
    for part in [*spec.sensors, *spec.skins, *spec.flexes, *spec.textures]:
        spec.delete(part)
    known = {material.name for material in spec.materials}
    for geom in spec.geoms:
        if geom.material and geom.material not in known:
            geom.material = ""
    _drop_missing_meshes(spec, notes)
    return _pairs(spec)


def _angles(spec: mujoco.MjSpec, notes: Notes) -> None:
    """A file that forgets to say that its angles are radians: no joint would turn by more than a few degrees."""
    hinges = [j for j in spec.joints if j.type == mujoco.mjtJoint.mjJNT_HINGE and np.ptp(j.range) > 0]
    if spec.compiler.degree and len(hinges) >= FEW and all(np.abs(j.range).max() < 2 * np.pi for j in hinges):
        spec.compiler.degree = False
        notes("angles", "radians", "in degrees, which the file leaves unsaid, no joint could turn by seven")


def _drop_missing_meshes(spec: mujoco.MjSpec, notes: Notes) -> None:
    """Drawn shapes whose mesh file is not there are left out; a solid one is an error."""
    folder = Path(spec.modelfiledir) / spec.meshdir
    lost = [m for m in spec.meshes if m.file and not _found(folder, m.file, spec)]
    gone = {m.name or Path(m.file).stem: m for m in lost}
    if not gone:
        return
    for geom in list(spec.geoms):
        if geom.meshname not in gone:
            continue
        if geom.contype or geom.conaffinity:
            file = gone[geom.meshname].file
            raise BadInput(f"mesh {file} of body {geom.parent.name!r} is missing: looked for {folder / file}")
        spec.delete(geom)
    for mesh in gone.values():
        spec.delete(mesh)
    notes("drawn meshes left out", len(gone), f"files not found under {folder}, e.g. {next(iter(gone))}")


def _found(folder: Path, file: str, spec: mujoco.MjSpec) -> bool:
    if file in spec.assets or (spec.strippath and Path(file).name in spec.assets):
        return True
    name = Path(file).name if spec.strippath else file
    return (folder / name).is_file()


def _pairs(spec: mujoco.MjSpec) -> set[str]:
    """Geoms in explicit contact pairs with the world or with something that is not in this file."""
    parents = {geom.name: geom.parent for geom in spec.geoms if geom.name}
    floor: set[str] = set()
    for pair in list(spec.pairs):
        ends = (pair.geomname1, pair.geomname2)
        inside = [name for name in ends if name in parents and parents[name] != spec.worldbody]
        if len(inside) == 1:
            floor.update(inside)
        if any(name not in parents for name in ends):
            spec.delete(pair)
    return floor
