"""USD, as text (.usda) or binary (.usdc): a UsdSkel skeleton, its animation and a skinned mesh.

Metres, y up, z forward; one time code a frame. Needs the package usd-core.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import poise
from poise.errors import BadInput
from poise.files import atomic
from poise.formats import actor as actors
from poise.formats import own_actor, y_up
from poise.formats.actor import Actor, Patch, Prop, by_colour, moves
from poise.formats.names import tidy
from poise.formats.usd_mesh import WORLD, Paint, floats

if TYPE_CHECKING:
    from poise.geometry.skeleton import Capture
    from poise.record.recording import Recording

NOT_A_NAME = r"[^A-Za-z0-9_]|^(?=[0-9])"


def check() -> None:
    """Raise BadInput, which says how to get it, unless OpenUSD is installed."""
    if find_spec("pxr") is None:
        raise BadInput(
            'writing USD needs the package usd-core, which is not installed: pip install "poise[usd]" '
            "(or write a .glb, which needs nothing more)"
        )


def save(recording: Recording, path: Path, ground: bool = False) -> None:
    """Write the character of a take and the other things of its world; `ground` adds a piece of floor."""
    check()
    info = recording.info
    said = {key: str(info[key]) for key in ("scene", "character", "seed") if key in info}
    _write(own_actor.of_recording(recording, ground), path, said)


def save_capture(capture: Capture, path: Path, name: str = "character") -> None:
    """Write any skeleton in motion, with capsules along its bones."""
    check()
    with atomic(path) as part:
        _write(actors.of_capture(capture, name), part, {})


def _write(actor: Actor, path: Path, said: dict[str, str]) -> None:
    from pxr import Usd, UsdGeom

    stage = Usd.Stage.CreateInMemory()
    UsdGeom.SetStageUpAxis(stage, UsdGeom.Tokens.y)
    UsdGeom.SetStageMetersPerUnit(stage, 1.0)
    stage.SetTimeCodesPerSecond(actor.rate)
    stage.SetFramesPerSecond(actor.rate)
    stage.SetStartTimeCode(0)
    stage.SetEndTimeCode(len(actor.capture) - 1)
    layer = stage.GetRootLayer()
    layer.documentation = (
        f"Poise {poise.__version__}: metres, y up, z forward, {actor.rate:g} frames a second"
    )
    layer.customLayerData = {"poise": said} if said else {}
    world = UsdGeom.Xform.Define(stage, WORLD)
    Usd.ModelAPI(world.GetPrim()).SetKind("component")
    stage.SetDefaultPrim(world.GetPrim())
    paint = Paint(stage)
    _, own, *names = tidy(["Materials", actor.name, *(p.name for p in actor.props)], NOT_A_NAME)
    _character(stage, actor, f"{WORLD}/{own}", paint)
    for prop, name in zip(actor.props, names):
        _prop(stage, prop, f"{WORLD}/{name}", paint)
    if not layer.Export(str(path)):
        raise BadInput(f"cannot write '{path}': USD refused")


def _character(stage: Any, actor: Actor, path: str, paint: Paint) -> None:
    """SkelRoot with skeleton, animation and mesh."""
    from pxr import UsdSkel

    root = UsdSkel.Root.Define(stage, path)
    bones = UsdSkel.Skeleton.Define(stage, f"{path}/Skeleton")
    skeleton = actor.capture.skeleton
    joints = _joint_paths(skeleton.names, skeleton.parents)
    parents = skeleton.parents[:, None]
    rest = y_up.vectors(actor.rest)
    bones.CreateJointsAttr(joints)
    bones.CreateBindTransformsAttr(_shifts(rest))
    bones.CreateRestTransformsAttr(_shifts(rest - np.where(parents >= 0, rest[skeleton.parents], 0.0)))
    motion = _animation(stage, actor.capture, joints, f"{path}/Animation")
    binding = UsdSkel.BindingAPI.Apply(bones.GetPrim())
    binding.CreateAnimationSourceRel().SetTargets([motion.GetPath()])
    UsdSkel.BindingAPI.Apply(root.GetPrim()).CreateSkeletonRel().SetTargets([bones.GetPath()])
    at_rest = actor.at_rest
    if at_rest:
        _bind(paint.mesh(at_rest, _inside(path, "body")), at_rest, bones)
    reach = np.concatenate([rest, *(y_up.vectors(p.mesh.vertices) for p in at_rest)])
    moved = y_up.vectors(actor.capture.positions[:, 0]) - rest[0]
    low, high = reach.min(axis=0) + moved.min(axis=0), reach.max(axis=0) + moved.max(axis=0)
    root.CreateExtentAttr(floats([low, high]))


def _animation(stage: Any, capture: Capture, joints: list[str], path: str) -> Any:
    """Places and turns of all joints, one sample a frame; places only once when no joint moves in its parent."""
    from pxr import UsdSkel, Vt

    motion = UsdSkel.Animation.Define(stage, path)
    motion.CreateJointsAttr(joints)
    motion.CreateScalesAttr(Vt.Vec3hArray.FromNumpy(np.ones((len(joints), 3), np.float16)))
    places, turns = motion.CreateTranslationsAttr(), motion.CreateRotationsAttr()
    positions = y_up.vectors(capture.positions)
    rotations = y_up.xyzw(capture.rotations)
    for t in range(len(capture)):
        places.Set(floats(positions[t]), t)
        turns.Set(Vt.QuatfArray.FromNumpy(np.ascontiguousarray(rotations[t], np.float32)), t)
    return motion


def _bind(mesh: Any, patches: tuple[Patch, ...], bones: Any) -> None:
    """Hold each corner of the mesh by one joint."""
    from pxr import Gf, UsdSkel, Vt

    order = [p for some in by_colour(patches).values() for p in some]
    held = np.repeat([p.joint for p in order], [len(p.mesh.vertices) for p in order]).astype(np.int32)
    binding = UsdSkel.BindingAPI.Apply(mesh.GetPrim())
    binding.CreateSkeletonRel().SetTargets([bones.GetPath()])
    binding.CreateJointIndicesPrimvar(False, 1).Set(Vt.IntArray.FromNumpy(held))
    binding.CreateJointWeightsPrimvar(False, 1).Set(Vt.FloatArray.FromNumpy(np.ones(len(held), np.float32)))
    binding.CreateGeomBindTransformAttr(Gf.Matrix4d(1.0))


def _prop(stage: Any, prop: Prop, path: str, paint: Paint) -> None:
    """A rigid thing, its place sampled where it moves."""
    from pxr import Gf, UsdGeom

    thing = UsdGeom.Xform.Define(stage, path)
    place = thing.AddTranslateOp(UsdGeom.XformOp.PrecisionDouble)
    turn = thing.AddOrientOp(UsdGeom.XformOp.PrecisionDouble)
    positions, rotations = y_up.vectors(prop.positions), y_up.rotations(prop.rotations)
    for op, values, kind in ((place, positions, Gf.Vec3d), (turn, rotations, Gf.Quatd)):
        if not moves(values):
            op.Set(kind(*values[0].tolist()))
            continue
        for t, value in enumerate(values.tolist()):
            op.Set(kind(*value), t)
    paint.mesh(prop.patches, _inside(path, "shape"))


def _joint_paths(names: tuple[str, ...], parents: np.ndarray) -> list[str]:
    """Joints as USD names them: with all the joints above."""
    paths: list[str] = []
    for name, p in zip(tidy(names, NOT_A_NAME), parents):
        paths.append(f"{paths[p]}/{name}" if p >= 0 else name)
    return paths


def _inside(path: str, what: str) -> str:
    """Path of a part that tells whose it is: programs show the last name only."""
    return f"{path}/{path.rsplit('/', 1)[-1]}_{what}"


def _shifts(positions: np.ndarray) -> Any:
    """Matrices that only shift; USD writes the shift in the last row."""
    from pxr import Vt

    matrices = np.tile(np.eye(4), (len(positions), 1, 1))
    matrices[:, 3, :3] = positions
    return Vt.Matrix4dArray.FromNumpy(matrices)
