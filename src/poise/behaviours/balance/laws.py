"""Support polygon and linear balance law of one tick, compiled ([Balance] eq. 5, 6, 15 and 16)."""

from __future__ import annotations

from poise.compiled import compiled
from poise.control.momentum import clamp_force
from poise.geometry.polygon import centroid, hull_into

CARRIED = 0.6  # part of the ground's own acceleration that the centre of mass is asked to share
SHRINK = 0.9  # of the support that the targets may use


@compiled
def balance_targets(
    corners, count, active, points, hull, centre, c, L, m, c_ref, v_ref, a_ref, x, x_ref, v_g, a_g, omega, law, weight,
    normal, low, high, mu, rate,
):  # fmt: skip
    """Support polygon (its size is returned), and the rate of linear momentum wanted: eq. 5-6, 15 and 16."""
    size = support_polygon(corners, count, active, SHRINK, points, hull, centre)
    linear_rate(c, L, m, c_ref, v_ref, a_ref, x, x_ref, active, v_g, a_g, omega, law, rate)
    for i in range(3):
        rate[i] *= m
    clamp_force(rate, weight, normal, low, high, mu)
    return size


@compiled
def support_polygon(corners, count, active, shrink, points, hull, centre):
    """Convex hull of the planted soles seen from above, drawn in about its centre. Returns its size."""
    n, height = 0, 0.0
    for s in range(active.shape[0]):
        if active[s]:
            for k in range(count[s]):
                points[n, 0], points[n, 1] = corners[s, k, 0], corners[s, k, 1]
                height += corners[s, k, 2]
                n += 1
    size = hull_into(points, n, hull)
    if size == 0:
        return size
    middle = centroid(hull[:size])
    for k in range(size):
        for i in range(2):
            hull[k, i] = middle[i] + shrink * (hull[k, i] - middle[i])
    centre[0], centre[1], centre[2] = middle[0], middle[1], height / n
    return size


@compiled
def linear_rate(c, L, m, c_ref, v_ref, a_ref, x, x_ref, active, v_g, a_g, omega, law, rate):
    """Wanted acceleration of the centre of mass: eq. 5 about the reference, in the moving frame of the ground."""
    planted = 0
    for s in range(active.shape[0]):
        planted += active[s]
    for i in range(3):
        shift = 0.0
        for s in range(active.shape[0]):
            if active[s]:
                shift += (x[s, i] - x_ref[s, i]) / planted
        k, d = (law[0], law[1]) if i < 2 else (law[2], law[3])
        error, drift = c_ref[i] + shift - c[i], v_ref[i] + v_g[i] - L[i] / m
        rate[i] = a_ref[i] + CARRIED * a_g[i] + omega * omega * k * error + omega * d * drift
