"""How a movement looks, as numbers that tell people from puppets; each is defined here and nowhere else.

Literature beside them: people walk with about 1.1-1.2 weights on a foot, a heel that leaves at 40 % of the cycle, 5-10
cm between the ankles (Perry, J. & Burnfield, J. (2010), "Gait Analysis") and step length over cadence of about 0.0065
m/(1/min) (Sekiya, N. & Nagasaki, H. (1998), "Reproducibility of the walking patterns of normal young adults").
"""

from __future__ import annotations

from collections.abc import Callable

import mujoco
import numpy as np

from poise.character.constants import GRAVITY
from poise.record.limbs import SIDES, Limbs, limbs_of
from poise.record.recording import Recording
from poise.record.soles import pressed
from poise.record.strides import Strides, strides_of

CUTOFF = 6.0  # [Hz] of places of which the jerk is found
OFF = 0.01  # [m] that a heel rises above where it stands before it counts as off the ground
STANDS = (0.15, 0.30)  # of a cycle, in which it stands,
LATEST = 0.75  # and by which it is off
JOINTS = ("hip", "knee", "ankle")
Found = dict[str, float]


def looks(take: Recording) -> Found:
    """All numbers that can be found: of a walk where there are strides, of the arms, torques and extremes always."""
    limbs = limbs_of(take)
    strides = strides_of(limbs)
    found = {} if strides is None else walk(strides)
    found |= extremes(limbs)
    if take.metrics.get("torque_power_above_20hz") is not None:
        found["torque_power_above_20hz"] = float(take.metrics["torque_power_above_20hz"] or 0.0)
    return found


def of_walk(take: Recording) -> Found:
    """The numbers of a walk that a scene does not have already; empty where there are no strides."""
    strides = strides_of(limbs_of(take))
    found = {} if strides is None else walk(strides)
    return {name: value for name, value in found.items() if name not in take.metrics}


def walk(strides: Strides) -> Found:
    """Steps, joints, trunk, arms, momenta, effort and forces of a walk."""
    limbs, found = strides.limbs, {}
    parts: list[Callable[[Strides], Found]] = [paces, joints, trunk, momenta, pressed]
    if limbs.has_arms:
        parts.append(arms)
    if "tau" in limbs.take:
        parts.append(effort)
    for part in parts:
        found |= part(strides)
    return found


def paces(strides: Strides) -> Found:
    """Speed, time and length of steps, their ratio, and how wide they are."""
    limbs, take = strides.limbs, strides.limbs.take
    seconds = np.array([(b - a) * take.dt for _, a, b in strides.every])
    ways = np.array([np.linalg.norm(take["com"][b, :2] - take["com"][a, :2]) for _, a, b in strides.every])
    gap = strides.across(limbs.places["foot_l"] - limbs.places["foot_r"])
    step, cadence = 0.5 * ways.mean(), 120.0 / seconds.mean()
    return {
        "strides": float(strides.count),
        "speed_ms": float(ways.sum() / seconds.sum()),
        "stride_s": float(seconds.mean()),
        "step_m": float(step),
        "walk_ratio_m_min": float(step / cadence),
        "width_m": float(np.abs(gap).mean()),
        "bounce_m": strides.spread(take["com"][:, 2]),
    }


def joints(strides: Strides) -> Found:
    """Ranges of the legs' joints over the mean stride, the foot's pitch, heel-off, and how strides differ [deg]."""
    limbs = strides.limbs
    found = {
        f"{name}_range_deg": float(np.degrees(np.ptp(strides.mean(getattr(limbs, name))))) for name in JOINTS
    }
    pitch = strides.cycles(limbs.pitch)
    found["foot_pitch_deg"] = float(np.degrees(pitch.max(axis=1).mean()))
    off = [_heel_off(cycle) for cycle in strides.cycles(lambda side: limbs.edge(side, "heel")[:, 2])]
    found["heel_off_share"] = float(np.mean(off))
    apart = [
        np.std(knees, axis=0, ddof=1).mean()
        for side in SIDES
        if len(knees := Strides(limbs, {side: strides.spans[side]}).cycles(limbs.knee)) > 1
    ]
    if apart:
        found["stride_sd_deg"] = float(np.degrees(np.mean(apart)))
    return found


def _heel_off(height: np.ndarray) -> float:
    """Share of a cycle at which a heel (POINTS,) [m] has left the ground for good."""
    n = len(height) - 1
    a, b, c = (round(share * n) for share in (*STANDS, LATEST))
    down = np.flatnonzero(height[a:c] <= np.median(height[a:b]) + OFF)
    return float(a + down[-1] + 1) / n


def trunk(strides: Strides) -> Found:
    """Turn, tilt and obliquity of the pelvis, ranges a stride [deg]."""
    limbs = strides.limbs
    ways = {"yaw": limbs.pelvis_yaw(), "tilt": limbs.pelvis_tilt(), "obliquity": limbs.pelvis_obliquity()}
    return {f"pelvis_{name}_deg": float(np.degrees(strides.spread(x))) for name, x in ways.items()}


