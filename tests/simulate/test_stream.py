"""Takes in parts: the same numbers as in one piece, memory for one part, read while they grow."""

from __future__ import annotations

import json
import math
import sys
import threading
from collections import deque

import numpy as np
import pytest

import poise
from poise.errors import BadInput
from poise.formats import parts
from poise.simulate import stream

PARTS = sys.modules[stream.__module__]


@pytest.fixture(autouse=True)
def short(monkeypatch):
    """Parts of 0.2 s."""
    monkeypatch.setattr(PARTS, "PART_S", 0.2)


@pytest.mark.parametrize("seconds", [0.1, 0.4, 0.5])
def test_parts_are_the_take_bit_for_bit(seconds):
    scene = poise.scene("walk", seconds=seconds)
    whole, found = poise.simulate(scene), list(stream(scene))
    assert [p.info["part"] for p in found] == list(range(len(found)))
    assert [p.info["ends"] for p in found] == [False] * (len(found) - 1) + [True]
    for name in ("q", "v", "tau", "contact_force"):
        np.testing.assert_array_equal(np.concatenate([p[name] for p in found]), whole[name])
    np.testing.assert_array_equal(np.concatenate([p.time for p in found]), whole.time)


def test_a_step_that_fits_no_part_loses_no_record():
    scene = poise.scene("stand", seconds=0.5, dt=0.003)
    np.testing.assert_array_equal(np.concatenate([p.time for p in stream(scene)]), poise.simulate(scene).time)


def test_a_blow_up_ends_the_last_part():
    scene = poise.scene("stand", seconds=2.0, push="head:5e8,0,0@0.3+0.5")
    found = list(stream(scene))
    assert found[-1].blew_up is not None and found[-1].info["ends"] and len(found) == 2


def test_records_in_memory_do_not_grow():
    run = stream(poise.scene("stand", seconds=2.0))
    sizes = [len(part) for part in run]
    assert max(sizes) == 21 and sum(sizes) == 201


def test_a_take_of_a_day_is_not_made_in_one_piece():
    scene = poise.scene("stand", seconds=86400.0)
    with pytest.raises(BadInput, match="parts"):
        poise.simulate(scene)
    with pytest.raises(BadInput):
        poise.scene("stand", seconds=1e7)


def test_a_folder_of_parts_is_read_while_it_grows(tmp_path):
    folder = tmp_path / "long.parts"
    run = parts.save(stream(poise.scene("stand", seconds=1.0)), folder)
    next(run)
    next(run)
    found = list(parts.load(folder))
    assert len(found) == 2 and not found[-1].info["ends"] and math.isclose(found[-1].time[-1], 0.4)
    assert len(list(run)) == 3 and [p.info["ends"] for p in parts.load(folder)][-1]


def test_a_take_is_followed_while_it_grows(poise_, tmp_path):
    folder = tmp_path / "long.parts"
    scene = poise.scene("stand", seconds=1.0)
    writer = threading.Thread(target=lambda: deque(parts.save(stream(scene), folder), maxlen=0))
    writer.start()
    code, out, _, _ = poise_("replay", "long.parts", "--verify", "--follow", "--json")
    writer.join()
    assert code == 0 and json.loads(out)["equal"] and json.loads(out)["records"] == 101
    (folder / "000004.npz").unlink()
    assert len(list(parts.load(folder, patience=0.1))) == 4
    assert poise_("replay", "none.npz", "--follow")[0] == 2


def test_commands(poise_, tmp_path):
    code, out, _, _ = poise_("run", "stand", "--seconds", "0.5", "-o", "a.parts", "--json")
    assert code == 0 and json.loads(out)["seconds"] == 0.5
    assert {p.name for p in (tmp_path / "a.parts").iterdir()} == {f"00000{k}.npz" for k in range(3)}
    assert "bit for bit equal" in poise_("replay", "a.parts", "--verify")[1]
    assert json.loads(poise_("replay", "a.parts", "--json")[1])["parts"] == 3
    for words in (("run", "stand", "-o", "a.parts"), ("run", "stand", "-o", "b.parts", "-o", "c.npz"),
                  ("run", "stand", "--seconds", "4000"), ("replay", "none.parts")):  # fmt: skip
        assert poise_(*words)[0] == 2
    other = poise.simulate(poise.scene("stand", seconds=0.2, seed=0, friction=0.7))
    other.info.update(part=1, ends=False)
    other.save(tmp_path / "a.parts" / "000001.npz")
    code, out, _, _ = poise_("replay", "a.parts", "--verify")
    assert code == 1 and "different" in out
