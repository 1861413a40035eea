"""Somebody's file to a Character: read, bake, find how it stands, say what was guessed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path

import mujoco
import numpy as np

from poise import gate
from poise.character.character import Character, Support, SwingTwist
from poise.character.constants import BALL, GRAVITY, WIDTH
from poise.character.foreign import mjcf, motors, names, pose, soles, traits, urdf
from poise.character.foreign.anatomy import FoundLeg, ModelAnatomy
from poise.character.foreign.bake import bake
from poise.character.foreign.ground import floor_of, on_balls
from poise.character.foreign.judge import TOUCHING, Pose
from poise.character.foreign.putdown import levelled
from poise.character.foreign.source import Notes, Source, engine_errors, root_joints
from poise.character.report import Report
from poise.errors import BadInput, unknown
from poise.geometry import quat

Rest = str | Mapping[str, float | Sequence[float]]
TURNS = {"+x": 0.0, "-x": np.pi, "+y": -0.5 * np.pi, "-y": 0.5 * np.pi}  # [rad] from a facing to +x
ANY = ("model", "robot", "scene", "main")  # names of files that say nothing; the model's own is better


def load_mjcf(path: str | PathLike[str], **how) -> Character:
    """A body from an MJCF file; see ``Character.from_mjcf``."""
    with gate.gate(f"{path}: no body can be made of it"):
        return _character(mjcf.read(_file(path), how.pop("root", None)), **how)


def load_urdf(path: str | PathLike[str], **how) -> Character:
    """A body from a URDF file; see ``Character.from_urdf``."""
    with gate.gate(f"{path}: no body can be made of it"):
        return _character(urdf.read(_file(path), how.pop("root", None)), **how)


def _file(path: str | PathLike[str]) -> Path:
    found = Path(path)
    with gate.openable(path):
        if not found.is_file():
            raise BadInput(f"file {found} not found")
        gate.within(f"{found}", found.stat().st_size, gate.MOST_BYTES, "bytes")
    return found


def _character(
    source: Source,
    supports: Sequence[str | Support] | None = None,
    stance: Sequence[str] | None = None,
    rest: Rest | None = None,
    actuators: str = "auto",
    name: str | None = None,
) -> Character:
    notes = source.notes
    _budget(source)
    bodies = names.body_names(source)
    replaced = root_joints(source)
    joints = names.joint_names(source, bodies)
    spec = bake(source, joints, bodies, replaced)
    _gravity(spec, source)
    with engine_errors(source.path, "with a floating root: "):
        model = spec.compile()
    anatomy = ModelAnatomy(model)
    if not any(len(points) for points, _ in anatomy.shape.values()):
        raise BadInput(f"{source.path}: the body has no shapes that collide, so it has nothing to stand on")
    drive = motors.drives(source, {j: n for j, n in joints.items() if j not in replaced})
    motors.set_levers(anatomy, drive)
    stand = _ahead(anatomy, _stand(source, anatomy, rest, replaced), notes)
    data = anatomy.posed(stand.q)
    called = {b: model.body(b).name for b in range(1, model.nbody)}
    standing = _supports(anatomy, data, stand.legs, supports, called)
    if not standing:
        raise BadInput(f"{source.path}: no part of the body meets the ground in its {stand.source}")
    kinds = ["point" if s.is_point else f"{len(s.points)} corners" for s in standing]
    listed = ", ".join(f"{s.name} ({kind})" for s, kind in zip(standing, kinds))
    notes("supports", listed, "lowest shapes of the rest pose" if supports is None else "given")
    standing = [on_balls(spec, anatomy, support, notes) for support in standing]
    _exclude(spec, anatomy, data, notes)
    feet = {model.body(s.body).id for s in standing}
    motors.tell_servos(source, joints)
    motors.add_motors(spec, anatomy, stand.q, feet, drive, source, actuators)
    partners, _ = traits.pairs(anatomy, data)
    arms = traits.arms(anatomy, data, stand.legs, partners)
    notes("left and right", len(partners), "parts whose mirror images meet")
    notes("arms", [called[p] for p in arms], "paired limbs that carry nothing")
    spec.compile()
    return Character(
        name=name or (source.title if source.path.stem.lower() in ANY and source.title else source.path.stem),
        spec_xml=spec.to_xml(),
        supports=tuple(standing),
        stance=_stance(stance, standing),
        effectors=traits.effectors(anatomy, data, called),
        pairs=tuple((called[a], called[b]) for a, b in partners),
        arms=tuple(called[p] for p in arms),
        limits=_ball_limits(model),
        rest=_rest_values(model, stand.q),
        report=Report(tuple(notes.guesses), title=f"What was guessed about {source.path.name}"),
        floor=floor_of(source, {b for b, n in bodies.items() if n in {s.body for s in standing}}, notes),
        source=str(source.path),
    )


def _budget(source: Source) -> None:
    """A body of a size that can be controlled."""
    parents, deep = source.model.body_parentid.tolist(), [0]
    for b in range(1, source.model.nbody):
        deep.append(deep[parents[b]] + 1)
    gate.within(f"{source.path}", len(source.bodies), gate.MOST_BODIES, "bodies")
    gate.within(f"{source.path}", max(deep), gate.MOST_DEPTH, "bodies in one chain")
    gate.number(f"{source.path}: mass [kg]", float(source.model.body_subtreemass[source.root]), 1e-6, 1e6)


def _gravity(spec: mujoco.MjSpec, source: Source) -> None:
    """Down is -z; a file without gravity gets the earth's."""
    g = np.array(spec.option.gravity)
    if np.linalg.norm(g) < 1e-6:
        spec.option.gravity = (0.0, 0.0, -GRAVITY)
        source.notes("gravity", GRAVITY, "the file has none [m/s²]")
    elif np.abs(g[:2]).max() > 1e-3 * np.abs(g[2]) or g[2] > 0:
        raise BadInput(f"{source.path}: gravity is {g.tolist()}; Poise needs it along -z")


