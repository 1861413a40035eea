"""Real programs open what we write: Blender (PyPI `bpy`), the Khronos validator of glTF. `make clients` gets them."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest

import bodies
import poise
from poise.capture.readers import bvh
from poise.formats import actor as actors
from poise.formats import own_skeleton, skeletal, usd
from poise.formats.writers import glb
from poise.record.recording import Recording
from rigs import HZ as RIG_HZ
from rigs import sway, written

pytestmark = pytest.mark.slow

HERE = Path(__file__).resolve()
CLIENTS = HERE.parents[2] / ".clients"
NEAR = 1e-4  # [m]
VALIDATE = """
const validator = require('gltf-validator'), fs = require('fs');
validator.validateBytes(new Uint8Array(fs.readFileSync(process.argv[1])))
  .then(report => console.log(JSON.stringify(report.issues)));
"""


@lru_cache
def blender() -> str:
    """A Python that has `bpy`: POISE_BPY_PYTHON, that of `make clients`, or this one."""
    told = os.environ.get("POISE_BPY_PYTHON")
    made = CLIENTS / "venv" / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    found = told or (
        str(made) if made.exists() else sys.executable if importlib.util.find_spec("bpy") else None
    )
    if found is None:
        pytest.skip("no Blender: `make clients`, or set POISE_BPY_PYTHON to a Python that has bpy")
    return found


@lru_cache
def validator() -> dict[str, str]:
    """Environment in which node finds the validator: POISE_GLTF_VALIDATOR is a folder with node_modules."""
    folder = Path(os.environ.get("POISE_GLTF_VALIDATOR", CLIENTS))
    if shutil.which("node") is None or not (folder / "node_modules" / "gltf-validator").is_dir():
        pytest.skip(
            "no Khronos validator: `make clients`, or set POISE_GLTF_VALIDATOR to a folder with node_modules"
        )
    return os.environ | {"NODE_PATH": str(folder / "node_modules")}


def opened(path: Path, frames: list[int], hz: float = 100.0) -> dict:
    """What Blender says of a file; see blender_client.py."""
    client = HERE.with_name("blender_client.py")
    command = [blender(), str(client), str(path), ",".join(map(str, frames)), str(hz)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return json.loads(done.stdout.strip().splitlines()[-1])


def issues(path: Path) -> dict:
    done = subprocess.run(
        ["node", "-e", VALIDATE, str(path)], env=validator(), capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@lru_cache
def take(name: str) -> Recording:
    """Takes of different bodies and worlds."""
    if name == "odd":
        return bodies.recording(bodies.ODD, frames=120, step=0.05)
    scene, character = {
        "push": ("balance-push", None), "ride": ("platform", None), "bird": ("stand", "chicken"),
        "insect": ("stand", "insectoid"), "cup": ("cup", None),
    }[name]  # fmt: skip
    push = "torso:200,40,0@0.3+0.1" if name == "push" else None
    return poise.simulate(poise.scene(scene, character=character, push=push, seconds=1.2))


NAMES = ("push", "ride", "cup", "bird", "insect", "odd")


def skin_box(actor: actors.Actor, frame: int) -> np.ndarray:
    at, turned = actor.capture.world
    points = np.concatenate(
        [p.mesh.moved(at[frame, p.joint], turned[frame, p.joint]).vertices for p in actor.patches]
    )
    return np.stack([points.min(axis=0), points.max(axis=0)])


def near(said: dict, recording: Recording, frames: list[int], tidy) -> None:
    capture = skeletal.capture(recording)
    for frame in frames:
        heads = said["frames"][str(frame)]
        assert len(heads) == len(capture.skeleton)
        found = np.array([heads[tidy(name)] for name in capture.skeleton.names])
        assert np.abs(found - capture.world[0][frame]).max() < NEAR


@pytest.mark.parametrize("name", NAMES)
def test_blender_opens_the_bvh(name, tmp_path):
    recording, frames = take(name), [0, 1, 40, 119]
    recording.save(tmp_path / "take.bvh")
    near(opened(tmp_path / "take.bvh", frames), recording, frames, lambda n: n.replace(" ", "_"))


@pytest.mark.parametrize("ending", [".glb", ".usda", ".usdc"])
@pytest.mark.parametrize("name", NAMES)
def test_blender_opens_the_skinned_body(name, ending, tmp_path):
    recording, frames = take(name), [0, 1, 40, 119]
    path = tmp_path / f"take{ending}"
    recording.save(path)
    said = opened(path, frames)
    usd_name = (lambda n: n.replace(" ", "_")) if ending != ".glb" else (lambda n: n)
    near(said, recording, frames, usd_name)
    actor = actors.of_recording(recording)
    for frame in frames:
        assert np.abs(np.array(said["boxes"][str(frame)]) - skin_box(actor, frame)).max() < NEAR
        for prop in actor.props:
            place = [v for k, v in said["props"][str(frame)].items() if k.startswith(prop.name)]
            assert place and np.abs(np.array(place[-1]) - prop.positions[frame]).max() < NEAR
    rest = np.array([said["rest"][usd_name(n)] for n in actor.capture.skeleton.names])
    assert np.abs(rest - actor.rest).max() < NEAR


@pytest.mark.parametrize("ending", [".glb", ".usdc"])
def test_blender_opens_any_capture(ending, tmp_path):
    capture = skeletal.capture(take("odd"))
    path = tmp_path / f"any{ending}"
    (glb if ending == ".glb" else usd).save_capture(capture, path)
    said = opened(path, [0, 60])
    for frame in (0, 60):
        found = np.array(list(said["frames"][str(frame)].values()))
        expected = capture.world[0][frame]
        assert np.abs(np.sort(found, axis=0) - np.sort(expected, axis=0)).max() < NEAR


@pytest.mark.parametrize("ending", [".bvh", ".glb", ".usda", ".usdc"])
def test_blender_opens_a_reacting_clip_as_the_clip(ending, tmp_path):
    source = bvh.read(written(tmp_path, sway()))
    recording = poise.simulate(
        poise.scene("react", motion=tmp_path / "hero.bvh", push="torso:60,0,0@0.4+0.1")
    )
    path, frames = tmp_path / f"take{ending}", [0, 30, 70]
    recording.save(path)
    said = opened(path, frames, RIG_HZ)
    assert set(said["rest"]) == set(source.names) and len(source.names) == 55
    capture = own_skeleton.framed(recording).capture()
    for frame in frames:
        found = np.array([said["frames"][str(frame)][name] for name in source.names])
        assert np.abs(found - capture.world[0][frame]).max() < NEAR
    assert said["keys"][1] - said["keys"][0] == pytest.approx(len(source) - 1, abs=1e-3)  # at the file's rate


def test_the_khronos_validator_reads_a_reacting_clip(tmp_path):
    file = written(tmp_path, sway())
    poise.simulate(poise.scene("react", motion=file)).save(tmp_path / "take.glb")
    found = issues(tmp_path / "take.glb")
    assert found["numErrors"] == found["numWarnings"] == 0, found


@pytest.mark.parametrize("name", NAMES)
def test_the_khronos_validator_finds_nothing(name, tmp_path):
    glb.save(take(name), tmp_path / "take.glb", ground=name == "odd")
    found = issues(tmp_path / "take.glb")
    assert (found["numErrors"], found["numWarnings"]) == (0, 0), found
    assert (found["numInfos"], found["numHints"]) == (0, 0), found


def test_the_khronos_validator_reads_any_capture(tmp_path):
    glb.save_capture(skeletal.capture(take("odd")), tmp_path / "any.glb")
    found = issues(tmp_path / "any.glb")
    assert found["numErrors"] == found["numWarnings"] == found["numInfos"] == 0, found


def test_the_khronos_validator_is_awake(tmp_path):
    glb.save(take("push"), tmp_path / "take.glb")
    data = bytearray((tmp_path / "take.glb").read_bytes())
    (tmp_path / "broken.glb").write_bytes(data.replace(b'"SCALAR"', b'"VECTOR"', 1))
    assert issues(tmp_path / "broken.glb")["numErrors"] > 0


@pytest.mark.parametrize("name", ["push", "ride"])
def test_the_documented_way_to_fbx(name, tmp_path):
    text = (HERE.parents[2] / "docs" / "export.md").read_text(encoding="utf-8")
    script = text.split('--python-expr "')[1].split('\n"\n```')[0]
    recording, frames = take(name), [0, 40, 119]
    recording.save(tmp_path / "take.glb")
    done = subprocess.run(
        [blender(), "-c", script], cwd=tmp_path, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr[-2000:]
    near(opened(tmp_path / "take.fbx", frames), recording, frames, lambda n: n)
