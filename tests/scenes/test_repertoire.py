"""The repertoire: every act takes over from standing; a roll goes where it is told, and ends on its feet."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import poise
from poise.errors import BadInput
from poise.scenes import repertoire
from poise.scenes.repertoire import Wish


def session() -> poise.Session:
    scene = poise.scene("roam", seconds=30.0)
    return poise.Session(replace(scene, behaviour=repertoire.act("roam", scene.character)[0]))


@pytest.mark.parametrize("name", [n for n in repertoire.ACTS if n not in ("roll", "get-up")])
def test_it_takes_over_from_a_body_that_stands(name: str):
    live = session()
    live.step(0.4)
    live.behave(*repertoire.act(name, live.scene.character))
    live.step(1.5)
    assert not live.fell and not live.over


@pytest.mark.parametrize("heading", [0.0, 70.0])
def test_a_roll_goes_where_it_is_told_and_ends_on_its_feet(heading: float):
    live = session()
    live.step(0.4)
    start = live.state.c.copy()
    live.behave(*repertoire.act("roll", live.scene.character, Wish(heading=heading)))
    words = set()
    for _ in range(120):
        live.step(0.1)
        words.add(live.status.word)
    way = live.state.c - start
    angle = math.degrees(math.atan2(way[1], way[0]))
    assert "roll" in words and live.status.word == "stand" and live.state.c[2] > 0.9
    assert np.hypot(way[0], way[1]) > 0.6 and abs(angle - heading) < 35.0


def test_it_gets_up_again():
    live = session()
    live.step(0.3)
    live.push("torso", (900.0, 150.0, 0.0), 0.2)
    words = []
    for _ in range(14):
        live.step(1.0)
        words.append(live.status.word)
    assert words[0] in ("fall", "roll-out", "lie", "flat", "fours") and words[-1] == "stand"
    live.command(speed=0.5)
    live.step(2.0)
    assert live.status.word == "walk"


def test_a_body_on_the_ground_is_told_to_get_up():
    live = poise.Session(poise.scene("stand", seconds=30.0))
    live.push("torso", (600.0, 0.0, 0.0), 0.2)
    live.step(3.0)
    assert live.status.word == "fallen"
    live.behave(*repertoire.act("get-up", live.scene.character))
    live.step(14.0)
    assert live.status.word == "stand" and live.state.c[2] > 0.9


def test_a_clip_is_followed_by_another_body_and_then_it_roams(tmp_path: Path):
    poise.simulate(poise.scene("squat", seconds=1.5)).save(tmp_path / "mine.bvh")
    live = session()
    live.step(0.3)
    live.behave(*repertoire.act("follow", live.scene.character, Wish(motion=str(tmp_path / "mine.bvh"))))
    live.step(1.0)
    assert not live.fell


def test_what_is_unknown_is_refused():
    body = poise.Character.named("adult")
    with pytest.raises(BadInput, match="behaviour 'fly' not found"):
        repertoire.act("fly", body)
    with pytest.raises(BadInput, match="behaviour 'follow' not found"):
        repertoire.act("follow", body)  # nothing to follow


def test_bodies_do_what_they_are_made_for():
    names = {
        who: type(repertoire.act("roam", poise.Character.named(who))[0]).__name__
        for who in ("adult", "acrobat", "baby")
    }
    assert names == {"adult": "Life", "acrobat": "Life", "baby": "Stepper"}
    with pytest.raises(BadInput, match="chicken has not the limbs"):
        repertoire.rehearse(poise.Character.named("chicken"))
