"""What a body is: its compiled model, named parts, limits and rest pose. It never holds a pose of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from os import PathLike
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

import mujoco
import numpy as np

from poise.character.outline import solid, top
from poise.errors import BadInput, unknown
from poise.geometry import quat as quaternion
from poise.geometry.linear import times

TRUNK = 0.05  # of the mass: what is called a trunk has at least this much

if TYPE_CHECKING:
    from poise.capture.autorig.mapping import Mapped
    from poise.character.report import Report


@dataclass(frozen=True)
class Support:
    """A part of a body that may stand on something: a flat sole, or a single point that may tilt and turn."""

    name: str  # name of the support, e.g. ``foot_l``
    body: str  # name of the body it belongs to
    points: np.ndarray  # (n, 3) corners in the body frame, counter-clockwise from above [m]; or one
    frame: tuple[float, float, float, float] = (1.0, 0.0, 0.0, 0.0)  # in the body; z into the foot
    radius: tuple[float, ...] = ()  # (n,) of balls above the corners [m]: a round foot rolls; zero if empty

    @property
    def is_point(self) -> bool:
        return len(self.points) == 1


@dataclass(frozen=True)
class Floor:
    """What a body's file says about its contact with the floor; None where it says nothing."""

    friction: float | None = None  # of its feet on the floor
    solref: tuple[float, float] | None = None  # time constant [s] and damping ratio, as MuJoCo takes them
    bits: int = 1  # collision bits that the floor must have to meet all of the body


@dataclass(frozen=True)
class SwingTwist:
    r"""Limits of a ball joint, whose rotation (child in parent) is a swing after a twist about the child's z axis.

    .. math:: R = R_0\, \exp([s_x, s_y, 0])\, \exp([0, 0, t]), \qquad (s_x/a_x)^2 + (s_y/a_y)^2 \le 1

    where a_x, a_y are the bounds on the side of the swing's sign, in [rad], lower < 0 < upper. R_0 is the ``centre``
    (quaternion wxyz): a joint that can swing by more than half a turn in all, like a shoulder, counts from the middle
    of its range, since a swing has no meaning at half a turn.
    """

    swing_x: tuple[float, float]
    swing_y: tuple[float, float]
    twist: tuple[float, float]
    centre: tuple[float, float, float, float] = (1.0, 0.0, 0.0, 0.0)

    def __post_init__(self) -> None:
        for name in ("swing_x", "swing_y", "twist"):
            lower, upper = getattr(self, name)
            if not lower < 0.0 < upper:
                raise BadInput(f"limit {name} must have lower < 0 < upper [rad]; given ({lower}, {upper})")

    def reach(self, quat: np.ndarray) -> tuple[float, float]:
        """How far a rotation (wxyz) goes towards its limits: swing and twist, each 1 on the limit."""
        (x, y), twist = quaternion.swing_twist(self.from_centre(quat))
        swing = np.hypot(x / self.swing_x[int(x > 0)], y / self.swing_y[int(y > 0)])
        return float(swing), float(twist / self.twist[int(twist > 0)])

    def from_centre(self, quat: np.ndarray) -> np.ndarray:
        """A rotation (..., 4) as counted from the centre."""
        return quaternion.multiply(quaternion.conjugate(np.array(self.centre)), quat)

    def mirrored(self) -> SwingTwist:
        """The same on the other side: rotations about x and z change sign."""
        (a, b), (c, d), (w, x, y, z) = self.swing_x, self.twist, self.centre
        return SwingTwist((-b, -a), self.swing_y, (-d, -c), (w, -x, y, -z))

    @property
    def cone(self) -> float:
        """Largest rotation angle that the limits allow, any axis [rad]."""
        swing = max(np.abs(self.swing_x + self.swing_y))
        twist = max(np.abs(self.twist))
        aside = 2.0 * np.arccos(min(1.0, abs(self.centre[0])))
        return float(2.0 * np.arccos(np.cos(swing / 2) * np.cos(twist / 2)) + aside)


