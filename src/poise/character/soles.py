"""Soles of people: they bend at the balls of the feet; what lies ahead of these hardly carries while a heel rises.

A rigid sole that ends at the tips of the toes must roll over them; people's feet roll over the balls. Both soles of a
body that `build` made are two rods across, one under the heel and one under the toes: here the second is moved back,
and both are as narrow as people's.
"""

from __future__ import annotations

from dataclasses import replace

import mujoco
import numpy as np

from poise.character.character import Character, Support

BALL = 0.77  # of a sole's length, where it bends
HEEL_WIDTH, BALL_WIDTH = 0.60, 0.92  # of its width, that is left: 6 and 9 cm of the adult's
DRAWN = 0.85  # of the drawn foot's length, that is left: shoes that bend are not drawn
SAME = 1e-6  # [m]


def bending(character: Character) -> Character:
    """The same body on soles that end at the balls of its feet; itself where its soles are not two rods across."""
    spec, supports = mujoco.MjSpec.from_string(character.spec_xml), []
    for support in character.supports:
        rods = _rods(spec, support)
        if support.name not in character.stance or rods is None:
            return character
        supports.append(_shortened(spec, support, *rods))
    spec.compile()
    return replace(character, spec_xml=spec.to_xml(), supports=tuple(supports))


def _rods(spec: mujoco.MjSpec, support: Support) -> tuple | None:
    """The rods under heel and toes, None where there are no such two."""
    x = support.points[:, 0]
    if len(x) != 4 or support.frame[0] != 1.0:
        return None
    solid = [
        g for g in spec.body(support.body).geoms if g.contype and g.type == mujoco.mjtGeom.mjGEOM_CAPSULE
    ]
    ends = [[g for g in solid if abs(g.pos[0] - end) < SAME] for end in (x.min(), x.max())]
    return (ends[0][0], ends[1][0]) if all(len(e) == 1 for e in ends) else None


def _shortened(spec: mujoco.MjSpec, support: Support, heel, toe) -> Support:
    points = support.points.copy()
    back, front = points[:, 0].min(), points[:, 0].max()
    ball = back + BALL * (front - back)
    ahead = points[:, 0] > 0.5 * (back + front)
    points[ahead, 0] = ball
    points[:, 1] *= np.where(ahead, BALL_WIDTH, HEEL_WIDTH)
    for geom in spec.body(support.body).geoms:
        if not geom.contype:
            geom.pos = [back + DRAWN * (geom.pos[0] - back), *geom.pos[1:]]
            geom.size = [DRAWN * geom.size[0], *geom.size[1:]]
    toe.pos = [ball, *toe.pos[1:]]
    for rod, share in ((heel, HEEL_WIDTH), (toe, BALL_WIDTH)):
        rod.size = [rod.size[0], share * rod.size[1], 0.0]
    return replace(support, points=points)
