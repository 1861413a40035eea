"""Left and right exchanged."""

from __future__ import annotations

import numpy as np

from poise.character.character import Character
from poise.character.constants import BALL, FREE
from poise.geometry.linear import times


def partners(character: Character) -> dict[str, str]:
    """Body name -> the body on the other side; bodies in the middle are not in it."""
    return {a: b for pair in character.pairs for a, b in (pair, pair[::-1])}


def mirror_pose(character: Character, q: np.ndarray) -> np.ndarray:
    """Pose reflected in the xz plane (y becomes -y), limbs exchanged with their partners."""
    model, out, other = character.model, np.array(q, float), partners(character)
    for j in range(model.njnt):
        body = model.body(model.jnt_bodyid[j])
        partner = model.body(other.get(body.name, body.name))
        k = int(partner.jntadr[0]) + j - int(body.jntadr[0])
        a, b = model.jnt_qposadr[j], model.jnt_qposadr[k]
        if model.jnt_type[j] == FREE:
            out[b : b + 3] = q[a : a + 3] * [1, -1, 1]
            a, b = a + 3, b + 3
        if model.jnt_type[j] in (FREE, BALL):
            out[b : b + 4] = q[a : a + 4] * [1, -1, 1, -1]
        else:  # a turn about axis n reflects to one about (-nx, ny, -nz)
            out[b] = q[a] * np.sign(times(model.jnt_axis[k], model.jnt_axis[j] * [-1, 1, -1]))
    return out


def other_support(character: Character) -> dict[str, str]:
    """Support name -> the support on the partner body (itself in the middle)."""
    other = partners(character)
    by_body = {s.body: s.name for s in character.supports}
    return {s.name: by_body.get(other.get(s.body, s.body), s.name) for s in character.supports}
