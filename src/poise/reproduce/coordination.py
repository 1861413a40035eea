"""[Coordination]: classes of spin, and secondary motion that comes out of angular momentum control."""

from __future__ import annotations

import numpy as np

from poise.reproduce.claim import Finding, claim, end, number, take


@claim(
    "coordination.arm-swing", "arms swing although the reference is one arms-at-side pose (fig. 3)", cost=20
)
def arm_swing() -> Finding:
    seen = take("walk", speed=1.0)
    swing, phase = number(seen, "arm_swing_deg"), number(seen, "arm_leg_phase_deg")
    return Finding(
        f"{swing:.0f}° each way, {phase:.0f}° from the leg of the same side, {end(seen)}",
        not seen.fell and swing >= 10 and abs(phase - 180) < 40,
        "spin about the vertical is damped; nothing else moves the arms",
    )


@claim("coordination.arms-without", "without that control the swing is gone or halved (5)", cost=40)
def arms_without() -> Finding:
    kept, without = take("walk", speed=1.0), take("walk", speed=1.0, step__spin=0.0)
    a, b = number(kept, "arm_swing_deg"), number(without, "arm_swing_deg")
    return Finding(
        f"{a:.0f}° with, {b:.0f}° without",
        b < 0.5 * a,
        "what is left comes from the pitch of the legs that the soles cannot answer, and is not opposite to them",
    )


@claim(
    "coordination.morphologies",
    "the same laws walk other bodies; a tail takes the arms' part (fig. 4)",
    cost=40,
)
def morphologies() -> Finding:
    seen = {
        name: take("walk", character=name, speed=0.5, seconds=8.0)
        for name in ("dinosaur", "chicken", "heavy-leg")
    }
    words = ", ".join(f"{name}: {s.steps} steps, {end(s)}" for name, s in seen.items())
    return Finding(words, not any(s.fell for s in seen.values()), "no number differs between the bodies")


@claim(
    "coordination.zero-spin", "walking is zero-spin: the moment pivot stays in the support (3, 5)", cost=20
)
def zero_spin() -> Finding:
    share = number(take("walk", speed=0.8), "spin_zs_share")
    return Finding(f"{100 * share:.0f} % of the time", share > 0.5, "held means most of the time")


@claim("coordination.non-zero-spin", "regaining balance after a large push leaves zero-spin (3, 4)", cost=10)
def non_zero_spin() -> Finding:
    seen = take("reactive-step", push="torso:0,500,0@1.0+0.1", seconds=5.1)
    during = seen["spin"][(seen.time > 1.0) & (seen.time < 1.4), 0]
    share = float(np.nanmean(during))
    return Finding(
        f"{100 * share:.0f} % of the 0.4 s after it is non-zero-spin", share > 0.5, "CMP outside the support"
    )
