"""Guess: one thing the importer decided about a file, why, and how to decide otherwise."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Guess:
    """One decision.

    Attributes:
        what: What was decided, e.g. "metres per unit".
        value: The decision, as text for a reader.
        evidence: What in the file speaks for it.
        override: Argument of :func:`poise.capture.load` that sets it by hand, e.g. "metres_per_unit=0.01".
    """

    what: str
    value: str
    evidence: str
    override: str
