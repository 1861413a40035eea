"""Messages: typed, bounded and checked; ten thousand broken ones change nothing but their own answer."""

from __future__ import annotations

import json
import math
import random
from typing import Any

import numpy as np
import pytest

from poise.stage.messages import INPUTS, KINDS, BadMessage, parse
from poise.stage.pacer import Pacer

GOOD: dict[str, dict[str, Any]] = {
    "pull": {"body": "hand_l", "to": [0.5, 0.2, 1.2], "at": [0, 0, 0], "stiffness": 500, "most": 200},
    "release": {"body": "hand_l"},
    "shove": {"body": "torso", "force": [120, 0, 0], "seconds": 0.1},
    "throw": {"place": [2, 0, 1.4], "velocity": [-6, 0, 1], "ball": 0},
    "command": {"wishes": {"speed": 0.5}},
    "lean": {"body": "torso", "force": [40, 0, -20], "at": [0, 0, 0.1]},
    "behave": {"name": "roam", "arms": 0.1, "angular": True, "dodge": False, "heading": 0, "clip": ""},
    "adjust": {"friction": 0.6, "strength": 0.9, "delay": 0.004},
    "ground": {"axis": "roll", "distance": 0.05, "seconds": 0.5},
    "pause": {"on": False},
    "speed": {"factor": 0.5},
    "step": {"steps": 8},
    "seek": {"time": 0.2},
    "again": {},
    "scene": {"name": "walk", "character": ""},
    "bring": {"name": "a.bvh", "size": 100},
    "part": {"data": "AAAA"},
    "ping": {},
}
ODD = (None, True, -1, 0, 1e308, -1e-300, 2**70, "", "torso", "../../etc/passwd", "x" * 300, [], [1, 2], [1, 2, "3"],
       {}, {"speed": "fast"}, [[1, 2, 3]] * 3, "NaN", math.nan, math.inf, [math.nan] * 3)  # fmt: skip


def said(kind: str, **changed: Any) -> str:
    return json.dumps({"do": kind, "id": 1, **GOOD[kind], **changed})


def test_an_example_of_every_kind_is_understood():
    assert set(GOOD) == set(KINDS) and set(INPUTS) <= set(KINDS)
    for kind, fields in GOOD.items():
        number, found, values = parse(said(kind))
        assert (number, found) == (1, kind) and values.keys() == fields.keys()


@pytest.mark.parametrize(
    "text",
    [
        "", "{", "[]", "1", '"do"', "null", '{"do": 3}', '{"do": "fly"}', "[" * 50_000,
        said("shove", force=[math.nan, 0, 0]), said("shove", force=[1e9, 0, 0]), said("shove", force=[1, 2]),
        said("shove", seconds=1e4), said("shove", seconds=True), said("shove", extra=1), said("pull", body=3),
        said("pull", body="x" * 100), said("seek", time="now"), said("step", steps=1.5), said("pause", on=1),
        said("command", wishes={}), said("command", wishes={"speed": None}), said("command", wishes=[1]),
        json.dumps({"do": "ping", "id": -1}), json.dumps({"do": "ping", "id": 2**40}), said("part", data="A" * 70_000),
        said("scene", name="x" * 5000),
    ],
)  # fmt: skip
def test_broken_messages_are_refused(text: str):
    with pytest.raises(BadMessage):
        parse(text)


def broken(rng: random.Random) -> str:
    """A message with something wrong, or only odd."""
    kind = rng.choice(list(GOOD))
    fields: dict[str, Any] = {"do": kind, "id": rng.choice([0, 1, 7, 9, 33, 2**31, -3]), **GOOD[kind]}
    for _ in range(rng.randrange(3)):
        key = rng.choice([*fields, "do", "more"])
        fields[key] = rng.choice(ODD)
    if rng.random() < 0.1:
        fields.pop(rng.choice(list(fields)))
    text = json.dumps(fields)
    if rng.random() < 0.25:
        at = rng.randrange(len(text))
        text = text[:at] + rng.choice(["", "\x00", "}", '"', "ü", "9" * 30]) + text[at + rng.randrange(3) :]
    return text


def test_ten_thousand_broken_messages(pacer: Pacer):
    rng, heard, refused = random.Random(14), 0, 0
    answers: list[dict[str, Any]] = []
    for k in range(10_000):
        try:
            number, kind, fields = parse(broken(rng))
        except BadMessage:
            refused += 1
            continue
        heard += 1
        if kind not in (
            "scene",
            "bring",
            "part",
            "behave",
        ):  # those build something; they have tests of their own
            pacer._obey(1, number, kind, fields, answers.append)
        if k % 50 == 0:
            pacer._go_on(0.02)
            assert len(pacer.packed()) >= 900
    pacer.paused = False
    before = pacer.act.session.time
    pacer._go_on(0.02)
    assert pacer.act.session.time > before
    assert heard > 2000 and refused > 2000
    assert all(a["say"] == "refused" and not a["why"].startswith("failed") for a in answers)
    assert np.isfinite(pacer.act.session.arena.data.qpos).all()
