"""Examples of anticipation out of captured clips: their most marked pose, put on the feet where they stand."""

from __future__ import annotations

import math

import mujoco
import numpy as np

from poise.character.character import Character
from poise.errors import BadInput
from poise.motion.clip import Clip
from poise.motion.ik import Solver, Targets
from poise.motion.plant import middle, rest_places


def pose_from(clip: Clip, character: Character, at: float = math.nan) -> np.ndarray:
    """The pose (nq,) of a clip that differs most from rest, or at a time [s], on the footprints of the rest pose."""
    if math.isnan(at):
        q = clip.q[int(np.argmax([_apart(character, frame) for frame in clip.q]))]
    elif clip.start <= at <= clip.end:
        q = clip.at(at)
    else:
        raise BadInput(f"option motion.pose={at} s; the clip has {clip.start:g} to {clip.end:g} s")
    solver, places = Solver(character), rest_places(character)
    bodies = {character.support(s).body: places[s] for s in character.stance}
    wanted = np.array(q)
    wanted[:2] = character.q_rest[:2]
    goal = Targets(
        bodies=bodies, com=middle(character, character.stance), com_share=0.1, root_height=float(q[2])
    )
    return solver.solve(wanted, goal)


def _apart(character: Character, q: np.ndarray) -> float:
    """How far a pose is from rest, place and heading aside: lower, bent, arms up."""
    gap = np.empty(character.model.nv)
    mujoco.mj_differentiatePos(character.model, gap, 1.0, np.asarray(character.q_rest), q)
    gap[:2], gap[5] = 0.0, 0.0
    gap[2] *= 10.0  # a metre counts as ten radians
    return float(np.linalg.norm(gap))
