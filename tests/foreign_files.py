"""Bodies as other people write them, in a few lines of MJCF, for tests that read them from files."""

from __future__ import annotations

from pathlib import Path

from poise.character import Character
from poise.character.report import Guess
from poise.record.recording import Recording

LEG = """
    <body name="thigh_{s}" pos="0 {y} -0.05">
      <joint name="hip_roll_{s}" axis="1 0 0" range="-40 40"/>
      <joint name="hip_pitch_{s}" axis="0 1 0" range="-110 40"/>
      <geom type="capsule" fromto="0 0 0 0 0 -0.36" size="0.05" mass="4"/>
      <body name="shin_{s}" pos="0 0 -0.4">
        <joint name="knee_{s}" axis="0 1 0" range="0 140"/>
        <geom type="capsule" fromto="0 0 0 0 0 -0.36" size="0.04" mass="3"/>
        <body name="foot_{s}" pos="0 0 -0.4">
          <joint name="ankle_pitch_{s}" axis="0 1 0" range="-50 50"/>
          <joint name="ankle_roll_{s}" axis="1 0 0" range="-30 30"/>
          <geom type="box" size="0.12 0.05 0.02" pos="0.03 0 -0.05" mass="1"/>
        </body>
      </body>
    </body>
"""
TRUNK = """
  <body name="pelvis" pos="0 0 1.0">
    <freejoint name="floating"/>
    <geom type="box" size="0.1 0.15 0.08" mass="12"/>
    <body name="chest" pos="0 0 0.12">
      <joint name="waist" axis="0 1 0" range="-40 60"/>
      <geom type="box" size="0.1 0.17 0.18" pos="0 0 0.18" mass="22"/>
    </body>
    {legs}
  </body>
"""
JOINTS = ["waist"] + [
    f"{joint}_{s}" for s in "lr" for joint in ("hip_roll", "hip_pitch", "knee", "ankle_pitch", "ankle_roll")
]
MOTORS = "".join(f'<motor joint="{joint}" ctrlrange="-300 300" ctrllimited="true"/>' for joint in JOINTS)


def biped(actuators: str = MOTORS, more: str = "", world: str = "", trunk: str = TRUNK) -> str:
    """A hinge biped with box feet, 50 kg."""
    legs = LEG.format(s="l", y=0.1) + LEG.format(s="r", y=-0.1)
    body = trunk.format(legs=legs)
    return (
        f'<mujoco model="biped"><worldbody>{world}{body}</worldbody>'
        f"<actuator>{actuators}</actuator>{more}</mujoco>"
    )


def quadruped() -> str:
    """A dog-like body on ball feet, with names for nothing but its trunk; 20 kg."""
    legs = ""
    for x in (0.25, -0.25):
        for y in (0.12, -0.12):
            legs += f"""
      <body pos="{x} {y} 0"><joint axis="1 0 0" range="-50 50"/>
        <geom type="sphere" size="0.04" mass="0.6"/>
        <body pos="0 {0.08 if y > 0 else -0.08} 0"><joint axis="0 1 0" range="-60 170"/>
          <geom type="capsule" fromto="0 0 0 0 0 -0.22" size="0.02" mass="1"/>
          <body pos="0 0 -0.25"><joint axis="0 1 0" range="-150 -40"/>
            <geom type="capsule" fromto="0 0 0 0 0 -0.22" size="0.015" mass="0.3"/>
            <geom type="sphere" pos="0 0 -0.25" size="0.02" mass="0.05"/>
          </body></body></body>"""
    return f"""<mujoco><worldbody><body name="trunk" pos="0 0 0.6"><freejoint/>
      <geom type="box" size="0.3 0.1 0.06" mass="12"/>{legs}</body></worldbody></mujoco>"""


def write(folder: Path, text: str, name: str = "body.xml") -> Path:
    """Put a text into a file."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


QUADS = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]


def corners(size: tuple[float, float, float]) -> list[tuple[float, float, float]]:
    """Of a box with these half sizes."""
    x, y, z = size
    return [(a * x, b * y, c * z) for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)]


def obj(folder: Path, name: str, size: tuple[float, float, float]) -> Path:
    """A box as an OBJ file."""
    lines = ["v {} {} {}".format(*c) for c in corners(size)]
    lines += ["f {} {} {} {}".format(*(i + 1 for i in quad)) for quad in QUADS]
    return write(folder, "\n".join(lines), name)


def stl(folder: Path, name: str, size: tuple[float, float, float]) -> Path:
    """A box as a text STL."""
    lines, points = ["solid box"], corners(size)
    for a, b, c, d in QUADS:
        for triangle in ((a, b, c), (a, c, d)):
            lines += ["facet normal 0 0 0", "outer loop"]
            lines += ["vertex {} {} {}".format(*points[i]) for i in triangle]
            lines += ["endloop", "endfacet"]
    return write(folder, "\n".join([*lines, "endsolid"]), name)


def dae(folder: Path, name: str, size: tuple[float, float, float], metres: float = 1.0) -> Path:
    """A box as a COLLADA file whose unit is so many metres, lifted by its own node."""
    numbers = " ".join(str(x / metres) for c in corners(size) for x in c)
    index = " ".join(str(i) for quad in QUADS for i in quad)
    text = f"""<?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
      <asset><unit meter="{metres}" name="u"/><up_axis>Z_UP</up_axis></asset>
      <library_geometries><geometry id="box"><mesh>
        <source id="p"><float_array id="pa" count="24">{numbers}</float_array></source>
        <vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
        <polylist count="6"><input semantic="VERTEX" source="#v" offset="0"/><vcount>4 4 4 4 4 4</vcount><p>{index}</p>
        </polylist></mesh></geometry></library_geometries>
      <library_visual_scenes><visual_scene id="s"><node><translate>0 0 {0.5 / metres}</translate>
        <instance_geometry url="#box"/></node></visual_scene></library_visual_scenes></COLLADA>"""
    return write(folder, text, name)


def guess(body: Character, what: str) -> Guess:
    """What was guessed about a body under that name."""
    assert body.report is not None
    return body.report.about(what)


def metric(take: Recording, name: str) -> float:
    """A metric that is a number."""
    value = take.metrics[name]
    assert isinstance(value, (int, float))
    return value
