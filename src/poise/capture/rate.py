"""The true frame rate: what makes flights fall with g, else what is known of the file, else its header."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from poise.capture.flight import Flight
from poise.capture.raw import Raw
from poise.character.constants import GRAVITY

USUAL = (12.0, 15.0, 23.976, 24.0, 25.0, 29.97, 30.0, 48.0, 50.0, 59.94, 60.0, 72.0, 75.0, 90.0, 100.0, 119.88, 120.0,
         125.0, 144.0, 150.0, 180.0, 200.0, 240.0, 250.0, 300.0, 480.0, 500.0, 1000.0)  # fmt: skip
COMMON = (24.0, 25.0, 30.0, 50.0, 60.0, 90.0, 100.0, 120.0, 200.0, 240.0)  # that a wrong header may hide
SAME_RATE = 5e-4  # a header of five digits is that near to a usual rate
FITS = 0.12  # a rate fits a flight when it is this near to the one that gives g
UNKNOWN_HZ = 120.0
CMU_HZ = 120.0  # of the CMU Motion Capture Database,
SLOW_HZ = (
    60.0  # of these files of it, by the published list and by flights that fall with g at this rate only
)
SLOW_SUBJECTS = frozenset({33, 34, 42, 60, 61, 62, 74, 75, 77, 79, 80, 87, 88, 89, 141, 143})
SLOW_TAKES = frozenset({(90, 8), (90, 9), (90, 11)})
# Joints that only these skeletons have: as in the database and its conversions for MotionBuilder and 3ds Max; for Daz.
MARKS = ({"lhipjoint", "rhipjoint", "lowerback"}, {"lbuttock", "rbuttock", "abdomen"})


def header(hz: float) -> float:
    """A header's rate, as the usual one that it stands for: 1 / 0.0083333 is 120."""
    near = min(USUAL, key=lambda u: abs(u / hz - 1))
    return near if abs(near / hz - 1) < SAME_RATE else hz


def fall(flights: list[Flight], scale: float) -> float | None:
    """How fast the flights fall [m per frame²]: their median, longer ones counting more; None without flights."""
    if not flights:
        return None
    falls = np.repeat([f.fall for f in flights], [f.frames for f in flights])
    return float(np.median(falls)) * scale


def guess(raw: Raw, flights: list[Flight], scale: float) -> tuple[float, str]:
    """Frames a second and why."""
    said = None if raw.hz is None else header(raw.hz)
    known = cmu_rate(raw.path) if is_cmu(raw.bvh.names) else None
    dropped = fall(flights, scale)
    if dropped is not None:
        wanted = float(np.sqrt(GRAVITY / dropped))
        answer = _by_flight(wanted, said, known[0] if known else None, dropped, len(flights))
        if answer is not None:
            return answer
    if known is not None and (said is None or said == CMU_HZ):
        return known
    if said is not None:
        checked = "no flight to check it" if dropped is None else "no usual rate fits the flights"
        return said, f"header; {checked}"
    return UNKNOWN_HZ, "the format has no rate; 120 Hz assumed"


def is_cmu(names: Iterable[str]) -> bool:
    """Whether a skeleton is the database's own, by names of joints that no other has."""
    known = {name.lower() for name in names}
    return any(marks <= known for marks in MARKS)


def cmu_rate(path: Path) -> tuple[float, str] | None:
    """Frames a second of a take by the name of its file (`77_09`), and why; None for another name."""
    match = re.fullmatch(r"0*(\d{1,3})_0*(\d{1,3})(\D.*)?", path.stem)
    if match is None:
        return None
    subject, take = int(match[1]), int(match[2])
    if (subject, take) in SLOW_TAKES:
        return SLOW_HZ, f"CMU list, by file name: take {subject}_{take:02d} was captured at 60 Hz"
    if subject in SLOW_SUBJECTS:
        most = "most takes of " if subject == 87 else ""
        return SLOW_HZ, f"CMU list, by file name: {most}subject {subject} was captured at 60 Hz"
    return CMU_HZ, f"CMU list, by file name: subject {subject} was captured at 120 Hz"


def _by_flight(
    wanted: float, said: float | None, known: float | None, dropped: float, count: int
) -> tuple[float, str] | None:
    """The header's rate or the known one if flights agree, else the common rate that they want."""
    for hz, who in ((said, "header"), (known, "CMU list")):
        if hz is not None and abs(hz / wanted - 1) < FITS:
            return hz, f"{who}; {_flights(count)} with {dropped * hz**2:.1f} m/s² at that rate"
    hz = min(COMMON, key=lambda u: abs(np.log(u / wanted)))
    if abs(hz / wanted - 1) > FITS:
        return None
    at_header = "" if said is None else f", with {dropped * said**2:.1f} m/s² at the header's {said:g} Hz"
    return hz, f"{_flights(count)} with {dropped * hz**2:.1f} m/s² at that rate{at_header}"


def _flights(count: int) -> str:
    return "one flight falls" if count == 1 else f"{count} flights fall"
