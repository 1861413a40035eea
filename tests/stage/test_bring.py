"""Files that are brought: capped, named by nobody, read by a child with limits."""

from __future__ import annotations

import base64
import subprocess
from pathlib import Path

import pytest

from poise.errors import BadInput
from poise.stage import bring
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
