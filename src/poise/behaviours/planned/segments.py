"""A motion cut in the middle of double supports, and a feedback controller for each piece, with some overlap."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from itertools import pairwise
from os import PathLike
from typing import Any

import numpy as np

from poise.behaviours.planned.ddp import NoPlan, solve
from poise.behaviours.planned.policy import Policy, policy
from poise.behaviours.planned.problem import Problem, Weights
from poise.behaviours.planned.reference import Reference
from poise.errors import BadInput
from poise.files import load_arrays, save_arrays
from poise.motion.parts import runs

OVERLAP = 20  # frames by which a piece begins before the cut
LONGEST = 130  # frames of a piece without a double support to cut at
GLIMPSE = 16  # frames of a stance that is worth landing on
SHORTEST = 24  # frames between two cuts
FORMAT = "poise-plan 2"


@dataclass(frozen=True, eq=False)
class Segment:
    """One piece: frames [start, cut, end] of the reference, its feedback, and how it was found.

    The piece is planned from ``start`` (the cut before it, less the overlap) to ``end``, the next cut. Its last landing
    is ``landing`` frames before its end; zero where no foot lands in it.
    """

    start: int
    cut: int
    end: int
    policy: Policy
    iterations: int
    cost: float
    landing: int


@dataclass(frozen=True, eq=False)
class Controller:
    """All pieces of a motion. ``digest`` names the clip and body they were made for."""

    segments: tuple[Segment, ...]
    weights: Weights
    digest: str
    notes: tuple[str, ...] = ()

    @property
    def frames(self) -> int:
        """Frames planned, overlaps counted."""
        return sum(s.policy.frames for s in self.segments)

    def save(self, path: str | PathLike[str]) -> None:
        """Write to an .npz file."""
        arrays: dict[str, Any] = {}
        head = {"format": FORMAT, "digest": self.digest, "weights": vars(self.weights), "notes": self.notes}
        head["segments"] = [[s.start, s.cut, s.end, s.iterations, s.cost, s.landing] for s in self.segments]
        for i, segment in enumerate(self.segments):
            for f in fields(Policy):
                arrays[f"{i}/{f.name}"] = np.asarray(getattr(segment.policy, f.name))
        save_arrays(path, head=np.array(json.dumps(head)), **arrays)

    @classmethod
    def load(cls, path: str | PathLike[str], reference: Reference | None = None) -> Controller:
        """Read a file; with ``reference``, refuse it when it was made for another clip or body."""
        held = load_arrays(path, "is not a plan, or it is damaged", "head")
        try:
            head = json.loads(str(held["head"]))
            if head.get("format") != FORMAT:
                raise BadInput(f"'{path}' is not a plan of this version: format {head.get('format')!r}")
            segments = tuple(_segment(held, i, row) for i, row in enumerate(head["segments"]))
        except (ValueError, KeyError, TypeError) as error:
            raise BadInput(f"'{path}' is not a plan, or it is damaged ({error})") from error
        if reference is not None and head["digest"] != reference.digest():
            raise BadInput(f"plan '{path}' was made for another clip or body; plan again")
        return cls(segments, Weights(**head["weights"]), head["digest"], tuple(head["notes"]))


def _segment(held: dict[str, np.ndarray], i: int, row: list) -> Segment:
    values: dict[str, Any] = {f.name: held[f"{i}/{f.name}"] for f in fields(Policy)}
    values = {name: float(v) if v.ndim == 0 else v for name, v in values.items()}
    start, cut, end, iterations, cost, landing = row
    return Segment(start, cut, end, Policy(**values), iterations, cost, landing)


def cuts(ref: Reference) -> list[int]:
    """Frames to cut at: the middle of each double support that is not a long stand, and stands in pieces.

    What comes before the first and after the last double support is left out where a step at least is in between: a
    motion that begins on one foot in mid-air cannot be planned from there.
    """
    known = np.zeros(ref.feet.on.shape[:2], bool)
    for stance in ref.feet.stances:  # a glimpse of a stance at the border of a clip has no sure footprint
        if stance.last - stance.first >= GLIMPSE:
            known[stance.first : stance.last + 1, stance.support] = True
    both = np.asarray(known.all(axis=1))
    marks: list[int] = []
    for a, past in runs(both):
        b = past - 1
        pieces = max(1, round((b - a) / LONGEST))
        shares = (0.5,) if pieces == 1 else range(pieces + 1)
        inner = [round(a + (b - a) * i / pieces) for i in shares]
        marks += [k for k in inner if not marks or k - marks[-1] >= SHORTEST]
    if len(marks) < 2:
        marks = [0, ref.frames - 1]
    out = marks[:1]
    for a, b in pairwise(marks):  # a long time on one foot
        pieces = max(1, round((b - a) / LONGEST)) if b - a > 1.5 * LONGEST else 1
        out += [round(a + (b - a) * i / pieces) for i in range(1, pieces + 1)]
    return out


def problem(
    ref: Reference, start: int, end: int, weights: Weights, mu: float, x: np.ndarray | None = None
) -> Problem:
    """The piece from frame ``start`` to ``end`` as a problem of its own, from the reference's state or from x (12,)."""
    most = ref.feet.on.shape[1] * ref.feet.on.shape[2]
    on = ref.feet.on[start : end + 1].reshape(-1, most)
    corners = ref.feet.corners[start : end + 1].reshape(-1, most, 3)
    points, count = pack(on, corners)
    states, begin = ref.x[start : end + 1], ref.x[start] if x is None else x
    return Problem(
        states, ref.x_dot[end], points, count, ref.character.mass, ref.h, mu, weights, start=begin,
    )  # fmt: skip


def _landing(ref: Reference, start: int, end: int) -> int:
    """How many frames before ``end`` the last foot lands that does so after ``start``."""
    return min((end - s.first for s in ref.feet.stances if start < s.first < end), default=0)


def pack(on: np.ndarray, corners: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Points (T, P, 3), those that carry first, and their number (T,)."""
    order = np.argsort(~on, axis=1, kind="stable")
    return np.take_along_axis(corners, order[..., None], axis=1).copy(), on.sum(axis=1).astype(np.int64)


def controller(
    ref: Reference,
    weights: Weights | None = None,
    mu: float = 0.8,
    overlap: int = OVERLAP,
    joined: bool = True,
) -> Controller:
    """Plan every piece of a motion, each from where the piece before it leads (``joined``), or from the reference.

    It ends, with a note, before a piece that has no solution (the first: NoPlan).
    """
    weights = weights or Weights()
    marks = cuts(ref)
    segments: list[Segment] = []
    notes = []
    for a, b in pairwise(marks):
        start = max(a - overlap, marks[0])
        x = segments[-1].policy.X[start - segments[-1].start] if segments and joined else None
        try:
            plan = solve(problem(ref, start, b, weights, mu, x))
        except NoPlan as error:
            why = f"frames {a} to {b} of the clip ({a * ref.h:.2f}-{b * ref.h:.2f} s) cannot be planned: {error}"
            if not segments:
                raise NoPlan(why, error.plan) from None
            notes.append(f"{why}; the motion ends there")
            break
        segments.append(Segment(start, a, b, policy(plan), plan.iterations, plan.cost, _landing(ref, a, b)))
    return Controller(tuple(segments), weights, ref.digest(), tuple(notes))
