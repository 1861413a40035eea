"""Classes of spin: zero-spin while the centroidal moment pivot lies in the support, else not ([Coordination] §3)."""

from __future__ import annotations

import numpy as np

from poise.geometry.polygon import hull, signed_distance
from poise.record.recording import Recording, Series

ZS, NZS = 0.0, 1.0


def series(take: Recording) -> Series:
    """0 where the spin may stay zero, 1 where it cannot, nan in flight."""
    points, cmp = take["support_points"], np.array(take["cmp"])
    points = points.reshape(len(points), -1, 3)[..., :2]
    out = np.full(len(points), np.nan)
    for i, (corners, pivot) in enumerate(zip(points, cmp[:, :2], strict=True)):
        corners = corners[np.isfinite(corners[:, 0])]
        if len(corners) and np.isfinite(pivot).all():
            out[i] = NZS if signed_distance(hull(corners), pivot) > 0.0 else ZS
    return Series(out[:, None], "1", "none", ("class",))


def add(take: Recording) -> None:
    """Keep the classes as a series, and their share and majority as metrics."""
    take.series["spin"] = series(take)
    known = take["spin"][np.isfinite(take["spin"])]
    if len(known):
        share = float((known == ZS).mean())
        take.metrics["spin_zs_share"] = share
        take.metrics["spin_class"] = "ZS" if share >= 0.5 else "NZS"
