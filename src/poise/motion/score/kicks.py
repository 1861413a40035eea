"""When a clip kicks: a foot goes where no walk, run or jump takes it, and the other one stands on little."""

from __future__ import annotations

import numpy as np

from poise.geometry.linear import running
from poise.motion.score.samples import DT

HIGH = 0.7  # of the height of the centre of mass: a foot so high kicks,
AROUND = 0.5  # [s] before and after, too


def kicking(high: np.ndarray, c: np.ndarray) -> np.ndarray:
    """Whether a clip kicks about now (n,); its soles are ``high`` (n, S), its centre of mass is at ``c`` (n,) [m]."""
    k = round(AROUND / DT)
    kicks = (high > HIGH * np.median(c)).any(axis=1)
    return running(np.pad(kicks, k), np.ones(2 * k + 1)) > 0.5
