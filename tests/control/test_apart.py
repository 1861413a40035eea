"""Limbs that come near each other: rods that hold the shapes find all pairs that the engine does."""

from __future__ import annotations

import mujoco
import numpy as np

from poise.behaviours.stepping.legs import Legs
from poise.character import Character
from poise.control.apart import Near, limbs_of, rods_apart
from poise.dynamics.state import State

RNG = np.random.default_rng(5)


def test_rods_are_as_far_apart_as_their_nearest_points():
    s = np.linspace(-1.0, 1.0, 41)
    for _ in range(60):
        (x, y), size = RNG.normal(size=(2, 3)), RNG.choice([0.0, 0.3, 1.0], 2)
        a, b = size[0] * RNG.normal(size=3), size[1] * RNG.normal(size=3)
        b = a * RNG.normal() if RNG.random() < 0.2 else b  # side by side
        steps = (x + s[:, None] * a)[:, None] - (y + s[:, None] * b)
        found, sampled = rods_apart(x, a, y, b), np.sqrt((steps**2).sum(axis=-1)).min()
        assert sampled - 0.05 * (np.linalg.norm(a) + np.linalg.norm(b)) <= found <= sampled + 1e-9


def test_no_pair_that_is_near_is_overlooked():
    body = Character.named("adult")
    model, data = body.model, mujoco.MjData(body.model)
    state = State(body, model, data)
    limbs = limbs_of(body, [leg.bodies for leg in Legs(body).both])
    for _ in range(20):
        mujoco.mj_integratePos(model, data.qpos, RNG.normal(size=model.nv) * 0.4, 1.0)
        mujoco.mj_forward(model, data)
        near, found = Near(state.update(), limbs), 0
        reach, ends = near.near * near.h, np.zeros(6)
        for a, b in near.pairs:
            found += mujoco.mj_geomDistance(model, data, a, b, reach, ends) < reach
        rows = near.rows(state)
        assert (0 if rows is None else len(rows.pairs)) == found
        data.qpos[:] = body.q_rest


def test_a_hand_that_flies_at_the_trunk_is_stopped_in_time_and_one_that_hangs_is_left_alone():
    body = Character.named("adult")
    model, data = body.model, mujoco.MjData(body.model)
    state, limbs = State(body, model, data), limbs_of(body, [leg.bodies for leg in Legs(body).both])
    mujoco.mj_forward(model, data)
    calm = Near(state.update(), limbs).rows(state)
    guarded = Near(state, limbs, ahead=0.1).rows(state)
    assert (calm is None) == (guarded is None)
    if calm is not None and guarded is not None:
        np.testing.assert_array_equal(calm.rows(state).w, guarded.rows(state).w)
    dof = model.joint("shoulder_l").dofadr[0]
    strikes = []
    for axis in range(3):
        for way in (-8.0, 8.0):
            data.qvel[:] = 0.0
            data.qvel[dof + axis] = way
            mujoco.mj_forward(model, data)
            rows = Near(state.update(), limbs, ahead=0.1).rows(state)
            strikes += [] if rows is None else [(pair, rows) for pair in rows.pairs if pair.ahead]
            kept = Near(state, limbs, ahead=0.1, meant=lambda a, b: True).rows(state)
            assert kept is None or not any(pair.ahead for pair in kept.pairs)
    assert strikes
    for pair, rows in strikes:
        i = rows.pairs.index(pair)
        y, wanted = rows.measure(state).y[i], rows.desired(state)[i]
        assert wanted >= 0.0 and np.isfinite(y)
