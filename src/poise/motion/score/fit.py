"""Poses nearest to a clip's whose soles and centre of mass go where the score says."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from poise.geometry import quat
from poise.geometry.linear import norm, running
from poise.motion.clip import Clip
from poise.motion.filters import smoothed
from poise.motion.ik import Solver, Targets
from poise.motion.plant import Ahead
from poise.motion.score import columns as cols
from poise.motion.score.samples import DT

RATE = 50.0  # [Hz] of the poses that are solved for: every other sample
SOFTER = 1e-3  # of the soles' weight that the centre of mass has
KINKS = 6.0  # [Hz] cut-off of the filter that takes kinks out
LOST = 0.05  # [m]: soles this far from their paths were not found
EASE = 8  # samples to each side over which a lowered centre of mass is smoothed
HEIGHT = 30.0  # [per m²] weight of the root's captured height


def fitted(clip: Clip, soles: list[int], body: np.ndarray, rows: np.ndarray, raised: float) -> Clip:
    """The clip with its legs fitted to the paths of the soles and its root to that of the centre of mass."""
    character = clip.character
    solver, ahead = Solver(character), Ahead(character)
    weights = solver.weights.copy()
    weights[2] = HEIGHT
    supports = [character.supports[s] for s in soles]
    times = np.linspace(clip.start, clip.end, max(2, round(clip.seconds * RATE) + 1))
    poses = np.empty((len(times), clip.q.shape[1]))
    for n, t in enumerate(times):
        i = min(round((t - clip.start) / DT), len(body) - 1)
        wanted = clip.at(t)
        wanted[2] += raised
        bodies = {}
        for k, support in enumerate(supports):
            turn = quat.multiply(rows[k, i, cols.TURN], quat.conjugate(np.array(support.frame)))
            bodies[support.body] = rows[k, i, cols.X] - quat.rotate(turn, support.points.mean(axis=0)), turn
        goal = Targets(bodies=bodies, com=body[i, cols.C], com_share=SOFTER)
        pose, off = _solved(solver, wanted, goal, ahead.guess(wanted), weights)
        if off > LOST:  # a guess can lead astray: from the captured pose, then
            again, less = _solved(solver, wanted, goal, wanted, weights)
            pose = again if less < off else pose
        poses[n] = ahead.follow(pose)
    return smoothed(replace(clip, times=times, q=poses), KINKS)


def _solved(solver: Solver, wanted: np.ndarray, goal: Targets, guess, weights) -> tuple[np.ndarray, float]:
    """Pose, and how far its soles are from where they should be [m]."""
    pose = solver.solve(wanted, goal, guess, weights)
    off = [norm(solver.place(pose, body)[0] - x) for body, (x, _) in goal.bodies.items()]
    return pose, float(max(off))


def lowered(clip: Clip, body: np.ndarray) -> None:
    """Take the centre of mass in the rows of a body down to where the fitted legs let it be."""
    character = clip.character
    then = np.linspace(clip.start, clip.end, len(body))
    high = np.array([character.posed(q).subtree_com[1][2] for q in clip.q])
    lack = np.minimum(np.interp(then, clip.times, high) - body[:, 2], 0.0)
    window = np.hanning(2 * EASE + 3)[1:-1]
    drop = running(np.pad(lack, EASE, mode="edge"), window / window.sum())
    body[:, 2] += drop
    rate = np.gradient(drop, DT)
    body[:, cols.V][:, 2] += rate
    body[:, cols.A][:, 2] += np.gradient(rate, DT)
