"""Stances of a captured body: contact labels of the file's joints made into intervals in which its soles stand."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from scipy.signal import butter, sosfiltfilt

from poise.capture.autorig import body_of
from poise.capture.intake import Intake
from poise.character.character import Character
from poise.character.constants import GRAVITY
from poise.geometry import quat
from poise.geometry.linear import norm
from poise.motion.clip import Clip, Intervals
from poise.motion.feet import corners, tracks
from poise.motion.filters import CUTOFF
from poise.motion.parts import runs

SHORTEST = 0.15  # [s]: shorter stances and shorter gaps between stances are taken for noise
ROLLED = 0.12  # [m] that a sole's centre goes aside at the most when a foot only rolls
RAISED = 0.05  # [m] that its lowest corner goes up then
HELD = -0.6  # of g: a centre of mass that falls more slowly is held by something
STEEP = np.radians(60.0)  # a foot tilted by more touches the ground but does not stand on it


def stances(clip: Clip, intake: Intake) -> dict[str, Intervals]:
    """When each support of the body stands, for a clip of every frame of the file."""
    where, supports = tracks(clip), clip.character.supports
    soles = [corners(clip, where, k) for k in range(len(supports))]
    up = quat.rotate(where.turn, np.array([0.0, 0.0, 1.0]))[..., 2]
    down = np.array([_labelled(clip.character, s.body, intake) for s in supports]).T & (up > np.cos(STEEP))
    down = _held(down, soles, where.com[:, 2], intake.capture.rate)
    return {s.name: _spans(clip.times, _rolls(down[:, k], soles[k])) for k, s in enumerate(supports)}


def whole(contacts: Mapping[str, Intervals]) -> dict[str, Intervals]:
    """The same without the last moments of stances that a cut has left at its ends."""
    return {k: tuple(w for w in spans if w[1] - w[0] >= SHORTEST) for k, spans in contacts.items()}


def _labelled(character: Character, body: str, intake: Intake) -> np.ndarray:
    """Whether a support stands at each frame: any labelled joint of its body is on the floor."""
    down = np.zeros(len(intake.capture), bool)
    for joint, flags in intake.contacts.items():
        if body_of(character, joint) == body:
            down |= flags
    return down


def _held(down: np.ndarray, soles: list[np.ndarray], height: np.ndarray, rate: float) -> np.ndarray:
    """Contacts (T, S) where something must hold the body: the lowest foot stands unless the whole body is in flight.

    A foot that pivots or slides moves too fast to be told from one in the air by itself.
    """
    if len(height) < 8 or not soles:
        return down
    sections = butter(2, min(CUTOFF, 0.4 * rate), fs=rate, output="sos")
    smooth = sosfiltfilt(sections, height, padlen=min(len(height) - 1, round(rate)))
    falling = np.gradient(np.gradient(smooth, 1.0 / rate), 1.0 / rate) < HELD * GRAVITY
    low = np.array([sole[..., 2].min(axis=1) for sole in soles]).T  # (T, S)
    alone = ~down.any(axis=1) & ~falling & (low.min(axis=1) < RAISED)
    held = down.copy()
    held[alone, low[alone].argmin(axis=1)] = True
    return held


def _rolls(down: np.ndarray, sole: np.ndarray) -> np.ndarray:
    """Stances (T,) of a sole (T, k, 3) joined where the foot only rolled in between and stayed in its place."""
    joined, centre, low = down.copy(), sole.mean(axis=1)[:, :2], sole[..., 2].min(axis=1)
    for a, b in runs(~down):
        if a > 0 and b < len(down):
            away = norm(centre[a:b] - centre[a - 1], axis=1).max()
            back = norm(centre[b] - centre[a - 1])
            high = (low[a:b] - max(low[a - 1], low[b])).max()
            joined[a:b] = away < ROLLED and back < ROLLED / 2 and high < RAISED
    return joined


def _spans(times: np.ndarray, on: np.ndarray) -> Intervals:
    """Stances as intervals [s], without gaps and stances too short to mean anything."""
    joined: list[list[float]] = []
    for run in ([float(times[a]), float(times[b - 1])] for a, b in runs(on)):
        if joined and run[0] - joined[-1][1] < SHORTEST:
            joined[-1][1] = run[1]
        else:
            joined.append(run)
    last = float(times[-1])
    return tuple((a, b) for a, b in joined if b - a >= SHORTEST or a == 0.0 or b == last)
