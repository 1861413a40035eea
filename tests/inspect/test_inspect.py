"""What a motion file is, as text, numbers, picture and page."""

from __future__ import annotations

import json

import pytest

from mocap import need
from motion_files import file_of, human, save, walk
from poise.character import Character
from poise.errors import BadInput
from poise.formats.writers import bvh as bvh_take
from poise.inspect import inspect
from poise.motion import library
from poise.record.kinematic import recording_of

CONTRACT = {
    "file", "format", "frames", "joints", "metres_per_unit", "up_axis", "header_hz", "true_hz", "tpose_first_frame",
    "floor_m", "guesses",
}  # fmt: skip


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    path = tmp_path_factory.mktemp("inspect") / "squat.bvh"
    bvh_take.save(recording_of(library.squat(Character.named("adult"), 0.2, 1.6).trim(0.0, 1.6)), path)
    return inspect(path)


def test_the_summary_keeps_the_contract(found):
    summary = found.summary()
    assert summary.keys() >= CONTRACT
    json.dumps(summary, allow_nan=False)
    assert summary["metres_per_unit"] == pytest.approx(0.01) and summary["up_axis"] == "Y"
    assert summary["true_hz"] == pytest.approx(100.0) and summary["frames"] == 161
    assert all(set(guess) == {"what", "value", "evidence", "override"} for guess in summary["guesses"])


def test_the_motion_is_measured(found):
    metrics = found.summary()["metrics"]
    adult = Character.named("adult")
    assert metrics["com_height_mean_m"] == pytest.approx(adult.com_rest[2] - 0.1, abs=0.12)
    assert metrics["spin_class"] == "ZS" and metrics["air_time_share"] == 0.0
    assert 0 < metrics["root_range_deg"] < 90 and metrics["av_peak_rad_s"] > 0


def test_what_following_it_takes_is_said(found, tmp_path):
    assert "feet stay" in found.summary()["score"]["why"] and "to follow it: the feet stay" in found.text()
    made = file_of(walk(human(), 60.0, 2.0), unit=0.01, up="Y", order="zxy", hz=60)
    walked = inspect(save(made, tmp_path))
    score = walked.summary()["score"]
    assert score["steps"] == 3 and score["flights"] == 0 and 0 < score["cm_moved_max_m"] < 0.1
    assert abs(score["raised_m"]) < 0.02 and score["start_moved_m"] <= score["body_moved_max_m"]
    assert f"moved the CM by up to {100 * score['cm_moved_max_m']:.1f} cm" in walked.text()


def test_the_text_names_every_guess_and_how_to_override_it(found):
    text = found.text()
    for guess in found.intake.guesses:
        assert guess.what in text and guess.override in text


@pytest.mark.parametrize("ending", [".png", ".html", ".json", ".yaml", ".csv", ".npz"])
def test_a_report_is_written(found, tmp_path, ending):
    found.save(tmp_path / f"report{ending}")
    assert (tmp_path / f"report{ending}").stat().st_size > 500


def test_the_page_shows_the_guesses(found, tmp_path):
    found.save(tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "metres per unit" in page and found.intake.guesses[0].evidence[:20] in page


def test_an_unknown_ending_is_refused(found, tmp_path):
    with pytest.raises(BadInput, match="ending"):
        found.save(tmp_path / "report.doc")


def test_overrides_are_obeyed(found):
    assert inspect(found.path, metres_per_unit=0.02).intake.metres_per_unit == 0.02
    with pytest.raises(BadInput):
        inspect(found.path, unknown_key=1)


def test_markers_have_no_body():
    (path,) = need("c3d/02_01.c3d")
    found = inspect(path)
    assert found.take is None and found.summary()["up_axis"] == "Z"
    assert found.summary()["metrics"] == {}
