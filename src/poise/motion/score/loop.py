"""A stride as a score without end: a few rounds of one cycle, each the one before moved on along the way."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from poise.errors import BadInput
from poise.geometry import quat
from poise.geometry.linear import times
from poise.motion import coordinates as layout
from poise.motion.clip import Clip
from poise.motion.score import columns as cols
from poise.motion.score.fit import RATE
from poise.motion.score.manner import AGAIN, STRIDING
from poise.motion.score.prints import Print
from poise.motion.score.samples import DT
from poise.motion.score.score import Score, Tables, score_of
from poise.motion.stride import Stride, cycle_of

ROUNDS = 4  # of a loop's tables
PASSES = 2  # a score's momenta should be those of the poses that were fitted to it
MARGIN = 1  # rounds before and after the one that is kept: filters forget their ends sooner
BODY_POINTS, BODY_VECTORS = (cols.C, cols.P), (cols.V, cols.A, cols.H, cols.H_DOT, cols.SPIN)
SOLE_POINTS, SOLE_VECTORS = (cols.X,), (cols.X_DOT, cols.X_DDOT, cols.W, cols.W_DOT)

Move = tuple[np.ndarray, float]  # a turn about the origin [rad], then a shift (2,) [m]


@dataclass(frozen=True, eq=False)
class Loop(Score):
    """Rounds of a cycle that begins while both feet stand; the next round is the last one after ``on``."""

    period: int  # samples of a round
    on: Move
    first: float  # phase of the stride that it begins at
    speed: float  # [m/s]
    turn: float  # [rad/s]


def loop_of(stride: Stride, soles: list[int], half: np.ndarray, speed: float, turn: float = 0.0) -> Loop:
    """The score of a stride at a speed [m/s] and a turn [rad/s], without end."""
    period = 2 * round(0.5 * stride.seconds * math.sqrt(stride.speed / speed) / DT)
    T, first = period * DT, stride.both_down
    score = score_of(walked(stride, 2 * MARGIN + 1, period, speed, turn), soles, half, STRIDING)
    for _ in range(PASSES - 1):
        stride = cycle_of(score.clip, MARGIN * T, T, stride.gap)
        score = score_of(walked(stride, 2 * MARGIN + 1, period, speed, turn), soles, half, AGAIN)
    return _repeated(score, period, arc(speed, turn, T), first, (speed, turn))


def walked(stride: Stride, rounds: int, period: int, speed: float, turn: float) -> Clip:
    """Rounds of a stride along an arc, from the middle of a double support on, a frame a sample."""
    first = stride.both_down
    phases = np.arange(rounds * period + 1) / period
    q = stride.pose(phases + first, speed / stride.speed)
    T = period * DT
    q = np.array([layout.relocated(p, *arc(speed, turn, T * phase)) for p, phase in zip(q, phases)])
    contacts = {name: _spans(a - first, b - first, rounds, T) for name, (a, b) in stride.stands.items()}
    return Clip(stride.character, T * phases, q, contacts=contacts)


def arc(speed: float, turn: float, t: float) -> Move:
    """Where a base is that started at the origin along x, t [s] ago."""
    angle = turn * t
    chord = speed * t * float(np.sinc(0.5 * angle / math.pi))
    return chord * np.array([math.cos(0.5 * angle), math.sin(0.5 * angle)]), angle


def _spans(land: float, lift: float, rounds: int, T: float) -> tuple[tuple[float, float], ...]:
    """Stances [s] of some rounds that are alike."""
    spans = [(max(land + i, 0.0), min(lift + i, rounds)) for i in range(-3, rounds + 1)]
    return tuple((a * T, b * T) for a, b in spans if b > a)


def _repeated(score: Score, n: int, on: Move, first: float, pace: tuple[float, float]) -> Loop:
    """The middle round again and again."""
    moves = [_power(on, i - MARGIN) for i in range(ROUNDS + 1)]
    middle = slice(MARGIN * n, (MARGIN + 1) * n)

    def again(rows: np.ndarray, points, vectors, turn=None) -> np.ndarray:
        many = [_carried(rows[middle], move, points, vectors, turn) for move in moves]
        return np.vstack([*many[:-1], many[-1][:1]])

    body = again(score.tables.body, BODY_POINTS, BODY_VECTORS)
    soles = np.array([again(rows, SOLE_POINTS, SOLE_VECTORS, cols.TURN) for rows in score.tables.soles])
    for rows in soles:
        rows[:, cols.TURN] = quat.align(rows[:, cols.TURN])
    each = round(n * DT * RATE)
    one = score.clip.q[MARGIN * each : (MARGIN + 1) * each]
    poses = [layout.relocated(one, *move) for move in moves]
    q = np.vstack([*poses[:-1], poses[-1][:1]])
    clip = Clip(score.clip.character, np.linspace(0.0, ROUNDS * n * DT, len(q)), q)
    prints = tuple(_prints(own, n, on) for own in score.prints)
    shift = np.tile(score.shift[middle], (ROUNDS, 1))
    kicks = np.resize(score.kicks[middle], len(body))
    same = vars(score) | {
        "clip": clip,
        "prints": prints,
        "tables": Tables(body, soles),
        "shift": shift,
        "kicks": kicks,
    }
    return Loop(**same, period=n, on=on, first=first, speed=pace[0], turn=pace[1])


def _power(on: Move, k: int) -> Move:
    """A move done k times, backwards where k < 0."""
    place, angle = np.zeros(2), 0.0
    for _ in range(abs(k)):
        place, angle = place + _turned(on[0], angle), angle + on[1]
    return (place, angle) if k >= 0 else (-_turned(place, -angle), -angle)


def _turned(u: np.ndarray, angle: float) -> np.ndarray:
    """Vectors (..., 2) after a turn."""
    c, s = math.cos(angle), math.sin(angle)
    return times(u, [[c, s], [-s, c]])


def _carried(rows: np.ndarray, move: Move, points, vectors, turn: slice | None = None) -> np.ndarray:
    """Rows of a table after a move of what they tell of."""
    out, (shift, angle) = rows.copy(), move
    for column in (*points, *vectors):
        level = slice(column.start, column.start + 2)
        out[:, level] = _turned(rows[:, level], angle)
    for column in points:
        out[:, column.start : column.start + 2] += shift
    if turn is not None:
        out[:, turn] = quat.multiply(quat.from_rotvec(np.array([0.0, 0.0, angle])), rows[:, turn])
    return out


def _prints(own: list[Print], n: int, on: Move) -> list[Print]:
    """A print a round, from the one on at the beginning to the last that lands."""
    whole = [p for p in own if p.lands and p.lifts and p.first >= (MARGIN - 1) * n + n // 2]
    if not whole:
        raise BadInput("a foot of the stride never stands: it cannot be walked on")
    p, last = whole[0], ROUNDS * n
    out = []
    for k in range(-2, ROUNDS + 1):
        back = k - MARGIN
        shift, angle = _power(on, back)
        first, end = p.first + back * n, p.last + back * n
        if end <= 0 or first > last:
            continue
        place = _turned(p.place, angle) + shift
        out.append(
            replace(
                p, first=max(first, 0), last=min(end, last), place=place, heading=p.heading + angle,
                lands=first > 0, lifts=end < last,
            )
        )  # fmt: skip
    return out
