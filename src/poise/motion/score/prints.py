"""Footprints of a clip: where and when each sole stands, and how it tilts at the beginning and the end of a stance."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from poise.geometry import quat
from poise.geometry.easing import quintic
from poise.geometry.linear import running
from poise.motion.clip import Clip
from poise.motion.feet import stances
from poise.motion.score.manner import CAREFUL, Manner
from poise.motion.score.samples import DT, Samples

OVERLAP, FLY = 8, 12  # samples: least double support of a body that does not fly; longest gap that is none
STEP = 0.05  # [m]: soles that stand this much higher stand on something
FLAT = 0.12  # [rad]: a sole this near to its usual pitch lies flat
FEW = 4  # flat samples that a print needs; with fewer its edge stays in place, not its middle
RISE_TIME, RISE_MOST = 0.4, 0.9  # [s], [rad]: heel-off
STOOD = 15  # samples that another foot has stood when toes land first: after a jump a whole sole is needed
SMOOTH = 5  # samples to each side over which kinks are smoothed


@dataclass(frozen=True, eq=False)
class Print:
    """One stance of a sole, samples ``first`` to ``last`` of the clip."""

    sole: int  # 0 or 1: left, right
    first: int
    last: int
    place: np.ndarray  # (2,) of the sole's middle [m]
    heading: float  # [rad]
    level: float  # height of the ground there [m]
    lands: bool  # whether the clip shows it landing,
    lifts: bool  # and leaving


def pitch_of(turn: np.ndarray) -> np.ndarray:
    """Pitch (...) of soles with axes (..., 4), heel up [rad]."""
    ahead = quat.rotate(turn, np.array([1.0, 0.0, 0.0]))
    return np.arctan2(-ahead[..., 2], np.hypot(ahead[..., 0], ahead[..., 1]))


def heading_of(turn: np.ndarray) -> np.ndarray:
    """Heading (...) of soles with axes (..., 4) [rad]."""
    ahead = quat.rotate(turn, np.array([1.0, 0.0, 0.0]))
    return np.arctan2(ahead[..., 1], ahead[..., 0])


def prints_of(clip: Clip, samples: Samples, names: list[str], half: np.ndarray) -> tuple[list[Print], ...]:
    """Stances of each sole in order; ``half`` (S, 2) are half lengths and widths of the soles [m]."""
    return tuple(_prints(clip, samples, k, name, half[k, 0]) for k, name in enumerate(names))


def _prints(clip: Clip, samples: Samples, k: int, name: str, half: float) -> list[Print]:
    n, pitch, heading = len(samples.times), pitch_of(samples.turn[:, k]), heading_of(samples.turn[:, k])
    out = []
    for t0, t1 in stances(clip, name):
        first, last = (round((t - clip.start) / DT) for t in (t0, t1))
        first, last = max(first, 0), min(last, n - 1)
        if last <= first:
            continue
        span = slice(first, last + 1)
        place, way = _place(samples.x[span, k], pitch[span], heading[span], half)
        out.append(Print(k, first, last, place, way, 0.0, first > 0, last < n - 1))
    return out


def levelled(prints: tuple[list[Print], ...], samples: Samples, half: np.ndarray) -> tuple[list[Print], ...]:
    """Stances at the heights of what they stand on: the floor, or treads that the clip climbs.

    ``half`` (S, 2): half lengths of soles whose edges count where they stand on their toes; 0 for their middles.
    """
    every = [p for own in prints for p in own]
    if not every:
        return prints
    high = np.array([_high(p, samples, half[p.sole, 0]) for p in every])
    floor = float(np.median(high[high < high.min() + STEP]))
    found: list[list[int]] = []  # stances of each level, from the lowest up
    for i in np.argsort(high):
        if found and high[i] - np.mean(high[found[-1]]) < STEP:
            found[-1].append(int(i))
        else:
            found.append([int(i)])
    level = np.zeros(len(every))
    for group in found:
        up = float(np.mean(high[group])) - floor
        level[group] = up if up > STEP else 0.0
    at = iter(level)
    return tuple([replace(p, level=float(next(at))) for p in own] for own in prints)


def _high(p: Print, samples: Samples, half: float) -> float:
    """Height at which a sole stands: its middle, or the edge of one on its toes or its heel."""
    span = slice(p.first, p.last + 1)
    pitch, z = pitch_of(samples.turn[span, p.sole]), samples.x[span, p.sole, 2]
    steep = abs(float(np.median(pitch))) > 2 * FLAT
    return float(np.median(z - half * np.abs(np.sin(pitch)) if steep else z))


def handed_over(prints: tuple[list[Print], ...], loaded: np.ndarray) -> tuple[list[Print], ...]:
    """Stances that overlap where the body goes from one foot to the other without flying: ``loaded`` (n,).

    Labels of contact end before the load does, and a pressure cannot jump.
    """
    if len(prints) != 2:
        return prints
    n = len(loaded)
    first, last = ([[getattr(p, end) for p in own] for own in prints] for end in ("first", "last"))
    for k, i, p, j, q in _exchanges(prints):
        between = loaded[min(p.last, q.first) : max(p.last, q.first) + 1]
        if between.mean() > 0.5:
            more = OVERLAP + q.first - p.last
            last[k][i] = min(p.last + (more + 1) // 2, n - 1)
            first[1 - k][j] = max(q.first - more // 2, 0)
    return tuple(
        [replace(p, first=a, last=b, lifts=b < n - 1) for p, a, b in zip(own, first[k], last[k])]
        for k, own in enumerate(prints)
    )


def _exchanges(prints: tuple[list[Print], ...]) -> Iterator[tuple[int, int, Print, int, Print]]:
    """Foot and stance that ends where a stance of the other foot begins, too late or hardly in time."""
    for k, own in enumerate(prints):
        for i, p in enumerate(own):
            for j, q in enumerate(prints[1 - k]):
                if p.lifts and q.lands and p.first < q.first and -OVERLAP < q.first - p.last <= FLY:
                    yield k, i, p, j, q


def shared(prints: tuple[list[Print], ...], p: Print, tilt: float, longer: int = 0) -> bool:
    """Whether the other foot stands when this one comes, or goes where it is tilted over its toes, and has stood or
    will stand for some samples ``longer``."""
    others = [q for own in prints for q in own if q.sole != p.sole]
    if tilt > 0:
        return any(q.first <= p.last and (q.last >= p.last + longer or not q.lifts) for q in others)
    return any((q.first <= p.first - longer or not q.lands) and q.last >= p.first for q in others)


def on_toes(p: Print, others: Sequence[Print], manner: Manner = CAREFUL) -> bool:
    """Whether a sole may land on its toes: the clip shows it land, and one of the others has stood for a while."""
    return p.lands and manner.toes > 0.0 and any(q.first + STOOD < p.first <= q.last for q in others)


def comes(p: Print, i: float, others: Sequence[Print], manner: Manner = CAREFUL) -> bool:
    """Whether a sole that landed on its toes is still on its way down at a sample."""
    return on_toes(p, others, manner) and i < p.first + min(manner.lie / DT, 0.5 * (p.last - p.first))


def _place(x: np.ndarray, pitch: np.ndarray, heading: np.ndarray, half: float) -> tuple[np.ndarray, float]:
    """Middle and heading of a sole that should not have moved, from the samples in which it lies flat."""
    middle = slice(len(pitch) // 4, max(3 * len(pitch) // 4, len(pitch) // 4 + 1))
    base = float(np.median(pitch[middle]))
    flat = np.abs(pitch - base) < FLAT
    steep = abs(base) > 2 * FLAT
    unwrapped = np.unwrap(heading)
    if flat.sum() >= FEW and not steep:
        return np.median(x[flat, :2], axis=0), float(np.median(unwrapped[flat]))
    way = float(np.median(unwrapped))  # it stays on an edge: that one is kept
    ahead = np.stack([np.cos(unwrapped), np.sin(unwrapped)], axis=1)
    edge = np.sign(base) * half
    along = np.cos(pitch) * edge
    return np.median(x[:, :2] + along[:, None] * ahead, axis=0) - edge * np.array(
        [math.cos(way), math.sin(way)]
    ), way


def tilts(
    prints: list[Print], pitch: np.ndarray, manner: Manner = CAREFUL, others: Sequence[Print] = ()
) -> np.ndarray:
    """Pitch (n,) of one sole while it stands: heels or toes that land first, heels that are up, flat in between.

    Toes land first only where one of the ``others``, of the other foot, stands: after a flight a whole sole is needed.
    """
    out, base = np.zeros(len(pitch)), _usual(prints, pitch)
    for p in prints:
        span = slice(p.first, p.last + 1)
        own = pitch[span] - base
        tilt = without_kinks(np.minimum(manner.rise(own), RISE_MOST))
        k = min(round(RISE_TIME / DT), len(own)) if p.lifts else 0
        tilt[: len(own) - k] = 0.0  # a stiff sole that stays lies flat, whatever the ball of a foot did
        if k and k < len(own):
            tilt[-k:] *= quintic(np.linspace(0.0, 2.0, k).clip(0.0, 1.0))
        tilt[len(own) - k :] = np.maximum.accumulate(tilt[len(own) - k :])
        if p.lands:
            k = min(round(manner.lie / DT), len(own))
            lies = 1.0 - quintic(np.linspace(0.0, 1.0, k))
            strike = np.clip(own[:k], -manner.strike, 0.0) * lies
            tilt[:k] += np.minimum.accumulate(strike[::-1])[::-1] * (tilt[:k] == 0.0)
            if on_toes(p, others, manner):
                toes = np.minimum(manner.rise(own[:k]), manner.toes) * lies
                toes = np.maximum.accumulate(toes[::-1])[::-1]
                tilt[:k] = np.where(toes > 0.0, np.maximum(tilt[:k], toes), tilt[:k])
        out[span] = tilt
    return out


def _usual(prints: list[Print], pitch: np.ndarray) -> float:
    """Pitch of a sole that lies flat: captured feet are not quite level [rad]."""
    stood = np.concatenate([pitch[p.first : p.last + 1] for p in prints]) if prints else np.zeros(0)
    flat = stood[np.abs(stood) < 2 * FLAT]
    return float(np.clip(np.median(flat), -FLAT, FLAT)) if len(flat) >= FEW else 0.0


def without_kinks(x: np.ndarray) -> np.ndarray:
    """The same without kinks, none below zero, ends kept (k,)."""
    if len(x) < 5:
        return x
    k = min(SMOOTH, (len(x) - 1) // 2)
    kernel = np.hanning(2 * k + 3)[1:-1]
    padded = np.concatenate([2 * x[0] - x[k:0:-1], x, 2 * x[-1] - x[-2 : -k - 2 : -1]])
    return np.maximum(running(padded, kernel / kernel.sum()), 0.0)
