"""load: read a motion file, decide what it means, and give it back clean."""

from __future__ import annotations

import math
from os import PathLike
from pathlib import Path

from poise.capture import axes, raw
from poise.capture.finish import finish
from poise.capture.intake import Intake
from poise.capture.work import Work
from poise.errors import BadInput


def load(path: str | PathLike[str], *, skeleton: str | PathLike[str] | None = None,
         metres_per_unit: float | None = None, up: str | None = None, rate: float | None = None,
         drop_first: bool | None = None, floor: float | None = None, thorax: bool | None = None,
         pops: bool | None = None, facing: float | None = None, reference: int | str | None = None,
         contact_speed: float | None = None, contact_height: float | None = None,
         progress: raw.Progress | None = None) -> Intake:  # fmt: skip
    """Read a BVH, AMC, ASF or C3D file and make sense of it. What is not given is guessed, and the guess reported.

    Args:
        path: The file.
        skeleton: The .asf file of an .amc file; the one beside it if not given.
        metres_per_unit: Size of the file's unit [m].
        up: File axis that points up: "X", "Y", "Z", "-X", "-Y" or "-Z".
        rate: Frames a second.
        drop_first: Whether the first frame is artificial and dropped.
        floor: Height of the floor along the file's up axis [m].
        thorax: Whether to put back the thorax bone that the common CMU conversion lost.
        pops: Whether to smooth over jumps of single frames.
        facing: Where the body faces in the first captured frame [degrees], counter-clockwise from above, from the file
            axis that follows the up axis (Y up: Z; Z up: X; X up: Y).
        reference: Frame of the file that shows a neutral stand, or "rest" for the pose with nothing turned.
        contact_speed: A heel or toe that is faster is not on the ground [m/s].
        contact_height: A heel or toe that is higher above where it rests is not on the ground [m].
        progress: Called now and then with the part of the file that is read, 0 to 1.

    Returns:
        The clean motion, every guess, and the way back to the file.
    """
    _finite(True, metres_per_unit=metres_per_unit, rate=rate)
    _finite(True, contact_speed=contact_speed, contact_height=contact_height)
    _finite(False, floor=floor, facing=facing)
    given = None if up is None else axes.name_of(axes.axis(up))
    work = Work(raw.read(Path(path), None if skeleton is None else Path(skeleton), progress))
    work.first_frame(drop_first)
    work.thorax(thorax)
    work.up(given)
    work.unit_and_rate(metres_per_unit, rate)
    work.pops(pops)
    work.reference(reference)
    work.facing(facing)
    work.floor(floor)
    work.contacts(contact_speed, contact_height)
    return finish(work)


def _finite(positive: bool, **values: float | None) -> None:
    for name, value in values.items():
        if value is not None and not (math.isfinite(value) and (value > 0 or not positive)):
            raise BadInput(f"{name} must be {'above zero' if positive else 'a finite number'}; given {value}")
