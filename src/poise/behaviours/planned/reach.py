"""How far legs reach: how much lower a body must be carried so that its feet get where they should."""

from __future__ import annotations

import numpy as np

from poise.behaviours.planned.contacts import Feet
from poise.character.character import Character
from poise.character.limbs import chain, length
from poise.geometry import quat

REACH = 0.985  # of a straight leg: beyond, a knee would have to lock
ROLLS = np.radians([35.0, 45.0, 55.0, 65.0])  # of a foot on its toes: angle of the line from toe to ankle


def shortfall(
    character: Character, feet: Feet, hips: np.ndarray, shift: np.ndarray | None = None
) -> np.ndarray:
    """How far (T,) the body must come down at each frame for its standing feet to be reached; zero or below [m].

    A foot on its toes may turn about them, which makes the leg longer.

    Args:
        character: Whose legs.
        feet: Where they are. hips: (T, S, 3) where each leg begins [m].
        shift: (T, S, 3) of the feet [m].
    """
    need = np.zeros(len(hips))
    for s, name in enumerate(character.stance):
        body, points = character.support(name).body, character.support(name).points
        leg = length(character, chain(character, body))  # straight, from the hip to the foot's frame
        on = feet.on[:, s, : len(points)]
        number = on.sum(axis=1)
        ankle = feet.place[:, s] + (0.0 if shift is None else shift[:, s])
        room = _room(ankle, hips[:, s], leg)
        edge = on @ points / np.maximum(number, 1)[:, None]  # from the foot's frame
        toes = (number > 0) & (number < len(points)) & (edge[:, 0] > points[:, 0].mean())
        if toes.any():
            pivot = ankle[toes] + quat.rotate(feet.turn[toes, s], edge[toes])
            back = quat.rotate(feet.turn[toes, s], np.array([-1.0, 0.0, 0.0])) * [1.0, 1.0, 0.0]
            back /= np.maximum(np.linalg.norm(back, axis=1, keepdims=True), 1e-9)
            long = float(np.linalg.norm(edge[toes][0]))
            rolled = [
                _room(pivot + long * (np.cos(a) * back + [0.0, 0.0, np.sin(a)]), hips[toes, s], leg)
                for a in ROLLS
            ]
            room[toes] = np.maximum(room[toes], np.max(rolled, axis=0))
        need = np.where(number > 0, np.minimum(need, room), need)
    return need


def _room(ankle: np.ndarray, hip: np.ndarray, leg: float) -> np.ndarray:
    """How much higher (T,) a hip could be with the foot where it is [m]; negative where the leg is too short."""
    flat = np.linalg.norm((hip - ankle)[:, :2], axis=1)
    tall = np.sqrt(np.maximum((REACH * leg) ** 2 - flat**2, 0.0))
    return ankle[:, 2] + tall - hip[:, 2]
