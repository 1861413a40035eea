"""Poses without measurement noise: a zero-phase low-pass filter over every joint."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from poise.errors import BadInput
from poise.motion import coordinates as layout
from poise.motion.clip import Clip

CUTOFF = 6.0  # [Hz] usual in gait analysis; see Winter, Biomechanics and Motor Control of Human Movement
ORDER = 2  # of the filter in each direction; forwards and backwards it counts twice
PAD = 1.0  # [s] of reflected motion before and after, so that the ends are filtered as well


def smoothed(clip: Clip, cutoff: float = CUTOFF) -> Clip:
    """The clip with what is faster than ``cutoff`` [Hz] taken out, without delay; its frames must be even.

    Quaternions are filtered number by number along their continuous path and made unit again, which differs from a
    filter on the sphere by less than the square of the angle that the filter removes.
    """
    from scipy.signal import butter, sosfiltfilt  # slow to import, and only motion files need it

    if len(clip.times) < 4:
        return clip
    steps = np.diff(clip.times)
    rate = 1.0 / steps.mean()
    if steps.max() - steps.min() > 1e-3 * steps.mean():
        raise BadInput("only a clip with even frames can be filtered; resample it first")
    if not cutoff > 0:
        raise BadInput(f"cut-off of {cutoff} Hz; give a number above zero")
    if cutoff >= 0.45 * rate:  # nothing that the frames could hold would be removed
        return clip
    sections = butter(ORDER, cutoff, fs=rate, output="sos")
    pad = min(len(clip.times) - 1, round(PAD * rate))
    if clip.loop:
        many = np.concatenate([clip.q[-1 - pad : -1], clip.q, clip.q[1 : 1 + pad]])
        q = sosfiltfilt(sections, many, axis=0, padlen=0)[pad : pad + len(clip.q)]
        q[-1] = q[0]
    else:
        q = sosfiltfilt(sections, clip.q, axis=0, padtype="odd", padlen=pad)
    return replace(clip, q=layout.aligned(clip.character.model, q))
