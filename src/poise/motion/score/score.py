"""Score: what of a clip a body can be asked for, sampled evenly, and what had to be changed to make it possible."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from poise.character.constants import GRAVITY
from poise.geometry import quat
from poise.geometry.linear import running
from poise.geometry.polygon import hull
from poise.motion.clip import Clip
from poise.motion.score import columns as cols
from poise.motion.score.doubts import why_not
from poise.motion.score.filter import shifted
from poise.motion.score.fit import fitted, lowered, refitted
from poise.motion.score.kicks import kicking
from poise.motion.score.manner import CAREFUL, Manner
from poise.motion.score.parting import part
from poise.motion.score.paths import path_of
from poise.motion.score.prints import Print, comes, handed_over, levelled, pitch_of, prints_of, shared, tilts
from poise.motion.score.samples import DT, Samples, calmed, leaning, sampled
from poise.records import Cube, Matrix, Record

STEEP = 0.02  # [rad] of a sole that rolls off as another takes over
INSET = 0.5  # part of a sole's half length that the pressure may use
ROOM = 0.03  # about the place on a sole where a rolling load should be, in half lengths
LIGHT = 0.4  # of the weight: with less on the ground a pressure means nothing
LIGHTEST = 0.3  # as little is counted where a foot stands while the other one kicks
SMOOTH = 20  # samples to each side over which a change of level is spread
CORNERS = 9
ROUNDS = 2  # in which legs are parted
ROUND = 1.0  # [s] before and after a flight or a kick
ABOUT = 0.2  # [s] before and after an instant: what the clip does then is to be expected


class Tables(Record):
    """The samples, for compiled code: a row an instant, ``DT`` apart."""

    body: Matrix  # (n, 19) c, ċ, c̈, H, Ḣ, p, spin: what Ḣ moves the pressure by
    soles: Cube  # (2, n, 22) x, ẋ, ẍ, axes, ω, ω̇, pitch with rate and acceleration while it stands

    def __init__(self, body: np.ndarray, soles: np.ndarray):
        self.body, self.soles = np.ascontiguousarray(body), np.ascontiguousarray(soles)
        self.seal()


@dataclass(frozen=True, eq=False)
class Score:
    """Footprints and what happens between them.

    Attributes:
        clip: Poses, of which the upper body and the turning of the root are followed.
        prints: Stances of the left and of the right sole, in order.
        tables: Samples of the rest.
        raised: By which the clip was lifted so that its soles do not sink [m].
        shift: (n, 2) by which the centre of mass was moved [m].
        doubt: Why feet alone cannot follow it, with the times; None where nothing speaks against it.
        kicks: (n,) whether it kicks about then.
    """

    clip: Clip
    prints: tuple[list[Print], ...]
    tables: Tables
    raised: float
    shift: np.ndarray
    doubt: str | None
    kicks: np.ndarray

    def __deepcopy__(self, memo: dict[int, object]) -> Score:
        """Itself: it never changes."""
        return self

    @property
    def count(self) -> int:
        return len(self.tables.body)

    @cached_property
    def trunk(self) -> tuple[np.ndarray, np.ndarray]:
        """An axis of the trunk (3,), upright at first, and where it points at every sample (n, 3)."""
        return leaning(self.clip, self.count)

    @cached_property
    def steady(self) -> np.ndarray:
        """Whether it neither flies nor kicks (n,) within ``ROUND`` of each sample."""
        k, quick = round(ROUND / DT), self.kicks | ~_standing(self.count, self.prints)
        return running(np.pad(quick, k), np.ones(2 * k + 1)) < 0.5

    @cached_property
    def sinking(self) -> np.ndarray:
        """Least speed upward of the centre of mass (n,) within ``ABOUT`` of each sample [m/s]."""
        about = round(ABOUT / DT)
        up = np.pad(self.tables.body[:, cols.V][:, 2], about, mode="edge")
        return np.lib.stride_tricks.sliding_window_view(up, 2 * about + 1).min(axis=1)


def score_of(clip: Clip, soles: list[int], half: np.ndarray, manner: Manner = CAREFUL) -> Score:
    """The score of a clip on flat ground; ``soles`` are the indices of the left and right support."""
    names = [clip.character.supports[s].name for s in soles]
    samples = sampled(clip, soles)
    prints = prints_of(clip, samples, names, half)
    prints = levelled(prints, samples, half if manner.toes else np.zeros_like(half))
    kicks = kicking(samples.x[..., 2], samples.c[:, 2])
    doubt = why_not(clip, samples, prints)
    prints = handed_over(prints, samples.f[:, 2] > LIGHT * clip.character.mass * GRAVITY)
    if manner.bounce:
        calmed(samples, clip.character.mass, manner.bounce)
    raised = _sunk(samples, prints)
    samples.c[:, 2] += raised
    samples.x[..., 2] += raised
    tilt = np.array(
        [tilts(own, pitch_of(samples.turn[:, k]), manner, prints[1 - k]) for k, own in enumerate(prints)]
    )
    paths = [path_of(samples, k, own, tilt[k], half[k], manner) for k, own in enumerate(prints)]
    body, shift = _body(samples, clip.character.mass, prints, tilt, half, manner, kicks)
    rows = np.stack([_sole(x, turn, tilt[k], prints[k]) for k, (x, turn) in enumerate(paths)])
    clip = fitted(clip, soles, body, rows, raised, manner)
    for _ in range(ROUNDS if manner.room else 0):
        moved = part(clip, soles, prints, rows, manner.room)
        clip = refitted(clip, soles, body, rows, moved, manner) if moved.any() else clip
    lowered(clip, body)
    return Score(clip, prints, Tables(body, rows), raised, shift, doubt, kicks)


def _sunk(samples: Samples, prints: tuple[list[Print], ...]) -> float:
    """Median depth of standing soles below the ground [m]."""
    depths = [np.median(samples.x[p.first : p.last + 1, p.sole, 2]) - p.level for own in prints for p in own]
    return -float(np.median(depths)) if depths else 0.0


def _body(
    samples: Samples, m: float, prints, tilt: np.ndarray, half: np.ndarray, manner: Manner, kicks: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Rows c, ċ, c̈, H, Ḣ, p, spin of a body whose pressure lies in its support, and the shift that took."""
    stands = kicks & _standing(len(kicks), prints)
    light = ~stands & (samples.f[:, 2] < LIGHT * m * GRAVITY)
    push = np.maximum(samples.f[:, 2], np.where(stands, LIGHTEST, LIGHT) * m * GRAVITY)
    load = np.minimum(push / (LIGHT * m * GRAVITY), 1.0)
    kappa = (samples.c[:, 2] - _ground(len(push), prints)) / (push / m)
    spin = np.stack([-samples.H_dot[:, 1], samples.H_dot[:, 0]], axis=1) / push[:, None]
    p = samples.c[:, :2] - kappa[:, None] * samples.f[:, :2] / m + spin
    areas, sizes = areas_of(len(p), prints, tilt, half, manner)
    sizes[light] = 0
    x = shifted(p, kappa, areas, sizes, DT, load)
    x_dot = np.gradient(x, DT, axis=0)
    x_ddot = np.zeros_like(x)
    x_ddot[1:-1] = (x[2:] - 2 * x[1:-1] + x[:-2]) / DT**2
    c, v, a = samples.c.copy(), samples.v.copy(), samples.f / m - np.array([0.0, 0.0, GRAVITY])
    c[:, :2] += x
    v[:, :2] += x_dot
    a[:, :2] += x_ddot
    p += x - kappa[:, None] * x_ddot
    return np.hstack([c, v, a, samples.H, samples.H_dot, p, spin]), x


