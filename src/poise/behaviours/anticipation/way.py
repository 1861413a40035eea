"""The way from idle to a key pose and back: joints eased, soles planted, the centre of mass led over them."""

from __future__ import annotations

import mujoco
import numpy as np

from poise.behaviours.example_steps.legs import TwoLegs
from poise.character.character import Character
from poise.geometry import quat
from poise.geometry.easing import quintic
from poise.motion.clip import Clip

BACK = 0.9  # [s] back to idle
RATE = 40.0  # [Hz]
LATE = 0.35  # of the way, when a foot that is lifted leaves the ground: the weight goes first
CARRY = 0.8  # [m/m] that the centre of mass moves with the pelvis


class Way:
    """Makes clips of one body; keeps its buffers."""

    def __init__(self, character: Character, idle: np.ndarray | None = None):
        self.character, self.legs = character, TwoLegs(character)
        self.idle = np.array(character.q_rest if idle is None else idle)
        self._com, self._feet = self.legs.com(self.idle)[:2], self._places(self.idle)

    def _places(self, q: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
        self.legs.pose(q)
        data = self.legs.data
        return [(data.xpos[b].copy(), data.xquat[b].copy()) for b in self.legs.bodies]

    def __call__(self, pose: np.ndarray, rise: float, hold: float, lifted: str | None = None) -> Clip:
        """From idle to a pose within ``rise`` [s], held until ``hold``, and back; a lifted foot goes with the pose."""
        model, end = self.character.model, hold + BACK
        gap = np.empty(model.nv)
        mujoco.mj_differentiatePos(model, gap, 1.0, self.idle, pose)
        com, feet = self.legs.com(pose)[:2], self._places(pose)
        up = [lifted == name for name in self.legs.names]
        times = np.linspace(0.0, end, max(8, round(end * RATE) + 1))
        x = np.clip(times / rise, 0, 1) - np.clip((times - hold) / BACK, 0, 1)
        frames = np.empty((len(times), model.nq))
        for i, share in enumerate(quintic(x)):
            if i and x[i] == x[i - 1]:  # held
                frames[i] = frames[i - 1]
                continue
            later = float(quintic((x[i] - LATE) / (1 - LATE)))
            frames[i] = self._frame(gap, share, later, com, feet, up)
        contacts = {} if lifted is None else {lifted: ((0.0, LATE * rise), (hold + (1 - LATE) * BACK, end))}
        return Clip(self.character, times, frames, contacts=contacts)

    def _frame(self, gap, share, later, com, feet, up) -> np.ndarray:
        """A pose on the way: both feet where they belong, the centre of mass where it should be."""
        q = self.idle.copy()
        mujoco.mj_integratePos(self.character.model, q, share * gap, 1.0)
        ankles, turns = np.empty((2, 3)), np.empty((2, 4))
        for k, ((a, turn_a), (b, turn_b)) in enumerate(zip(self._feet, feet, strict=True)):
            part = later if up[k] else 0.0
            ankles[k], turns[k] = a + part * (b - a), quat.slerp(turn_a, turn_b, part)
        goal = self._com + share * (com - self._com)
        for _ in range(2):
            out = self.legs.stand(q, ankles, turns)
            q[:2] += (goal - self.legs.com(out)[:2]) / CARRY
        return self.legs.stand(q, ankles, turns)
