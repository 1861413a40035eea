"""Arms of a body that follows a clip in place: stopped before they strike, else left alone."""

from __future__ import annotations

import mujoco

from poise.behaviours.following.spared import Spared
from poise.character import Character
from poise.dynamics.state import State
from poise.motion.clip import Clip


def test_an_arm_that_flies_at_the_body_is_stopped_and_a_still_one_is_left_alone():
    body = Character.named("adult")
    model, data = body.model, mujoco.MjData(body.model)
    state, spared = State(body, model, data), Spared(Clip.still(body))
    mujoco.mj_forward(model, data)
    assert not spared(0.0, state.update())
    dof, stopped = model.joint("shoulder_l").dofadr[0], 0
    for axis in range(3):
        for way in (-15.0, 15.0):
            data.qvel[:] = 0.0
            data.qvel[dof + axis] = way
            mujoco.mj_forward(model, data)
            stopped += len(spared(0.0, state.update()))
    assert stopped
