"""Centre of mass of a moving skeleton, by human tables on its limbs: good enough to see it fall.

References: de Leva 1996, Adjustments to Zatsiorsky-Seluyanov's segment inertia parameters (means of both sexes).
"""

from __future__ import annotations

import numpy as np

from poise.capture.limbs import Body
from poise.capture.scan import Scan

TRUNK, HEAD = 0.430, 0.068
LEG = (0.145, 0.046, 0.013)  # thigh, shank, foot
ARM = (0.026, 0.015, 0.006)  # upper arm, forearm, hand


def shares(body: Body) -> np.ndarray:
    """(P,) part of the mass in the bone that leads to each point; bones of no known part carry none."""
    mass = np.zeros(len(body.lengths))
    for k, pair in enumerate(body.pairs):
        for limb in pair:
            _spread(mass, body.lengths, limb.chain, LEG if k == 0 else ARM)
    trunk = body.trunk
    arms = body.arms
    neck = (trunk.index(body.parents[arms[0].chain[0]]) + 1) if arms else len(trunk)
    _even(mass, body.lengths, trunk[1:neck] or trunk[1:], TRUNK)
    _even(mass, body.lengths, trunk[neck:] if neck > 1 else (), HEAD)
    if mass.sum() <= 0:
        mass = body.lengths.copy()
    return mass / max(mass.sum(), 1e-12)


def _spread(mass: np.ndarray, lengths: np.ndarray, chain: tuple[int, ...], parts: tuple[float, ...]) -> None:
    """Upper, lower and end part of a limb: its two longest bones, and what follows them."""
    inner = chain[1:]
    if len(inner) < 2:
        return _even(mass, lengths, inner or chain, sum(parts))
    upper, lower = sorted(np.argsort(-lengths[list(inner)], kind="stable")[:2])
    _even(mass, lengths, inner[upper:lower], parts[0])
    _even(mass, lengths, inner[lower : lower + 1], parts[1])
    _even(mass, lengths, inner[lower + 1 :] or inner[lower : lower + 1], parts[2])
    return None


def _even(mass: np.ndarray, lengths: np.ndarray, bones: tuple[int, ...], total: float) -> None:
    """Share a mass among bones by their lengths."""
    bones = tuple(b for b in bones if lengths[b] > 0)
    if bones:
        mass[list(bones)] += total * lengths[list(bones)] / lengths[list(bones)].sum()


def centre(scan: Scan) -> np.ndarray:
    """Centre of mass (T, 3) of all frames, each bone's mass at its middle [file units, file axes]."""
    share, points = shares(scan.body), scan.raw.points
    above = np.maximum(scan.body.parents, 0)
    weight = 0.5 * share
    np.add.at(weight, above, 0.5 * share)
    return np.einsum("tpk,p->tk", points, weight)