def _stand(source: Source, anatomy: ModelAnatomy, rest: Rest | None, replaced: list[int]) -> Pose:
    keys = _keys(source, anatomy.model, replaced)
    if isinstance(rest, str) and rest != "zero":
        if rest not in keys:
            raise unknown("keyframe", rest, [*keys, "zero"])
        stand = pose.of_pose(anatomy, keys[rest], f"keyframe {rest!r}")
    elif rest is not None:
        q = anatomy.model.qpos0.copy()
        for joint, value in ({} if isinstance(rest, str) else rest).items():
            names_of = [anatomy.model.joint(k).name for k in range(anatomy.model.njnt)]
            if joint not in names_of:
                raise unknown("joint", joint, names_of)
            start = anatomy.model.jnt_qposadr[names_of.index(joint)]
            q[start : start + np.size(value)] = value
        stand = pose.of_pose(anatomy, q, "zero pose" if isinstance(rest, str) else "given pose")
    else:
        return levelled(anatomy, pose.choose(anatomy, keys, source.notes), source.notes)
    source.notes("rest pose", stand.source, "given")
    return stand


def _ahead(anatomy: ModelAnatomy, stand: Pose, notes: Notes) -> Pose:
    """The pose turned about the vertical so that the body looks along +x, as gaits and pushes count."""
    data = anatomy.posed(stand.q)
    facing = traits.facing(anatomy, data, stand.legs, traits.pairs(anatomy, data)[1])
    turn = TURNS[facing]
    why = "where the feet point, along the plane of symmetry"
    notes("facing", facing, why if turn == 0.0 else f"{why}; turned to look along +x")
    if turn == 0.0:
        return stand
    q, yaw = stand.q.copy(), quat.from_rotvec(np.array([0.0, 0.0, turn]))
    q[:3], q[3:7] = quat.rotate(yaw, q[:3]), quat.multiply(yaw, q[3:7])
    return replace(stand, q=q)


