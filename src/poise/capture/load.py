"""load: read a motion file, decide what it means, and give it back clean."""

from __future__ import annotations

from dataclasses import replace
from os import PathLike
from pathlib import Path

import numpy as np

from poise.capture import axes, raw
from poise.capture.anatomy.feet import Foot
from poise.capture.decisions import Decisions, about_z
from poise.capture.intake import Footfalls, Intake, Placing
from poise.capture.scan import Scan
from poise.gate import LONGEST, gate, number, within
from poise.geometry import quat
from poise.geometry.skeleton import Capture, Skeleton

SLOWEST_HZ, FASTEST_HZ = 1.0, 1e5  # frames a second that a motion can be read from
RANGES = {  # of what may be given
    "metres_per_unit": (1e-6, 1e4), "rate": (SLOWEST_HZ, FASTEST_HZ), "contact_speed": (1e-6, 1e3),
    "contact_height": (1e-6, 1e2), "floor": (-1e4, 1e4), "facing": (-1e4, 1e4),
}  # fmt: skip


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
    given = {"metres_per_unit": metres_per_unit, "rate": rate, "contact_speed": contact_speed,
             "contact_height": contact_height, "floor": floor, "facing": facing}  # fmt: skip
    for name, value in given.items():
        if value is not None:
            number(name, value, *RANGES[name])
    with gate(f"'{path}' cannot be understood"):
        read = raw.read(Path(path), None if skeleton is None else Path(skeleton), progress)
        return _decided(
            read, None if up is None else axes.name_of(axes.axis(up)), metres_per_unit, rate, drop_first, floor, thorax,
            pops, facing, reference, contact_speed, contact_height,
        )  # fmt: skip


def _decided(
    read,
    up,
    metres_per_unit,
    rate,
    drop_first,
    floor,
    thorax,
    pops,
    facing,
    reference,
    contact_speed,
    contact_height,
) -> Intake:
    """Every decision in its turn."""
    work = Decisions(read)
    work.first_frame(drop_first)
    work.thorax(thorax)
    work.up(up)
    work.unit_and_rate(metres_per_unit, rate)
    within(f"'{read.path}' at {work.hz:g} Hz", len(read) / work.hz, LONGEST, "seconds")
    number(f"'{read.path}': frame rate [Hz]", work.hz, SLOWEST_HZ, FASTEST_HZ)
    work.pops(pops)
    work.reference(reference)
    work.facing(facing)
    work.floor(floor)
    work.contacts(contact_speed, contact_height)
    return _intake(work)


def _intake(work: Decisions) -> Intake:
    """The clean motion with everything that was decided about it."""
    first = work.scan.first
    work.scan = Scan(replace(work.scan.raw), first, work.scan.limbs)  # without its world, to make room
    raw, b = work.scan.raw, work.scan.raw.bvh
    extra = quat.rotate(work.axes, work.extra) * work.scale
    shift = np.array([0.0, 0.0, -work.floor_m])
    placing = Placing(work.axes, work.turn, work.scale, shift, extra)
    mended = replace(placing, extra=np.zeros_like(extra))  # what was read has its thorax by now
    offsets, ends = placing.vectors(b.offsets), placing.vectors(b.ends)
    skeleton = Skeleton(b.names, b.parents, offsets, ends, b.end_parents)
    motion = mended.clean(raw.rotations[first:], raw.positions[first:])
    turned, places = _stand(work, skeleton, mended)
    return Intake(
        capture=Capture(skeleton, np.arange(len(raw) - first) / work.hz, *motion),
        source=work.source,
        guesses=tuple(work.guesses),
        notes=tuple(work.notes),
        metres_per_unit=work.scale,
        up_axis=work.up_axis,
        header_hz=work.header_hz,
        true_hz=work.hz,
        tpose_first_frame=bool(first),
        floor_m=work.floor_m,
        thorax_repaired=work.repaired,
        pops=work.pop_list,
        contacts=_by_joint(work),
        feet=tuple(_footfalls(work, foot) for foot in work.feet),
        reference=turned,
        reference_positions=places,
        markers=raw.markers,
        template=work.template,
        placing=placing,
    )


def _by_joint(work: Decisions) -> dict[str, np.ndarray]:
    """Contacts by joint; a tip that is a heel, on a leg without a foot, counts for the joint above it."""
    names, parents = work.scan.raw.bvh.names, work.scan.limbs.tree.parents
    heels = {foot.heel for foot in work.feet}
    own = {p: p if p < len(names) else int(parents[p]) for p in work.touches if p < len(names) or p in heels}
    return {names[joint]: work.touches[p] for p, joint in own.items()}


def _footfalls(work: Decisions, foot: Foot) -> Footfalls:
    """Heel and toe of one foot; the tip of a bone belongs to the toe in front of it."""
    names, touches = work.scan.raw.bvh.names, work.touches
    heel = foot.heel if foot.heel < len(names) else int(work.scan.limbs.tree.parents[foot.heel])
    toe = names[foot.toes[0]] if foot.toes and foot.toes[0] < len(names) else None
    down = [touches[point] for point in foot.toes or (foot.heel,)]
    return Footfalls(names[heel], toe, touches[foot.heel], np.any(down, axis=0))


def _stand(work: Decisions, skeleton: Skeleton, placing: Placing) -> tuple[np.ndarray, np.ndarray]:
    """World rotations and places of a stand that faces x, over the origin, its lowest foot on the floor."""
    motion = placing.clean(work.stand.rotations[None], work.stand.positions[None])
    pose = Capture(skeleton, np.zeros(1), *motion)
    turn = quat.IDENTITY
    if work.ahead is not None:
        ahead = quat.rotate(pose.world[1][0, work.scan.pelvis], quat.rotate(work.axes, work.ahead))
        turn = about_z(-float(np.arctan2(ahead[1], ahead[0])))
    points = quat.rotate(turn, np.concatenate([pose.world[0][0], pose.end_points[0]]))
    own = [p for foot in work.feet for p in (foot.heel, *foot.toes)] or list(range(len(points)))
    points = points - np.array([*points[work.scan.pelvis, :2], points[own, 2].min()])
    return quat.multiply(turn, pose.world[1][0]), points[: len(skeleton)]
