"""[Coordination]: classes of spin, and secondary motion that comes out of angular momentum control."""

from __future__ import annotations

import numpy as np

import poise
from poise.reproduce.claim import Finding, all_stood, claims_of, end, few, number, take

claim = claims_of("coordination")


@claim(cost=20, why="spin about the vertical is damped; nothing else moves the arms")
def arm_swing() -> Finding:
    """arms swing although the reference is one arms-at-side pose (fig. 3)"""
    seen = take("walk", speed=1.0)
    swing, phase = number(seen, "arm_swing_deg"), number(seen, "arm_leg_phase_deg")
    text = f"{swing:.0f}° each way, {phase:.0f}° from the leg of the same side, {end(seen)}"
    return Finding(text, not seen.fell and swing >= 10 and abs(phase - 180) < 40)


@claim(
    cost=80,
    why="held: half or less at each speed; what is left goes with the pitch of the legs, not opposite",
)
def arms_without() -> Finding:
    """without that control the swing is gone or halved (5)"""
    texts, held = [], True
    for speed in few((0.6, 0.8, 1.0, 1.2), (0.8, 1.0)):
        kept, without = take("walk", speed=speed), take("walk", speed=speed, step__spin=0.0)
        a, b = number(kept, "arm_swing_deg"), number(without, "arm_swing_deg")
        texts.append(f"{speed:g} m/s {a:.0f}° with, {b:.0f}° without")
        held &= b <= 0.5 * a
    return Finding("; ".join(texts), held)


@claim(cost=40, why="no number differs between the bodies")
def morphologies() -> Finding:
    """the same laws walk other bodies (fig. 4)"""
    bodies = ("dinosaur", "chicken", "heavy-leg")
    seen = {name: take("walk", character=name, speed=0.5, seconds=8.0) for name in bodies}
    return all_stood({f"{name}: {s.steps} steps,": s for name, s in seen.items()})


@claim(cost=20, why="held: its yaw at least doubles with control of spin")
def tail() -> Finding:
    """a tail takes the arms' part (fig. 4)"""
    body = poise.Character.named("dinosaur")
    joint = next(n for n in body.joint_names if n.startswith("tail"))
    at, yaws = int(body.model.joint(joint).qposadr[0]), []
    for spin in ({}, {"step__spin": 0.0}):
        seen = take("walk", character="dinosaur", speed=0.5, seconds=8.0, **spin)
        w, z = seen["q"][seen.time > 2.0][:, [at, at + 3]].T
        yaws.append(float(np.degrees(np.ptp(2 * np.arctan2(z, w)))) / 2)
    return Finding(f"{joint} yaws ±{yaws[0]:.1f}° with, ±{yaws[1]:.1f}° without", yaws[0] >= 2 * yaws[1])


@claim(cost=20, why="held means most of the time")
def zero_spin() -> Finding:
    """walking is zero-spin: the moment pivot stays in the support (3, 5)"""
    share = number(take("walk", speed=0.8), "spin_zs_share")
    return Finding(f"{100 * share:.0f} % of the time", share > 0.5)


@claim(cost=10, why="CMP outside the support")
def non_zero_spin() -> Finding:
    """regaining balance after a large push leaves zero-spin (3, 4)"""
    seen = take("reactive-step", push="torso:0,500,0@1.0+0.1", seconds=5.1)
    during = seen["spin"][(seen.time > 1.0) & (seen.time < 1.4), 0]
    share = float(np.nanmean(during))
    return Finding(f"{100 * share:.0f} % of the 0.4 s after it is non-zero-spin", share > 0.5)
