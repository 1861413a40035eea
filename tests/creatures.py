"""Skeletons built in code for the tests of the auto-rig, each placed where it stands, with a little motion."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from poise.geometry import quat
from poise.geometry.skeleton import Capture, Skeleton

Point = tuple[float, float, float]


@dataclass
class Taken:
    """What the rig reads of an imported clip."""

    capture: Capture
    reference: np.ndarray
    contacts: dict[str, np.ndarray] = field(default_factory=dict)


class Bones:
    """Joints by name, parent and place where the body stands (x forward, y left, z up) [m]."""

    def __init__(self) -> None:
        self.joints: dict[str, tuple[str, Point]] = {}
        self.ends: list[tuple[str, Point]] = []

    def chain(self, parent: str, *joints: tuple[str, Point], end: Point | None = None) -> Bones:
        for name, place in joints:
            self.joints[name] = (parent, place)
            parent = name
        if end is not None:
            self.ends.append((parent, end))
        return self

    def both(self, parent: str, *joints: tuple[str, Point], end: Point | None = None) -> Bones:
        """A chain for each side: names, and a parent's name that needs it, get _l and _r."""
        for side, y in (("_l", 1.0), ("_r", -1.0)):
            above = parent + side if parent + side in self.joints else parent
            mirrored = [(name + side, (p[0], y * p[1], p[2])) for name, p in joints]
            self.chain(above, *mirrored, end=None if end is None else (end[0], y * end[1], end[2]))
        return self

    def renamed(self, names: dict[str, str]) -> Bones:
        other = Bones()
        other.joints = {names.get(n, n): (names.get(p, p), x) for n, (p, x) in self.joints.items()}
        other.ends = [(names.get(n, n), x) for n, x in self.ends]
        return other

    def moved(self, turn_deg: float = 0.0, scale: float = 1.0) -> Bones:
        """The same turned about the vertical and scaled."""
        q, other = quat.from_rotvec(np.array([0.0, 0.0, np.radians(turn_deg)])), Bones()
        place = lambda x: tuple(scale * quat.rotate(q, np.array(x)))  # noqa: E731
        other.joints = {n: (p, place(x)) for n, (p, x) in self.joints.items()}
        other.ends = [(n, place(x)) for n, x in self.ends]
        return other

    def _depth(self, name: str) -> int:
        parent = self.joints[name][0]
        return 1 + self._depth(parent) if parent else 0

    def taken(self, swing: float = 0.06, hinges: dict[str, Point] | None = None, seed: int = 0) -> Taken:
        """A clip of 40 frames in which every joint but the root swings, with joint frames turned at random.

        Args:
            swing: How far about every axis [rad].
            hinges: Joints that bend by up to 1 rad about one axis of the world instead.
            seed: Of frames and phases.
        """
        rng, names = np.random.default_rng(seed), tuple(sorted(self.joints, key=self._depth))
        parents = np.array([names.index(self.joints[n][0]) if self.joints[n][0] else -1 for n in names])
        places = np.array([self.joints[n][1] for n in names], float)
        world = quat.normalize(rng.normal(size=(len(names), 4)))
        above = np.where(parents < 0, 0, parents)
        inverse = quat.conjugate(world[above])
        root = parents[:, None] < 0
        local = np.where(root, world, quat.multiply(inverse, world))
        offsets = np.where(root, places, quat.rotate(inverse, places - places[above]))
        owners = np.array([names.index(n) for n, _ in self.ends], np.int64)
        tips = np.array([x for _, x in self.ends], float).reshape(-1, 3)
        ends = quat.rotate(quat.conjugate(world[owners]), tips - places[owners]).reshape(-1, 3)
        times = np.arange(40) / 30.0
        away = swing * np.sin(2 * np.pi * times[:, None, None] + rng.uniform(0, 6, (len(names), 3)))
        away[:, 0] = 0.0
        for name, axis in (hinges or {}).items():
            j = names.index(name)
            bend = 0.5 - 0.5 * np.cos(2 * np.pi * times)
            away[:, j] = bend[:, None] * quat.rotate(quat.conjugate(world[j]), np.array(axis))
        capture = Capture(
            Skeleton(names, parents, offsets, ends, owners),
            times,
            quat.multiply(local[None], quat.from_rotvec(away)),
            np.tile(offsets, (len(times), 1, 1)),
        )
        return Taken(capture, world)


