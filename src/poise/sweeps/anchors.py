"""What a push map is compared with: the limit of soles that stay in place, and the reach of human steps."""

from __future__ import annotations

import math

import numpy as np

from poise.character import Character
from poise.character.constants import GRAVITY
from poise.geometry.polygon import hull

HUMAN_REACH = 0.20  # [m] beyond ξ that the next step of walking humans covers sideways after a push of 0.1 s
HUMAN_ANKLE = 0.02  # [m] that their ankles move the centre of pressure sideways in that step
HUMAN_LEG = 0.90  # [m] leg length of those ten subjects, about


def anchors(character: Character, count: int = 72) -> dict[str, dict[float, float]]:
    """Named curves: direction [degrees] -> Δv [m/s].

    Soles: a body whose pressure goes at once to the edge of the support stops for Δv ≤ ω times the way there. Humans:
    [Hof2010]_ (J. Exp. Biol. 213, 2655) gives 20 cm of step and 2 cm of ankle sideways, which stop ω times as much.
    """
    height = float(character.com_rest[2])
    omega = math.sqrt(GRAVITY / height)
    curves = {}
    edge = _edges(character, count)
    if edge:
        curves["soles in place"] = {a: omega * r for a, r in edge.items()}
    scale = height / (1.1 * HUMAN_LEG)
    human = omega * scale * (HUMAN_REACH + HUMAN_ANKLE)
    curves["human side step (Hof 2010)"] = {90.0: human, 270.0: human}
    return curves


def _edges(character: Character, count: int) -> dict[float, float]:
    """Distance from under the centre of mass to the edge of the support, by direction [degrees]."""
    if not character.stance:
        return {}
    data = character.posed(character.q_rest)
    corners = []
    for support in character.supports:
        if support.name in character.stance:
            body = data.body(support.body)
            corners.append(body.xpos + support.points @ body.xmat.reshape(3, 3).T)
    polygon, out = hull(np.concatenate(corners)), {}
    for angle in np.linspace(0, 360, count + 1):
        ray = np.array([math.cos(math.radians(angle)), math.sin(math.radians(angle))])
        out[float(angle)] = _ray(polygon, character.com_rest[:2], ray)
    return out


def _ray(polygon: np.ndarray, start: np.ndarray, ray: np.ndarray) -> float:
    """Way from a point inside a polygon along a direction to its edge [m]."""
    best = math.inf
    for a, b in zip(polygon, np.roll(polygon, -1, axis=0)):
        edge = b - a
        across = edge[0] * ray[1] - edge[1] * ray[0]
        if across < -1e-12:  # counter-clockwise: leaving through this edge
            best = min(best, float((edge[0] * (a - start)[1] - edge[1] * (a - start)[0]) / across))
    return max(best, 0.0) if math.isfinite(best) else 0.0
