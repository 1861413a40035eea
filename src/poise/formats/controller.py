"""A controller as plain JSON, for an engine that has no Python: body, gains, poses, scores. See docs/controller.md."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from os import PathLike
from typing import Any

import mujoco
import numpy as np

import poise
from poise.character import Character
from poise.character.actuator import torque_range
from poise.console import dumps, plain
from poise.files import put
from poise.motion.clip import Clip
from poise.simulate import Scene

FORMAT, VERSION = "poise-controller", 1
UNITS = {
    "length": "m", "mass": "kg", "time": "s", "angle": "rad", "force": "N", "torque": "N m", "quaternion": "wxyz",
    "axes": "x forward, y left, z up", "q": "root position (3), root quaternion (4), joints by their q_at",
}  # fmt: skip
KINDS = {int(kind): kind.name.removeprefix("mjJNT_").lower() for kind in mujoco.mjtJoint.__members__.values()}


def save_controller(scene: Scene, path: str | PathLike[str]) -> None:
    """Write what a scene's controller is made of."""
    put(path, dumps(controller(scene)) + "\n")


def controller(scene: Scene) -> dict[str, Any]:
    """The same as one object of plain values."""
    body, control = scene.character, scene.control
    return {
        "format": FORMAT, "version": VERSION, "poise": poise.__version__, "scene": scene.name,
        "options": plain(scene.options), "units": UNITS, "body": _body(body),
        "control": {"mode": control.mode, "solve_hz": 1.0 / scene.world.dt, "refresh_hz": control.rate,
                    "two_pass": control.two_pass, "friction": scene.world.friction},
        "poses": {"rest": body.q_rest.tolist()},
        "behaviour": _record(scene.behaviour),
    }  # fmt: skip


def _body(character: Character) -> dict[str, Any]:
    model = character.model
    return {
        "name": character.name, "mass": character.mass, "com_height": float(character.com_rest[2]),
        "bodies": [_part(model, b) for b in range(1, model.nbody)],
        "joints": [_joint(character, j) for j in range(model.njnt)],
        "supports": [_record(s) | {"stance": s.name in character.stance} for s in character.supports],
        "effectors": {name: {"body": b, "point": list(p)} for name, (b, p) in character.effectors.items()},
        "arms": list(character.arms),
    }  # fmt: skip


def _part(model: mujoco.MjModel, b: int) -> dict[str, Any]:
    return {
        "name": model.body(b).name, "parent": model.body(int(model.body_parentid[b])).name,
        "position": model.body_pos[b].tolist(), "orientation": model.body_quat[b].tolist(),
        "mass": float(model.body_mass[b]), "com": model.body_ipos[b].tolist(),
        "inertia": model.body_inertia[b].tolist(), "inertia_axes": model.body_iquat[b].tolist(),
    }  # fmt: skip


def _joint(character: Character, j: int) -> dict[str, Any]:
    """A joint: hinges have a range, ball joints a swing and twist."""
    model = character.model
    name, kind = model.joint(j).name, KINDS[int(model.jnt_type[j])]
    out: dict[str, Any] = {
        "name": name, "type": kind, "body": model.body(int(model.jnt_bodyid[j])).name,
        "position": model.jnt_pos[j].tolist(), "q_at": int(model.jnt_qposadr[j]), "v_at": int(model.jnt_dofadr[j]),
    }  # fmt: skip
    if kind == "free":
        return out
    spans = [torque_range(model, a) for a in range(model.nactuator) if int(model.actuator_trnid[a, 0]) == j]
    out["torque"] = [list(span) for span in spans if span is not None]
    if kind == "ball":
        limit = character.limits.get(name)
        return out | {"limit": None if limit is None else _record(limit)}
    bounded = bool(model.jnt_limited[j])
    return out | {
        "axis": model.jnt_axis[j].tolist(),
        "range": model.jnt_range[j].tolist() if bounded else None,
    }


def _record(value: Any) -> Any:
    """A value made of plain ones: records by their fields and their class, code by its name."""
    if isinstance(value, Character):
        return {"type": "Character", "name": value.name}
    if isinstance(value, Clip):
        held = {name: [list(span) for span in spans] for name, spans in value.contacts.items()}
        return {
            "type": "Clip",
            "times": value.times.tolist(),
            "q": value.q.tolist(),
            "loop": value.loop,
            "contacts": held,
        }
    if is_dataclass(value) and not isinstance(value, type):
        named = {f.name: _record(getattr(value, f.name)) for f in fields(value) if f.init}
        return {"type": type(value).__name__, **named}
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return {"type": type(value).__name__, **{k: _record(v) for k, v in value._asdict().items()}}  # type: ignore[attr-defined]
    if isinstance(value, Mapping):
        return {str(k): _record(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [_record(v) for v in value]
    if callable(value):
        return {"type": "code", "name": getattr(value, "__qualname__", type(value).__qualname__)}
    return value.tolist() if isinstance(value, (np.ndarray, np.generic)) else plain(value)
