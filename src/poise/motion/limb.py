"""A limb of two bones with a ball joint, a hinge and a ball joint: closed formulas, compiled.

``size`` holds its numbers: places of the three joints (0:9) [m], their fixed rotations (9:21), the axis of the hinge
(21:24) and its range (24:26) [rad], and for a leg the twist (26:28) and least pitch (28) that its ankle may have [rad].
"""

from __future__ import annotations

import numpy as np

from poise.compiled import compiled

SOFT = 0.002  # [m] over which the pelvis gives way before a leg is at full stretch


@compiled
def multiply(a, b):
    out = np.empty(4)
    out[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3]
    out[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2]
    out[2] = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1]
    out[3] = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]
    return out


@compiled
def conjugate(a):
    return np.array([a[0], -a[1], -a[2], -a[3]])


@compiled
def rotate(a, x):
    v = a[1:]
    t = 2 * np.cross(v, x)
    return x + a[0] * t + np.cross(v, t)


@compiled
def about(axis, angle):
    out = np.empty(4)
    out[0] = np.cos(0.5 * angle)
    out[1:] = np.sin(0.5 * angle) * axis
    return out


@compiled
def to_end(size, angle):
    """Ankle from the hip in the thigh's axes at a knee angle."""
    return size[3:6] + rotate(multiply(size[13:17], about(size[21:24], angle)), size[6:9])


@compiled
def distance(size, angle):
    return np.linalg.norm(to_end(size, angle))


@compiled
def hip_at(q, size):
    return q[:3] + rotate(q[3:7], size[0:3])


@compiled
def lower(q, size, ankle, reach):
    """Lower the root, softly, until the ankle is within reach of the hip."""
    hip = hip_at(q, size)
    across = (hip[0] - ankle[0]) ** 2 + (hip[1] - ankle[1]) ** 2
    room = ankle[2] + np.sqrt(max(reach**2 - across, 0.04 * reach**2)) - hip[2]
    if room < 4 * SOFT:  # a smooth minimum of zero and the room left
        q[2] += 0.5 * (room - np.sqrt(room**2 + SOFT**2))


@compiled
def bend(size, wanted, now):
    """Knee angle at which hip and ankle are so far apart; of two, the one nearer to the present within its range."""
    s, axis, f = size[3:6], size[21:24], rotate(size[13:17], size[6:9])
    k = rotate(size[13:17], axis)
    along = k * (k @ f)
    across, turned = f - along, np.cross(k, f)
    b, c = s @ across, s @ turned
    w = 0.5 * (wanted**2 - s @ s - f @ f) - s @ along
    size2 = np.sqrt(b * b + c * c)
    spread = np.arccos(min(max(w / size2, -1.0), 1.0))
    middle, best, least = np.arctan2(c, b), now, np.inf
    for sign in (-1.0, 1.0):
        angle = (middle + sign * spread + np.pi) % (2 * np.pi) - np.pi
        beyond = max(size[24] - angle, angle - size[25], 0.0)
        cost = 100 * beyond + abs(angle - now)
        if cost < least:
            best, least = angle, cost
    return min(max(best, size[24]), size[25])


@compiled
def rise_for(q, at, size, ankle, turn, reach):
    """How much higher the root must be for the ankle to stay in its range [m]; the leg's stretch ends it."""
    if pitch_of(q, at) >= size[28]:
        return 0.0
    low, high, height = 0.0, 0.15, q[2]
    trial = q.copy()
    for _ in range(10):
        middle = 0.5 * (low + high)
        trial[2] = height + middle
        lower(trial, size, ankle, reach)
        reach_to(trial, at, size, ankle, turn)
        if pitch_of(trial, at) >= size[28]:
            high = middle
        else:
            low = middle
    return high


@compiled
def pitch_of(q, at):
    """Swing of the ankle about the lateral axis [rad], toes up negative."""
    w, y = q[at[2]], q[at[2] + 2]
    return 2 * np.arctan2(y if w >= 0 else -y, abs(w))


@compiled
def reach_to(q, at, size, ankle, turn):
    """Set hip, knee and ankle so that the foot's origin and rotation are as given.

    The knee keeps its plane as long as the ankle can twist so far; then the whole leg turns about its length.
    """
    hip = hip_at(q, size)
    way = ankle - hip
    q[at[1]] = bend(size, np.linalg.norm(way), q[at[1]])
    base = multiply(q[3:7], size[9:13])
    thigh = multiply(base, q[at[0] : at[0] + 4])
    now = rotate(thigh, to_end(size, q[at[1]]))
    cross = np.cross(now, way)
    turn_by = np.empty(4)
    turn_by[0] = np.linalg.norm(now) * np.linalg.norm(way) + now @ way
    turn_by[1:] = cross
    turn_by /= max(np.linalg.norm(turn_by), 1e-12)
    thigh = multiply(turn_by, thigh)
    for _ in range(2):
        shin = multiply(multiply(thigh, size[13:17]), about(size[21:24], q[at[1]]))
        q[at[2] : at[2] + 4] = multiply(conjugate(multiply(shin, size[17:21])), turn)
        twist = 2 * np.arctan2(q[at[2] + 3], q[at[2]])
        twist = (twist + np.pi) % (2 * np.pi) - np.pi
        over = twist - min(max(twist, size[26]), size[27])
        if over == 0.0:
            break
        thigh = multiply(about(-way / max(np.linalg.norm(way), 1e-9), over), thigh)
    q[at[0] : at[0] + 4] = multiply(conjugate(base), thigh)