def _standing(n: int, prints) -> np.ndarray:
    """Whether any sole stands (n,)."""
    stands = np.zeros(n, bool)
    for p in (p for own in prints for p in own):
        stands[p.first : p.last + 1] = True
    return stands


def _ground(n: int, prints) -> np.ndarray:
    """Height of what the body stands on (n,), smooth: the mean level of its feet."""
    sums, count = np.zeros(n), np.zeros(n)
    for p in (p for own in prints for p in own):
        sums[p.first : p.last + 1] += p.level
        count[p.first : p.last + 1] += 1
    known = np.flatnonzero(count)
    if not len(known) or not sums.any():
        return np.zeros(n)
    level = np.interp(np.arange(n), known, sums[known] / count[known])
    window = np.hanning(2 * SMOOTH + 1)
    return running(np.pad(level, SMOOTH, mode="edge"), window / window.sum())


def areas_of(
    n: int, prints, tilt: np.ndarray, half: np.ndarray, manner: Manner = CAREFUL
) -> tuple[np.ndarray, np.ndarray]:
    """Support (n, CORNERS, 2) at every sample, drawn in sole by sole, with the number (n,) of its corners."""
    areas, sizes = np.zeros((n, CORNERS, 2)), np.zeros(n, int)
    for i in range(n):
        stands = [
            (p, _corners(p, tilt[k, i], half[k], prints, manner, i))
            for k, own in enumerate(prints)
            for p in own
            if p.first <= i <= p.last
        ]
        if manner.roll is not None and len(stands) == 2:
            area = _between(i + manner.ahead / DT, *stands)
            areas[i, : len(area)], sizes[i] = area, len(area)
        elif stands:
            area = hull(np.vstack([points for _, points in stands]))
            areas[i, : len(area)], sizes[i] = area, len(area)
    return areas, sizes


