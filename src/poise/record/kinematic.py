"""A clip as a take that nobody simulated: the same series, from its poses and their rates alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import mujoco
import numpy as np

import poise
from poise.character.constants import GRAVITY
from poise.dynamics.momentum import centre_of_pressure, moment_pivot
from poise.geometry import quat
from poise.motion.clip import Clip
from poise.record import excursion, spin
from poise.record.metrics import foot_slip, h_peak
from poise.record.recording import Recorder, Recording
from poise.record.series import spec
from poise.worlds.world import Arena, World

RATE = 100.0  # [Hz]
FLIGHT = 0.1  # of the weight: with less ground force than this there is no centre of pressure to speak of
UP, ORIGIN = np.array([0.0, 0.0, 1.0]), np.zeros(3)
SERIES = (
    "q", "v", "support_points", "planted", "com", "com_velocity", "linear_momentum", "angular_momentum", "cp",
    "cmp", "contact_force", "angular_momentum_rate", "angular_velocity",
)  # fmt: skip


def recording_of(
    clip: Clip, info: Mapping[str, Any] | None = None, progress: Callable[[float], None] | None = None
) -> Recording:
    r"""Everything that a clip's own motion says about momentum and balance.

    The ground force and its moment are what the body's motion needs: :math:`f = m(\ddot c - g)`, and the root row of
    inverse dynamics. AV is :math:`\omega = I_c^{-1} H` with the composite inertia about c, AE its integral
    ([Rolling] §3). The spin is non-zero where the CMP lies outside the support ([Coordination] §3); nan in flight.
    """
    character = clip.character
    model, data = character.model, mujoco.MjData(character.model)
    n = max(2, round(clip.seconds * RATE) + 1)
    times = np.linspace(clip.start, clip.end, n) if clip.seconds else np.zeros(1)
    recorder = Recorder(spec(SERIES, model, character), len(times))
    for i, t in enumerate(times):
        row = _instant(clip, float(np.clip(t, clip.start + 1e-9, clip.end - 1e-9)), data)
        for name, values in row.items():
            recorder.write(name, values)
        recorder.advance(float(t - clip.start))
        if progress is not None and i % 50 == 0:
            progress(i / len(times))
    head = {"scene": "inspect", "character": character.name, "seconds": clip.seconds, "seed": 0, "pushes": [],
            "version": poise.__version__}  # fmt: skip
    take = recorder.finish({**head, **(info or {})}, Arena(World(), character).xml)
    excursion.add(take)
    take.series["spin"] = spin.series(take)
    take.metrics.update(_metrics(take, character.mass))
    return take


def _instant(clip: Clip, t: float, data: mujoco.MjData) -> dict[str, Any]:
    """One record of the series."""
    character, model = clip.character, clip.character.model
    data.qpos[:], data.qvel[:], data.qacc[:] = clip.sample(t)
    mujoco.mj_inverse(model, data)
    mujoco.mj_subtreeVel(model, data)
    c, m = data.subtree_com[1].copy(), character.mass
    force = data.qfrc_inverse[:3].copy()
    moment = quat.rotate(data.qpos[3:7], data.qfrc_inverse[3:6]) - np.cross(c - data.qpos[:3], force)
    H = data.subtree_angmom[1].copy()
    planted = np.array([clip.on_ground(s.name, t) for s in character.supports])
    soles = [_sole(data, s) for s in character.supports]
    pushed = force[2] > FLIGHT * m * GRAVITY
    cp = centre_of_pressure(c, force, moment, ORIGIN, UP) if pushed else np.full(3, np.nan)
    cmp = moment_pivot(c, force, ORIGIN, UP) if pushed else np.full(3, np.nan)
    return {
        "q": data.qpos, "v": data.qvel, "com": c, "com_velocity": data.subtree_linvel[1],
        "linear_momentum": m * data.subtree_linvel[1], "angular_momentum": H, "contact_force": force,
        "angular_momentum_rate": moment, "cp": cp, "cmp": cmp, "planted": planted,
        "support_points": np.concatenate([np.where(on, s, np.nan) for on, s in zip(planted, soles)] or [[]]).ravel(),
        "angular_velocity": np.linalg.solve(composite_inertia(model, data, c), H),
    }  # fmt: skip


def composite_inertia(model: mujoco.MjModel, data: mujoco.MjData, c: np.ndarray) -> np.ndarray:
    """Inertia of the whole body about c, joints frozen, world axes (3, 3) [kg m²]."""
    R, arm = data.ximat.reshape(-1, 3, 3)[1:], data.xipos[1:] - c
    own = np.einsum("bij,bj,bkj->ik", R, model.body_inertia[1:], R)
    m = model.body_mass[1:]
    return own + np.eye(3) * (m @ (arm**2).sum(axis=1)) - np.einsum("b,bi,bj->ij", m, arm, arm)


def _sole(data: mujoco.MjData, support) -> np.ndarray:
    body = data.body(support.body)
    return body.xpos + support.points @ body.xmat.reshape(3, 3).T


def _metrics(take: Recording, mass: float) -> dict[str, Any]:
    """Summary figures of a clip."""
    classes, force = take["spin"][:, 0], take["contact_force"][:, 2]
    known = classes[np.isfinite(classes)]
    turned, root = (np.degrees(take[name]) for name in ("angular_excursion", "root_excursion"))
    return {
        "mass_kg": mass,
        "com_height_mean_m": float(take["com"][:, 2].mean()),
        "com_speed_mean_ms": float(np.linalg.norm(take["com_velocity"][:, :2], axis=1).mean()),
        "h_peak_kgm2s": h_peak(take),
        "h_over_mvh": _h_over_mvh(take, mass),
        "foot_slip_m": foot_slip(take),
        "air_time_share": float((force < FLIGHT * mass * GRAVITY).mean()),
        "non_zero_spin_share": float(known.mean()) if len(known) else None,
        "spin_class": None if not len(known) else "NZS" if known.mean() > 0.5 else "ZS",
        "av_peak_rad_s": float(np.linalg.norm(take["angular_velocity"], axis=1).max()),
        "excursion_range_deg": float(np.ptp(turned, axis=0).max()),
        "root_range_deg": float(np.ptp(root, axis=0).max()),
    }


def _h_over_mvh(take: Recording, mass: float) -> float | None:
    """Mean of H over m v h, the scale of a walk: v the mean speed, h the mean height of the CM; None at a stand."""
    v = float(np.linalg.norm(take["com_velocity"][:, :2], axis=1).mean())
    h = float(take["com"][:, 2].mean())
    mean = float(np.linalg.norm(take["angular_momentum"], axis=1).mean())
    return mean / (mass * v * h) if v > 0.2 else None
