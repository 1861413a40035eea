"""Decisions about one file, one after another, each on top of those before."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from poise.capture import axes, contacts, flight, floor, pops, rate, reference, thorax, tpose, units
from poise.capture.anatomy import facing, feet, shares
from poise.capture.raw import Raw
from poise.capture.scan import Scan
from poise.character.report import Guess
from poise.geometry import quat
from poise.geometry.linear import norm, times

GIVEN = "given"
MIRRORED = "names say left where the feet say right: swapped, or from a left-handed world"
CALM = 0.3  # part of the frames, the most upright, that show how the body stands


class Decisions:
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
        value = "yes, dropped" if artificial else "no"
        self.tell("artificial first frame", value, why, "drop_first=True|False")

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
        self.scale, why = units.guess(self.scan, flights) if scale is None else (scale, GIVEN)
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

    def reference(self, given: int | str | None) -> None:
        """A neutral stand, the limbs it stands on and their feet."""
        self.stand = reference.find(self.scan, self.upwards, self.hz, given)
        self.tell("reference stand", self.stand.what, self.stand.evidence, 'reference=0|"rest"')
        limbs = self.scan.limbs
        heights = times(self.scan.posed(self.stand.rotations, self.stand.positions).points[0], self.upwards)
        self.feet = feet.find(limbs, feet.standing(limbs, heights), heights)

    def facing(self, degrees: float | None) -> None:
        """Where the body faces in the first captured frame, and in its own pelvis."""
        scan, limbs, frames = self.scan, self.scan.limbs, self._standing_frames()
        points, turned = scan.points[frames], scan.raw.world[1][frames, scan.pelvis]
        fore = limbs.arms if scan.on_all_fours else None
        self.ahead, why = facing.front(limbs, self.feet, limbs.legs, fore, points, turned, self.upwards)
        if self.ahead is not None and limbs.legs is not None and fore is None:
            named = facing.by_names(limbs, limbs.legs, points, self.upwards)
            if named is not None and np.median(np.sum(named * quat.rotate(turned, self.ahead), axis=-1)) < 0:
                self.notes.append(MIRRORED)
        angle = 0.0 if degrees is None else float(np.radians(degrees))
        if degrees is not None:
            why = GIVEN
        elif self.ahead is not None:
            angle, flat = self._yaw(quat.rotate(scan.raw.world[1][scan.first, scan.pelvis], self.ahead))
            why += "" if flat else "; at first it faces up or down, so this is unsure"
        elif (way := self._travel()) is not None:
            angle, why = self._yaw(way)[0], f"{why}; it moves that way"
        self.turn = about_z(-angle)
        axis = axes.name_of(quat.rotate(quat.conjugate(self.axes), np.array([1.0, 0.0, 0.0])))
        self.tell("facing", f"{np.degrees(angle):.0f}° from {axis}", why, "facing=90")

    def _standing_frames(self) -> np.ndarray:
        """The frames in which the body is most upright."""
        some = self.scan.some
        slope = times(self.scan.upright(some), self.upwards)
        return np.sort(some[np.argsort(-slope, kind="stable")[: max(1, int(CALM * len(slope)))]])

    def _travel(self) -> np.ndarray | None:
        """Level direction in which the body moves over the clip (3,); None when it hardly does."""
        first, last = self.scan.points[self.scan.some[[0, -1]]].mean(axis=1)
        way = (last - first) - (times(last - first, self.upwards)) * self.upwards
        size = float(norm(way))
        return way / size if size > self.scan.reach else None

    def _yaw(self, direction: np.ndarray) -> tuple[float, bool]:
        """Angle of a file direction in our axes, and whether it is level enough to have one."""
        x, y, _ = quat.rotate(self.axes, direction)
        return float(np.arctan2(y, x)), bool(np.hypot(x, y) > 0.3)

    def floor(self, height: float | None) -> None:
        """Where the floor is, and what else bears feet."""
        scan, first = self.scan, self.scan.first
        points = times(scan.points[first:], quat.to_matrix(self.axes).T * self.scale)
        standing = times(scan.upright(np.arange(first, len(scan.raw))), self.upwards)
        levels = floor.find(points, self.feet, scan.limbs.trunk, standing, self.hz)
        if height is not None:
            levels = floor.Levels((height, *(h for h in levels.heights if h > height)), GIVEN)
        self.floor_m = levels.heights[0]
        self.tell("floor", f"{self.floor_m:.3f} m", levels.evidence, "floor=0.0")
        self._seen = points, standing, levels.heights

    def contacts(self, speed: float | None, height: float | None) -> None:
        """When feet touch the ground."""
        points, standing, levels = self._seen
        del self._seen
        centre = shares.centre(self.scan.limbs, self.scan.raw.points)[self.scan.first :]
        middle = times(centre, self.upwards) * self.scale
        held = (standing > floor.UPRIGHT) & contacts.held_up(middle, self.hz)
        slow, low = speed or contacts.MOVING, height or contacts.LIFTED
        self.touches = contacts.find(points, self.feet, levels, held, self.hz, slow, low)
        named = [*self.scan.raw.bvh.names, *("tip" for _ in self.scan.raw.bvh.ends)]
        told = ", ".join(f"{named[p]} {100 * mask.mean():.0f}%" for p, mask in self.touches.items())
        why = f"slower than {slow:g} m/s, less than {low:g} m above where the foot rests"
        why += f"; {GIVEN}" if speed or height else ""
        self.tell("contacts", told or "no feet", why, "contact_speed=0.45, contact_height=0.035")


def about_z(angle: float) -> np.ndarray:
    """Quaternion of a turn about z [rad]."""
    return np.array([np.cos(angle / 2), 0.0, 0.0, np.sin(angle / 2)])
