"""A clip on another body: parts of the same name turn alike in the world, and the feet are locked again."""

from __future__ import annotations

import mujoco
import numpy as np

from poise.character.character import Character
from poise.character.constants import BALL, FREE, HINGE
from poise.dynamics.limits import JointLimits
from poise.errors import BadInput
from poise.geometry import quat
from poise.geometry.linear import norm, times
from poise.motion.clip import Clip
from poise.motion.lock import locked

# parts upright in every body's zero pose
TRUNK = ("pelvis", "abdomen", "spine", "torso", "chest", "neck", "head")


def retarget(clip: Clip, character: Character, lock: bool = True) -> Clip:
    """The movement of a clip on another body.

    Every part of the new body that the old one has too (by name) turns in the world as it did there; parts in
    between share the turn evenly; parts that the old body lacks keep their rest pose. The path is scaled by the
    height of the hips. Then feet are locked and the centre of mass is brought over them, within joint limits.

    Args:
        clip: A clip of any character.
        character: The new body.
        lock: Whether to lock the feet and balance the centre of mass.
    """
    old = clip.character
    shared = tuple(b for b in character.body_names if b in old.body_names)
    root = character.body_names[0]
    if root not in shared or len(shared) < 3:
        raise BadInput(
            f"'{old.name}' and '{character.name}' share too few parts to retarget: {', '.join(shared) or 'none'}; "
            f"wanted at least the root '{root}' and two more"
        )
    own, others = (sorted({s.body for s in body.supports}) for body in (character, old))
    if own and set(own) <= set(old.body_names) - set(others):
        raise BadInput(
            f"'{character.name}' stands on {' and '.join(own)}, '{old.name}' on {' and '.join(others)}: "
            "a movement goes only to a body that stands on the same parts"
        )
    scale = float(character.q_rest[2]) / float(old.q_rest[2])
    turns = _turns(clip, character, shared)
    q = _poses(character, turns)
    q[:, :3] = np.asarray(character.q_rest[:3]) + scale * (clip.q[:, :3] - old.q_rest[:3])
    supports = {s.name for s in character.supports}
    contacts = {name: spans for name, spans in clip.contacts.items() if name in supports}
    raw = Clip(character, clip.times, _inside(character, q), contacts=contacts)
    return locked(raw) if lock else raw


def _turns(clip: Clip, character: Character, shared: tuple[str, ...]) -> dict[str, np.ndarray]:
    """World rotation (T, 4) of every shared part of the new body."""
    old, data = clip.character, mujoco.MjData(clip.character.model)
    ids = [old.body(b) for b in shared]
    seen = np.empty((len(clip.times), len(ids), 4))
    for i, q in enumerate(clip.q):
        data.qpos[:] = q
        mujoco.mj_kinematics(old.model, data)
        seen[i] = data.xquat[ids]
    flat = {s.body for s in character.supports} & {s.body for s in old.supports}
    alike = {b for b in shared if b in flat or b.startswith(TRUNK)}
    aside = [quat.IDENTITY if b in alike else _aside(old, character, b) for b in shared]
    return {b: quat.multiply(seen[:, k], aside[k]) for k, b in enumerate(shared)}


def _aside(old: Character, new: Character, body: str) -> np.ndarray:
    """The least turn from where a limb points in the new body's zero pose to where it points in the old one's."""
    return quat.between(_direction(new, body), _direction(old, body))


def _direction(character: Character, body: str) -> np.ndarray:
    """Unit vector along a limb in its own frame: to its heaviest child, or to its own middle."""
    model, i = character.model, character.body(body)
    children = np.flatnonzero(model.body_parentid == i)
    if len(children):
        along = model.body_pos[children[np.argmax(model.body_subtreemass[children])]]
    else:
        along = model.body_ipos[i]
    length = norm(along)
    return along / length if length > 1e-6 else np.array([0.0, 0.0, -1.0])


def _poses(character: Character, turns: dict[str, np.ndarray]) -> np.ndarray:
    """Poses (T, nq) in which the given parts turn so in the world."""
    model = character.model
    frames = len(next(iter(turns.values())))
    q = np.tile(np.asarray(character.q_rest), (frames, 1))
    world = dict(turns)
    for body in range(1, model.nbody):
        name, parent = model.body(body).name, int(model.body_parentid[body])
        above = world.get(model.body(parent).name, np.tile(quat.IDENTITY, (frames, 1)))
        (goal, waiting), base = _goal(character, body, turns), quat.multiply(above, model.body_quat[body])
        local = None
        if goal is not None:
            local = quat.from_rotvec(quat.to_rotvec(quat.multiply(quat.conjugate(base), goal)) / waiting)
        world[name] = quat.multiply(base, _write(model, body, local, q))
    return q


def _goal(character: Character, body: int, turns: dict[str, np.ndarray]) -> tuple[np.ndarray | None, int]:
    """What a part should turn to in the world, and over how many joints that turn is shared from here on."""
    model, waiting = character.model, 1
    while model.body(body).name not in turns:
        children = np.flatnonzero(model.body_parentid == body)
        if len(children) != 1 and not any(model.body(c).name in turns for c in children):
            return None, 1
        on_way = [c for c in children if model.body(c).name in turns] or list(children)
        body, waiting = int(on_way[np.argmax(model.body_subtreemass[on_way])]), waiting + 1
    return turns[model.body(body).name], waiting


def _write(model: mujoco.MjModel, body: int, local: np.ndarray | None, q: np.ndarray) -> np.ndarray:
    """Set the joints of a part so that it turns by ``local`` (None: as q has it); returns the turn that came about."""
    done = np.tile(quat.IDENTITY, (len(q), 1))
    first = model.body_jntadr[body]
    for j in range(first, first + model.body_jntnum[body]):
        at, kind, axis = model.jnt_qposadr[j], model.jnt_type[j], model.jnt_axis[j]
        if kind in (FREE, BALL):
            at += 3 if kind == FREE else 0
            if local is not None:
                q[:, at : at + 4] = local
            done = quat.multiply(done, q[:, at : at + 4])
        elif kind == HINGE:
            if local is not None:
                left = quat.multiply(quat.conjugate(done), local)
                q[:, at] = 2 * np.arctan2(times(left[:, 1:], axis), left[:, 0])
                q[:, at] = np.unwrap((q[:, at] + np.pi) % (2 * np.pi) - np.pi)
            done = quat.multiply(done, quat.from_rotvec(q[:, at, None] * axis))
    return done


def _inside(character: Character, q: np.ndarray) -> np.ndarray:
    """Hinges cut to their ranges; ball joints are brought inside by the inverse kinematics that follows."""
    _, at, low, high = JointLimits.of(character).hinges.T
    q = q.copy()
    q[:, at.astype(int)] = np.clip(q[:, at.astype(int)], low, high)
    return q
