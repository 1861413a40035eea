"""Classes of spin: zero-spin while the centroidal moment pivot lies in the support, else not ([Coordination] §3)."""

from __future__ import annotations

import numpy as np

from poise.geometry.polygon import hull, signed_distance
from poise.record.recording import Recording, Series

ZS, NZS = 0.0, 1.0


def of(support_points: np.ndarray, cmp: np.ndarray) -> float:
    """Class of a record: 0 where the spin may stay zero, 1 where it cannot, nan in flight."""
    corners = support_points.reshape(-1, 3)[:, :2]
    corners = corners[np.isfinite(corners[:, 0])]
    if not len(corners) or not np.isfinite(cmp[:2]).all():
        return np.nan
    return NZS if signed_distance(hull(corners), cmp[:2]) > 0.0 else ZS


def word(support_points: np.ndarray, cmp: np.ndarray) -> str:
    """The same as ``ZS`` or ``NZS``; empty in flight."""
    return {ZS: "ZS", NZS: "NZS"}.get(of(support_points, cmp), "")


def series(take: Recording) -> Series:
    """The class of every record."""
    found = [
        of(points, pivot) for points, pivot in zip(take["support_points"], np.array(take["cmp"]), strict=True)
    ]
    return Series(np.array(found)[:, None], "1", "none", ("class",))


def add(take: Recording) -> None:
    """Keep the classes as a series, and their share and majority as metrics."""
    take.series["spin"] = series(take)
    known = take["spin"][np.isfinite(take["spin"])]
    if len(known):
        share = float((known == ZS).mean())
        take.metrics["spin_zs_share"] = share
        take.metrics["spin_class"] = "ZS" if share >= 0.5 else "NZS"
