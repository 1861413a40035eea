"""Poses nearest to a clip's whose soles and centre of mass go where the score says."""

from __future__ import annotations

from dataclasses import replace

import mujoco
import numpy as np

from poise.character.character import Character
from poise.geometry import quat
from poise.geometry.linear import norm, running
from poise.motion.clip import Clip
from poise.motion.filters import smoothed
from poise.motion.ik import Solver, Targets
from poise.motion.plant import Ahead
from poise.motion.score import columns as cols
from poise.motion.score.manner import CAREFUL, Manner
from poise.motion.score.samples import DT

RATE = 50.0  # [Hz] of the poses that are solved for: every other sample
FIRM, EASY = 1e-3, 3e-5  # of the soles' weight that the centre of mass has: to find the lean, and with it
SLOW = 1.0  # [s] over which a lean is averaged: legs that are too short for an instant do not bend a trunk
LOST = 0.05  # [m]: soles this far from their paths were not found
EASE = 8  # samples to each side over which a lowered centre of mass is smoothed
HEIGHT = 30.0  # [per m²] weight of the root's captured height


def fitted(
    clip: Clip, soles: list[int], body: np.ndarray, rows: np.ndarray, raised: float, manner: Manner = CAREFUL
) -> Clip:
    """The clip with its legs fitted to the paths of the soles and its root to that of the centre of mass.

    The trunk leans as far as the centre of mass needs it for longer, and not for an instant.
    """
    times = np.linspace(clip.start, clip.end, max(2, round(clip.seconds * RATE) + 1))
    wanted = np.array([clip.at(t) for t in times])
    wanted[:, 2] += raised
    goals = [_goal(clip.character, soles, body, rows, t - clip.start) for t in times]
    some = sorted({*range(0, len(times), manner.lean), len(times) - 1})
    found = _poses(clip.character, wanted[some], [goals[i] for i in some], FIRM, manner.near)
    leant = _leant(clip.character, wanted, found, some)
    poses = _poses(clip.character, leant, goals, EASY, manner.near)
    if clip.loop:
        poses[-1] = poses[0]
    return smoothed(replace(clip, times=times, q=poses), manner.kinks)


def refitted(
    clip: Clip, soles: list[int], body: np.ndarray, rows: np.ndarray, moved: np.ndarray, manner: Manner
) -> Clip:
    """A fitted clip whose legs are fitted anew where the paths of soles were ``moved`` (samples,)."""
    some = [n for n, t in enumerate(clip.times) if moved[min(round((t - clip.start) / DT), len(moved) - 1)]]
    goals = [_goal(clip.character, soles, body, rows, clip.times[n] - clip.start) for n in some]
    poses = np.array(clip.q)
    poses[some] = _poses(clip.character, poses[some], goals, EASY, manner.near)
    return replace(clip, q=poses)


def _goal(character: Character, soles: list[int], body: np.ndarray, rows: np.ndarray, t: float) -> Targets:
    """Where the feet and the centre of mass should be [s] into the clip."""
    i, bodies = min(round(t / DT), len(body) - 1), {}
    for k, support in enumerate(character.supports[s] for s in soles):
        turn = quat.multiply(rows[k, i, cols.TURN], quat.conjugate(np.array(support.frame)))
        bodies[support.body] = rows[k, i, cols.X] - quat.rotate(turn, support.points.mean(axis=0)), turn
    return Targets(bodies=bodies, com=body[i, cols.C])


def _poses(
    character: Character, wanted: np.ndarray, goals: list[Targets], share: float, near: float
) -> np.ndarray:
    """Poses (n, nq) nearest to those wanted that reach their goals."""
    solver, ahead = Solver(character, near), Ahead(character)
    weights = solver.weights.copy()
    weights[2] = HEIGHT
    poses = np.empty_like(wanted)
    for n, (q, goal) in enumerate(zip(wanted, goals)):
        goal = replace(goal, com_share=share)
        pose, off = _solved(solver, q, goal, ahead.guess(q), weights)
        if off > LOST:  # a guess can lead astray: from the captured pose, then
            again, less = _solved(solver, q, goal, q, weights)
            pose = again if less < off else pose
        poses[n] = ahead.follow(pose)
    return poses


def _leant(character: Character, wanted: np.ndarray, found: np.ndarray, some: list[int]) -> np.ndarray:
    """Wanted poses (n, nq) with the slow part of how the bodies of ``some`` had to change to become those found."""
    model, leans = character.model, np.empty((len(found), character.model.nv))
    for lean, i, pose in zip(leans, some, found):
        mujoco.mj_differentiatePos(model, lean, 1.0, wanted[i], pose)
    lean = np.apply_along_axis(lambda column: np.interp(range(len(wanted)), some, column), 0, leans)
    window = np.hanning(2 * round(0.5 * SLOW * RATE) + 3)[1:-1]
    pad = len(window) // 2
    ends = np.concatenate([np.repeat(lean[:1], pad, 0), lean, np.repeat(lean[-1:], pad, 0)])
    lean = np.apply_along_axis(running, 0, ends, window / window.sum())
    lean[:, :3] = 0.0
    leant = wanted.copy()
    for q, by in zip(leant, lean):
        mujoco.mj_integratePos(model, q, by, 1.0)
    return leant


def _solved(solver: Solver, wanted: np.ndarray, goal: Targets, guess, weights) -> tuple[np.ndarray, float]:
    """Pose, and how far its soles are from where they should be [m]."""
    pose = solver.solve(wanted, goal, guess, weights)
    off = [norm(solver.place(pose, body)[0] - x) for body, (x, _) in goal.bodies.items()]
    return pose, float(max(off))


def lowered(clip: Clip, body: np.ndarray) -> None:
    """Take the centre of mass in the rows of a body down to where the fitted legs let it be."""
    character = clip.character
    then = np.linspace(clip.start, clip.end, len(body))
    data, high = mujoco.MjData(character.model), np.empty(len(clip.q))
    for n, q in enumerate(clip.q):
        data.qpos[:] = q
        mujoco.mj_kinematics(character.model, data)
        mujoco.mj_comPos(character.model, data)
        high[n] = data.subtree_com[1][2]
    lack = np.minimum(np.interp(then, clip.times, high) - body[:, 2], 0.0)
    window = np.hanning(2 * EASE + 3)[1:-1]
    drop = running(np.pad(lack, EASE, mode="edge"), window / window.sum())
    body[:, 2] += drop
    rate = np.gradient(drop, DT)
    body[:, cols.V][:, 2] += rate
    body[:, cols.A][:, 2] += np.gradient(rate, DT)
