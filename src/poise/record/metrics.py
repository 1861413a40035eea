"""Numbers that every physics scene reports, computed from the series of a take."""

from __future__ import annotations

from functools import lru_cache, partial

import mujoco
import numpy as np

from poise.character.constants import BALL, FREE, HINGE
from poise.geometry import quat
from poise.record.recording import Recording


def standard(recording: Recording) -> dict[str, float]:
    """The six metrics of every physics scene; nan where the series that it needs is missing."""
    functions = {
        "tracking_rmse_rad": tracking_rmse,
        "foot_slip_m": foot_slip,
        "penetration_max_m": partial(peak, name="penetration"),
        "torque_peak_nm": partial(peak, name="tau"),
        "h_peak_kgm2s": h_peak,
        "com_speed_final_ms": com_speed_final,
    }
    return {name: function(recording) for name, function in functions.items()}


def tracking_rmse(recording: Recording) -> float:
    r"""Root mean square angle between the joints and their reference [rad], root left out.

    .. math:: \sqrt{\tfrac{1}{T J} \sum_{t,j} \theta_{tj}^2}, \qquad \theta = 2 \arccos |\langle q, q_{ref} \rangle|

    The second form is for ball joints; a hinge counts its difference in angle.
    """
    every = tracking_angles(recording)
    return float(np.sqrt(np.nanmean(every**2))) if np.isfinite(every).any() else np.nan


def tracking_angles(recording: Recording) -> np.ndarray:
    """Angle between each joint and its reference (T, J) [rad], root left out; J is 0 for a take without a reference."""
    if not _has(recording, "q", "q_ref"):
        return np.zeros((len(recording), 0))
    start, hinges, balls = _joints(recording.model_xml)
    q_ref = recording["q_ref"]
    q = recording["q"][:, start : start + q_ref.shape[1]]
    angles = [q[:, hinges] - q_ref[:, hinges]]
    if len(balls):
        columns = balls[:, None] + np.arange(4)
        angles.append(np.linalg.norm(quat.difference(q[:, columns], q_ref[:, columns]), axis=2))
    return np.concatenate(angles, axis=1)


def foot_slip(recording: Recording) -> float:
    """Largest horizontal drift of a sole corner from where its stance began [m], seen from the ground."""
    if not _has(recording, "support_points"):
        return np.nan
    points = recording["support_points"]
    return drift(seen_from_ground(recording, points.reshape(len(points), -1, 3)))


def drift(points: np.ndarray) -> float:
    """Largest way in the plane of a point (T, n, 3) from where it came down [m]; it is nan while it is up."""
    on, flat = np.isfinite(points.sum(axis=2)), points[..., :2]
    if not on.any():
        return 0.0
    begins = on & ~np.vstack([np.zeros_like(on[:1]), on[:-1]])
    rows = np.arange(len(points))[:, None]
    origin = np.maximum.accumulate(np.where(begins, rows, 0), axis=0)
    away = np.linalg.norm(flat - np.take_along_axis(flat, origin[..., None], axis=0), axis=2)
    return float(away[on].max())


def peak(recording: Recording, name: str) -> float:
    """Largest size of any number of a series."""
    return _largest(recording[name]) if _has(recording, name) else np.nan


def h_peak(recording: Recording) -> float:
    """Largest angular momentum about the centre of mass [kg m²/s]."""
    if not _has(recording, "angular_momentum"):
        return np.nan
    return _largest(np.linalg.norm(recording["angular_momentum"], axis=1))


def com_speed_final(recording: Recording) -> float:
    """Speed of the centre of mass at the end [m/s], relative to the point of the ground that moves along with it."""
    if not _has(recording, "com", "com_velocity"):
        return np.nan
    velocity = recording["com_velocity"][-1]
    if "ground" in recording and len(recording) > 2:
        com = recording["com"][-1]
        ground = recording["ground"][-3:]
        R = quat.to_matrix(ground[:, 3:])
        local = R[-1].T @ (com - ground[-1, :3])
        carried = ground[:, :3] + R @ local
        velocity = velocity - (3 * carried[2] - 4 * carried[1] + carried[0]) / (2 * recording.dt)
    return float(np.linalg.norm(velocity))


def root_joint(model: mujoco.MjModel) -> int:
    """The free joint that carries the character: the one called root, else the first; -1 if there is none."""
    free = [j for j in range(model.njnt) if model.jnt_type[j] == FREE]
    named = [j for j in free if model.joint(j).name.endswith("root")]
    return (named or free or [-1])[0]


def character_start(model_xml: str) -> int:
    """First column of q that is the character's."""
    return _joints(model_xml)[0]


@lru_cache(maxsize=8)
def _joints(model_xml: str) -> tuple[int, np.ndarray, np.ndarray]:
    """Where the character begins in q, and its hinge and ball joints counted from there."""
    model = mujoco.MjModel.from_xml_string(model_xml)
    root = root_joint(model)
    start, body = (int(model.jnt_qposadr[root]), model.jnt_bodyid[root]) if root >= 0 else (0, 0)
    own = model.body_rootid[model.jnt_bodyid] == model.body_rootid[body]
    address = model.jnt_qposadr - start
    return start, address[own & (model.jnt_type == HINGE)], address[own & (model.jnt_type == BALL)]


def seen_from_ground(recording: Recording, points: np.ndarray) -> np.ndarray:
    """World points (T, n, 3) in the frame of the ground, which may be a moving platform."""
    if "ground" not in recording:
        return points
    ground = recording["ground"]
    return np.einsum("tji,tnj->tni", quat.to_matrix(ground[:, 3:]), points - ground[:, None, :3])


def _has(recording: Recording, *names: str) -> bool:
    return len(recording) > 0 and all(name in recording for name in names)


def _largest(values: np.ndarray) -> float:
    return float(np.nanmax(np.abs(values))) if np.isfinite(values).any() else np.nan
