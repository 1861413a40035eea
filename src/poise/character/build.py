"""Limb description to MJCF: a body is a list of limbs, and a limb is a few numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import mujoco
import numpy as np

from poise.character.actuator import add_joint_motors
from poise.character.character import Character, Support, SwingTwist
from poise.character.shapes import Shape, Sole, Vec, flip
from poise.geometry import quat

DAMPING = 0.004  # joint damping per torque limit [s/rad]: too small to see, enough to calm light limbs
CONE_MARGIN = 0.1  # the engine's own ball limit lies this far outside the swing-twist limits [rad]
CONE_LARGEST = 3.05  # above this the engine's ball limit would be singular and is left out [rad]
CONTACT = (0.008, 1.0)  # MuJoCo solref: time constant [s], damping ratio
HIDDEN, SHOWN = 3, 1  # MuJoCo geom groups; group 3 is not drawn by default


@dataclass(frozen=True)
class Limb:
    """One rigid part and the joint that hangs it on its parent.

    All frames are parallel when every joint is at zero: x forward, y left, z up; the origin is the joint. A limb
    without limits is the root; with a SwingTwist it has a ball joint; with a (lower, upper) pair a hinge on ``axis``.
    """

    name: str  # body name; ``_l`` at its end marks the left limb of a pair
    parent: str  # name of the body it hangs on, empty for the root
    joint: str  # joint name
    anchor: Vec  # the joint in the parent's frame [m]
    mass: float  # [kg]
    shapes: tuple[Shape, ...]  # what it looks like and collides with
    limits: SwingTwist | tuple[float, float] | None = None  # range of the joint [rad]
    torque: Vec = ()  # torque limits about x, y, z (ball) or of the hinge [N m]
    com: Vec | None = None  # centre of mass [m]; None: it and the inertia are the drawn shapes'
    gyration: Vec | None = None  # radii of gyration about x, y, z through the centre of mass [m]
    rest: Vec = ()  # rest rotation vector (ball) or angle (hinge) [rad]
    axis: Vec = (0.0, 1.0, 0.0)  # of a hinge; y where nothing is said
    armature: float = 0.015  # inertia added to the joint's own axes [kg m²]
    sole: Sole | None = None  # makes the limb a support
    tips: Mapping[str, Vec] = field(default_factory=dict)  # end effectors on this limb, name to point [m]
    track: float = 1.0  # weight in tracking
    arm: bool = False  # whether the limb counts as an arm
    passes: tuple[str, ...] = ()  # bodies it may pass through, besides its parent


def build(name: str, limbs: Iterable[Limb], stance: tuple[str, ...] = ("foot_l", "foot_r")) -> Character:
    """Character of a list of limbs, parents before children.

    Args:
        name: Name of the character.
        limbs: Its limbs; see `both_sides` for symmetric ones.
        stance: Names of the supports it stands on.
    """
    limbs = tuple(limbs)
    names = {limb.name for limb in limbs}
    return Character(
        name=name,
        spec_xml=_mjcf(name, limbs),
        supports=tuple(Support(m.name, m.name, m.sole.points, m.sole.frame) for m in limbs if m.sole),
        stance=stance,
        effectors={tip: (m.name, np.array(p, float)) for m in limbs for tip, p in m.tips.items()},
        pairs=tuple((n, _other(n)) for m in limbs if (n := m.name).endswith("_l") and _other(n) in names),
        track_weights={m.joint: m.track for m in limbs if m.limits},
        arms=tuple(m.name for m in limbs if m.arm),
        limits={m.joint: m.limits for m in limbs if isinstance(m.limits, SwingTwist)},
        rest={m.joint: _rest(m) for m in limbs if len(m.rest)},
    )


def degrees(lower: float, upper: float) -> tuple[float, float]:
    """Bounds given in degrees, in [rad]."""
    return float(np.deg2rad(lower)), float(np.deg2rad(upper))


def ball(
    x: tuple[float, float],
    y: tuple[float, float],
    z: tuple[float, float],
    centre: tuple[float, float] = (0.0, 0.0),
) -> SwingTwist:
    """Limits of a ball joint given in degrees: swing about x and y from a centre (x, y), twist about z."""
    middle = quat.from_rotvec(np.deg2rad([*centre, 0.0]))
    return SwingTwist(degrees(*x), degrees(*y), degrees(*z), tuple(middle.tolist()))


def both_sides(*left: Limb) -> tuple[Limb, ...]:
    """Limbs of the left side, then the same mirrored to the right."""
    return left + tuple(_mirrored(limb) for limb in left)


def _mjcf(name: str, limbs: Sequence[Limb]) -> str:
    """MJCF text of the limbs: bodies, torque motors in the order of the degrees of freedom, exclusions."""
    spec = mujoco.MjSpec()
    spec.modelname = name
    spec.compiler.degree = False
    for limb in limbs:
        parent = spec.body(limb.parent) if limb.parent else spec.worldbody
        body = parent.add_body(name=limb.name, pos=limb.anchor)
        _add_joint(body, limb)
        _add_shapes(body, limb)
        for other in limb.passes:
            spec.add_exclude(bodyname1=limb.name, bodyname2=other)
    torque = {limb.joint: limb.torque for limb in limbs}
    spec.compile()  # numbers the joints depth first
    for joint in sorted(spec.joints, key=lambda j: j.id):
        add_joint_motors(spec, joint.name, [(-limit, limit) for limit in torque[joint.name]])
    spec.compile()
    return spec.to_xml()


def _add_joint(body: mujoco.MjsBody, limb: Limb) -> None:
    if limb.limits is None:
        body.add_freejoint(name=limb.joint)
        return
    joint = body.add_joint(name=limb.joint, armature=limb.armature)
    joint.damping[0] = DAMPING * max(limb.torque)
    if isinstance(limb.limits, SwingTwist):
        joint.type = mujoco.mjtJoint.mjJNT_BALL
        cone = limb.limits.cone + CONE_MARGIN
        joint.limited = int(cone < CONE_LARGEST)
        joint.range = (0.0, cone if joint.limited else 0.0)
    else:
        joint.type = mujoco.mjtJoint.mjJNT_HINGE
        joint.axis = limb.axis
        joint.limited = 1
        joint.range = limb.limits


def _add_shapes(body: mujoco.MjsBody, limb: Limb) -> None:
    volume = sum(s.volume for s in limb.shapes if s.drawn)
    for shape in limb.shapes + (limb.sole.shapes() if limb.sole else ()):
        kind = getattr(mujoco.mjtGeom, f"mjGEOM_{shape.kind.upper()}")
        geom = body.add_geom(type=kind, rgba=shape.rgba, mass=0.0, condim=3)
        geom.solref = CONTACT
        geom.contype = geom.conaffinity = int(shape.solid)
        geom.group = SHOWN if shape.drawn else HIDDEN
        if shape.b is not None:
            geom.fromto = (*shape.a, *shape.b)
        else:
            geom.pos = shape.a
            geom.quat = (np.cos(shape.pitch / 2), 0.0, np.sin(shape.pitch / 2), 0.0)
        geom.size[: len(shape.size)] = shape.size
        if limb.com is None and shape.drawn:
            geom.mass = limb.mass * shape.volume / volume
    if limb.com is not None and limb.gyration is not None:
        body.explicitinertial = 1
        body.mass, body.ipos = limb.mass, limb.com
        body.inertia = limb.mass * np.square(limb.gyration)


def _mirrored(limb: Limb) -> Limb:
    """The right limb of a left one: y of points and rotations about x and z change sign."""
    return replace(
        limb,
        name=_other(limb.name),
        parent=_other(limb.parent),
        joint=_other(limb.joint),
        anchor=flip(limb.anchor),
        shapes=tuple(s.mirrored() for s in limb.shapes),
        limits=limb.limits.mirrored() if isinstance(limb.limits, SwingTwist) else limb.limits,
        com=None if limb.com is None else flip(limb.com),
        rest=(-limb.rest[0], limb.rest[1], -limb.rest[2]) if len(limb.rest) == 3 else limb.rest,
        axis=(-limb.axis[0], limb.axis[1], -limb.axis[2]),
        sole=None if limb.sole is None else limb.sole.mirrored(),
        tips={_other(tip): flip(p) for tip, p in limb.tips.items()},
        passes=tuple(_other(b) for b in limb.passes),
    )


def _rest(limb: Limb) -> np.ndarray | float:
    if len(limb.rest) == 1:
        return float(limb.rest[0])
    return quat.from_rotvec(limb.rest)


def _other(name: str) -> str:
    return name[:-2] + "_r" if name.endswith("_l") else name
