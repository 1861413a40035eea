"""Auto-rigged bodies of real captures; skipped where there are none."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import poise
from mocap import folder, need
from poise.capture import autorig
from poise.character import Character, load
from poise.dynamics.limits import beyond
from poise.errors import BadInput

FILES = sorted(path.relative_to(folder()).as_posix() for path in folder().glob("*/*.bvh"))
SOME = ("bvh/02_04.bvh", "variants/pirouette_daz.bvh", "nc/dataset-1_kick_normal_001.bvh")


@pytest.fixture(params=SOME)
def path(request: pytest.FixtureRequest) -> Path:
    return need(request.param)[0]


def test_a_person_of_the_project(path: Path):
    body = load(str(path))
    assert body.report is not None and body.report.settings["human"]
    assert {
        "pelvis",
        "torso",
        "head",
        "upper_arm_l",
        "forearm_r",
        "hand_l",
        "thigh_l",
        "shin_r",
        "foot_l",
    } <= set(body.body_names)
    assert 1.4 < body.height < 1.9 and 40 < body.mass < 90 and body.model.nv <= 66
    assert body is load(str(path)) is Character.named(str(path))


def test_stands(path: Path):
    take = poise.simulate(poise.scene("stand", character=str(path), seconds=2.0))
    assert not take.fell and np.linalg.norm(take["com_velocity"][-1]) < 1e-3


def test_clip_there_and_back(path: Path):
    from poise import capture as intake

    capture = intake.load(path).capture
    body = load(str(path))
    q = autorig.poses(body, capture)
    assert max(beyond(body, x) for x in q[:: max(1, len(q) // 100)]) < 1e-6
    back = autorig.capture_of(body, q, capture.times, capture)
    assert np.abs(back.world[0] - capture.world[0]).max() < 0.03
    np.testing.assert_allclose(autorig.poses(body, back), q, atol=1e-6)


def test_markers_are_refused():
    with pytest.raises(BadInput, match="loose markers and no bones"):
        Character.from_bvh(need("c3d/02_01.c3d")[0])


def test_missing_file():
    with pytest.raises(BadInput, match=r"'nobody.bvh' does not exist"):
        load("nobody.bvh")


@pytest.mark.slow
@pytest.mark.parametrize("name", FILES)
def test_every_subject_stands(name: str):
    body = load(str(need(name)[0]))
    take = poise.simulate(poise.scene("stand", character=body, seconds=20.0))
    assert not take.fell and np.linalg.norm(take["com_velocity"][-1]) < 1e-3


@pytest.mark.slow
@pytest.mark.parametrize("name", FILES)
def test_every_subject_survives_a_push(name: str):
    """0.25 m/s in eight directions, one replica each; the full rule is `poise pushmap`."""
    from poise.sweeps import trial

    path = str(need(name)[0])
    for angle in range(0, 360, 45):
        result = trial.run(
            trial.draw("balance-push", path, {}, load(path).mass, float(angle), 0.25, 0, seed=0)
        )
        assert result["survived"], f"{angle}°"
