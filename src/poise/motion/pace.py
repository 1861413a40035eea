"""How fast a captured movement can be carried out on the feet that it stands on."""

from __future__ import annotations

import numpy as np

from poise.motion.clip import Clip
from poise.motion.feet import stands, tracks
from poise.motion.lock import outside

PACES = (1.0, 0.7, 0.5, 0.35, 0.25)  # of the captured speed, tried in this order
STRAY = 0.02  # [m] that the zero-moment point may be out of the support ...
SHARE = 0.95  # ... for this share of the time: shorter excursions are carried by spin


def carried(clip: Clip) -> bool:
    """Whether the clip's zero-moment point stays by its support: elsewhere the body would have to step or jump."""
    down = stands(clip)
    if len(clip.times) < 4 or not down.any():
        return True
    stray = np.linalg.norm(outside(clip, tracks(clip), down), axis=1)
    return bool(np.quantile(stray, SHARE) <= STRAY)
