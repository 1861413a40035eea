"""One preset serves bodies of any size: the adult at half and at twice its size recovers from a push like its own."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from dataclasses import replace

import numpy as np
import pytest

import poise
from foreign_files import metric
from poise.character import Character
from replicas import most

LENGTHS = {"body": ("pos",), "geom": ("pos", "size", "fromto"), "inertial": ("pos",), "site": ("pos", "size")}


def scaled(body: Character, factor: float) -> Character:
    """The same body, all lengths times the factor and all densities kept; torques follow weight times length."""
    root = ET.fromstring(body.spec_xml)
    for node in root.iter():
        for name in LENGTHS.get(node.tag, ()):
            if name in node.attrib:
                node.set(name, _times(node.get(name, ""), factor))
        powers = {"inertial": (("mass", 3), ("diaginertia", 5), ("fullinertia", 5)), "joint": (("armature", 5),),
                  "motor": (("ctrlrange", 4), ("forcerange", 4)), "general": (("ctrlrange", 4), ("forcerange", 4)),
                  "geom": (("mass", 3),)}  # fmt: skip
        for name, power in powers.get(node.tag, ()):
            if name in node.attrib:
                node.set(name, _times(node.get(name, ""), factor**power))
        if node.tag == "joint" and "actuatorfrcrange" in node.attrib:
            node.set("actuatorfrcrange", _times(node.get("actuatorfrcrange", ""), factor**4))
    supports = tuple(replace(s, points=factor * s.points) for s in body.supports)
    effectors = {name: (at, factor * np.asarray(p)) for name, (at, p) in body.effectors.items()}
    text = ET.tostring(root, encoding="unicode")
    return replace(body, name=f"adult x{factor:g}", spec_xml=text, supports=supports, effectors=effectors)


def _times(text: str, factor: float) -> str:
    return " ".join(f"{float(x) * factor:.12g}" for x in text.split())


@pytest.mark.parametrize("factor", [0.5, 2.0])
def test_a_body_of_another_size_recovers_by_stepping(factor: float):
    body = scaled(Character.named("adult"), factor)
    assert body.mass == pytest.approx(75.0 * factor**3, rel=0.02)
    assert body.com_rest[2] == pytest.approx(0.987 * factor, rel=0.01)
    speed = 0.6 * np.sqrt(factor)  # the same push in the body's own units
    force = speed * body.mass / 0.1
    how = {"character": body, "push": f"torso:{force:.1f},0,0@0.5+0.1", "seconds": 4.0, "after_fall": 0.0}
    takes = [poise.simulate(poise.scene("reactive-step", seed=s, pose_noise=0.001, **how)) for s in range(5)]
    assert most(
        takes,
        lambda take: not take.fell and take.steps >= 1,
        lambda take: metric(take, "com_speed_final_ms") < 0.15,
    )
