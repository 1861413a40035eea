"""Which moments of a take are drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

import mujoco
import numpy as np

from poise.draw.form import Form

if TYPE_CHECKING:
    from poise.record.recording import Recording

GRID = 20  # moments to choose from, for each that is drawn
CLOSEST, FARTHEST = 0.2, 2.0  # between two neighbours, over the mean
PUSH, EVENT = 4.0, 0.4  # what showing a push, and another event, is worth: in poses as different as any two
STILL = 0.02  # [m] poses that differ less are alike
SINK, LEAN = 0.01, 0.05  # [m], [rad] by which the centre of mass and the trunk turn back at an extreme


def film_times(recording: Recording, fps: float) -> np.ndarray:
    """Times of a film's frames [s], from the first record to the last."""
    start, end = recording.time[[0, -1]]
    return start + np.arange(int(np.floor((end - start) * fps + 1e-6)) + 1) / fps


def moments(recording: Recording, n: int) -> np.ndarray:
    """Times [s] that tell what happened: first, last, and between them pushes, steps, extremes, and poses that differ.

    Of all ways to choose them, none closer than ``CLOSEST`` nor farther apart than ``FARTHEST`` of the mean, the one
    whose neighbours differ most, counting no pair for more than two moments at random differ by: a motion that repeats
    is not shown at the same phase again and again.
    """
    first, last = recording.time[[0, -1]]
    if n < 3 or last <= first:
        return np.linspace(first, last, n)
    worth = dict.fromkeys(np.linspace(first, last, GRID * n).tolist(), 0.0)
    worth |= {t: EVENT for t in _events(recording)} | {t: PUSH for t in _pushes(recording)}
    times = np.array(sorted(t for t in worth if first <= t <= last))
    apart = _differences(recording, times)
    score = np.minimum(apart / max(float(apart.mean()), STILL), 1.0)
    gap = (times[None, :] - times[:, None]) * (n - 1) / (last - first)
    score[(gap < CLOSEST) | (gap > FARTHEST)] = -np.inf
    return times[_best(score + np.array([worth[t] for t in times.tolist()]), n)]


def _best(score: np.ndarray, n: int) -> list[int]:
    """The path of n places from the first to the last whose steps score most: score (m, m) of going from i to j."""
    total, came = np.full(len(score), -np.inf), []
    total[0] = 0.0
    for _ in range(n - 1):
        sums = total[:, None] + score
        came.append(np.argmax(sums, axis=0))
        total = sums.max(axis=0)
    path = [len(score) - 1]
    for back in reversed(came):
        path.append(int(back[path[-1]]))
    return path[::-1]


def _differences(recording: Recording, times: np.ndarray) -> np.ndarray:
    """How different the body looks at any two times (m, m) [m]: rms over its parts, seen from its centre."""
    form = Form(_model(recording))
    data, q, rows = mujoco.MjData(form.model), recording["q"], []
    for i in np.round(np.interp(times, recording.time, np.arange(len(recording)))).astype(int).tolist():
        if np.isfinite(q[i]).all():
            data.qpos[:] = q[i]
            mujoco.mj_kinematics(form.model, data)
        rows.append((data.xipos[form.own] - data.xipos[form.own].mean(axis=0)).ravel())
    poses = np.array(rows)
    squares = (poses**2).sum(axis=1)
    apart = squares[:, None] + squares[None, :] - 2.0 * poses @ poses.T
    return np.sqrt(np.maximum(apart, 0.0) / max(len(form.own), 1))


def _pushes(recording: Recording) -> list[float]:
    """The middle of every push, and when each thing that flies about is closest to the body."""
    from poise.record.metrics import character_start
    from poise.record.pushes import end, pushes

    found, model = [0.5 * (push.start + end(push)) for push in pushes(recording)], _model(recording)
    own = character_start(recording.model_xml)
    for at in model.jnt_qposadr[model.jnt_type == mujoco.mjtJoint.mjJNT_FREE].tolist():
        if at != own and "com" in recording:
            away = np.linalg.norm(recording["q"][:, at : at + 3] - recording["com"], axis=1)
            found.append(float(recording.time[np.argmin(np.where(np.isfinite(away), away, np.inf))]))
    return found


def _model(recording: Recording) -> mujoco.MjModel:
    return mujoco.MjModel.from_xml_string(recording.model_xml)


def _events(recording: Recording) -> list[float]:
    """When feet leave the ground or land, and when the body is highest, lowest, or leans most; when it fell."""
    t, found = recording.time, [] if recording.fall_time is None else [recording.fall_time]
    if "planted" in recording:
        changes = np.abs(np.diff(np.nan_to_num(recording["planted"]), axis=0)).max(axis=1) > 0.5
        found += t[1:][changes].tolist()
    if "com" in recording:
        found += t[_turns(recording["com"][:, 2], SINK)].tolist()
    from poise.record.metrics import character_start

    at = character_start(recording.model_xml)
    if recording["q"].shape[1] >= at + 7:
        _, x, y, _ = recording["q"][:, at + 3 : at + 7].T
        found += t[_turns(np.arccos(np.clip(1 - 2 * (x * x + y * y), -1, 1)), LEAN)].tolist()
    return found


def _turns(values: np.ndarray, least: float) -> list[int]:
    """Where a series turns back by more than so much."""
    found, low, high, up = [], 0, 0, 0
    for i, value in enumerate(values.tolist()):
        low, high = (i if value < values[low] else low), (i if value > values[high] else high)
        if up >= 0 and value < values[high] - least:
            found, up, low = [*found, high], -1, i
        elif up <= 0 and value > values[low] + least:
            found, up, high = [*found, low], 1, i
    return found
