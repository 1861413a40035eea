"""Variety: no two strides of a walker are quite alike; what varies is a function of the seed and the step alone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

MOST = 1.5  # standard deviations


@dataclass(frozen=True)
class Variety:
    """How high feet swing from step to step: people's toes clear the ground by 1-2 cm, with a spread of some mm.

    Winter, D. A. (1992), "Foot trajectory in human gait", Phys. Ther. 72(1): 4-5 mm at the toe, more at the heel.
    """

    seed: int
    lift: float = 0.006  # [m] standard deviation of the height of a swing's middle

    def higher(self, step: int) -> float:
        """By how much higher than usual a swing is [m]."""
        draw = float(np.random.default_rng([self.seed, 23, step]).normal())
        return self.lift * min(max(draw, -MOST), MOST)
