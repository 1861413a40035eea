"""A few poses in readable numbers -> Clip.

A pose is a dict of joint name -> numbers in DEGREES; joints that a key does not name keep to their own other keys.
Zero everywhere is the body upright with its arms and legs hanging straight down.

============== ====================================================================================
hinge          one number: flexion, into the wider side of its range
limb (_l, _r)  flex (forward and up), abduct (outwards), twist (outwards about the limb);
               or elevate (away from hanging), plane (0 forwards, 90 outwards) and twist
trunk, neck    flex (forward), bend (to the left), twist (to the left)
root           flex, bend, twist, and x, y, z in METRES from the rest place
any            None: as in the rest pose
============== ====================================================================================
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from scipy.interpolate import BPoly, PchipInterpolator

from poise.character.character import Character
from poise.character.constants import FREE, HINGE
from poise.errors import BadInput, unknown
from poise.geometry import quat
from poise.motion.clip import Clip

Numbers = float | Mapping[str, float] | None
Pose = Mapping[str, Numbers]

LIMB, POLAR, TRUNK = ("flex", "abduct", "twist"), ("elevate", "plane", "twist"), ("flex", "bend", "twist")
PLACE = ("x", "y", "z")
SIDES = {"_l": 1.0, "_r": -1.0}


def from_keys(
    character: Character, keys: Sequence[tuple[float, Pose]], *, loop: bool = False, rate: float = 60.0
) -> Clip:
    """Clip through key poses, each a pair of time [s] and pose (see the head of this module).

    The numbers of each joint run through their keys without overshoot, with continuous velocity and acceleration,
    at rest at the first and last key unless ``loop`` (then the last key must repeat the first).
    """
    if not keys:
        raise BadInput("no keys; give at least one (time, pose)")
    times = np.array([t for t, _ in keys], float)
    if np.any(np.diff(times) <= 0):
        raise BadInput(f"key times must increase; given {', '.join(f'{t:g}' for t in times)}")
    if len(keys) == 1:
        return Clip.still(character, pose(character, keys[0][1]))
    frames = np.linspace(times[0], times[-1], max(4, round((times[-1] - times[0]) * rate) + 1))
    q = np.tile(np.asarray(character.q_rest, float), (len(frames), 1))
    for name in {joint for _, p in keys for joint in p}:
        chosen = [(t, p[name]) for t, p in keys if name in p]
        fields = _fields(character, name, [numbers for _, numbers in chosen])
        values = np.array([_values(character, name, fields, numbers) for _, numbers in chosen])
        curve = ease(np.array([t for t, _ in chosen]), values, frames, loop)
        _write(character, name, fields, curve, q)
    return Clip(character, frames, q, loop=loop)


def pose(character: Character, numbers: Pose) -> np.ndarray:
    """One pose q (nq,) from readable numbers; joints not named are as at rest."""
    q = np.array(character.q_rest, float)[None]
    for name, given in numbers.items():
        fields = _fields(character, name, [given])
        _write(character, name, fields, _values(character, name, fields, given)[None], q)
    return q[0]


def _fields(character: Character, name: str, given: Sequence[Numbers]) -> tuple[str, ...]:
    """The numbers that a joint is described by, in order; raises on any other."""
    kind = character.model.jnt_type[character.joint(name)]
    words = {word for numbers in given if isinstance(numbers, Mapping) for word in numbers}
    if kind == HINGE:
        known = ("flex",)
    elif kind == FREE:
        known = TRUNK + PLACE
    elif name[-2:] not in SIDES:
        known = TRUNK
    else:
        known = POLAR if words & {"elevate", "plane"} else LIMB
    for word in sorted(words - set(known)):
        raise unknown(f"number of joint {name}", word, known)
    return known


def _values(character: Character, name: str, fields: tuple[str, ...], numbers: Numbers) -> np.ndarray:
    """One key of one joint as a row in the order of its fields."""
    if isinstance(numbers, Mapping):
        return np.array([numbers.get(n, 0.0) for n in fields], float)
    if numbers is not None:
        return np.array([numbers] + [0.0] * (len(fields) - 1), float)
    at = int(character.model.joint(name).qposadr[0])
    if fields == ("flex",):
        return np.degrees(character.q_rest[at : at + 1]) * _flexion(character, name)
    if fields[3:] == PLACE:
        return np.zeros(6)
    return np.degrees(_angles(fields, character.q_rest[at : at + 4], SIDES.get(name[-2:], 1.0)))


def _flexion(character: Character, name: str) -> float:
    """Sign of a hinge's flexion: into the wider side of its range."""
    low, high = character.model.joint(name).range
    return 1.0 if abs(high) >= abs(low) else -1.0


def _write(
    character: Character, name: str, fields: tuple[str, ...], values: np.ndarray, q: np.ndarray
) -> None:
    """Put the numbers (T, k) of one joint into poses q (T, nq)."""
    at = int(character.model.joint(name).qposadr[0])
    angles = np.radians(values[:, :3])
    if fields == ("flex",):
        q[:, at] = angles[:, 0] * _flexion(character, name)
        return
    if fields[3:] == PLACE:  # the root
        q[:, at : at + 3] += values[:, 3:]
        at += 3
    q[:, at : at + 4] = _rotation(fields, angles, SIDES.get(name[-2:], 1.0))


def _rotation(fields: tuple[str, ...], angles: np.ndarray, side: float) -> np.ndarray:
    """Quaternions (T, 4) of three angles [rad] by meaning; side is +1 left, -1 right."""
    a, b, twist = angles.T
    if fields == LIMB:
        return quat.from_swing_twist(np.stack([side * b, -a], axis=1), side * twist)
    if fields == POLAR:
        return quat.from_swing_twist(np.stack([side * a * np.sin(b), -a * np.cos(b)], axis=1), side * twist)
    return quat.from_swing_twist(np.stack([-b, a], axis=1), twist)


def _angles(fields: tuple[str, ...], turn: np.ndarray, side: float) -> tuple:
    """Inverse of :func:`_rotation` for one quaternion."""
    (x, y), twist = quat.swing_twist(turn)
    if fields == LIMB:
        return -y, side * x, side * twist
    if fields == POLAR:
        return np.hypot(x, y), np.arctan2(side * x, -y), side * twist
    return y, -x, twist


def ease(times: np.ndarray, values: np.ndarray, frames: np.ndarray, loop: bool) -> np.ndarray:
    """Numbers (T, k) at ``frames``: quintics with monotone slopes and no acceleration at the keys, so C2."""
    if len(times) == 1:
        return np.repeat(values, len(frames), axis=0)
    if loop:
        if times[0] != frames[0] or times[-1] != frames[-1] or np.any(values[0] != values[-1]):
            raise BadInput("in a loop, a joint that is keyed must have equal first and last keys at the ends")
        period = times[-1] - times[0]
        times = np.concatenate([times[:-1] - period, times, times[1:] + period])
        values = np.concatenate([values[:-1], values, values[1:]])
    slope = PchipInterpolator(times, values)(times, 1)
    slope[[0, -1]] = 0.0
    curve = BPoly.from_derivatives(times, np.stack([values, slope, np.zeros_like(slope)], axis=1))
    return curve(np.clip(frames, times[0], times[-1]))
