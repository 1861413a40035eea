"""Things that a character holds: drawn, without mass or contact."""

from __future__ import annotations

from dataclasses import replace

import mujoco

from poise.character import Character


def with_cup(character: Character, hand: str) -> Character:
    """The same body with a cup standing on a hand, its axis along the hand's x."""
    character.body(hand)  # refuses a body without such a hand
    spec = mujoco.MjSpec.from_string(character.spec_xml)
    body = spec.body(hand)
    body.add_geom(
        name="cup", type=mujoco.mjtGeom.mjGEOM_CYLINDER, size=[0.038, 0.05, 0.0], pos=[0.06, 0.0, -0.07], mass=0.0,
        quat=[0.70710678, 0.0, 0.70710678, 0.0],
        contype=0, conaffinity=0, group=1, rgba=[0.85, 0.33, 0.2, 1.0],
    )  # fmt: skip
    return replace(character, spec_xml=spec.to_xml())
