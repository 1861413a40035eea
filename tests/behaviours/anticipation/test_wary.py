"""Wary: balls that come are met, others are not looked at, and the day goes on."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest

import poise
from poise.behaviours.anticipation.threat import Sight
from poise.behaviours.anticipation.wary import threatens
from poise.errors import BadInput
from poise.scenes import repertoire
from poise.stage.act import with_balls

COMES = Sight(bearing=10.0, height=1.5, offset=0.05, time=0.4, speed=8.0, descent=1.0)


def wary(dodge: bool) -> poise.Session:
    scene = with_balls(poise.scene("roam", seconds=20.0))
    behaviour: Any = repertoire.act("roam", scene.character, repertoire.Wish(dodge=dodge))[0]
    return poise.Session(replace(scene, behaviour=behaviour))


def throw(
    session: poise.Session, angle_deg: float, height: float, distance: float = 4.0, speed: float = 8.0
) -> float:
    """Energy [J] that a ball at the body leaves with it."""
    angle, T, c = math.radians(angle_deg), distance / speed, session.state.c
    place = (c[0] + distance * math.cos(angle), c[1] + distance * math.sin(angle), 1.5)
    rise = (height - 1.5) / T + 0.5 * 9.81 * T
    before = session.row["impact"].sum()
    session.throw(place, (-speed * math.cos(angle), -speed * math.sin(angle), rise))
    session.step(3.0)
    return float(session.row["impact"].sum() - before)


@pytest.mark.parametrize(
    "change",
    [{"speed": 1.0}, {"time": -0.1}, {"time": 3.0}, {"offset": 0.8}, {"height": 2.4}, {"height": -0.2}],
)
def test_what_does_not_come_is_no_threat(change: dict[str, float]):
    assert threatens(COMES) and not threatens(replace(COMES, **change))


def test_a_ball_at_the_head_is_dodged_and_it_walks_on():
    still, alert = wary(False), wary(True)
    for session in (still, alert):
        session.step(0.5)
    assert throw(still, 0.0, 1.55) > 5.0
    assert throw(alert, 0.0, 1.55) < 1.0
    assert alert.row["dodge"].tolist() == [-1.0, 1.0] and not alert.fell
    alert.command(speed=0.5)
    alert.step(3.0)
    assert alert.status.word == "walk" and not alert.fell


def test_looking_out_is_switched_on_and_off():
    session = wary(True)
    session.step(0.3)
    session.command(dodge=0.0)
    assert throw(session, 20.0, 1.5) > 3.0 and session.row["dodge"][1] == 0.0
    with pytest.raises(BadInput, match="0 or 1"):
        session.command(dodge=0.5)
    with pytest.raises(BadInput, match="'jump' not found"):
        session.command(jump=1.0)
