"""Left and right by name, where names tell: pairs of names that differ in nothing else."""

from __future__ import annotations

import numpy as np

from poise.capture.scan import Scan

WORDS = (
    ("left", "right"),
    ("links", "rechts"),
    ("linke", "rechte"),
    ("gauche", "droite"),
    ("izquierdo", "derecho"),
    ("izquierda", "derecha"),
    ("izq", "der"),
    ("sinistro", "destro"),
    ("sinistra", "destra"),
    ("esquerdo", "direito"),
    ("esquerda", "direita"),
    ("hidari", "migi"),
    ("lft", "rgt"),
    ("lf", "rt"),
    ("左", "右"),
    ("l", "r"),
)


def is_left(one: str, two: str) -> bool | None:
    """Whether the first of two names is the left one; None when they do not tell."""
    a, b = one.lower(), two.lower()
    for left, right in WORDS:
        if _swaps(a, left, right, b):
            return True
        if _swaps(b, left, right, a):
            return False
    return None


def _swaps(name: str, word: str, other: str, wanted: str) -> bool:
    """Whether a name becomes another when a word in it is replaced once."""
    at = name.find(word)
    while at >= 0:
        if name[:at] + other + name[at + len(word) :] == wanted:
            return True
        at = name.find(word, at + 1)
    return False


def first_is_left(scan: Scan) -> bool | None:
    """Whether the first limb of the legs is the left one, by the names of all pairs of joints."""
    names, votes = scan.raw.bvh.names, 0
    for pair in scan.body.pairs[:1]:
        for a, b in zip(pair[0].chain, pair[1].chain):
            if a < len(names) and b < len(names):
                told = is_left(names[a], names[b])
                votes += 0 if told is None else 1 if told else -1
    return None if votes == 0 else votes > 0


def ahead(scan: Scan, across: np.ndarray, up: np.ndarray) -> np.ndarray | None:
    """Directions (T, 3) to the front, from those from the second hip to the first; None where names do not tell."""
    left = first_is_left(scan)
    if left is None:
        return None
    return np.cross(across if left else -across, up)