KNEES = {"shank_l": (0.0, 1.0, 0.0), "shank_r": (0.0, 1.0, 0.0)}


def person() -> Bones:
    """A human of 1.72 m with clavicles and toes, arms out."""
    b = Bones().chain("", ("hips", (0, 0, 0.94)), ("spine", (0, 0, 1.05)), ("ribs", (0, 0, 1.22)))
    b.chain("ribs", ("throat", (0, 0, 1.47)), ("skull", (0.01, 0, 1.56)), end=(0.02, 0, 1.72))
    b.both("hips", ("thigh", (0, 0.09, 0.91)), ("shank", (0, 0.09, 0.49)), ("foot", (0, 0.09, 0.08)),
           ("toe", (0.14, 0.09, 0.02)), end=(0.20, 0.09, 0.02))  # fmt: skip
    return b.both("ribs", ("collar", (0, 0.03, 1.42)), ("arm", (0, 0.18, 1.42)), ("fore", (0, 0.46, 1.42)),
                  ("hand", (0, 0.71, 1.42)), end=(0, 0.89, 1.42))  # fmt: skip


def detailed() -> Bones:
    """A person with fingers, eyes, a twist joint in each forearm, a leaf on each thigh, and a root on the floor."""
    b = Bones().chain("", ("ground", (0, 0, 0.0)))
    plain = person()
    b.joints |= {n: (p or "ground", x) for n, (p, x) in plain.joints.items()}
    b.ends = [(n, x) for n, x in plain.ends if not n.startswith(("hand", "skull"))]
    b.chain("skull", ("top", (0.01, 0, 1.70)), end=(0.01, 0, 1.72))
    b.both("skull", ("eye", (0.09, 0.03, 1.64)), end=(0.10, 0.03, 1.64))
    b.both("thigh", ("leaf", (0, 0.09, 0.70)), end=(0, 0.09, 0.69))
    for side, y in (("_l", 1), ("_r", -1)):
        b.joints["roll" + side] = ("fore" + side, (0, y * 0.60, 1.42))
        b.joints["hand" + side] = ("roll" + side, (0, y * 0.71, 1.42))
    for finger, x in (("index", 0.03), ("middle", 0.0), ("thumb", 0.05)):
        b.both("hand", (finger, (x, 0.80, 1.42)), (finger + "tip", (x, 0.84, 1.42)), end=(x, 0.87, 1.42))
    return b


def without(*gone: str, ends: dict[str, Point] | None = None) -> Bones:
    """A person without some joints of both sides and their ends; other ends for those that are left."""
    b = person()
    for name in gone:
        for side in ("_l", "_r"):
            del b.joints[name + side]
    b.ends = [(n, x) for n, x in b.ends if n in b.joints]
    for name, (x, y, z) in (ends or {}).items():
        b.ends += [(f"{name}_l", (x, y, z)), (f"{name}_r", (x, -y, z))]
    return b


def long_backed() -> Bones:
    """A person with eight joints in the spine."""
    b = Bones().chain("", ("hips", (0, 0, 0.94)), *((f"s{i}", (0, 0, 0.99 + 0.05 * i)) for i in range(6)))
    b.joints |= {n: (p, x) for n, (p, x) in person().joints.items() if n not in ("hips", "spine")}
    b.joints["ribs"] = ("s5", (0, 0, 1.30))
    b.ends = list(person().ends)
    return b


def tailed() -> Bones:
    """A person with a tail."""
    tail = (("t1", (-0.12, 0, 0.93)), ("t2", (-0.35, 0, 0.88)), ("t3", (-0.6, 0, 0.85)))
    return person().chain("hips", *tail, end=(-0.85, 0, 0.85))


