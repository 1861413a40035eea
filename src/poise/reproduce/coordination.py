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
    why="swing: of the arms against each other, at the stride's frequency, opposite to the legs; held: half or less at "
    "each speed. What is left comes from the trunk's facing, which is held besides: with a fortieth of that weight "
    "20 % of the swing are left at 1 m/s, 56 % at 1.2",
)
def arms_without() -> Finding:
    """without that control the swing is gone or halved (5)"""
    texts, held = [], True
    for speed in few((0.6, 0.8, 1.0, 1.2), (0.8, 1.0)):
        kept, without = take("walk", speed=speed), take("walk", speed=speed, step__spin=0.0)
        a, b = counter_swing(kept), counter_swing(without)
        texts.append(f"{speed:g} m/s {a:.1f}° with, {b:.1f}° without ({100 * b / a:.0f} %)")
        held &= b <= 0.5 * a
    return Finding("; ".join(texts), held)


def counter_swing(seen: poise.Recording) -> float:
    """Amplitude of the arms' pitch against each other, opposite to the legs', at the stride's frequency [deg]."""
    late = seen.time >= 0.4 * seen.time[-1]

    def wave(joint: str) -> np.ndarray:
        gap = apart(seen, joint)[late]
        return np.fft.rfft((gap - gap.mean()) * np.hanning(len(gap))) * 4 / len(gap)

    arms, legs = wave("shoulder"), wave("hip")
    k = int(np.abs(legs).argmax())
    return float(-(arms[k] * np.conj(legs[k])).real / np.abs(legs[k]))


def apart(seen: poise.Recording, joint: str) -> np.ndarray:
    """Half of the pitch of a left joint over that of its right twin (T,) [deg]."""
    model, q = poise.Character.named(seen.info["character"]).model, seen["q"]
    left, right = (int(model.joint(f"{joint}_{side}").qposadr[0]) for side in "lr")
    pitch = [np.degrees(2 * np.arctan2(q[:, a + 2], q[:, a])) for a in (left, right)]
    return 0.5 * (pitch[0] - pitch[1])


@claim(cost=40, why="no number differs between the bodies")
def morphologies() -> Finding:
    """the same laws walk other bodies (fig. 4)"""
    bodies = ("dinosaur", "chicken", "heavy-leg")
    seen = {name: take("walk", character=name, speed=0.5, seconds=8.0) for name in bodies}
    return all_stood({f"{name}: {s.steps} steps,": s for name, s in seen.items()})


@claim(
    cost=20,
    why="held: its yaw at least doubles with control of spin; the control works, but so little is to be cancelled that "
    "2° of this tail do it, and without control the pelvis shakes it as far",
)
def tail() -> Finding:
    """a tail takes the arms' part (fig. 4)"""
    body = poise.Character.named("dinosaur")
    joint = next(n for n in body.joint_names if n.startswith("tail"))
    at, yaws, spins = int(body.model.joint(joint).qposadr[0]), [], []
    for spin in ({}, {"step__spin": 0.0}):
        seen = take("walk", character="dinosaur", speed=0.5, seconds=8.0, **spin)
        late = seen.time > 2.0
        w, z = seen["q"][late][:, [at, at + 3]].T
        yaws.append(float(np.degrees(np.ptp(2 * np.arctan2(z, w)))) / 2)
        spins.append(float(np.sqrt(np.mean(seen["angular_momentum"][late, 2] ** 2))))
    text = f"{joint} yaws ±{yaws[0]:.1f}° with, ±{yaws[1]:.1f}° without"
    text += f"; H about the vertical {spins[0]:.2f} and {spins[1]:.2f} kg m²/s rms"
    return Finding(text, yaws[0] >= 2 * yaws[1])


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
