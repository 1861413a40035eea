"""Bodies from URDF files: what MuJoCo's own reader would drop, misread or refuse."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import foreign_files as files
import poise
from poise.character import Character
from poise.character.foreign import mesh
from poise.errors import BadInput


def link(name: str, mass: float, shape: str, place: str = "0 0 0", tag: str = "collision") -> str:
    inertia = 0.01 * mass
    return f"""<link name="{name}"><inertial><origin xyz="{place}"/><mass value="{mass}"/>
      <inertia ixx="{inertia}" iyy="{inertia}" izz="{inertia}" ixy="0" ixz="0" iyz="0"/></inertial>
      <{tag}><origin xyz="{place}"/><geometry>{shape}</geometry></{tag}></link>"""


def joint(
    name: str, parent: str, child: str, place: str, axis: str, low: float, high: float, more: str = ""
) -> str:
    return f"""<joint name="{name}" type="revolute"><parent link="{parent}"/><child link="{child}"/>
      <origin xyz="{place}"/><axis xyz="{axis}"/><limit lower="{low}" upper="{high}" effort="200" velocity="9"/>{more}
      </joint>"""


def biped(foot: str = '<box size="0.24 0.1 0.04"/>', more: str = "") -> str:
    """A hinge biped of 43 kg whose base hangs on a frame without mass, as many do."""
    parts = [
        '<robot name="biped">',
        '<link name="odom"/>',
        link("base", 25, '<box size="0.2 0.3 0.5"/>', "0 0 0.3"),
    ]
    parts.append('<joint name="fix" type="fixed"><parent link="odom"/><child link="base"/></joint>')
    for s, y in (("l", 0.1), ("r", -0.1)):
        shank = '<cylinder radius="0.04" length="0.3"/>'
        parts += [
            f'<link name="hip_{s}"/>', link(f"thigh_{s}", 4, shank, "0 0 -0.2"),
            link(f"shin_{s}", 3, shank, "0 0 -0.2"), f'<link name="ankle_{s}"/>',
            link(f"foot_{s}", 1, foot, "0.03 0 -0.05"),
            joint(f"roll_{s}", "base", f"hip_{s}", f"0 {y} 0", "1 0 0", -0.6, 0.6),
            joint(f"pitch_{s}", f"hip_{s}", f"thigh_{s}", "0 0 0", "0 1 0", -2, 0.7),
            joint(f"knee_{s}", f"thigh_{s}", f"shin_{s}", "0 0 -0.4", "0 1 0", 0, 2.4, '<dynamics damping="0.5"/>'),
            joint(f"ankle_pitch_{s}", f"shin_{s}", f"ankle_{s}", "0 0 -0.4", "0 1 0", -0.9, 0.9),
            joint(f"ankle_roll_{s}", f"ankle_{s}", f"foot_{s}", "0 0 0", "1 0 0", -0.5, 0.5),
        ]  # fmt: skip
    return "".join([*parts, more, "</robot>"])


def read(folder: Path, text: str) -> Character:
    return Character.from_urdf(files.write(folder, text, "robots/biped.urdf"))


def test_the_base_floats_with_all_of_its_mass(tmp_path):
    body = read(tmp_path, biped())
    assert body.body_names[0] == "base" and body.mass == pytest.approx(41.0, abs=0.02)
    assert body.model.nv == 16
    assert (
        "no mass" in files.guess(body, "inertias repaired").evidence
    )  # the links between the hinges of a joint
    assert body.model.actuator("knee_l").ctrlrange == pytest.approx([-200, 200])
    assert body.model.dof_damping[body.model.joint("knee_l").dofadr[0]] == pytest.approx(0.5)
    take = poise.simulate(poise.scene("stand", character=body, seconds=1.0))
    assert not take.fell and files.metric(take, "foot_slip_m") < 1e-3


def test_meshes_are_found_wherever_their_package_is(tmp_path):
    files.stl(tmp_path / "meshes", "foot.stl", (0.12, 0.05, 0.02))
    foot = '<mesh filename="package://somebody/robot/meshes/foot.stl"/>'
    body = read(tmp_path, biped(foot))
    assert [len(s.points) for s in body.supports] == [4, 4]
    assert "balls" in files.guess(body, "sole of foot_l").value
    np.testing.assert_allclose(np.ptp(body.supports[0].points, axis=0)[:2], [0.24, 0.1], atol=1e-3)


@pytest.mark.parametrize("metres", [1.0, 0.001])
def test_collada_has_units_and_nodes_of_its_own(tmp_path, metres):
    vertices, faces = mesh.read(files.dae(tmp_path, "box.dae", (0.1, 0.2, 0.3), metres))
    assert len(vertices) == 8 and len(faces) == 12
    np.testing.assert_allclose(vertices.min(axis=0), [-0.1, -0.2, 0.2], atol=1e-6)
    np.testing.assert_allclose(vertices.max(axis=0), [0.1, 0.2, 0.8], atol=1e-6)


@pytest.mark.parametrize("writer", [files.obj, files.stl])
def test_boxes_have_eight_corners_in_every_format(tmp_path, writer):
    vertices, faces = mesh.read(writer(tmp_path, f"box.{writer.__name__}", (0.1, 0.2, 0.3)))
    assert len(vertices) == 8 and len(faces) == 12
    np.testing.assert_allclose(np.abs(vertices), np.tile([0.1, 0.2, 0.3], (8, 1)), atol=1e-6)


def test_binary_stl(tmp_path):
    vertices, faces = mesh.read(files.stl(tmp_path, "text.stl", (0.1, 0.2, 0.3)))
    records = np.zeros(len(faces), mesh.STL_RECORD)
    records["corners"] = vertices[faces]
    path = tmp_path / "binary.stl"
    path.write_bytes(b"solid but binary".ljust(80) + len(faces).to_bytes(4, "little") + records.tobytes())
    again, _ = mesh.read(path)
    np.testing.assert_allclose(again, vertices, atol=1e-6)


def test_bad_meshes_say_so(tmp_path):
    with pytest.raises(BadInput, match=r"'\.ply' is not read"):
        mesh.read(files.write(tmp_path, "x", "a.ply"))
    with pytest.raises(BadInput, match="holds no triangles"):
        mesh.read(files.write(tmp_path, "v 0 0 0\n", "a.obj"))
    with pytest.raises(BadInput, match="cannot be read"):
        mesh.read(files.write(tmp_path, "<COLLADA", "a.dae"))


def test_simplified_meshes_keep_their_size_and_few_vertices():
    rng = np.random.default_rng(0)
    vertices = rng.normal(size=(4000, 3))
    faces = rng.integers(0, 4000, (8000, 3))
    few, left = mesh.simplified(vertices, faces, 300)
    assert 50 < len(few) <= 300 and left.max() < len(few)
    assert np.abs(few).max() > 0.7 * np.abs(vertices).max()


def test_shapes_that_are_missing_are_told_and_mimics_kept(tmp_path):
    follow = '<mimic joint="finger_joint" multiplier="-2"/>'
    more = (
        link("finger", 0.1, '<mesh filename="package://gone/finger.stl"/>', tag="visual")
        + link("thumb", 0.1, '<capsule radius="0.01" length="0.05"/>')
        + joint("finger_joint", "base", "finger", "0 0.2 0.5", "1 0 0", -1, 1)
        + joint("thumb_joint", "base", "thumb", "0 0.2 0.4", "1 0 0", -1, 1, follow)
    )
    body = read(tmp_path, biped(more=more))
    assert "finger.stl not found" in files.guess(body, "shapes left out").evidence
    assert body.model.neq == 1 and body.model.eq_data[0, 1] == pytest.approx(-2.0)


def test_drawn_shapes_collide_where_there_are_no_others(tmp_path):
    text = biped().replace("<collision>", "<visual>").replace("</collision>", "</visual>")
    body = read(tmp_path, text)
    assert files.guess(body, "collision shapes").value == "the drawn ones"
    assert [len(s.points) for s in body.supports] == [4, 4]


def test_inertias_of_no_real_part_are_repaired(tmp_path):
    bad = biped().replace('ixx="0.04" iyy="0.04" izz="0.04"', 'ixx="0.04" iyy="-0.01" izz="0.4"')
    body = read(tmp_path, bad)
    inertia = body.model.body_inertia[body.body("thigh_l")]
    assert (inertia > 0).all() and inertia.max() <= inertia.sum() - inertia.max() + 1e-9
    assert (
        "thigh_l" in files.guess(body, "inertias repaired").evidence
        or files.guess(body, "inertias repaired").value >= 6
    )


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("<robot", "not XML"),
        ("<sdf/>", "begins with <robot>"),
        ("<robot xmlns:xacro='http://ros.org/wiki/xacro'><xacro:property name='a'/></robot>", "a xacro"),
        ("<robot><link name='a'/><link name='b'/></robot>", "found 2: a, b"),
        ("<robot><link name='a'/></robot>", "mjMINVAL|two or more legs|no shapes"),
    ],
)
def test_files_that_are_none_are_refused(tmp_path, text, reason):
    with pytest.raises(BadInput, match=reason):
        read(tmp_path, text)


def test_planar_joints_are_refused_by_name(tmp_path):
    text = biped().replace('name="roll_l" type="revolute"', 'name="roll_l" type="planar"')
    with pytest.raises(BadInput, match="'roll_l' is planar"):
        read(tmp_path, text)


def test_what_follows_the_robot_is_not_read(tmp_path):
    body = read(tmp_path, "\n  " + biped() + "\x00\x00")
    assert body.model.nv == 16
