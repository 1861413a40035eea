"""The one list of series: what a take keeps, with unit, frame and columns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import mujoco
import numpy as np

from poise.character import Character

if TYPE_CHECKING:
    from poise.record.recording import Recording

Spec = dict[str, tuple[str, str, tuple[str, ...]]]  # name → unit, frame, names of the columns

XYZ = ("x", "y", "z")
VECTORS = {  # in world axes
    "com": "m",
    "com_velocity": "m/s",
    "linear_momentum": "kg m/s",
    "angular_momentum": "kg m2/s",
    "angular_velocity": "rad/s",
    "arm_angular_momentum": "kg m2/s",
    "cp": "m",
    "cmp": "m",
    "contact_force": "N",
    "angular_momentum_rate": "N m",
    "linear_momentum_rate_des": "N",
    "angular_momentum_rate_des": "N m",
    "angular_momentum_rate_solved": "N m",
    "angular_momentum_rate_free": "N m",
    "plan_com": "m",
    "plan_linear_momentum": "kg m/s",
    "plan_angular_momentum": "kg m2/s",
    "reference_com": "m",
    "reach_gap": "m",
}
OTHERS: Spec = {
    "ground": ("m, 1", "world", ("x", "y", "z", "qw", "qx", "qy", "qz")),
    "solver": ("1", "none", ("failures", "iterations", "limits")),
    "penetration": ("m", "ground", ("depth",)),
    "clock": ("frame", "clip", ("t", "t_c", "t_d")),
    "knock": ("N, 1, 1", "none", ("hardest", "one", "two")),
    "final_time_change": ("frame", "clip", ("later",)),
}

AWAY = "another behaviour acts"
ABSENT = {  # series that may be nan, which says that there is none now: when
    "cp": "nothing presses on the ground",
    "cmp": "nothing presses on the ground",
    "spin": "nothing presses on the ground",
    "sole_cp": "nothing presses on the sole",
    "support_points": "the corner is lifted",
    "q_ref": "no pose is followed",
    "footprint": "no foot is on its way",
    "gait": f"no foot has landed yet, or {AWAY}",
    "steps": f"no foot has landed yet, or {AWAY}",
    **dict.fromkeys(("clip", "soles", "stride", "xi", "xi_error"), AWAY),
}


def spec(
    names: Iterable[str], model: mujoco.MjModel, character: Character, supports: Sequence[str] | None = None
) -> Spec:
    """Unit, frame and columns of some series.

    Args:
        model: What q, v and tau belong to; may hold more than the character.
        supports: Names of those whose corners are kept; all of the character's by default.
    """
    chosen = [character.support(s) for s in supports or [s.name for s in character.supports]]
    q, own = [f"q{i}" for i in range(model.nq)], character.model.nq
    motors = [model.actuator(a).name or f"u{a}" for a in range(model.nu)]
    made: Spec = {
        "q": ("m, rad, 1", "world and joints", tuple(q)),
        "v": ("m/s, rad/s", "world and joints", tuple(f"v{i}" for i in range(model.nv))),
        "tau": ("N m", "joints", tuple(motors)),
        "q_ref": ("m, rad, 1", "world and joints", tuple(q[:own])),
        "planted": ("1", "none", tuple(s.name for s in chosen)),
        "support_points": (
            "m",
            "world",
            tuple(f"{s.name}.{k}.{a}" for s in chosen for k in range(len(s.points)) for a in XYZ),
        ),
        "sole_force": ("N", "ground", tuple(s.name for s in chosen)),
        "sole_cp": ("m", "world", tuple(f"{s.name}.{a}" for s in chosen for a in "xy")),
        **OTHERS,
        **{name: (unit, "world", XYZ) for name, unit in VECTORS.items()},
    }
    return {name: made[name] for name in names}


def unsound(recording: Recording) -> list[str]:
    """Series with a number that is not finite, those apart that may say by nan that there is none now."""
    wrong = []
    for name, series in recording.series.items():
        bad = np.isinf(series.values) if name in ABSENT else ~np.isfinite(series.values)
        wrong += [name] if bad.any() else []
    return [*wrong, *([] if np.isfinite(recording.time).all() else ["time"])]
