"""What a frame shows: the body is never hidden by the ground, ropes are there while they pull."""

from __future__ import annotations

from dataclasses import replace

import mujoco
import numpy as np
import pytest

import poise
from poise.draw import look, render
from poise.draw.form import Form
from poise.draw.view import View
from poise.record.recording import Recording
from poise.worlds.terrain import Stairs


def seen_share(take: Recording, camera: str = "three-quarter", n: int = 60) -> float:
    """Share of the frames in which a ray from the camera to the pelvis meets the character first."""
    model = look.dressed(take.model_xml)
    view, own, met = View(take, model, 16 / 9, camera=camera), Form(model).own, 0
    for t in np.linspace(take.time[0], take.time[-1], n).tolist():
        eye = view.at(t)[0].eye
        geom = np.full(1, -1, dtype=np.int32)
        way = view.data.xpos[own[0]] - eye
        mujoco.mj_ray(model, view.data, eye, way, None, 1, -1, geom)
        met += int(geom[0] >= 0 and model.geom_bodyid[geom[0]] in own)
    return met / n


def descending(takes) -> Recording:
    """A body that goes down stairs for ten metres: one and a half metres deep."""
    spec = mujoco.MjSpec.from_string(takes.BODY)
    spec.delete(spec.geom("floor"))
    Stairs(drop=0.15).add(spec, 1.0)
    spec.compile()
    take = takes.take(xml=spec.to_xml())
    share = np.linspace(0, 1, len(take))[:, None]
    move = share * [10.0, 0.0, -1.5]
    q, com = take["q"].copy(), take["com"] + move
    q[:, :3] += move
    series = {"q": take.series["q"]._replace(values=q), "com": take.series["com"]._replace(values=com)}
    return replace(take, series=take.series | series)


@pytest.mark.parametrize("camera", ["three-quarter", "side", "front", "follow"])
def test_the_ground_does_not_hide_the_body(takes, camera):
    assert seen_share(descending(takes), camera) >= 0.95


@pytest.mark.slow
def test_the_ground_does_not_hide_a_body_that_rolls_down_stairs():
    assert seen_share(poise.simulate(poise.scene("roll-stairs"))) >= 0.95


def test_ropes_are_drawn_while_they_pull(take):
    rope = {"body": "torso", "point": [0, 0, 0.2], "place": [1.0, 0.5, 0.0], "start": 0.5, "end": 1.0}
    tied = replace(take, info=take.info | {"ropes": [rope], "pushes": []})
    free = replace(take, info=take.info | {"pushes": []})
    for t, pulls in ((0.4, False), (0.7, True), (1.2, False)):
        a, b = (next(render.frames(one, [t], 120, 90)) for one in (tied, free))
        assert (a != b).any() == pulls


def test_tendons_are_drawn():
    xml = """<mujoco><worldbody><geom type="plane" size="0 0 1"/><site name="a" pos="0 0 2"/>
    <body name="ball" pos="0 0 1"><freejoint/><geom size=".1"/><site name="b"/></body></worldbody>
    <tendon><spatial><site site="a"/><site site="b"/></spatial></tendon></mujoco>"""
    model = mujoco.MjModel.from_xml_string(xml)
    q = poise.record.recording.Series(np.tile(model.qpos0, (3, 1)), "m", "world", tuple("xyzabcd"))
    take = Recording({}, xml, np.arange(3) / 100, {"q": q})
    _, marks = View(take, look.dressed(xml), 1.0).at(0.0)
    (rope,) = marks
    assert rope.rope and rope.tail is not None
    assert sorted([rope.tail[2], rope.tip[2]]) == pytest.approx([1.0, 2.0])