def _keys(source: Source, model: mujoco.MjModel, replaced: list[int]) -> dict[str, np.ndarray]:
    """Keyframes that move the body, as its own configurations; none where its root was not free."""
    theirs = source.model
    if len(replaced) != 1 or theirs.jnt_type[replaced[0]] != mujoco.mjtJoint.mjJNT_FREE:
        return {}
    start = int(theirs.jnt_qposadr[replaced[0]])
    made = {}
    for k in range(theirs.nkey):
        q = theirs.key_qpos[k, start : start + model.nq].copy()
        q[3:7] /= max(float(np.linalg.norm(q[3:7])), 1e-9)
        made[theirs.key(k).name or f"{k}"] = q
    return made


def _supports(
    anatomy: ModelAnatomy,
    data: mujoco.MjData,
    legs: list[FoundLeg],
    given: Sequence[str | Support] | None,
    called: dict[int, str],
) -> list[Support]:
    made: list[Support] = []
    ids = {n: b for b, n in called.items()}
    for support in given or ():
        if isinstance(support, Support):
            made.append(support)
            continue
        if support not in ids:
            raise unknown("body", support, ids)
        part = int(anatomy.model.body_weldid[ids[support]])
        leg = FoundLeg(part, (part,), tuple(d for p in anatomy.above(part)[:-1] for d in anatomy.dofs(p)))
        made += soles.supports_of(anatomy, data, leg, [part], called)
    if given is not None:
        return made
    low = anatomy.lowest(data)
    height = float(data.subtree_com[1][2]) - min(low.values())
    floor = min(low[p] for leg in legs for p in anatomy.below(leg.base) if p in low)
    for leg in legs:
        parts = [p for p in anatomy.below(leg.base) if p in low and low[p] < floor + TOUCHING * height]
        made += soles.supports_of(anatomy, data, leg, parts, called) if parts else []
    return made


def _stance(given: Sequence[str] | None, supports: Sequence[Support]) -> tuple[str, ...]:
    known = [s.name for s in supports]
    for wanted in given or ():
        if wanted not in known:
            raise unknown("support", wanted, known)
    return tuple(given) if given is not None else tuple(known)


def _exclude(spec: mujoco.MjSpec, anatomy: ModelAnatomy, data: mujoco.MjData, notes) -> None:
    """Parts that overlap in the rest pose pass through each other."""
    model = anatomy.model
    mujoco.mj_fwdPosition(model, data)
    pairs = {tuple(sorted(model.geom_bodyid[c.geom].tolist())) for c in data.contact if c.dist < 0.0}
    overlapping = [(model.body(a).name, model.body(b).name) for a, b in sorted(pairs) if a != b]
    for a, b in overlapping:
        spec.add_exclude(bodyname1=a, bodyname2=b)
    if overlapping:
        listed = [f"{a} and {b}" for a, b in overlapping]
        why = f"they overlap in the rest pose: {listed[0]}, ..."
        notes("parts that pass through each other", len(listed), why)


def _ball_limits(model: mujoco.MjModel) -> dict[str, SwingTwist]:
    limited = np.flatnonzero((model.jnt_type == BALL) & (model.jnt_limited != 0))
    spans = {
        model.joint(j).name: (-float(model.jnt_range[j, 1]), float(model.jnt_range[j, 1])) for j in limited
    }
    return {name: SwingTwist(span, span, span) for name, span in spans.items()}


def _rest_values(model: mujoco.MjModel, q: np.ndarray) -> dict[str, np.ndarray | float]:
    values: dict[str, np.ndarray | float] = {}
    for j in range(model.njnt):
        start = int(model.jnt_qposadr[j])
        width = WIDTH[int(model.jnt_type[j])]
        values[model.joint(j).name] = float(q[start]) if width == 1 else q[start : start + width].copy()
    return values