def four_armed() -> Bones:
    """A person with a second pair of arms below the first."""
    arm = (("arm2", (0, 0.16, 1.17)), ("fore2", (0, 0.42, 1.15)), ("hand2", (0, 0.66, 1.15)))
    return person().both("spine", *arm, end=(0, 0.8, 1.15))


def two_halves() -> Bones:
    """A person whose upper and lower body hang on one middle joint."""
    b = Bones().chain("", ("middle", (0, 0, 1.0)), ("lower", (0, 0, 0.99)))
    for name, (parent, place) in person().joints.items():
        if name != "hips":
            b.joints[name] = ({"hips": "middle" if name == "spine" else "lower"}.get(parent, parent), place)
    b.ends = list(person().ends)
    return b


def bird() -> Bones:
    """Two legs of three bones, a body carried level, a long neck, wings folded, a tail."""
    b = Bones().chain("", ("hip", (0, 0, 0.70)), ("back", (0.06, 0, 0.74)))
    b.chain(
        "back", ("n1", (0.22, 0, 0.84)), ("n2", (0.28, 0, 0.98)), ("h", (0.30, 0, 1.12)), end=(0.42, 0, 1.12)
    )
    b.both("hip", ("femur", (0, 0.10, 0.66)), ("tibia", (0.14, 0.10, 0.52)), ("tarsus", (-0.06, 0.10, 0.30)),
           ("foot", (0.02, 0.10, 0.05)), end=(0.16, 0.10, 0.01))  # fmt: skip
    b.both("back", ("wing", (0.14, 0.13, 0.78)), ("wing2", (0.0, 0.16, 0.70)), end=(-0.20, 0.14, 0.68))
    return b.chain("hip", ("tail", (-0.12, 0, 0.74)), end=(-0.32, 0, 0.80))


def quadruped(paws: bool = True) -> Bones:
    """A dog-like body: four legs, with or without paws, tail and neck."""
    b = Bones().chain("", ("pelvis", (0, 0, 0.58)), ("loin", (0.15, 0, 0.60)), ("ribs", (0.40, 0, 0.60)))
    b.chain("ribs", ("neck", (0.60, 0, 0.62)), ("head", (0.75, 0, 0.80)), end=(0.93, 0, 0.78))
    hind = [("a", (-0.02, 0.09, 0.54)), ("b", (0.06, 0.09, 0.34)), ("c", (-0.10, 0.09, 0.16))]
    fore = [("e", (0.52, 0.09, 0.52)), ("f", (0.46, 0.09, 0.32)), ("g", (0.50, 0.09, 0.17))]
    if paws:
        b.both("pelvis", *hind, ("d", (-0.06, 0.09, 0.03)), end=(0.02, 0.09, 0.01))
        b.both("ribs", *fore, ("k", (0.50, 0.09, 0.03)), end=(0.58, 0.09, 0.01))
    else:
        b.both("pelvis", *hind, end=(-0.06, 0.09, 0.0)).both("ribs", *fore, end=(0.50, 0.09, 0.0))
    return b.chain("pelvis", ("z1", (-0.12, 0, 0.60)), ("z2", (-0.27, 0, 0.52)), end=(-0.42, 0, 0.45))


def crab(pairs: int = 3) -> Bones:
    """A body that is all legs: pairs of three bones on one joint, no head, no spine."""
    b = Bones().chain("", ("shell", (0, 0, 0.30)))
    for k in range(pairs):
        x = 0.2 * (k - (pairs - 1) / 2)
        leg = (
            (f"coxa{k}", (x, 0.08, 0.30)),
            (f"leg{k}", (1.2 * x, 0.28, 0.36)),
            (f"tip{k}", (1.4 * x, 0.42, 0.03)),
        )
        b.both("shell", *leg, end=(1.5 * x, 0.46, 0.0))
    return b


CREATURES = {
    "person": person, "detailed": detailed, "tailed": tailed, "four_armed": four_armed, "two_halves": two_halves,
    "bird": bird, "quadruped": quadruped, "crab": crab,
}  # fmt: skip
