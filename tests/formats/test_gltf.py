"""Binary glTF: a small reader of our own moves the nodes and the skin, and finds the take again."""

from dataclasses import replace

import numpy as np
import pytest

import bodies
from gltf_file import Document
from poise.errors import BadInput
from poise.formats import actor as actors
from poise.formats import skeletal, y_up
from poise.formats.writers import glb


def expected_skin(actor: actors.Actor, frame: int) -> np.ndarray:
    at, turned = actor.capture.world
    order = [p for some in actors.by_colour(actor.patches).values() for p in some]
    return y_up.vectors(
        np.concatenate([p.mesh.moved(at[frame, p.joint], turned[frame, p.joint]).vertices for p in order])
    )


def save(take, tmp_path, **options) -> Document:
    glb.save(take, tmp_path / "take.glb", **options)
    return Document(tmp_path / "take.glb")


@pytest.mark.parametrize("xml", [None, bodies.ODD, bodies.FIXED], ids=["tiny", "odd", "fixed"])
def test_nodes_and_skin_move_as_recorded(take, tmp_path, xml):
    take = bodies.recording(xml) if xml else take
    document = save(take, tmp_path)
    actor = actors.of_recording(take)
    at = y_up.vectors(actor.capture.world[0])
    for frame in (0, 11, len(take) - 1):
        world = document.moved(frame)
        for j, name in enumerate(actor.capture.skeleton.names):
            assert np.allclose(world[document.node(name)][:3, 3], at[frame, j], atol=2e-6)
        assert np.allclose(document.skinned(frame), expected_skin(actor, frame), atol=5e-6)


def test_it_stands_on_the_floor_at_rest(take, tmp_path):
    actor = actors.of_recording(take)
    document = save(take, tmp_path)
    root = document.nodes[document.node("pelvis")]
    assert "rotation" not in root and root["translation"][1] == pytest.approx(actor.rest[0, 2], abs=1e-8)
    low = min(p.mesh.vertices[:, 2].min() for p in actor.at_rest)
    assert low == pytest.approx(0, abs=1e-12)


def test_the_file_says_its_axes_units_and_rate(take, tmp_path):
    said = save(take, tmp_path).tree["asset"]
    assert said["version"] == "2.0" and said["generator"].startswith("Poise")
    extras = said["extras"]
    assert (extras["up_axis"], extras["forward_axis"], extras["metres_per_unit"]) == ("Y", "+Z", 1.0)
    assert extras["frame_rate_hz"] == 100 and extras["frames"] == len(take) and extras["scene"] == "sway"


def test_what_does_not_move_has_no_channel(take, tmp_path):
    document = save(take, tmp_path)
    paths = [(c["target"]["node"], c["target"]["path"]) for c in document.tree["animations"][0]["channels"]]
    assert [p for p in paths if p[1] == "translation"] == [(document.node("pelvis"), "translation")]
    times = document.array(document.tree["animations"][0]["samplers"][0]["input"])
    assert np.allclose(times, take.time, atol=1e-6)
    still = replace(
        take, series={"q": take.series["q"]._replace(values=np.repeat(take["q"][50:51], len(take), axis=0))}
    )
    resting = save(still, tmp_path)
    assert "animations" not in resting.tree
    assert np.allclose(resting.skinned(0), document.skinned(50), atol=1e-6)


def test_things_about_the_body_are_rigid_nodes(tmp_path):
    take = bodies.recording(bodies.ODD)
    document = save(take, tmp_path, ground=True)
    world = document.moved(9)
    _, data = bodies.posed(take, 9)
    for name in ("ball", "lift"):
        assert np.allclose(world[document.node(name)][:3, 3], y_up.vectors(data.body(name).xpos), atol=1e-6)
    scenery = document.tree["meshes"][document.nodes[document.node("scenery")]["mesh"]]
    assert len(scenery["primitives"]) == 2  # the box and the floor, in two colours
    assert "scenery" in {n["name"] for n in save(take, tmp_path).nodes}
    materials = document.tree["materials"]
    assert any(m.get("alphaMode") == "BLEND" for m in materials)
    assert [1.0, 0.0, 0.0, 1.0] in [m["pbrMetallicRoughness"]["baseColorFactor"] for m in materials]


def test_arrays_are_aligned_and_bounded(take, tmp_path):
    document = save(take, tmp_path)
    for view in document.tree["bufferViews"]:
        assert view["byteOffset"] % 4 == 0
        assert view["byteOffset"] + view["byteLength"] <= document.tree["buffers"][0]["byteLength"]
    for part in document.tree["meshes"][0]["primitives"]:
        accessor = document.tree["accessors"][part["attributes"]["POSITION"]]
        positions = document.array(part["attributes"]["POSITION"])
        assert np.array_equal(accessor["min"], positions.min(axis=0))
        assert np.array_equal(accessor["max"], positions.max(axis=0))
        assert document.array(part["indices"]).max() == len(positions) - 1
        assert np.allclose(np.linalg.norm(document.array(part["attributes"]["NORMAL"]), axis=1), 1, atol=1e-6)


def test_any_capture_gets_a_body_of_capsules(tmp_path):
    capture = skeletal.capture(bodies.recording(bodies.ODD))
    glb.save_capture(capture, tmp_path / "any.glb", name="someone")
    document = Document(tmp_path / "any.glb")
    actor = actors.of_capture(capture)
    assert {p.joint for p in actor.patches} == set(range(len(capture.skeleton)))
    assert np.allclose(document.skinned(7), expected_skin(actor, 7), atol=5e-6)
    assert document.tree["scenes"][0]["name"] == "someone"
    with pytest.raises(BadInput, match="does not exist"):
        glb.save_capture(capture, tmp_path / "nowhere" / "any.glb")


def test_bones_reach_from_joint_to_tip():
    for tip in ([0, 0, 1.0], [0, 0, -1.0], [0.3, -0.4, 0.5], [0, 0, 1e-3]):
        bone = actors._bone(np.array(tip))
        reach = bone.vertices @ (np.array(tip) / np.linalg.norm(tip))
        assert reach.max() >= np.linalg.norm(tip) - 1e-9 and reach.min() <= 1e-9
