"""A controller as JSON: strict, complete, and the numbers that the simulation uses."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import poise
from poise.behaviours.balance.gains import Gains
from poise.formats.controller import controller, save_controller


def test_balance_has_its_gains_and_its_body(tmp_path):
    told: dict[str, Any] = {"gains.linear": 2.5}
    scene = poise.scene("balance-push", **told)
    save_controller(scene, tmp_path / "c.json")
    text = (tmp_path / "c.json").read_text()
    found = json.loads(text, parse_constant=pytest.fail)  # no NaN, no Infinity
    assert found["format"] == "poise-controller" and found["version"] == 1
    told = {k: v for k, v in found["behaviour"]["gains"].items() if k != "type"}
    assert Gains(**told) == Gains(linear=2.5)
    parts = found["body"]["bodies"]
    assert sum(part["mass"] for part in parts) == pytest.approx(scene.character.mass)
    names = {part["name"] for part in parts}
    assert {s["body"] for s in found["body"]["supports"]} <= names
    assert found["control"] == {
        "mode": "robust", "solve_hz": 500.0, "refresh_hz": 100.0, "two_pass": True, "friction": 0.8,
    }  # fmt: skip


def test_poses_are_laid_out_as_the_joints_say():
    found = controller(poise.scene("butterfly"))
    joints, rest = found["body"]["joints"], found["poses"]["rest"]
    width = {"free": 7, "ball": 4, "hinge": 1, "slide": 1}
    assert len(rest) == sum(width[j["type"]] for j in joints)
    clip = found["behaviour"]["clip"]
    assert np.shape(clip["q"]) == (len(clip["times"]), len(rest))
    assert all(len(j["torque"]) == {"ball": 3, "hinge": 1}[j["type"]] for j in joints[1:])


def test_a_stepper_has_its_stride_and_director():
    behaviour = controller(poise.scene("reactive-step"))["behaviour"]
    assert behaviour["type"] == "Stepper" and behaviour["director"]["type"] == "Recover"
    assert behaviour["stride"]["far"] == pytest.approx(0.66)
