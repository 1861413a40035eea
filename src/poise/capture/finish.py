"""finish: all decisions about a file in one record."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from poise.capture.anatomy.feet import Foot
from poise.capture.intake import Footfalls, Intake, Placing
from poise.capture.scan import Scan
from poise.geometry import quat
from poise.geometry.skeleton import Capture, Skeleton

if TYPE_CHECKING:
    from poise.capture.work import Work


def finish(work: Work) -> Intake:
    """The clean motion with everything that was decided about it."""
    first = work.scan.first
    work.scan = Scan(replace(work.scan.raw), first, work.scan.limbs)  # without its world, to make room
    raw, b = work.scan.raw, work.scan.raw.bvh
    extra = quat.rotate(work.axes, work.extra) * work.scale
    shift = np.array([0.0, 0.0, -work.floor_m])
    placing = Placing(work.axes, work.turn, work.scale, shift, extra)
    mended = replace(placing, extra=np.zeros_like(extra))  # what was read has its thorax by now
    skeleton = Skeleton(
        b.names, b.parents, placing.vectors(b.offsets), placing.vectors(b.ends), b.end_parents
    )
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


def _by_joint(work: Work) -> dict[str, np.ndarray]:
    """Contacts by joint; a tip that is a heel, on a leg without a foot, counts for the joint above it."""
    names, parents = work.scan.raw.bvh.names, work.scan.limbs.tree.parents
    heels = {foot.heel for foot in work.feet}
    return {
        names[p if p < len(names) else int(parents[p])]: mask
        for p, mask in work.touches.items()
        if p < len(names) or p in heels
    }


def _footfalls(work: Work, foot: Foot) -> Footfalls:
    """Heel and toe of one foot; the tip of a bone belongs to the toe in front of it."""
    names, touches = work.scan.raw.bvh.names, work.touches
    heel = foot.heel if foot.heel < len(names) else int(work.scan.limbs.tree.parents[foot.heel])
    toe = names[foot.toes[0]] if foot.toes and foot.toes[0] < len(names) else None
    down = [touches[point] for point in foot.toes or (foot.heel,)]
    return Footfalls(names[heel], toe, touches[foot.heel], np.any(down, axis=0))


def _stand(work: Work, skeleton: Skeleton, placing: Placing) -> tuple[np.ndarray, np.ndarray]:
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


def about_z(angle: float) -> np.ndarray:
    """Quaternion of a turn about z [rad]."""
    return np.array([np.cos(angle / 2), 0.0, 0.0, np.sin(angle / 2)])
