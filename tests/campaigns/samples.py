"""Good files of every kind that is read, small, and how each is read: what the campaigns start from."""

from __future__ import annotations

import io
from collections.abc import Callable
from functools import cache
from importlib import resources
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import numpy as np

import foreign_files
import motion_files
import poise
from poise import capture
from poise.capture.readers import bvh
from poise.character import Character
from poise.cli.replay import scene_of
from poise.cli.run import describe
from poise.formats.writers import npz

ASF = """:units
  mass 1.0
  length 0.45
  angle deg
:root
  order TX TY TZ RX RY RZ
  axis XYZ
  position 0 0 0
  orientation 0 0 0
:bonedata
  begin
    id 1
    name lfemur
    direction 0.34 -0.93 0
    length 7.2
    axis 0 0 20 XYZ
    dof rx ry rz
    limits (-160.0 20.0)
           (-70.0 70.0)
           (-60.0 70.0)
  end
  begin
    id 2
    name ltibia
    direction 0.34 -0.93 0
    length 7.8
    axis 0 0 20 XYZ
    dof rx
    limits (-10.0 170.0)
  end
:hierarchy
  begin
    root lfemur
    lfemur ltibia
  end
"""
AMC = ":FULLY-SPECIFIED\n:DEGREES\n" + "".join(
    f"{i}\nroot 1 {i} 2 0 0 0\nlfemur 1 2 3\nltibia 4\n" for i in range(1, 7)
)
RIG = "mass: 70.0\nheight: 1.75\nhuman: true\nroles: {}\nlimits:\n  l_shank: [0, 150]\nsoles: {}\n"


@cache
def motion() -> bytes:
    """A short walk as BVH."""
    walk = motion_files.walk(motion_files.human(), 30.0, 0.7)
    made = motion_files.file_of(walk, unit=0.01, up="Y", order="ZXY", hz=30.0)
    path = Path("/tmp") / f"poise-campaign-{id(made)}.bvh"
    bvh.write(made, path)
    text = path.read_bytes()
    path.unlink()
    return text


def take(folder: Path) -> bytes:
    """A moment of standing."""
    npz.save(poise.simulate(poise.scene("stand", seconds=0.05)), folder / "take.npz")
    return (folder / "take.npz").read_bytes()


def cycle() -> bytes:
    """A shipped cycle of a roll."""
    folder = resources.files("poise.behaviours.rolling") / "cycles"
    return next(f for f in sorted(folder.iterdir(), key=lambda f: f.name)).read_bytes()


def _amc(path: Path) -> Any:
    path.with_suffix(".asf").write_text(ASF)
    return capture.load(path)


def _rig(path: Path) -> Any:
    from poise.capture.autorig import corrections

    return corrections.read(path)


def head(folder: Path) -> bytes:
    """What a take says of itself, as text."""
    with np.load(io.BytesIO(take(folder))) as file:
        return str(file["take"]).encode()


def _headed(path: Path) -> Any:
    """A take whose own text is that of a file."""
    whole = path.with_name("take.npz")
    with np.load(whole) as file:
        arrays = {name: file[name] for name in file.files}
    arrays["take"] = np.array(path.read_bytes().decode("utf-8", "replace").replace("\0", ""))
    forged = path.with_name("forged.npz")
    np.savez(forged, **arrays)
    found = poise.Recording.load(forged)
    return describe(found.summary()), scene_of(found.info)


def made_in(test: str) -> Any:
    """The module of a test that makes files in code."""
    found = spec_from_file_location(test.replace("/", "_"), Path(__file__).parents[1] / f"{test}.py")
    assert found is not None and found.loader is not None
    module = module_from_spec(found)
    found.loader.exec_module(module)
    return module


@cache
def marker_file() -> bytes:
    """Two markers over three frames as C3D."""
    return made_in("capture/readers/test_c3d").make()


@cache
def robot() -> bytes:
    """A biped as URDF."""
    return made_in("character/foreign/test_urdf").biped().replace("><", ">\n<").encode()


READERS: dict[str, tuple[str, Callable[[Path], bytes], Callable[[Path], Any]]] = {
    "bvh": (".bvh", lambda folder: motion(), capture.load),
    "body": (".bvh", lambda folder: motion(), Character.from_bvh),
    "asf": (".asf", lambda folder: ASF.encode(), capture.load),
    "amc": (".amc", lambda folder: AMC.encode(), _amc),
    "c3d": (".c3d", lambda folder: marker_file(), capture.load),
    "rig": (".yaml", lambda folder: RIG.encode(), _rig),
    "cycle": (".yaml", lambda folder: cycle(), lambda path: poise.scene("roll-forward", cycle=str(path))),
    "head": (".json", head, _headed),
    "take": (".npz", take, lambda path: poise.Recording.load(path).summary()),
    "mjcf": (
        ".xml",
        lambda folder: foreign_files.biped().replace("><", ">\n<").encode(),
        Character.from_mjcf,
    ),
    "urdf": (".urdf", lambda folder: robot(), Character.from_urdf),
}
SHARES = {  # of all mutated files: readers that take longer have fewer
    "bvh": 0.16, "body": 0.04, "asf": 0.16, "amc": 0.14, "c3d": 0.15, "rig": 0.13, "cycle": 0.02, "head": 0.04,
    "take": 0.14, "mjcf": 0.01, "urdf": 0.01,
}  # fmt: skip
