"""A long evening: ten minutes of random touching, and nothing grows."""

from __future__ import annotations

import random
import threading
from typing import Any

import numpy as np
import pytest

from poise.scenes.repertoire import ACTS
from poise.stage import house
from poise.stage.pacer import HZ, Pacer

MINUTES = 10
BODIES = ("torso", "head", "hand_l", "hand_r", "pelvis", "foot_l", "forearm_r")


def touch(rng: random.Random, pacer: Pacer) -> None:
    """Something that a hand might do."""
    c = pacer.act.session.state.c
    near = tuple(float(x + rng.uniform(-0.6, 0.6)) for x in c)
    body = rng.choice(BODIES)
    pull: dict[str, Any] = {
        "body": body,
        "to": near,
        "at": (0.0, 0.0, 0.0),
        "stiffness": 400.0,
        "most": 150.0,
    }
    asked: list[tuple[str, dict[str, Any]]] = [
        ("pull", pull),
        ("release", {"body": body}),
        ("shove", {"body": body, "force": tuple(rng.uniform(-250, 250) for _ in "xyz"), "seconds": 0.1}),
        ("throw", {"place": (c[0] + 2.0, c[1], 1.3), "velocity": (-8.0, 0.0, 1.0), "ball": rng.randrange(3)}),
        ("command", {"wishes": {"speed": rng.choice([0.0, 0.4, 0.8]), "turn": rng.choice([0.0, 20.0])}}),
        ("seek", {"time": pacer.act.session.time - rng.uniform(0.0, 3.0)}),
        (
            "behave",
            {"name": rng.choice(list(ACTS)), "arms": 0.1, "angular": True, "heading": rng.uniform(-180, 180)},
        ),
        ("lean", {"body": body, "force": tuple(rng.uniform(-60, 60) for _ in "xyz"), "at": (0.0, 0.0, 0.0)}),
        (
            "adjust",
            {
                "friction": rng.uniform(0.3, 1.0),
                "strength": rng.uniform(0.7, 1.2),
                "delay": rng.choice([0, 0.004]),
            },
        ),
    ]
    kind, fields = rng.choice(asked)
    refused: list[dict[str, Any]] = []
    pacer._obey(1, 1, kind, fields, refused.append)
    assert not refused or kind == "command"  # standing on the spot, it is told to walk
    pacer.do("pause", {"on": False})


@pytest.mark.slow
def test_ten_minutes_of_touching_leave_memory_flat():
    play = house.play(house.scene_of("roam"))
    pacer = Pacer(play.act, play.world, lambda frame, acks: None)
    rng, used = random.Random(3), []
    for tick in range(round(MINUTES * 60 * HZ)):
        if tick % 20 == 0:
            touch(rng, pacer)
        pacer._drain()
        pacer._go_on(1 / HZ)
        pacer.packed()
        if pacer.act.session.over or (pacer.act.session.fell and tick % 300 == 0):
            pacer.do("again", {})
        if tick % round(60 * HZ) == 0:
            used.append(_resident())
    assert np.isfinite(pacer.act.session.places[0]).all()
    assert not any(t.name.startswith("poise-stage") for t in threading.enumerate())
    assert used[-1] - used[3] < 60 << 20, [u >> 20 for u in used]


def _resident() -> int:
    """Bytes of memory in use, where the system tells."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * 4096
    except OSError:
        pytest.skip("this system does not tell how much memory is in use")