class Choices(TypedDict, total=False):
    """What is guessed about somebody's file unless it is given."""

    supports: Sequence[str | Support] | None  # what it stands on, bodies by name or Supports; from its shapes
    stance: Sequence[str] | None  # names of the supports it stands on by default; all of them
    rest: str | Mapping[str, Any] | None  # pose it stands in: a keyframe, ``zero``, or joint angles [rad]
    root: str | None  # name of its root where the file holds several bodies; the heaviest
    name: str | None  # of the character; the file's


@dataclass(frozen=True)
class Character:
    """A body: its MJCF, and what its parts are for.

    The rest of a joint, by its name, is an angle [rad] (hinge), a quaternion wxyz (ball) or place and quaternion (the
    free root); zero where it is missing. Hinges keep their limits in the model.
    """

    name: str
    spec_xml: str  # MJCF of the body alone: a root body with a free joint, no ground
    supports: tuple[Support, ...]  # parts that may stand on something
    stance: tuple[str, ...]  # names of the supports it stands on by default
    effectors: Mapping[str, tuple[str, np.ndarray]]  # name to (body, point in the body frame [m])
    pairs: tuple[tuple[str, str], ...] = ()  # left and right bodies that mirror each other
    track_weights: Mapping[str, float] = field(default_factory=dict)  # of joints in tracking; else 1
    arms: tuple[str, ...] = ()  # bodies that count as arms
    limits: Mapping[str, SwingTwist] = field(default_factory=dict)  # of ball joints
    rest: Mapping[str, np.ndarray | float] = field(default_factory=dict)
    report: Report | None = None  # what was guessed about it, for a body made from somebody's file
    mapped: Mapped | None = None  # how it answers to the joints of a skeleton, for a body made from one
    floor: Floor | None = None  # the contact with the floor that its file asks for
    source: str = ""  # the file it was made from, empty for bodies of our own

    def __deepcopy__(self, memo: dict[int, object]) -> Character:
        """Itself: it never changes."""
        return self

    @classmethod
    def named(cls, name: str) -> Character:
        """One of the built-in bodies, or one made from a file."""
        from poise.character.morphologies import load

        return load(name)

    @classmethod
    def from_bvh(
        cls,
        path: str | PathLike[str],
        mass: float | None = None,
        rig: str | PathLike[str] | Mapping[str, Any] | None = None,
        **importing: Any,
    ) -> Character:
        """A body with the very skeleton of a motion capture file; every guess about it is in ``report``.

        Args:
            path: A BVH file, or any other that the importer reads.
            mass: Total [kg]; from the height when missing.
            rig: Corrections: a YAML file as ``report.save`` writes it, whole or in part, or the same as a dict.
            importing: Overrides for the importer, e.g. ``metres_per_unit=0.01``.
        """
        from poise.capture import autorig

        return autorig.from_file(path, mass, rig, **importing)

    @classmethod
    def from_mjcf(
        cls, path: str | PathLike[str], *, actuators: str = "auto", **choices: Unpack[Choices]
    ) -> Character:
        """A body from somebody's MJCF file; every guess about it is in ``report``.

        The file's own joints, inertias, shapes and contact settings are kept; its floor, lights and other bodies are
        not part of the character. Its q is that of the file's tree, so that a ``Controller`` also drives the file as
        it is, in a loop of your own, where its actuators are torques.

        Args:
            path: The file; includes and assets are found as MuJoCo finds them.
            actuators: ``auto`` puts torque motors on the joints that the file drives, by whatever means, within its
                limits; ``torque`` on all of them.
            choices: What would else be guessed, see ``Choices``.
        """
        from poise.character.foreign import load_mjcf

        return load_mjcf(path, actuators=actuators, **choices)

    @classmethod
    def from_urdf(cls, path: str | PathLike[str], **choices: Unpack[Choices]) -> Character:
        """A body from somebody's URDF file, with a root that floats; with ``choices`` as for ``from_mjcf``.

        Meshes are looked for near the file, whatever package they are said to be in.
        """
        from poise.character.foreign import load_urdf

        return load_urdf(path, **choices)

    @cached_property
    def model(self) -> mujoco.MjModel:
        """The body alone, compiled. Shared: never write to it."""
        return mujoco.MjSpec.from_string(self.spec_xml).compile()

    @cached_property
    def mass(self) -> float:
        """Total mass [kg]."""
        return float(self.model.body_mass.sum())

    @cached_property
    def q_rest(self) -> np.ndarray:
        """Rest configuration (nq,): soles on z = 0, their middle at the origin. Read-only."""
        q = self.model.qpos0.copy()
        for name, value in self.rest.items():
            start = self.model.joint(name).qposadr[0]
            q[start : start + np.size(value)] = value
        soles = self._sole_points(q)
        q[:2] -= soles[:, :2].mean(axis=0)
        q[2] -= soles[:, 2].min()
        q.flags.writeable = False
        return q

    @cached_property
    def com_rest(self) -> np.ndarray:
        """Centre of mass in the rest configuration (3,) [m]."""
        return self.posed(self.q_rest).subtree_com[0].copy()

    @cached_property
    def height(self) -> float:
        """Highest solid point of the rest configuration above the soles [m]."""
        data = self.posed(self.q_rest)
        return max(top(self.model, data, int(g)) for g in np.flatnonzero(solid(self.model)))

    def posed(self, q: np.ndarray) -> mujoco.MjData:
        """Fresh data with kinematics and centres of mass run at a configuration."""
        data = mujoco.MjData(self.model)
        data.qpos[:] = q
        mujoco.mj_fwdPosition(self.model, data)
        return data

    def joint(self, name: str) -> int:
        """Id of a joint in the model."""
        return self._id(mujoco.mjtObj.mjOBJ_JOINT, "joint", name)

    def body(self, name: str) -> int:
        """Id of a body in the model."""
        return self._id(mujoco.mjtObj.mjOBJ_BODY, "body", name)

    def point(self, name: str) -> tuple[str, np.ndarray]:
        """Body and local point [m] of an end effector."""
        return _look_up("effector", name, self.effectors)

    def support(self, name: str) -> Support:
        """A support by its name."""
        return _look_up("support", name, {s.name: s for s in self.supports})

    @cached_property
    def joint_names(self) -> tuple[str, ...]:
        """Joints in the order of the model, root first."""
        return tuple(self.model.joint(j).name for j in range(self.model.njnt))

    @cached_property
    def body_names(self) -> tuple[str, ...]:
        """Bodies in the order of the model, without the world."""
        return tuple(self.model.body(b).name for b in range(1, self.model.nbody))

    @cached_property
    def trunk(self) -> str:
        """The body that is pushed: ``torso``, else one called so in part, else the heaviest."""
        names = self.body_names
        called = [n for word in ("torso", "chest", "trunk") for n in names if word in n.lower()]
        if "torso" in names:
            return "torso"
        heavy = [n for n in called if self.model.body(n).mass[0] > TRUNK * self.mass]
        return heavy[0] if heavy else max(names, key=lambda n: float(self.model.body(n).mass[0]))

    def _id(self, kind: mujoco.mjtObj, word: str, name: str) -> int:
        found = mujoco.mj_name2id(self.model, kind, name)
        if found < 0 or name == "world":
            raise unknown(word, name, self.body_names if word == "body" else self.joint_names)
        return found

    def _sole_points(self, q: np.ndarray) -> np.ndarray:
        """Corners of the stance in the world (n, 3) [m]."""
        data = self.posed(q)
        bodies = [(self.support(name), data.body(self.support(name).body)) for name in self.stance]
        return np.vstack([b.xpos + times(s.points, b.xmat.reshape(3, 3).T) for s, b in bodies])


def _look_up(kind: str, name: str, table: Mapping):
    if name not in table:
        raise unknown(kind, name, table)
    return table[name]
