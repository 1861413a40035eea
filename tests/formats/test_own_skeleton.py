"""What a reacting clip is written as: the clip's own joints, rest pose, frames and rate, in every format."""

from __future__ import annotations

import importlib.util
from dataclasses import replace

import mujoco
import numpy as np
import pytest

import poise
from gltf_file import Document
from poise.capture.readers import bvh
from poise.formats import own_actor, own_skeleton, y_up
from poise.formats.skeletal import bodies
from poise.geometry import quat
from poise.geometry.skeleton import forward
from rigs import FINGERS, HZ, sway, written

needs_usd = pytest.mark.skipif(importlib.util.find_spec("pxr") is None, reason="needs usd-core: poise[usd]")
CM = 0.01


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("own")


@pytest.fixture(scope="module")
def file(folder):
    return written(folder, sway())


@pytest.fixture(scope="module")
def take(file):
    return poise.simulate(poise.scene("react", motion=file, push="torso:60,0,0@0.4+0.1"))


@pytest.fixture(scope="module")
def out(take, folder):
    """The take written as BVH, which is read back."""
    take.save(folder / "out.bvh")
    return bvh.read(folder / "out.bvh")


@pytest.fixture(scope="module")
def document(take, folder):
    take.save(folder / "out.glb")
    return Document(folder / "out.glb")


def world(b: bvh.Bvh) -> np.ndarray:
    """Joints in the file's axes (T, J, 3) [m]."""
    rotations, positions = bvh.local(b)
    return CM * forward(b.parents, positions, rotations)[0]


def test_the_glb_has_the_joints_of_the_file(file, document):
    source, skin = bvh.read(file), document.tree["skins"][0]
    names = [document.nodes[j]["name"] for j in skin["joints"]]
    assert tuple(names) == source.names and len(names) == 55
    parent = {c: k for k, node in enumerate(document.nodes) for c in node.get("children", ())}
    above = [-1 if p not in parent else skin["joints"].index(parent[p]) for p in skin["joints"]]
    assert np.array_equal(above, source.parents)


def test_the_glb_has_the_rest_pose_and_the_rate_of_the_file(file, document):
    source, skin = bvh.read(file), document.tree["skins"][0]
    for j, offset in zip(skin["joints"], source.offsets):
        node = document.nodes[j]
        assert (
            np.allclose(node.get("translation", (0, 0, 0)), CM * offset, atol=1e-7) and "rotation" not in node
        )
    bind = document.array(skin["inverseBindMatrices"]).transpose(0, 2, 1)
    still = np.tile(quat.IDENTITY, (1, len(source.names), 1))
    assert np.allclose(
        -bind[:, :3, 3], CM * forward(source.parents, source.offsets[None], still)[0][0], atol=1e-6
    )
    times = document.array(document.tree["animations"][0]["samplers"][0]["input"])
    assert np.allclose(np.diff(times), 1 / HZ, atol=1e-6) and len(times) == len(source)
    assert document.tree["asset"]["extras"]["frame_rate_hz"] == HZ


def test_the_glb_moves_as_the_bvh_does(out, document):
    at = world(out)
    for frame in (0, 30, len(out) - 1):
        moved = document.moved(frame)
        found = np.array([moved[j][:3, 3] for j in document.tree["skins"][0]["joints"]])
        assert np.abs(found - at[frame]).max() < 1e-5


def test_fingers_and_face_move_as_in_the_file(file, out):
    source = bvh.read(file)
    free = [j for j, n in enumerate(source.names) if n in ("jaw", "tongue") or any(f in n for f in FINGERS)]
    turned, places = bvh.local(out)
    turned_in, places_in = bvh.local(source)
    assert len(free) == 32
    assert np.abs(quat.difference(turned[:, free], turned_in[:, free])).max() < 1e-6
    assert np.abs(places[:, free] - places_in[:, free]).max() < 1e-6
    torso = source.names.index("spine")
    assert np.abs(quat.difference(turned[:, torso], turned_in[:, torso])).max() > 0.01  # pushed


def test_shapes_sit_on_the_joints_as_on_the_bodies(take):
    whole = bodies(take)
    actor = own_actor.of_recording(replace(take, info={**take.info, "direction": {}}))
    at, turned = actor.capture.world
    frame, record = 30, 50  # both at 0.5 s
    intake = own_skeleton.framed(take).intake
    back = quat.conjugate(intake.placing.turn)
    mine = [p.mesh.moved(at[frame, p.joint], turned[frame, p.joint]).vertices for p in actor.patches]
    theirs = []
    for b in whole.own:
        for shape, _ in whole.geoms(int(b)):
            vertices = shape.moved(whole.positions[record, b], whole.rotations[record, b]).vertices
            theirs.append(quat.rotate(back, vertices - intake.placing.shift))
    assert np.abs(np.concatenate(mine) - np.concatenate(theirs)).max() < 2e-3


def test_things_about_the_body_are_where_the_file_has_them(take):
    actor = own_actor.of_recording(take, ground=True)
    (floor,) = actor.props
    assert len(floor.positions) == len(actor.capture)
    assert np.allclose(floor.positions[:, 2], own_skeleton.framed(take).intake.floor_m)


@needs_usd
def test_the_usd_has_the_same(file, take, out, folder):
    from pxr import Usd, UsdGeom, UsdSkel

    take.save(folder / "out.usda")
    stage = Usd.Stage.Open(str(folder / "out.usda"))
    root = next(p for p in stage.Traverse() if p.IsA(UsdSkel.Root))
    bones = UsdSkel.Skeleton(next(p for p in stage.Traverse() if p.IsA(UsdSkel.Skeleton)))
    source = bvh.read(file)
    joints = list(bones.GetJointsAttr().Get())
    assert tuple(path.rsplit("/", 1)[-1] for path in joints) == source.names
    above = [joints.index(path.rsplit("/", 1)[0]) if "/" in path else -1 for path in joints]
    assert np.array_equal(above, source.parents)
    rest = [list(m.ExtractTranslation()) for m in bones.GetRestTransformsAttr().Get()]
    assert np.allclose(rest, CM * source.offsets, atol=1e-7)
    assert stage.GetTimeCodesPerSecond() == HZ and stage.GetEndTimeCode() == len(source) - 1
    cache = UsdSkel.Cache()
    cache.Populate(UsdSkel.Root(root), Usd.PrimDefaultPredicate)
    for frame in (0, 30):
        moved = cache.GetSkelQuery(bones).ComputeJointWorldTransforms(UsdGeom.XformCache(frame))
        found = np.array([list(m.ExtractTranslation()) for m in moved])
        assert np.abs(found - world(out)[frame]).max() < 1e-5


def test_no_joint_is_made_up(take):
    model = mujoco.MjModel.from_xml_string(take.model_xml)
    actor = own_actor.of_recording(take)
    assert len(actor.capture.skeleton) == 55 and model.nbody < 30
    assert y_up.vectors(actor.rest).shape == (55, 3)
