"""Work: the decisions about one file, one after another, each on top of those before."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from poise.geometry import quat
from poise.geometry.skeleton import Capture, Skeleton
from poise.intake import (
    axes,
    contacts,
    feet,
    flight,
    floor,
    mass,
    pops,
    rate,
    reference,
    thorax,
    tpose,
    units,
)
from poise.intake.guess import Guess
from poise.intake.intake import Intake, Placing, Sole
from poise.intake.raw import Raw
from poise.intake.scan import Scan

GIVEN = "given"


class Work:
    """A file on its way to an :class:`Intake`. Call the steps in the order in which they stand."""

    def __init__(self, raw: Raw) -> None:
        self.source, self.template, self.header_hz = raw.source, raw.bvh, raw.hz
        self.scan = Scan(raw)
        self.guesses: list[Guess] = []
        self.notes: list[str] = list(raw.source.notes)
        self.pop_list: tuple[pops.Pop, ...] = ()
        self.extra = np.zeros((len(raw.bvh.names), 3))

    def tell(self, what: str, value: str, evidence: str, override: str) -> None:
        """Report one decision."""
        self.guesses.append(Guess(what, value, evidence, override))

    def first_frame(self, drop: bool | None) -> None:
        """Whether the first frame is artificial."""
        artificial, why = tpose.detect(self.scan) if drop is None else (drop, GIVEN)
        artificial = artificial and len(self.scan.raw) > 1
        self.scan = Scan(self.scan.raw, int(artificial))
        self.tell(
            "artificial first frame", "yes, dropped" if artificial else "no", why, "drop_first=True|False"
        )

    def thorax(self, repair: bool | None) -> None:
        """The bone that the common CMU conversion lost."""
        missing, why = thorax.find(self.scan)
        self.repaired = missing is not None and repair is not False
        if missing is not None and self.repaired:
            raw, children = self.scan.raw, list(missing.children)
            self.extra[children] = missing.bone
            bent = replace(raw.bvh, offsets=raw.bvh.offsets + self.extra)
            raw = replace(raw, bvh=bent, positions=raw.positions + self.extra)
            self.scan = Scan(raw, self.scan.first)
        value = "missing, put back" if self.repaired else "missing" if missing else "complete"
        self.tell("thorax", value, why, "thorax=False")

    def up(self, name: str | None) -> None:
        """Which axis points up."""
        self.up_axis, why = axes.guess(self.scan) if name is None else (name, GIVEN)
        self.upwards = axes.axis(self.up_axis)
        self.axes = axes.turn_up(self.upwards)
        self.tell("up axis", self.up_axis, why, 'up="Y"')

    def unit_and_rate(self, scale: float | None, hz: float | None) -> None:
        """Metres per unit and frames a second."""
        flights = flight.find(self.scan, self.upwards)
        fours = axes.on_all_fours(self.scan)
        self.scale, why = units.guess(self.scan, flights, fours) if scale is None else (scale, GIVEN)
        self.tell("metres per unit", f"{self.scale:.6g}", why, "metres_per_unit=0.01")
        self.hz, why = rate.guess(self.scan.raw, flights, self.scale) if hz is None else (hz, GIVEN)
        self.tell("frame rate", f"{self.hz:g} Hz", why, "rate=60")

    def pops(self, repair: bool | None) -> None:
        """Jumps of single frames."""
        scan, first = self.scan, self.scan.first
        if scan.raw.markers:
            return
        rotations, names = scan.raw.rotations[first:], scan.raw.bvh.names
        edges = pops.find(rotations, scan.raw.world[0][first:], scan.raw.bvh.parents, self.hz, scan.reach)
        mend = repair is not False and any(e.frames for e in edges)
        self.pop_list = tuple(
            pops.Pop(e.frame + first, e.frames, names[e.joint], e.size if e.turns else e.size * self.scale, e.turns,
                     mend and e.frames > 0) for e in edges
        )  # fmt: skip
        if mend:
            fixed = np.concatenate([scan.raw.rotations[:first], pops.repair(rotations, edges)])
            self.scan = Scan(scan.raw.moved(fixed, scan.raw.positions), first)
        count = sum(p.repaired for p in self.pop_list)
        told = f"{len(edges) - count} jumps that do not come back, or not at once, are left as they are"
        self.tell("single-frame pops", f"{count} smoothed over", told, "pops=False")
        for a, b in pops.frozen(rotations, scan.raw.positions[first:]):
            self.notes.append(f"frames {a + first} to {b + first} are the same")

    def facing(self, degrees: float | None) -> None:
        """Where the body faces in the first captured frame, and in its own pelvis."""
        scan = self.scan
        self.feet = feet.find(scan, self.upwards)
        self.ahead, why = feet.forward(scan, self.upwards, self.feet)
        self.pelvis = feet.pelvis(scan)
        if self.ahead is not None and feet.mirrored(scan, self.upwards, self.ahead):
            self.notes.append("names say left where the feet say right: swapped, or from a left-handed world")
        angle = 0.0 if degrees is None else float(np.radians(degrees))
        if degrees is not None:
            why = GIVEN
        elif self.ahead is not None:
            angle, flat = self._yaw(quat.rotate(scan.raw.world[1][scan.first, self.pelvis], self.ahead))
            why += "" if flat else "; at first it faces up or down, so this is unsure"
        elif (way := feet.travel(scan, self.upwards)) is not None:
            angle, why = self._yaw(way)[0], f"{why}; it moves that way"
        self.turn = _about_z(-angle)
        axis = axes.name_of(quat.rotate(quat.conjugate(self.axes), np.array([1.0, 0.0, 0.0])))
        self.tell("facing", f"{np.degrees(angle):.0f}° from {axis}", why, "facing=90")

    def _yaw(self, direction: np.ndarray) -> tuple[float, bool]:
        """Angle of a file direction in our axes, and whether it is level enough to have one."""
        x, y, _ = quat.rotate(self.axes, direction)
        return float(np.arctan2(y, x)), bool(np.hypot(x, y) > 0.3)

    def floor(self, height: float | None) -> None:
        """Where the floor is, and when feet touch it."""
        scan, first = self.scan, self.scan.first
        points = scan.points[first:] @ (quat.to_matrix(self.axes).T * self.scale)
        standing = axes.upright(scan, np.arange(first, len(scan.raw))) @ self.upwards
        levels = floor.find(points, self.feet, scan.body.trunk, standing, self.hz)
        if height is not None:
            levels = floor.Levels((height, *(h for h in levels.heights if h > height)), GIVEN)
        self.floor_m = levels.heights[0]
        self.tell("floor", f"{self.floor_m:.3f} m", levels.evidence, "floor=0.0")
        held = (standing > floor.UPRIGHT) & contacts.held_up(
            mass.centre(scan)[first:] @ self.upwards * self.scale, self.hz
        )
        self.contacts = contacts.find(points, self.feet, levels.heights, held, self.hz)

    def reference(self, given: int | str | None) -> None:
        """A neutral stand."""
        self.stand = reference.find(self.scan, self.upwards, self.hz, given)
        self.tell("reference stand", self.stand.what, self.stand.evidence, 'reference=0|"rest"')

    def finish(self) -> Intake:
        """Everything in one record."""
        first = self.scan.first
        self.scan = Scan(replace(self.scan.raw), first)  # without its world, to make room
        raw = self.scan.raw
        extra = quat.rotate(self.axes, self.extra) * self.scale
        shift = np.array([0.0, 0.0, -self.floor_m])
        placing = Placing(self.axes, self.turn, self.scale, shift, extra)
        bent = Placing(
            self.axes, self.turn, self.scale, shift, np.zeros_like(extra)
        )  # the raw file has the extra bone
        b = raw.bvh
        skeleton = Skeleton(
            b.names, b.parents, placing.vectors(b.offsets), placing.vectors(b.ends), b.end_parents
        )
        motion = bent.clean(raw.rotations[first:], raw.positions[first:])
        capture = Capture(skeleton, np.arange(len(raw) - first) / self.hz, *motion)
        turned, places = self._placed(skeleton, bent)
        count = len(b.names)
        return Intake(
            capture=capture,
            source=self.source,
            guesses=tuple(self.guesses),
            notes=tuple(self.notes),
            metres_per_unit=self.scale,
            up_axis=self.up_axis,
            header_hz=self.header_hz,
            true_hz=self.hz,
            tpose_first_frame=bool(first),
            floor_m=self.floor_m,
            thorax_repaired=self.repaired,
            pops=self.pop_list,
            contacts=self._by_joint(),
            feet=tuple(self._sole(foot, count) for foot in self.feet),
            reference=turned,
            reference_positions=places,
            markers=raw.markers,
            template=self.template,
            placing=placing,
        )

    def _by_joint(self) -> dict[str, np.ndarray]:
        """Contacts by joint; a tip that is a heel, on a leg without a foot, counts for the joint above it."""
        names = self.scan.raw.bvh.names
        heels = {foot.heel for foot in self.feet}
        parents = self.scan.body.parents
        return {
            names[p if p < len(names) else int(parents[p])]: mask
            for p, mask in self.contacts.items()
            if p < len(names) or p in heels
        }

    def _sole(self, foot: feet.Foot, count: int) -> Sole:
        """Heel and toe of one foot; the tip of a bone belongs to the toe in front of it."""
        names = self.scan.raw.bvh.names
        heel = foot.heel if foot.heel < count else int(self.scan.body.parents[foot.heel])
        toe = foot.toes[0] if foot.toes and foot.toes[0] < count else None
        down = [self.contacts[point] for point in foot.toes or (foot.heel,)]
        return Sole(
            names[heel], None if toe is None else names[toe], self.contacts[foot.heel], np.any(down, axis=0)
        )

    def _placed(self, skeleton: Skeleton, placing: Placing) -> tuple[np.ndarray, np.ndarray]:
        """World rotations and places of a stand that faces x, over the origin, its lowest foot on the floor."""
        motion = placing.clean(self.stand.rotations[None], self.stand.positions[None])
        pose = Capture(skeleton, np.zeros(1), *motion)
        turn = quat.IDENTITY
        if self.ahead is not None:
            ahead = quat.rotate(pose.world[1][0, self.pelvis], quat.rotate(self.axes, self.ahead))
            turn = _about_z(-float(np.arctan2(ahead[1], ahead[0])))
        points = quat.rotate(turn, np.concatenate([pose.world[0][0], pose.end_points[0]]))
        own = [p for foot in self.feet for p in (foot.heel, *foot.toes)] or list(range(len(points)))
        points = points - np.array([*points[self.pelvis, :2], points[own, 2].min()])
        return quat.multiply(turn, pose.world[1][0]), points[: len(skeleton)]


def _about_z(angle: float) -> np.ndarray:
    return np.array([np.cos(angle / 2), 0.0, 0.0, np.sin(angle / 2)])
