"""How a performance went: the goal, the soles, the legs, the clock. The body counts, not the model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import mujoco
import numpy as np

from poise.behaviours.planned.course import Course
from poise.behaviours.planned.gaps import Gaps, gaps
from poise.behaviours.planned.online import LAST
from poise.behaviours.planned.reference import Reference
from poise.behaviours.planned.segments import Controller
from poise.character.character import Support
from poise.geometry import quat
from poise.record.metrics import drift

if TYPE_CHECKING:
    from poise.behaviours.planned.take import Log

CLOSE = 0.05  # [m] from the goal: beyond, no success
SLIP = 0.02  # [m] of a sole
BEHIND = 0.02  # [m] of the body behind the model
PHANTOM = 40.0  # [N m] that no contact and no push explains: beyond, nothing was recovered from
ASTRAY = 0.3  # [m/s] of the velocity of c away from the plan's at the end


@dataclass(frozen=True)
class Outcome:
    """Figures of a performance.

    Attributes:
        goal_error: Distance of the body's centre of mass from the plan at the last cut reached [m].
        slip: Largest drift of a corner that carries [m]. gap: Most that the body lagged behind in a frame [m].
        later: How many frames later than in the clip the last cut was reached.
        effort: Mean of ΣF² over the performance [N²].
        h_peak: Largest angular momentum [kg m²/s]. spin: Mean of its square, as eq. 2 weighs it.
        tilt: Largest turn of the root away from the clip's [rad].
        unexplained: Moment and force that neither contacts nor pushes explain.
        recovered: Goal met, no slip, legs long enough, no moment out of nowhere, and not stopped early.
        why: Why not; empty if so.
    """

    goal_error: float
    slip: float
    gap: float
    later: float
    effort: float
    h_peak: float
    spin: float
    tilt: float
    unexplained: Gaps
    recovered: bool
    why: str


def outcome(ref: Reference, control: Controller, way: Course, log: Log) -> Outcome:
    """Judge a performance."""
    n = log.frames
    clock = log.clock[:n, 2]
    marks = [s.cut for s in control.segments[1:]] + [control.segments[-1].end - LAST]
    passed = [k for k in marks if 0 < k <= clock[-1]]
    at = int(np.argmax(clock >= passed[-1])) if passed else n - 1
    k = min(round(float(clock[at])), ref.frames - 1)
    error = float(np.linalg.norm(log.c[at] - ref.x[k, :3] - way.drift[k]))
    momentum = float(np.linalg.norm(log.x[at, 3:6] - _planned(control, k)))
    slip, tilt = _slip(ref, log), _tilt(ref, log)
    gap = float(np.linalg.norm(log.gap[:n], axis=1).max())
    reasons = [log.why] if log.why else []
    for name, value, most in (
        ("misses its goal by", error, CLOSE),
        ("slips by", slip, SLIP),
        ("lags by", gap, BEHIND),
    ):
        reasons += [f"{name} {100 * value:.1f} cm"] if value > most else []
    if momentum > ASTRAY * ref.character.mass:
        reasons.append(f"momentum is {momentum:.1f} kg m/s off")
    left = gaps(log)
    if left.moment > PHANTOM:
        reasons.append(f"no contact explains {left.moment:.0f} N m")
    H = np.linalg.norm(log.x[:n, 9:], axis=1)
    effort, later = float((log.F[:n] ** 2).sum(axis=(1, 2)).mean()), float(log.change[at])
    return Outcome(
        error, slip, gap, later, effort, float(H.max()), float((H**2).mean()), tilt, left, not reasons,
        "; ".join(reasons),
    )  # fmt: skip


def _planned(control: Controller, frame: int) -> np.ndarray:
    """L of the plan at a frame of the clip."""
    for segment in control.segments:
        if segment.cut <= frame <= segment.end:
            return segment.policy.X[frame - segment.start, 3:6]
    return control.segments[-1].policy.X[-1, 3:6]


def _slip(ref: Reference, log: Log) -> float:
    """Largest drift of a corner from where it began to carry [m]."""
    model, data = ref.character.model, mujoco.MjData(ref.character.model)
    supports = [ref.character.support(s) for s in ref.character.stance]
    real = ref.feet.on[:, :, :-2]  # the ball of a foot on its toes is not on the ground
    points = np.empty((log.frames, *real.shape[1:], 3))
    for i in range(log.frames):
        data.qpos[:] = log.q[i]
        mujoco.mj_kinematics(model, data)
        on = real[min(int(log.clock[i, 2] + 0.5), ref.frames - 1)]
        points[i] = np.where(on[..., None], corners(data, supports), np.nan)
    return drift(points.reshape(log.frames, -1, 3))


def corners(data: mujoco.MjData, supports: list[Support]) -> np.ndarray:
    """Where the corners (S, K, 3) of the soles are; data has kinematics run."""
    bodies = [data.body(support.body) for support in supports]
    return np.stack([b.xpos + quat.rotate(b.xquat, s.points) for b, s in zip(bodies, supports, strict=True)])


def _tilt(ref: Reference, log: Log) -> float:
    """Largest angle between the root and the clip's root [rad]."""
    n = log.frames
    k = np.minimum(np.round(log.clock[:n, 2]).astype(int), ref.frames - 1)
    return float(np.linalg.norm(quat.difference(log.q[:n, 3:7], ref.q[k, 3:7]), axis=1).max())
