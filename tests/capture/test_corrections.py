"""What a user knows better than the importer: the same words in scenes, in `inspect` and on the command line."""

from __future__ import annotations

import sys

import numpy as np
import pytest

import poise
from mocap import need
from poise.capture import load
from poise.capture.corrections import UNITS, WORDS, corrections
from poise.cli import app as cli
from poise.errors import BadInput
from poise.formats import own_skeleton
from poise.inspect import inspect
from rigs import sway, written


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    return written(tmp_path_factory.mktemp("corrections"), sway(1.0))


def test_every_override_of_the_importer_is_a_word():
    from inspect import signature

    assert set(signature(load).parameters) - {"path", "progress"} == set(WORDS) - {"unit"}


def test_words_become_arguments():
    assert corrections({"motion.rate": 60, "up": "Z"}) == {"rate": 60, "up": "Z"}
    assert (
        corrections({"unit": "cm"}) == {"metres_per_unit": UNITS["cm"]} == corrections({"motion.unit": 0.01})
    )
    for bad in ({"speed": 2}, {"rate": "fast"}, {"up": 3}, {"unit": "furlong"}, {"rate": True}, {"pops": 1}):
        with pytest.raises(BadInput):
            corrections(bad)


@pytest.mark.parametrize("prefix", ["", "motion."])
@pytest.mark.parametrize("scene", ["react", "squat"])
def test_scenes_obey_them(file, scene, prefix):
    made = poise.scene(scene, motion=file, **{f"{prefix}rate": 30.0, f"{prefix}unit": "cm"})
    assert made.info["motion"]["overrides"] == {"rate": 30.0, "metres_per_unit": 0.01}
    assert made.seconds == pytest.approx(2.0)


def test_inspect_obeys_the_same(file):
    found = inspect(file, **{"rate": 30.0, "motion.unit": "cm", "facing": 90.0})
    assert found.intake.true_hz == 30.0 and found.intake.metres_per_unit == 0.01
    assert "90°" in next(g.value for g in found.intake.guesses if g.what == "facing")


def test_a_body_made_of_a_file_obeys_them(file):
    small = poise.scene("stand", character=str(file), unit=0.005).character
    assert small.height == pytest.approx(
        0.5 * poise.scene("stand", character=str(file)).character.height, rel=0.02
    )
    with pytest.raises(BadInput, match="rate"):
        poise.scene("stand", rate=60)


@pytest.mark.parametrize(
    ("rate", "command"), [(48.0, ["react"]), (50.0, ["run", "squat", "--motion"]), (72.0, ["inspect"])]
)
def test_commands_have_the_same_options(file, rate, command, monkeypatch, capsys):
    seen = {}
    real = load

    def loaded(path, **told):
        seen.update(told)
        return real(path, **told)

    monkeypatch.setattr("poise.capture.load", loaded)
    monkeypatch.setattr("poise.inspect.inspection.load", loaded)
    words = ["--rate", str(rate), "--up", "Y", "--facing", "0", "--unit", "cm"]
    length = [] if command == ["inspect"] else ["--seconds", "0.1"]
    monkeypatch.setattr(sys, "argv", ["poise", *command, str(file), *words, *length, "--json"])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert not ended.value.code
    assert capsys.readouterr().out.strip().startswith("{")
    asked = {key: seen[key] for key in ("rate", "up", "facing", "metres_per_unit")}
    assert asked == {"rate": rate, "up": "Y", "facing": 0.0, "metres_per_unit": 0.01}


def test_a_take_that_was_corrected_is_written_back(file, tmp_path):
    take = poise.simulate(poise.scene("react", motion=file, rate=30.0, seconds=0.5))
    made = own_skeleton.framed(take)
    assert made.intake.true_hz == 30.0 and np.allclose(np.diff(made.motion.times), 1 / 30)
    assert made.capture().rate == pytest.approx(60.0)  # as the file says, so that it plays as the file does


def test_a_skeleton_elsewhere_is_found(tmp_path):
    motion, bones = need("asf_amc/02_01.amc", "asf_amc/02.asf")
    (tmp_path / "walk.amc").write_bytes(motion.read_bytes())
    with pytest.raises(BadInput):
        poise.scene("react", motion=tmp_path / "walk.amc")
    made = poise.scene("react", motion=tmp_path / "walk.amc", skeleton=str(bones))
    assert made.info["motion"]["overrides"]["skeleton"] == str(bones)
