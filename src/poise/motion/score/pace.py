"""The pace at which a body has the torques for what a clip does: quick kicks of a strong person are slowed."""

from __future__ import annotations

from dataclasses import replace

import mujoco
import numpy as np

from poise.character.actuator import torque_limits
from poise.character.constants import GRAVITY
from poise.geometry import quat
from poise.geometry.linear import running, times
from poise.motion.clip import Clip
from poise.motion.score import columns as cols
from poise.motion.score.prints import Print
from poise.motion.score.samples import DT
from poise.motion.score.score import LIGHT, Score

ROOM = 1.0  # of a torque's limit that the clip may need
SLOWEST = 0.6  # of the captured pace
AROUND = 0.15  # [s] before and after which a slow instant is slow too,
RUN_UP = 0.5  # [s] around a flight, or
TRAVEL = (
    0.25  # a speed of the centre of mass in √(g h), where the pace is the captured one: nothing falls slower
)
BRIEF = 3  # samples of two on either side: a peak shorter than that is the fit's, not the body's
EVERY = 2  # samples


def paces(score: Score, soles: list[int]) -> np.ndarray:
    """Share (n,) of the captured pace, sample by sample, at which no torque passes its limits."""
    clip, n = score.clip, score.count
    low, high = (ROOM * x[6:] for x in torque_limits(clip.character.model))
    chain, out = _Chain(score, soles), np.ones(n)
    for i in range(0, n, EVERY):
        planted = _planted(score.prints, i)
        if planted:
            out[i : i + EVERY] = _fastest(*chain.torques(i, planted), low, high)
    body = score.tables.body
    fast = TRAVEL * np.sqrt(GRAVITY * max(float(np.median(body[:, 2])), 0.0))
    around, kicks = round(RUN_UP / DT), score.kicks
    flies = _near(np.array([not _planted(score.prints, i) for i in range(n)]), around)
    goes = _near(np.hypot(*body[:, cols.V][:, :2].T) > fast, around)
    out = np.where(kicks, np.minimum(out, _loaded(body[:, cols.A][:, 2])), out)
    free = flies | (goes & ~kicks)
    out = np.where(free, 1.0, np.maximum(_steady(out, EVERY * BRIEF), SLOWEST))
    return _eased(out, round(AROUND / DT))


def _loaded(up: np.ndarray) -> np.ndarray:
    """Pace (n,) at which a body whose height changes with ``up`` (n,) [m/s²] still weighs on its feet.

    A light sole can neither press where it should nor hold by friction, and a foot that stands does not fly.
    """
    return np.minimum(np.sqrt((1.0 - LIGHT) * GRAVITY / np.maximum(-up, 1e-6)), 1.0)


def paced(clip: Clip, pace: np.ndarray) -> Clip:
    """The clip at a pace (n,) that changes on the way."""
    now = np.linspace(clip.start, clip.end, len(pace))
    then = np.concatenate([[0.0], np.cumsum(np.diff(now) / (0.5 * (pace[1:] + pace[:-1])))])

    def moved(t):
        return np.interp(t, now, then)

    times = moved(clip.times)
    contacts = {
        k: tuple((float(moved(a)), float(moved(b))) for a, b in spans) for k, spans in clip.contacts.items()
    }
    rate = (len(clip.times) - 1) / clip.seconds
    return replace(clip, times=times - times[0], contacts=contacts).resample(rate)


class _Chain:
    """Torques of the clip's poses, with the ground's force where the score has its pressure."""

    def __init__(self, score: Score, soles: list[int]):
        character = score.clip.character
        self.score, self.model = score, character.model
        self.data = mujoco.MjData(self.model)
        supports = [character.supports[s] for s in soles]
        self.bodies = [character.body(s.body) for s in supports]
        self.ankles = np.isin(self.model.dof_bodyid[6:], self.bodies)  # the score's pressure speaks for them

    def torques(self, i: int, planted: list[Print]) -> tuple[np.ndarray, np.ndarray]:
        """Joint torques (nv - 6,) of one sample standing still, and as captured."""
        clip, row = self.score.clip, self.score.tables.body[i]
        q, v, a = clip.sample(clip.start + min(max(i * DT, 1e-6), clip.seconds - 1e-6))
        places = [np.append(p.place, p.level) for p in planted]
        shares = _shares(row[cols.P], places)
        bodies = [self.bodies[p.sole] for p in planted]
        loads = list(zip(bodies, places, shares))
        return self._torque(q, 0 * v, 0 * a, loads), self._torque(q, v, a, loads)

    def _torque(self, q, v, a, loads: list[tuple[int, np.ndarray, float]]) -> np.ndarray:
        model, data = self.model, self.data
        data.qpos[:], data.qvel[:], data.qacc[:] = q, v, a
        mujoco.mj_inverse(model, data)
        tau = data.qfrc_inverse.copy()
        turn = data.xmat[1].reshape(3, 3)
        force, moment = tau[:3].copy(), times(turn, tau[3:6])  # about the root
        push, twist = np.zeros((3, model.nv)), np.zeros((3, model.nv))
        for body, point, share in loads:
            mujoco.mj_jac(model, data, push, twist, point, body)
            about = share * (moment - quat.cross(point - data.xpos[1], force))
            tau -= share * times(push.T, force) + times(twist.T, about)
        return np.where(self.ankles, 0.0, tau[6:])


def _shares(p: np.ndarray, places: list[np.ndarray]) -> np.ndarray:
    """Load shares of soles that stand at places (3,), for a pressure (2,)."""
    if len(places) == 1:
        return np.ones(1)
    a, b = places[0][:2], places[1][:2]
    way = b - a
    u = float(np.clip(times(p - a, way) / max(times(way, way), 1e-9), 0.0, 1.0))
    return np.array([1.0 - u, u])


def _planted(prints: tuple[list[Print], ...], i: int) -> list[Print]:
    return [p for own in prints for p in own if p.first <= i <= p.last]


def _fastest(still: np.ndarray, moving: np.ndarray, low: np.ndarray, high: np.ndarray) -> float:
    """Largest share of the pace at which torques, quadratic in it, keep within their limits."""
    more = moving - still
    room = np.where(more > 0, high - still, still - low)
    need = np.abs(more)
    hard = need > 1e-9
    square = np.min(np.maximum(room[hard], 0.0) / need[hard], initial=1.0)
    return float(np.sqrt(square))


def _near(marked: np.ndarray, k: int) -> np.ndarray:
    """Marks (n,) widened by k samples to both sides."""
    return running(np.pad(marked, k), np.ones(2 * k + 1)) > 0.5


def _steady(x: np.ndarray, k: int) -> np.ndarray:
    """Medians over k samples to both sides (n,)."""
    padded = np.pad(x, k, mode="edge")
    return np.median(np.lib.stride_tricks.sliding_window_view(padded, 2 * k + 1), axis=1)


def _eased(x: np.ndarray, k: int) -> np.ndarray:
    """Least value within k samples, smoothed over as many (n,)."""
    padded = np.pad(x, 2 * k, mode="edge")
    least = np.lib.stride_tricks.sliding_window_view(padded, 2 * k + 1).min(axis=1)
    window = np.hanning(2 * k + 3)[1:-1]
    return running(least, window / window.sum())
