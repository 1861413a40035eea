"""Own objective: a class with measure, desired and weights. This one makes the left hand draw a circle, with the
joints that balance leaves free."""

import math
from dataclasses import dataclass

import numpy as np

import poise
from poise.behaviours import Balance
from poise.control.objective import Objective
from poise.dynamics.state import Measure, State


@dataclass(frozen=True)
class HandOnCircle(Objective):
    """Acceleration of the hand towards a point that goes round [m/s²]: k (x_ref - x) + d (v_ref - v)."""

    t: float  # [s]
    k: float = 150.0  # [1/s²]
    d: float = 24.0  # [1/s]
    weight: float = 20.0

    def measure(self, state: State) -> Measure:
        hand = state.point("hand_l", (0.0, 0.0, -0.09))  # (6,) linear, angular; with Jacobian and bias
        return Measure(hand.y[:3], hand.A[:3], hand.bias[:3])

    def desired(self, state: State) -> np.ndarray:
        turn = 2.0 * math.pi * self.t / 2.0
        x_ref = np.array([0.42, 0.30 + 0.15 * math.cos(turn), 1.2 + 0.15 * math.sin(turn)])
        v_ref = 0.15 * math.pi * np.array([0.0, -math.sin(turn), math.cos(turn)])
        x = state.place("hand_l", (0.0, 0.0, -0.09))
        return self.k * (x_ref - x) + self.d * (v_ref - self.measure(state).y)

    def weights(self, state: State) -> np.ndarray:
        return np.full(3, self.weight)


def main(seconds: float = 4.0) -> poise.Recording:
    behaviour = Balance(others=lambda t, state: [HandOnCircle(t)])
    watch = {"hand": ("hand_l", (0.0, 0.0, -0.09))}
    body = poise.Character.named("adult")
    scene = poise.Scene("own-objective", body, poise.World(), behaviour, seconds=seconds, watch=watch)
    take = poise.simulate(scene)
    yz = take["point.hand"][take.time > 0.5 * seconds, 1:] - (0.30, 1.2)
    off = np.abs(np.linalg.norm(yz, axis=1) - 0.15)
    outcome = "fell" if take.fell else "stands"
    print(f"{outcome}; the hand is {1e3 * off.max():.0f} mm from its circle at most")
    return take


if __name__ == "__main__":
    main().save("circle.png")
