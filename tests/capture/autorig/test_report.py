"""The report of a rig: every guess with its evidence, saved, corrected and given back."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import yaml

from creatures import KNEES, Taken, person
from poise.capture import autorig
from poise.character import Character
from poise.errors import BadInput


@pytest.fixture(scope="module")
def taken() -> Taken:
    return person().taken(hinges=KNEES)


@pytest.fixture(scope="module")
def body(taken: Taken) -> Character:
    return autorig.from_capture(taken)


def test_every_guess_has_evidence(body: Character):
    assert body.report is not None
    what = {guess.what for guess in body.report}
    assert {
        "mass",
        "height",
        "human",
        "stance",
        "roles thigh_l",
        "joints knee_l",
        "soles foot_l",
        "limits hip_l",
        "fused toe_l",
    } <= what
    assert all(guess.evidence for guess in body.report)
    assert "thigh_l" in str(body.report) and body.report.about("roles shin_r").value == "shank_r"
    with pytest.raises(BadInput, match="guess 'weight' not found"):
        body.report.about("weight")


def test_saved_and_given_back_is_the_same(taken: Taken, body: Character, tmp_path: Path):
    assert body.report is not None
    path = tmp_path / "rig.yaml"
    body.report.save(path)
    text = path.read_text()
    assert "  thigh_l: thigh_l  # geometry" in text and yaml.safe_load(text)["roles"]["thigh_l"] == "thigh_l"
    again = autorig.from_capture(taken, rig=path)
    assert again.report is not None
    assert again.report.settings["roles"] == body.report.settings["roles"]
    np.testing.assert_allclose(again.q_rest, body.q_rest, atol=2e-3)
    np.testing.assert_allclose(again.model.body_mass, body.model.body_mass, rtol=1e-3)
    for name, limits in body.limits.items():
        np.testing.assert_allclose(again.limits[name].swing_x, limits.swing_x, atol=2e-3)
        np.testing.assert_allclose(again.limits[name].centre, limits.centre, atol=2e-3)


def test_corrections(taken: Taken):
    rig = {
        "mass": 80, "joints": {"knee_l": "ball"}, "soles": {"foot_l": {"toe": 0.25}},
        "limits": {"knee_r": [-3, 120], "ankle_l": {"swing_x": [-10, 12], "swing_y": [-40, 40], "twist": [-9, 9]}},
        "roles": {"neck_1": None, "hand_l": None},
    }  # fmt: skip
    body = autorig.from_capture(taken, rig=rig)
    assert body.mass == pytest.approx(80.0, rel=1e-6)
    assert "knee_l" in body.limits
    np.testing.assert_allclose(np.degrees(body.model.jnt_range[body.joint("knee_r")]), [-3, 120], rtol=1e-4)
    np.testing.assert_allclose(np.degrees(body.limits["ankle_l"].swing_x), [-10, 12])
    assert body.support("foot_l").points[:, 0].max() == 0.25
    assert "neck_1" not in body.body_names and "hand_l" not in body.body_names and "hand_r" in body.body_names


def test_a_role_moves_to_another_joint(taken: Taken):
    body = autorig.from_capture(taken, rig={"roles": {"chest": "throat", "neck_1": None}})
    assert body.report is not None
    assert body.report.settings["roles"]["chest"] == "throat"
    assert body.report.about("roles chest").evidence == "given"


def test_mass_as_an_argument_wins(taken: Taken):
    assert autorig.from_capture(taken, mass=70.0, rig={"mass": 80}).mass == pytest.approx(70.0, rel=1e-6)


@pytest.mark.parametrize(
    ("rig", "match"),
    [
        ({"mas": 70}, "'mas' not found.*did you mean 'mass'"),
        ({"mass": "heavy"}, "mass should be a number above zero.*given 'heavy'"),
        ({"mass": -1}, "above zero"),
        ({"roles": {"wing": "hips"}}, "'wing' is no part"),
        ({"roles": {"thigh_l": "nothing"}}, "joint .role thigh_l. 'nothing' not found"),
        ({"roles": ["thigh_l"]}, "roles should be a table"),
        ({"joints": {"knee_l": "slide"}}, "joints: knee_l should be one of hinge, ball"),
        ({"joints": {"kneee_l": "ball"}}, "'kneee_l' not found.*knee_l"),
        ({"limits": {"knee_l": [1]}}, "limits: knee_l should be a pair"),
        ({"limits": {"hip_l": {"swing_q": [0, 1]}}}, "'swing_q' not found"),
        ({"limits": {"hip_l": [0, 1]}}, "hip_l is a ball"),
        ({"soles": {"hoof": {"toe": 1}}}, "'hoof' not found"),
        ({"soles": {"foot_l": {"lenght": 1}}}, "'lenght' not found"),
        ({"soles": {"foot_l": {"toe": "long"}}}, "toe should be a number"),
        ({"stance": ["hand_l"]}, "'hand_l' not found"),
        ({"human": "maybe"}, "human should be one of true, false"),
    ],
)
def test_bad_corrections_name_the_key(taken: Taken, rig: dict, match: str):
    with pytest.raises(BadInput, match=match):
        autorig.from_capture(taken, rig=rig)


def test_bad_files(taken: Taken, tmp_path: Path):
    path = tmp_path / "rig.yaml"
    path.write_text("mass: [")
    with pytest.raises(BadInput, match="is not YAML"):
        autorig.from_capture(taken, rig=path)
    path.write_text("- mass")
    with pytest.raises(BadInput, match="should hold keys"):
        autorig.from_capture(taken, rig=path)
    with pytest.raises(BadInput, match="No such file"):
        autorig.from_capture(taken, rig=tmp_path / "none.yaml")
    path.write_text("")
    assert autorig.from_capture(taken, rig=path).mass > 0


def test_one_foot_stance(taken: Taken):
    assert autorig.from_capture(taken, rig={"stance": ["foot_l"]}).stance == ("foot_l",)
