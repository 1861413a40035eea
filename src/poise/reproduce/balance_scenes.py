"""[Balance] section 9: head drag, cup, grapple and platform."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

import poise
from poise.control.points import Point
from poise.dynamics.limits import JointLimits
from poise.reproduce.balance import claim
from poise.reproduce.claim import Finding, behaviour, end, number, take, variant


@claim(cost=4.0, why="limits: 5 cm, 0.35 rad")
def head_drag() -> Finding:
    """Dragged by the head while squatting, it stays near the motion, meets the drag and balances (9)"""
    recording = take("head-drag")
    error, pose = number(recording, "drag_error_m"), number(recording, "tracking_rmse_rad")
    text = f"{end(recording)}, head {100 * error:.1f} cm from its target on average"
    text += f", joints {pose:.2f} rad from the squat"
    return Finding(text, not recording.fell and error < 0.05 and pose < 0.35)


@claim(
    cost=8.0,
    why="held: 2 cm or 5°, a joint within 2° of its limit, in each seed; pose noise lets it choose a side",
)
def out_of_plane() -> Finding:
    """Near joint lock it moves out of the plane in which the point travels (9)"""
    limits, texts, held = JointLimits.of(poise.Character.named("adult")), [], True
    for seed in range(3):
        seen = take("head-drag", radius=0.2, pose_noise=0.01, seed=seed)
        side = seen["q"][:, 1] - seen["q"][0, 1]
        w, _, _, z = seen["q"][:, 3:7].T
        turn = float(np.degrees(np.abs(2 * np.arctan2(z, w))).max())
        most = float(side[np.abs(side).argmax()])
        near = max(limits.worst(q) for q in seen["q"][seen.time > 1.0][::5])
        texts.append(
            f"{100 * most:+.1f} cm, {turn:.1f}°, {np.degrees(-near):.1f}° from a limit ({end(seen)})"
        )
        held &= not seen.fell and (abs(most) > 0.02 or turn > 5.0) and near > -np.radians(2.0)
    return Finding(f"circle of 0.2 m, pelvis aside and turned: {'; '.join(texts)}", held)


@claim(cost=6.0, why="limits: 10°, 10°, 0.15 rad more than the plain kick")
def cup() -> Finding:
    """Side kick with head straight and cup upright, tracking preserved (9, Cup)"""
    recording, kick = take("cup"), take("side-kick")
    cup_, head = number(recording, "cup_tilt_deg"), number(recording, "head_tilt_deg")
    pose, plain = number(recording, "tracking_rmse_rad"), number(kick, "tracking_rmse_rad")
    text = (
        f"{end(recording)}; cup within {cup_:.1f}°, head within {head:.1f}°;"
        f" joints {pose:.3f} rad off ({plain:.3f} without a cup)"
    )
    return Finding(text, not recording.fell and cup_ <= 10 and head <= 10 and pose < plain + 0.15)


def less_without(
    measure: Callable[[poise.Recording], float], words: str, left_out: Callable[[Any], bool]
) -> Finding:
    """What the cup does with all of its objectives and without some; a fall proves nothing."""
    others = behaviour("cup").others
    fewer = lambda t, state: [o for o in others(t, state) if not left_out(o)]  # noqa: E731
    takes = take("cup"), variant("cup", {"others": fewer})
    on, off = map(measure, takes)
    text = words.format(f"{on:.2f} ({end(takes[0])}) with", f"{off:.2f} ({end(takes[1])}) without")
    return Finding(text, on < off and not any(t.fell for t in takes))


@claim(cost=6.0, why="largest tilt of the take; a fall proves nothing")
def cup_head() -> Finding:
    """Tracking the head's acceleration improves the posture (9, Cup)"""
    tilt = partial(number, key="head_tilt_deg")
    return less_without(
        tilt, "head tilt [°] {} the head objective, {}", lambda o: getattr(o, "body", "") == "head"
    )


@claim(cost=6.0, why="same kick; a fall proves nothing")
def cup_damping() -> Finding:
    """A point constraint with damping only reduces jerking of the arm (9)"""
    return less_without(acceleration, "cup, rms [m/s²] {} damping, {}", lambda o: isinstance(o, Point))


def acceleration(recording: poise.Recording) -> float:
    """Rms acceleration of the cup [m/s²]."""
    second = np.diff(recording["point.cup.base"], 2, axis=0) / recording.dt**2
    return float(np.sqrt(np.mean(np.sum(second**2, axis=1))))


@claim(cost=4.0, why="insectoid, keyframed twist; pulled down: a tenth of the height")
def grapple() -> Finding:
    """Hit by impulses, then tied down by several points, it adapts without falling (9)"""
    recording = take("grapple")
    height = recording["com"][:, 2]
    drop = 1 - float(height.min()) / float(height[0])
    text = (
        f"{end(recording)}; CM pulled down by {100 * drop:.0f} % of its height"
        f" after {len(recording.info.get('pushes') or [])} impulses"
    )
    return Finding(text, not recording.fell and drop > 0.1)


@claim(cost=6.0, why="no rule mentions arms; 5 cm counts")
def lower_arms() -> Finding:
    """The creature lifts its lower arms by itself when disturbed (Figure 5)"""
    hit = take("grapple", seconds=7.0)
    calm = poise.simulate(poise.scene("grapple", push=[], seconds=7.0))
    lifts = [float((hit[name] - calm[name])[:, 2].max()) for name in ("point.mid_hand_l", "point.mid_hand_r")]
    text = f"lower hands rise {100 * lifts[0]:.0f} and {100 * lifts[1]:.0f} cm"
    text += " above where they are without the impulses"
    return Finding(text, min(lifts) > 0.05)


@claim(cost=4.0, why="sum of sines in three translations and tilt")
def platform() -> Finding:
    """On a moving platform with μ = 0.1, hit by impulses, it keeps its balance (9, Platform)"""
    recording = take("platform")
    hits = len(recording.info.get("pushes") or [])
    text = f"{end(recording)} through {recording.time[-1]:.0f} s with {hits} impulses"
    return Finding(text, not recording.fell)


@claim(cost=4.0, why="limit: a tenth of the travel")
def platform_slip() -> Finding:
    """It reduces motion of the support relative to the platform (9)"""
    recording = take("platform")
    slip = number(recording, "platform_slip_m")
    ground = recording["ground"][:, :3]
    travel = float(np.linalg.norm(np.diff(ground[:, :2], axis=0), axis=1).sum())
    text = f"slip {100 * slip:.1f} cm while the platform travelled {travel:.2f} m"
    return Finding(text, not recording.fell and slip < 0.1 * max(travel, 1e-9))
