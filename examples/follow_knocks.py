"""Say who strikes whom, when, and how straight the knees are then, as clips are followed with noise.

python examples/follow_knocks.py CLIP... : a line a blow of more than 50 N that is neither a stance nor the clip's own.
"""

from __future__ import annotations

import sys
from dataclasses import replace

import mujoco
import numpy as np
from follow_table import NOISE

import poise
from poise.behaviours.following.follow import Follow
from poise.behaviours.stepping.legs import Legs
from poise.geometry.linear import norm
from poise.record.knocks import Knock, knocks

SEEDS = range(5)


def knees(character: poise.Character, q: np.ndarray) -> list[float]:
    """Angles of the left and of the right leg at the joint below the hip in a pose [deg], 0 where straight."""
    at = character.posed(q[: character.model.nq])
    angles = []
    for leg in Legs(character).both:
        hip, knee, ankle = (at.xpos[mujoco.mj_name2id(character.model, mujoco.mjtObj.mjOBJ_BODY, b)]
                            for b in leg.bodies[:3])  # fmt: skip
        thigh, shank = knee - hip, ankle - knee
        angles.append(float(np.degrees(np.arccos(thigh @ shank / norm(thigh) / norm(shank)))))
    return angles


def line(take: poise.Recording, character: poise.Character, knock: Knock) -> str:
    """What happened at a blow; in brackets what the clip has."""
    i = knock.at
    clip, _, left, right = take["clip"][i]
    own, meant = knees(character, take["q"][i]), knees(character, take["q_ref"][i])
    bent = " ".join(f"{side} {a:.0f} ({b:.0f})" for side, a, b in zip("LR", own, meant))
    stands = " and ".join(name for name, down in (("left", left), ("right", right)) if down) or "none"
    off = 100 * norm(take["xi_error"][i])
    return (f"  {take.time[i]:6.2f} s, {clip:.2f} of the clip: {knock.force:5.0f} N {knock.one} on {knock.two}, "
            f"stands: {stands}, knees {bent} deg, DCM {off:.1f} cm off")  # fmt: skip


def main() -> None:
    for file in sys.argv[1:]:
        scene = poise.scene("react", motion=file, pose_noise=NOISE)
        if not isinstance(scene.behaviour, Follow):
            print(file, "is followed on the spot")
            continue
        for seed in SEEDS:
            world = replace(scene.world, presses=True)
            take = poise.simulate(replace(scene, seed=seed, world=world))
            found = knocks(take, scene.behaviour.score.clip)
            print(f"{file} seed {seed}: {len(found)} blows" + (", fell" if take.fell else ""))
            for knock in found:
                print(line(take, scene.character, knock), flush=True)


if __name__ == "__main__":
    main()
