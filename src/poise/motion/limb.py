"""A limb of two bones with a ball joint, a hinge and a ball joint: closed formulas, compiled."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from poise.character.character import Character
from poise.compiled import compiled
from poise.geometry.quat_jit import about, conjugate, multiply, rotate
from poise.solvers.dot import dot, length

SOFT = 0.002  # [m] over which the pelvis gives way before a leg is at full stretch
HIGHEST = 0.15  # [m] that a root is raised to spare an ankle
CAUTION = 0.95  # of an ankle's range that is used before the rest of the leg gives way
FREE = 9.0  # [rad]: a range that is none
LIMB = np.dtype(
    [
        ("hip", float, 3),  # place of the upper bone in its parent [m]
        ("knee", float, 3),  # of the lower bone in the upper one
        ("ankle", float, 3),  # of the end in the lower bone
        ("hip_turn", float, 4),  # fixed rotations of the three
        ("knee_turn", float, 4),
        ("ankle_turn", float, 4),
        ("axis", float, 3),  # of the hinge
        ("low", float),  # range of the hinge [rad]
        ("high", float),
        ("twist_low", float),  # of the ankle [rad]
        ("twist_high", float),
        ("pitch_low", float),  # least pitch of the ankle, toes up [rad]
    ],
    align=True,
)


def limb(
    character: Character, bodies: Sequence[int], end: np.ndarray | float = 0.0
) -> tuple[np.ndarray, np.record]:
    """Places in q of the joints of three bodies, and their record; ``end`` (3,) moves the limb's end [m]."""
    model = character.model
    joints = [int(model.body_jntadr[b]) for b in bodies]
    low, high = model.jnt_range[joints[1]] if model.jnt_limited[joints[1]] else (-np.pi, np.pi)
    ankle = character.limits.get(model.joint(joints[2]).name)
    caps = (-FREE, FREE, -FREE) if ankle is None else (*ankle.twist, ankle.swing_y[0])
    hip, knee, foot = model.body_pos[bodies]
    numbers = (model.jnt_axis[joints[1]], low, high, *CAUTION * np.array(caps))
    size = np.rec.array([(hip, knee, foot + end, *model.body_quat[bodies], *numbers)], dtype=LIMB)
    return model.jnt_qposadr[joints].astype(np.int64), size[0]


def longest(size: np.record) -> float:
    """Greatest distance from hip to ankle that the knee allows [m]."""
    return float(max(distance(size, angle) for angle in np.linspace(size.low, size.high, 64)))


@compiled
def to_end(size, angle):
    """Ankle from the hip in the thigh's axes at a knee angle."""
    return size.knee + rotate(multiply(size.knee_turn, about(size.axis, angle)), size.ankle)


@compiled
def distance(size, angle):
    return length(to_end(size, angle))


@compiled
def hip_at(q, size):
    return q[:3] + rotate(q[3:7], size.hip)


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
    s, axis, f = size.knee, size.axis, rotate(size.knee_turn, size.ankle)
    k = rotate(size.knee_turn, axis)
    along = k * dot(k, f, 3)
    across, turned = f - along, np.cross(k, f)
    b, c = dot(s, across, 3), dot(s, turned, 3)
    w = 0.5 * (wanted**2 - dot(s, s, 3) - dot(f, f, 3)) - dot(s, along, 3)
    size2 = np.sqrt(b * b + c * c)
    spread = np.arccos(min(max(w / size2, -1.0), 1.0))
    middle, best, least = np.arctan2(c, b), now, np.inf
    for sign in (-1.0, 1.0):
        angle = (middle + sign * spread + np.pi) % (2 * np.pi) - np.pi
        beyond = max(size.low - angle, angle - size.high, 0.0)
        cost = 100 * beyond + abs(angle - now)
        if cost < least:
            best, least = angle, cost
    return min(max(best, size.low), size.high)


@compiled
def rise_for(q, at, size, ankle, turn, reach):
    """How much higher the root must be for the ankle to stay in its range [m]; the leg's stretch ends it."""
    if pitch_of(q, at) >= size.pitch_low:
        return 0.0
    low, high, height = 0.0, HIGHEST, q[2]
    trial = q.copy()
    for _ in range(10):
        middle = 0.5 * (low + high)
        trial[2] = height + middle
        lower(trial, size, ankle, reach)
        reach_to(trial, at, size, ankle, turn)
        if pitch_of(trial, at) >= size.pitch_low:
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
    q[at[1]] = bend(size, length(way), q[at[1]])
    base = multiply(q[3:7], size.hip_turn)
    thigh = multiply(base, q[at[0] : at[0] + 4])
    now = rotate(thigh, to_end(size, q[at[1]]))
    cross = np.cross(now, way)
    turn_by = np.empty(4)
    turn_by[0] = length(now) * length(way) + dot(now, way, 3)
    turn_by[1:] = cross
    turn_by /= max(length(turn_by), 1e-12)
    thigh = multiply(turn_by, thigh)
    for _ in range(2):
        shin = multiply(multiply(thigh, size.knee_turn), about(size.axis, q[at[1]]))
        q[at[2] : at[2] + 4] = multiply(conjugate(multiply(shin, size.ankle_turn)), turn)
        twist = 2 * np.arctan2(q[at[2] + 3], q[at[2]])
        twist = (twist + np.pi) % (2 * np.pi) - np.pi
        over = twist - min(max(twist, size.twist_low), size.twist_high)
        if over == 0.0:
            break
        thigh = multiply(about(-way / max(length(way), 1e-9), over), thigh)
    q[at[0] : at[0] + 4] = multiply(conjugate(base), thigh)