def arms(strides: Strides) -> Found:
    """Swing of the shoulders over the mean stride, bend of the elbows [deg], and jerk of the hands [m/s³]."""
    limbs = strides.limbs
    elbow = np.degrees(strides.mean(limbs.elbow))
    jerks = [jerk(limbs.places[f"hand_{side}"], limbs.take.dt)[strides.walked] for side in SIDES]
    return {
        "shoulder_range_deg": float(np.degrees(np.ptp(strides.mean(limbs.shoulder)))),
        "elbow_mean_deg": float(elbow.mean()),
        "elbow_range_deg": float(np.ptp(elbow)),
        "hand_jerk_ms3": float(np.sqrt(np.mean([np.mean(np.sum(j**2, axis=1)) for j in jerks]))),
    }


def jerk(x: np.ndarray, dt: float) -> np.ndarray:
    """Third rate (T, 3) of places low-passed at 6 Hz [m/s³]."""
    from scipy.signal import butter, sosfiltfilt

    smooth = sosfiltfilt(butter(2, CUTOFF, fs=1.0 / dt, output="sos"), x, axis=0)
    for _ in range(3):
        smooth = np.gradient(smooth, dt, axis=0)
    return smooth


def momenta(strides: Strides) -> Found:
    """Rms of H about the axes of the way, over m v h."""
    limbs, take, on = strides.limbs, strides.limbs.take, strides.walked
    H = take["angular_momentum"]
    seen = np.stack([limbs.ahead(H), limbs.aside(H), H[:, 2]], axis=1)[on]
    v = np.linalg.norm(take["com_velocity"][on, :2].mean(axis=0))
    scale = limbs.mass * v * take["com"][on, 2].mean()
    return {
        f"h{axis}_over_mvh": float(np.sqrt(np.mean(seen[:, i] ** 2)) / scale) for i, axis in enumerate("xyz")
    }


def effort(strides: Strides) -> Found:
    """Positive work of the joints over m g d."""
    take, on = strides.limbs.take, strides.walked
    power = powers(take)[on]
    way = np.linalg.norm(np.diff(take["com"][on, :2], axis=0), axis=1).sum()
    work = float(np.maximum(power, 0.0).sum() * take.dt)
    return {"work_mgd": work / (strides.limbs.mass * GRAVITY * float(way))}


def powers(take: Recording) -> np.ndarray:
    """Power (T, joints) of each motor [W]."""
    model = mujoco.MjModel.from_xml_string(take.model_xml)
    gears = np.zeros((model.nu, model.nv))
    for a in range(model.nu):
        joint = model.joint(int(model.actuator_trnid[a, 0]))
        count = 3 if len(joint.qpos0) == 4 else 1
        gears[a, joint.dofadr[0] : joint.dofadr[0] + count] = model.actuator_gear[a, :count]
    return take["tau"] * (take["v"] @ gears.T)


def extremes(limbs: Limbs) -> Found:
    """The most that a viewer sees: lean of the trunk, speed of joints and hands, acceleration of the head."""
    from poise.geometry import quat

    take, found = limbs.take, {}
    joint_speeds = np.abs(take["v"][:, 6:])
    if joint_speeds.size:
        found["joint_speed_peak_rads"] = float(np.nanmax(joint_speeds))
    if "pelvis" in limbs.turns:
        up = quat.rotate(limbs.turns["pelvis"], np.array([0.0, 0.0, 1.0]))[:, 2]
        found["lean_peak_deg"] = float(np.degrees(np.arccos(np.clip(up.min(), -1, 1))))
    hands = [limbs.places[f"hand_{side}"] for side in SIDES if f"hand_{side}" in limbs.places]
    if hands and len(take) > 2:
        speeds = [np.linalg.norm(np.gradient(x, take.dt, axis=0), axis=1).max() for x in hands]
        found["hand_speed_peak_ms"] = float(max(speeds))
    if "head" in limbs.places and len(take) > 4:
        acc = np.gradient(np.gradient(limbs.places["head"], take.dt, axis=0), take.dt, axis=0)
        found["head_peak_g"] = float(np.linalg.norm(acc, axis=1).max() / GRAVITY)
    return found


def extreme(take: Recording) -> Found:
    """The extremes of a take, and the hardest push of a foot where that was recorded."""
    limbs = limbs_of(take)
    found = extremes(limbs)
    if "sole_force" in take:
        found["foot_peak_bw"] = float(take["sole_force"].max() / (limbs.mass * GRAVITY))
    return found


def alike(one: Strides, two: Strides) -> Found:
    """Correlation of the mean cycle of each joint of the legs with another walk's."""
    return {
        f"{name}_correlation": float(
            np.corrcoef(one.mean(getattr(one.limbs, name)), two.mean(getattr(two.limbs, name)))[0, 1]
        )
        for name in JOINTS
    }


def compared(take: Recording, other: Recording) -> Found:
    """Correlation of two walks' legs; empty where one of them does not walk."""
    one, two = (strides_of(limbs_of(t)) for t in (take, other))
    return {} if one is None or two is None else alike(one, two)
