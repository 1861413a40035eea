"""The pacer: real time where it can, no burst after a stall, and an answer to everything."""

from __future__ import annotations

import struct

import numpy as np
import pytest

from poise.formats import skeletal
from poise.stage import frame
from poise.stage.house import Play
from poise.stage.pacer import CATCH_UP, HZ, Pacer


def head(packed: bytes) -> tuple:
    return frame.HEAD.unpack_from(packed)


def test_time_passes_as_on_the_clock(pacer: Pacer):
    for _ in range(60):
        pacer._go_on(1 / 60)
    assert pacer.act.session.time == pytest.approx(1.0, abs=0.005) and pacer.factor == pytest.approx(
        1.0, abs=0.01
    )


def test_slow_motion_and_pause(pacer: Pacer):
    pacer.do("speed", {"factor": 0.1})
    for _ in range(30):
        pacer._go_on(1 / 60)
    slow = pacer.act.session.time
    assert slow == pytest.approx(0.05, abs=0.004)
    pacer.do("pause", {"on": True})
    pacer._go_on(1.0)
    assert pacer.act.session.time == slow
    pacer.do("step", {"steps": 3})
    assert pacer.act.session.time == pytest.approx(slow + 3 * pacer.act.dt)
    pacer.do("step", {"steps": -2})
    assert pacer.act.session.time == pytest.approx(slow + pacer.act.dt)


def test_a_stall_is_lost_not_made_up_for(pacer: Pacer):
    pacer._go_on(5.0)  # a laptop that slept
    assert pacer.act.session.time <= CATCH_UP / HZ + 0.01
    pacer._go_on(1 / 60)
    assert pacer.act.session.time <= 2 * CATCH_UP / HZ


def test_what_has_ended_starts_again(pacer: Pacer):
    pacer.act.advance(50)
    pacer.act.session._loop.over = True
    pacer._go_on(1.5)
    assert pacer.act.session.time > 0.0
    pacer._go_on(1.0)
    assert pacer.act.session.time == 0.0
    pacer._go_on(0.02)
    assert pacer.act.session.time > 0.0


def test_of_many_places_on_the_way_the_last_counts(pacer: Pacer):
    pacer.act.advance(500)
    for k, time in enumerate((0.9, 0.5, 0.3)):
        pacer.ask(1, k + 1, "seek", {"time": time}, lambda words: None)
    pacer._drain()
    assert pacer.act.session.time == pytest.approx(0.3) and pacer.paused


def test_a_fault_is_told_and_forgotten(pacer: Pacer, monkeypatch: pytest.MonkeyPatch):
    def fails(*_: object) -> None:
        raise ZeroDivisionError("oh")

    monkeypatch.setattr(pacer.act, "do", fails)
    told: list[dict] = []
    pacer.ask(1, 7, "release", {"body": "head"}, told.append)
    pacer._drain()
    assert told == [{"say": "refused", "id": 7, "why": "failed: ZeroDivisionError: oh"}]
    future = pacer.call(fails)
    pacer._drain()
    assert isinstance(future.exception(), ZeroDivisionError)


def test_a_fault_while_stepping_holds_the_scene_and_the_thread_lives(
    play: Play, monkeypatch: pytest.MonkeyPatch
):
    told: list[dict] = []
    pacer = Pacer(play.act, play.world, lambda frame, acks: None, told.append)
    with monkeypatch.context() as broken:
        broken.setattr(play.act, "advance", lambda steps: 1 / 0)
        pacer._tick(0.02)
    assert pacer.paused and told[0]["why"].startswith("failed: ZeroDivisionError")
    pacer.do("pause", {"on": False})
    pacer._tick(0.02)
    assert play.act.session.time > 0.0


def test_a_frame_holds_what_the_recording_has(play: Play, pacer: Pacer):
    act = play.act
    act.do("shove", {"body": "torso", "force": (150.0, 0.0, 0.0), "seconds": 0.1})
    act.advance(150)
    act.do(
        "pull",
        {"body": "head", "to": (0.3, 0.0, 1.8), "at": (0.0, 0.0, 0.0), "stiffness": 400.0, "most": 90.0},
    )
    packed = pacer.packed()
    _, _, step, flags, t, _, oldest, newest, factor, speed = head(packed)
    assert (step, flags, oldest, speed) == (150, frame.REFERENCE, 0.0, 1.0) and (t, newest) == pytest.approx(
        (0.3, 0.3)
    )
    assert np.isfinite(factor)
    values = np.frombuffer(packed, "<f4", offset=frame.HEAD.size)
    take = act.recording(last=0.01)
    at, turned = skeletal.capture(take).world
    nodes = values[: 7 * len(pacer.packer.bodies)].reshape(-1, 7)
    np.testing.assert_allclose(nodes[: at.shape[1], :3], at[-1], atol=1e-5)
    same = np.abs(np.sum(nodes[: at.shape[1], 3:] * turned[-1], axis=1))
    np.testing.assert_allclose(same, 1.0, atol=1e-5)
    place = 7 * len(nodes)
    for name, width in pacer.packer.layout[:-1]:
        np.testing.assert_allclose(values[place : place + width], take[name][-1].astype("f4"), err_msg=name)
        place += width
    np.testing.assert_allclose(values[place : place + 2], act.session.capture_point, rtol=1e-5)
    place += 2
    node, *_, fx, fy, fz = values[place : place + 10]
    assert list(pacer.packer.nodes)[int(node)] == "head" and 1.0 < np.linalg.norm([fx, fy, fz]) <= 90.01
    place += 10 * frame.PULLS
    assert len(packed) == frame.HEAD.size + 4 * (place + 7 * at.shape[1])
    followed = values[place:].reshape(-1, 7)
    np.testing.assert_allclose(followed[0, :3], nodes[0, :3], atol=1e-6)  # the root stays where it is
    assert np.abs(followed - nodes[: at.shape[1]]).max() > 1e-3


def test_the_acknowledgement_comes_first():
    assert struct.unpack_from("<I", (7).to_bytes(4, "little"))[0] == 7 and frame.HEAD.size % 4 == 0
