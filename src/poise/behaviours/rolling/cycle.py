"""Cycle: one revolution of a roll as key poses over the phase; what `poise design roll` makes and scenes follow."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from poise.behaviours.rolling.joints import Joints, within
from poise.character import Character
from poise.errors import BadInput, unknown
from poise.files import put
from poise.gate import number, shown

STYLES = ("forward", "backward", "sideways", "parkour")
SAMPLES = 120  # of the table, a revolution
# channel → joints and signs: bending is positive everywhere, sides are mirrored
SPINE = ("spine_low_y", "spine_mid_y", "spine_top_y")
CHANNELS: dict[str, tuple[tuple[str, float], ...]] = {
    "spine": tuple((name, 1.0) for name in SPINE),
    "neck": (("neck_y", 1.0),),
    "side": (("spine_low_x", 1.0), ("spine_mid_x", 1.0)),
    "twist": (("spine_low_z", 1.0), ("spine_mid_z", 1.0)),
    "hip": (("hip_y_l", -1.0), ("hip_y_r", -1.0)),
    "hip_out": (("hip_x_l", 1.0), ("hip_x_r", -1.0)),
    "hip_turn": (("hip_z_l", 1.0), ("hip_z_r", -1.0)),
    "knee": (("knee_l", 1.0), ("knee_r", 1.0)),
    "ankle": (("ankle_y_l", -1.0), ("ankle_y_r", -1.0)),
    "shoulder": (("shoulder_y_l", -1.0), ("shoulder_y_r", -1.0)),
    "shoulder_out": (("shoulder_x_l", 1.0), ("shoulder_x_r", -1.0)),
    "shoulder_turn": (("shoulder_z_l", 1.0), ("shoulder_z_r", -1.0)),
    "elbow": (("elbow_l", -1.0), ("elbow_r", -1.0)),
    "wrist": (("wrist_y_l", 1.0), ("wrist_y_r", 1.0)),
}
for _name, _joints in list(CHANNELS.items()):  # difference of the sides: half to the left, half off the right
    if len(_joints) == 2 and _joints[0][0].endswith("_l"):
        (_left, _s), (_right, _t) = _joints
        CHANNELS[f"{_name}_differ"] = ((_left, 0.5 * _s), (_right, -0.5 * _t))


@dataclass(frozen=True)
class Cycle:
    """Key poses over one revolution.

    Attributes:
        style: One of STYLES.
        keys: Channel to its values at equal steps of the phase from 0 on [deg]; a single value is constant.
        speed, spin: What it rolls at by itself on flat ground [m/s], [rev/s].
        start: Phase at which a take begins [deg].
        lead: How far the pose that is tracked lies ahead of the phase [deg].
        oblique: Angle of the axis of rotation out of the shoulders' line [deg]; not zero over one shoulder.
        slope: Of the ground that it was made for [deg], uphill positive.
        steer: Channel to the angle that it gains per angle of heading error (left positive): how the pose steers.
        made: How it was made: character, seed, evaluations.
    """

    style: str
    keys: Mapping[str, tuple[float, ...]]
    speed: float = 1.4
    spin: float = 0.9
    start: float = 0.0
    lead: float = 0.0
    oblique: float = 0.0
    slope: float = 0.0
    steer: Mapping[str, float] = field(default_factory=dict)
    made: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.style not in STYLES:
            raise unknown("style of a roll", self.style, STYLES)
        for name in (*self.keys, *self.steer):
            if name not in CHANNELS:
                raise unknown("channel of a cycle", name, CHANNELS)
        for name, values in self.keys.items():
            if len(values) == 0 or not np.isfinite(values).all():
                raise BadInput(
                    f"channel {name} of a cycle has keys {list(values)}; give finite angles in degrees"
                )

    def table(self, body: Character) -> np.ndarray:
        """Poses (SAMPLES, nv - 6) [rad] over the phase from 0 to one turn, periodic and smooth; balls within range."""
        curves = {name: periodic(np.deg2rad(values), SAMPLES) for name, values in self.keys.items()}
        return within(body, _to_joints(body, curves, np.zeros((SAMPLES, body.model.nv - 6))))

    def steering(self, body: Character) -> np.ndarray:
        """What every angle of a pose (nv - 6,) gains per angle of heading error [rad/rad]."""
        return _to_joints(body, self.steer, np.zeros(body.model.nv - 6))

    def save(self, path: str | PathLike[str]) -> None:
        """Write as YAML."""
        fields = {
            k: getattr(self, k) for k in ("style", "speed", "spin", "start", "lead", "oblique", "slope")
        }
        keys = {k: [round(float(x), 1) for x in v] for k, v in self.keys.items()}
        text = yaml.safe_dump({**fields, "steer": dict(self.steer), "made": dict(self.made)}, sort_keys=False)
        text += "keys:\n" + "".join(f"  {k}: {v}\n" for k, v in keys.items())
        put(path, text)

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Cycle:
        """Read YAML; complaints name the key."""
        given = Path(path)
        if not given.is_file():
            raise BadInput(f"cycle file {str(path)!r} does not exist")
        return cls.parse(given.read_text(), str(path))

    @classmethod
    def parse(cls, text: str, where: str) -> Cycle:
        try:
            found = yaml.safe_load(text)
        except yaml.YAMLError as error:
            raise BadInput(f"cycle {where} is no YAML: {error}") from None
        if not isinstance(found, dict) or not isinstance(found.get("keys"), dict) or "style" not in found:
            raise BadInput(f"cycle {where} needs a style and keys (channel: angles in degrees)")
        for key, value in found.items():
            if key not in cls.__dataclass_fields__:
                raise unknown(f"key of cycle {where}", key, cls.__dataclass_fields__)
            if key in ("keys", "made", "steer") and not isinstance(value, dict):
                raise BadInput(f"key {key} of cycle {where} should have names below it; given {shown(value)}")
            if key not in ("style", "keys", "made", "steer"):
                number(f"key {key} of cycle {where} =", value)
        for name, value in found.get("steer", {}).items():
            number(f"steer {name} of cycle {where} =", value)
        keys = {k: _numbers(k, v, where) for k, v in found.pop("keys").items()}
        return cls(keys=keys, **found)


def _to_joints(body: Character, channels: Mapping[str, Any], out: np.ndarray) -> np.ndarray:
    """Values of channels added to the angles (..., nv - 6) that each of them moves."""
    joints = Joints(body)
    for name, value in channels.items():
        for angle, sign in CHANNELS[name]:
            at = joints.place(angle)
            if at is not None:
                out[..., at] += sign * value
    return out


def _numbers(name: str, value: Any, where: str) -> tuple[float, ...]:
    values = value if isinstance(value, list) else [value]
    if not all(isinstance(x, (int, float)) for x in values):
        raise BadInput(f"channel {name} of cycle {where} should be angles in degrees; given {value!r}")
    return tuple(float(x) for x in values)


def periodic(values: np.ndarray, samples: int) -> np.ndarray:
    """Cubic spline through values at equal steps of one turn, sampled at equal steps (samples,)."""
    from scipy.interpolate import CubicSpline

    at, knots = np.arange(samples) / samples, np.arange(len(values) + 1) / len(values)
    closed = [*values, values[0]]
    if len(values) < 3:
        return np.interp(at, knots, closed)
    return CubicSpline(knots, closed, bc_type="periodic")(at)


def shipped(kind: str = "cycles") -> dict[str, Cycle]:
    """The cycles that come with Poise, by name; of kind ``guesses``: by style, set by hand, to search from."""
    return dict(_read(kind))


@cache
def _read(kind: str) -> dict[str, Cycle]:
    folder = resources.files("poise.behaviours.rolling") / kind
    files = sorted((f for f in folder.iterdir() if f.name.endswith(".yaml")), key=lambda f: f.name)
    return {f.name.removesuffix(".yaml"): Cycle.parse(f.read_text(), f.name) for f in files}


def named(name: str) -> Cycle:
    """A shipped cycle by name, or the one of a file."""
    if name.endswith((".yaml", ".yml")):
        return Cycle.load(name)
    known = shipped()
    if name not in known:
        raise unknown("cycle", name, known)
    return known[name]
