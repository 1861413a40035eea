"""Shares of the body's mass in the bones of a skeleton, by human tables: good enough to see it fall."""

from __future__ import annotations

import numpy as np

from poise.capture.anatomy.limbs import Chain, Limbs
from poise.capture.anatomy.tree import Tree
from poise.character.bodies import adult

LEG_SHARES = (adult.THIGH.mass, adult.SHANK.mass, adult.FOOT.mass)
ARM_SHARES = (adult.UPPER_ARM.mass, adult.FOREARM.mass, adult.HAND.mass)
TRUNK_SHARE = adult.LOWER_TRUNK.mass + adult.MIDDLE_TRUNK.mass + adult.UPPER_TRUNK.mass


def shares(limbs: Limbs) -> np.ndarray:
    """(P,) part of the mass in the bone that leads to each point; bones of no known part carry none."""
    tree, trunk = limbs.tree, limbs.trunk
    mass = np.zeros(len(tree.lengths))
    for k, pair in enumerate(limbs.pairs):
        for chain in pair:
            _limb(mass, tree, chain, LEG_SHARES if k == 0 else ARM_SHARES)
    neck = trunk.index(limbs.node(limbs.arms)) + 1 if limbs.arms else len(trunk)
    _even(mass, tree, trunk[1:neck] or trunk[1:], TRUNK_SHARE)
    _even(mass, tree, trunk[neck:] if neck > 1 else (), adult.HEAD.mass)
    if mass.sum() <= 0:
        mass = tree.lengths.copy()
    return mass / max(mass.sum(), 1e-12)


def centre(limbs: Limbs, points: np.ndarray) -> np.ndarray:
    """Centre of mass (T, 3) of points (T, P, 3), each bone's mass at its middle."""
    share = shares(limbs)
    weight = 0.5 * share
    np.add.at(weight, np.maximum(limbs.tree.parents, 0), 0.5 * share)
    return np.einsum("tpk,p->tk", points, weight)


def _limb(mass: np.ndarray, tree: Tree, chain: Chain, parts: tuple[float, ...]) -> None:
    """Upper, lower and end part of a limb: its two longest bones, and what follows them."""
    bones = chain[1:]
    if len(bones) < 2:
        return _even(mass, tree, bones or chain, sum(parts))
    upper, lower = tree.long_bones(bones)
    _even(mass, tree, bones[upper:lower], parts[0])
    _even(mass, tree, bones[lower : lower + 1], parts[1])
    return _even(mass, tree, bones[lower + 1 :] or bones[lower : lower + 1], parts[2])


def _even(mass: np.ndarray, tree: Tree, bones: Chain, total: float) -> None:
    """Share a mass among bones by their lengths."""
    some = [b for b in bones if tree.lengths[b] > 0]
    if some:
        mass[some] += total * tree.lengths[some] / tree.lengths[some].sum()