def _between(i: float, one: tuple[Print, np.ndarray], two: tuple[Print, np.ndarray]) -> np.ndarray:
    """Where the pressure should be on its way from the foot that leaves to the one that has come."""
    (old, leaves), (new, comes) = sorted((one, two), key=lambda stand: stand[0].last)
    s = min(max((i - new.first) / max(old.last - new.first, 1), 0.0), 1.0)
    s = s * s * (3.0 - 2.0 * s)
    return hull((1.0 - s) * leaves + s * comes)


def _edge(p: Print, tilt: float, prints, manner: Manner, i: int) -> tuple[float, float]:
    """Where the pressure of a tilted sole is, in half lengths, and from which tilt on [rad].

    Where another foot takes over or hands over it may be at the very edge: the next step mends what goes wrong.
    """
    way = -1.0 if comes(p, i, prints[1 - p.sole], manner) else tilt
    return (1.0, STEEP) if shared(prints, p, way) else (manner.edge, manner.steep)


def _load(p: Print, i: int, manner: Manner) -> tuple[float, float]:
    """Where on a flat sole the load should be at a sample, in half lengths, and the room about it."""
    if manner.roll is None:
        return 0.0, INSET
    return float(np.interp((i - p.first) / (p.last - p.first), *manner.roll)), ROOM


def _corners(p: Print, tilt: float, half: np.ndarray, prints, manner: Manner, i: int) -> np.ndarray:
    """Corners of the part of a sole that may carry at a sample; of a tilted one the edge that it turns about."""
    ahead = np.array([np.cos(p.heading), np.sin(p.heading)])
    side = np.array([-ahead[1], ahead[0]])
    edge, steep = _edge(p, tilt, prints, manner, i)
    up, edge = min(abs(tilt) / steep, 1.0), edge * np.sign(tilt)
    middle, room = _load(p, i, manner)
    along = (up * edge + (1.0 - up) * (middle - room), up * edge + (1.0 - up) * (middle + room))
    return np.array(
        [p.place + a * half[0] * ahead + b * manner.aside * half[1] * side for a in along for b in (-1, 1)]
    )


def _sole(x: np.ndarray, turn: np.ndarray, tilt: np.ndarray, prints: list[Print]) -> np.ndarray:
    """Rows of one sole: place and axes with rates and accelerations, and its pitch on the print."""
    step = quat.to_rotvec(quat.multiply(turn[1:], quat.conjugate(turn[:-1]))) / DT
    w = np.vstack([step[:1], 0.5 * (step[1:] + step[:-1]), step[-1:]])
    v, rolls = np.gradient(x, DT, axis=0), np.stack([tilt, 0 * tilt, 0 * tilt], axis=1)
    for p in prints:  # stance by stance: a tilt ends with its stance
        span = slice(p.first, p.last + 1)
        if p.last - p.first > 1:
            rolls[span, 1] = np.gradient(tilt[span], DT)
            rolls[span, 2] = np.gradient(rolls[span, 1], DT)
    return np.hstack([x, v, np.gradient(v, DT, axis=0), turn, w, np.gradient(w, DT, axis=0), rolls])
