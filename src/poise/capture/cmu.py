"""What is known of the files of the CMU Motion Capture Database beside what they say."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

HZ = 120.0
SLOW_HZ = 60.0  # of these, by the published list and by flights that fall with g at this rate only
SLOW_SUBJECTS = frozenset({33, 34, 42, 60, 61, 62, 74, 75, 77, 79, 80, 87, 88, 89, 141, 143})
SLOW_TAKES = frozenset({(90, 8), (90, 9), (90, 11)})
# Joints that only these skeletons have: as in the database and its conversions for MotionBuilder and 3ds Max; for Daz.
MARKS = ({"lhipjoint", "rhipjoint", "lowerback"}, {"lbuttock", "rbuttock", "abdomen"})


def is_cmu(names: Iterable[str]) -> bool:
    """Whether a skeleton is the database's own, by names of joints that no other has."""
    known = {name.lower() for name in names}
    return any(marks <= known for marks in MARKS)


def rate(path: Path) -> tuple[float, str] | None:
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
    return HZ, f"CMU list, by file name: subject {subject} was captured at 120 Hz"
