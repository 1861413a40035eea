"""What following a clip takes: its steps and flights, and what its score changed to make it possible."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import mujoco
import numpy as np

from poise.capture import Intake
from poise.capture.captured import cleaned, frozen
from poise.character.character import Character
from poise.errors import PoiseError
from poise.motion.clip import Clip
from poise.motion.parts import runs
from poise.motion.score import Score
from poise.motion.score.samples import DT
from poise.scenes.react import in_place, paced_score

BRIEF = 0.05  # [s]: a shorter time without a stance is no flight


def changes(character: Character, intake: Intake) -> dict[str, Any]:
    """As `poise inspect` reports it; ``why`` says so where there is no score."""
    clip = cleaned(character, intake, frozen(intake))
    if len(clip.character.stance) != 2:
        return {"why": f"it stands on {len(clip.character.stance)} limbs: balanced where it stands"}
    if clip.seconds < 2 * DT:
        return {"why": "one pose has no steps"}
    if in_place(clip):
        return {"why": "the feet stay where they are: locked there, and the body balanced over them"}
    try:
        return _told(*paced_score(clip))
    except PoiseError as error:
        return {"why": f"it cannot be followed: {error}"}


def _told(score: Score, clip: Clip, pace: float) -> dict[str, Any]:
    """Figures of a score."""
    carried = np.zeros(score.count, bool)
    for own in score.prints:
        for p in own:
            carried[p.first : p.last + 1] = True
    flights = [b - a for a, b in runs(~carried) if (b - a) * DT > BRIEF]
    return {
        "steps": sum(p.lands for own in score.prints for p in own),
        "flights": len(flights),
        "flight_s": float(sum(flights) * DT),
        "cm_moved_max_m": float(np.hypot(*score.shift.T).max()),
        "raised_m": float(score.raised),
        "pace_min": pace,
        **_moved(score, clip),
        "doubt": score.doubt,
    }


def _moved(score: Score, clip: Clip) -> dict[str, Any]:
    """Which joint the score moved farthest, and by how much at first."""
    model = clip.character.model
    one, two = mujoco.MjData(model), mujoco.MjData(model)
    apart = []
    for t in np.arange(0.0, clip.seconds, max(0.05, clip.seconds / 400)):
        one.qpos[:], two.qpos[:] = score.clip.at(score.clip.start + t), clip.at(clip.start + t)
        mujoco.mj_kinematics(model, one)
        mujoco.mj_kinematics(model, two)
        apart.append(np.linalg.norm(one.xpos - two.xpos, axis=1))
    farthest = np.max(apart, axis=0)
    where = int(farthest.argmax())
    return {
        "body_moved_max_m": float(farthest[where]),
        "body_moved": model.body(where).name,
        "start_moved_m": float(apart[0].max()),
    }


def sentence(told: Mapping[str, Any]) -> str:
    """The same for people."""
    if "why" in told:
        return told["why"]
    up = 100 * told["raised_m"]
    lifted = f"{'raised' if up >= 0 else 'lowered'} by {abs(up):.1f} cm"
    flying = f", {told['flights']} flights of {told['flight_s']:.2f} s" if told["flights"] else ", no flight"
    return (
        f"{told['steps']} steps{flying}; moved the CM by up to {100 * told['cm_moved_max_m']:.1f} cm, {lifted}; "
        f"{told['body_moved']} by up to {100 * told['body_moved_max_m']:.1f} cm"
        + (
            f"; slowed to {100 * told['pace_min']:.0f} % where torques are short"
            if told["pace_min"] < 1
            else ""
        )
        + (f"; it cannot be followed on its feet: {told['doubt']}" if told["doubt"] else "")
    )
