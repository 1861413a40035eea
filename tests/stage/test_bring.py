"""Files that are brought: capped, named by nobody, read by a child with limits."""

from __future__ import annotations

import base64
import re
import subprocess
from pathlib import Path

import pytest

import foreign_files
import poise
from poise.capture.readers import bvh
from poise.errors import BadInput
from poise.stage import away, bring, house
from poise.stage.messages import BadMessage


def test_a_file_comes_in_parts():
    upload = bring.Upload("C:\\clips\\..\\Walk.BVH", 5)
    assert not upload.add(base64.b64encode(b"abc").decode()) and upload.add(base64.b64encode(b"de").decode())


@pytest.mark.parametrize("part", ["", "!!!", "a", base64.b64encode(b"too long").decode()])
def test_parts_that_do_not_fit_are_refused(part: str):
    with pytest.raises(BadMessage):
        bring.Upload("a.bvh", 5).add(part)


def test_a_reader_that_takes_too_long_is_ended(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setattr(bring, "SECONDS", 0.01)
    with pytest.raises(BadInput, match="longer than"):
        bring.check(tmp_path / "a.bvh")


def test_what_is_wrong_is_said_without_the_path(tmp_path: Path):
    path = tmp_path / "broken.bvh"
    path.write_text("HIERARCHY\nROOT a\n{\n")
    with pytest.raises(BadInput) as error:
        bring.check(path)
    assert str(tmp_path) not in str(error.value)


def test_the_child_is_limited(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    resource = pytest.importorskip("resource")
    asked: dict[int, tuple[int, int]] = {}
    monkeypatch.setattr(resource, "setrlimit", lambda what, bounds: asked.__setitem__(what, bounds))
    bring.limited()
    assert asked[resource.RLIMIT_AS][0] == bring.MEMORY and asked[resource.RLIMIT_CPU][0] == bring.SECONDS
    assert issubclass(subprocess.TimeoutExpired, Exception)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("<mujoco><include file='/etc/passwd'/></mujoco>", "<include>"),
        ("<mujoco><asset><mesh name='a' FILE='/etc/passwd'/></asset></mujoco>", "FILE='/etc/passwd'"),
        ("<mujoco><compiler meshdir='/'/></mujoco>", "meshdir"),
        ("<mujoco><asset><texture name='a' fileright='/etc/x.png'/></asset></mujoco>", "fileright="),
        ("<mujoco><extension><plugin plugin='x'/></extension></mujoco>", "<extension>"),
        ("<mujoco><asset><model name='a' file='b.xml'/></asset></mujoco>", "<model>"),
        ("<robot><link name='a'><mesh filename='package://a/b.stl'/></link></robot>", "filename="),
        ("<!DOCTYPE a [<!ENTITY b SYSTEM 'file:///etc/passwd'>]><mujoco>&b;</mujoco>", "entities"),
        ("<mujoco", "no XML"),
    ],
)
def test_a_body_that_names_other_files_is_refused(text: str, what: str, tmp_path: Path):
    path = tmp_path / "body.xml"
    path.write_text(text)
    with pytest.raises(BadInput, match=re.escape(what)):
        bring.closed(path)


def uploaded(name: str, text: str) -> bring.Upload:
    upload = bring.Upload(name, len(text.encode()))
    assert upload.add(base64.b64encode(text.encode()).decode())
    return upload


def test_a_body_is_brought_reported_and_stands(tmp_path: Path):
    upload = uploaded("../my robot<b>.xml", foreign_files.biped())
    assert upload.label == "my robotb.xml" and upload.clip == {}
    assert upload.path.name == "brought.xml"
    play = house.play(upload.scene())
    assert play.act.scene.name in ("roam", "stand") and "What the file was taken for" in play.page
    play.act.advance(200)
    assert not play.act.session.fell


def test_a_motion_can_be_followed_by_others():
    upload = uploaded("walks/A walk.bvh", "HIERARCHY")
    assert upload.clip == {"A walk.bvh": str(upload.path)} and upload.path.read_text() == "HIERARCHY"


def test_a_part_of_what_a_motion_became_is_written_on_its_own_skeleton(tmp_path: Path):
    poise.simulate(poise.scene("squat", seconds=2.5)).save(tmp_path / "mine.bvh")
    play = house.play(house.scene_of("react", motion=str(tmp_path / "mine.bvh")))
    play.act.advance(round(2.0 / play.act.dt))
    (tmp_path / "part.bvh").write_bytes(away.written(play.act.recording(part=(1.0, 1.5)), ".bvh"))
    mine, part = (bvh.read(tmp_path / name) for name in ("mine.bvh", "part.bvh"))
    assert part.names == mine.names and len(part.values) == pytest.approx(0.2 * len(mine.values), abs=3)
