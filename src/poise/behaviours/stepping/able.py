"""What stands in the way of a gait, told from the body alone before anything runs."""

from __future__ import annotations

import mujoco
import numpy as np

from poise.behaviours.stepping.legs import Leg, Legs
from poise.character import Character
from poise.character.constants import GRAVITY, HINGE

TIED = 0.05  # least singular value of a sole's place [leg lengths] and tilt [rad] over joints that move it freely
SPARE = 1.2  # of its limit that a joint may lack on one leg: the body can lean a little
SWING = 2 * 15 / 8  # highest speed of a swing foot over the speed of the walk: twice its mean, on a quintic
LOADED = 1.5  # how much faster a joint must be able to turn with nothing to carry


def obstacles(character: Character, speed: float = 0.0) -> list[str]:
    """Why a body may not be able to walk at a speed [m/s]; none where nothing is known against it."""
    legs = Legs(character)
    found = [*_soles(character, legs), *_joints(character, legs)]
    for leg in legs.both:
        found += _carrying(character, leg)
        found += _turning(character, leg, speed)
    return found


def _soles(character: Character, legs: Legs) -> list[str]:
    points = [character.supports[leg.support] for leg in legs.both]
    if not any(support.is_point for support in points):
        return []
    return [
        f"{points[0].body} is a point on the ground: nothing holds the body up while it stands on one leg"
    ]


def tied(character: Character, leg: Leg) -> bool:
    """Whether a leg cannot move a level sole about under the body: place and tilt do not answer independently."""
    support = character.supports[leg.support]
    if support.is_point:
        return False
    rows = _motion(character, leg)
    return bool(np.linalg.svd(rows, compute_uv=False)[-1] <= TIED)


def _joints(character: Character, legs: Legs) -> list[str]:
    count = len(_dofs(character, legs.left))
    text = f"the {count} joints of a leg cannot keep its sole level while the body moves over it"
    return [text] if tied(character, legs.left) else []


def _motion(character: Character, leg: Leg) -> np.ndarray:
    """Place seen from above [leg lengths] and tilt [rad] of a sole, (4, n) over the joints of its leg."""
    model, data = character.model, character.posed(character.q_rest)
    support = character.supports[leg.support]
    foot = data.body(support.body)
    x = foot.xpos + foot.xmat.reshape(3, 3) @ support.points.mean(axis=0)
    J = np.zeros((6, model.nv))
    mujoco.mj_jac(model, data, J[:3], J[3:], x, character.body(support.body))
    return J[[0, 1, 3, 4]][:, _dofs(character, leg)] / np.array([[leg.reach], [leg.reach], [1.0], [1.0]])


def _carrying(character: Character, leg: Leg) -> list[str]:
    """Joints too weak to carry the body on this leg alone, its centre of mass over the sole."""
    model, data = character.model, character.posed(character.q_rest)
    sole = character.supports[leg.support]
    foot = data.body(sole.body)
    place = foot.xpos + foot.xmat.reshape(3, 3) @ sole.points.mean(axis=0)
    over = np.append((place - character.com_rest)[:2], 0.0)
    hip = float(data.xanchor[model.body_jntadr[character.body(leg.bodies[0])]][2])
    made, push = [], np.array([0.0, 0.0, character.mass * GRAVITY])
    for j, (low, high) in _limits(character, leg).items():
        body = int(model.jnt_bodyid[j])
        share = (data.xanchor[j][2] - place[2]) / max(hip - place[2], 1e-9)
        lever = place - data.xanchor[j] - np.clip(share, 0.0, 1.0) * over
        hangs = data.subtree_com[body] - data.xanchor[j]
        weight = np.array([0.0, 0.0, model.body_subtreemass[body] * GRAVITY])
        need = -float(data.xaxis[j] @ (np.cross(lever, push) - np.cross(hangs, weight)))
        if not SPARE * low <= need <= SPARE * high:
            has = high if need > 0 else -low
            made.append(
                f"{model.joint(j).name} has {has:.3g} N m; on one leg the body weighs {abs(need):.3g} N m on it"
            )
    return made


def _turning(character: Character, leg: Leg, speed: float) -> list[str]:
    """Joints that their own damping keeps from turning as fast as a swing at this speed needs."""
    model, made = character.model, []
    for j, (low, high) in _limits(character, leg).items():
        damping = float(model.dof_damping[model.jnt_dofadr[j]])
        fastest = min(-low, high) / damping if damping > 0 else np.inf
        if fastest < LOADED * SWING * speed / leg.reach:
            made.append(
                f"{model.joint(j).name} turns at {fastest:.2g} rad/s at most: its damping takes all of its torque"
            )
    return made[:1]


def _dofs(character: Character, leg: Leg) -> list[int]:
    bodies = {character.body(b) for b in leg.bodies}
    return [d for d in range(6, character.model.nv) if int(character.model.dof_bodyid[d]) in bodies]


def _limits(character: Character, leg: Leg) -> dict[int, tuple[float, float]]:
    """Hinges of a leg to their torque limits [N m]."""
    model, mine = character.model, {int(character.model.dof_jntid[d]) for d in _dofs(character, leg)}
    made: dict[int, tuple[float, float]] = {}
    for a in range(model.nu):
        j = int(model.actuator_trnid[a, 0])
        if j in mine and model.jnt_type[j] == HINGE:
            low, high = model.actuator_ctrlrange[a] * model.actuator_gear[a, 0]
            made[j] = (float(low), float(high))
    return made
