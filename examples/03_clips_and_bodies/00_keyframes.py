"""Keyframes: three poses in degrees become a clip, and the body follows it as well as balance allows."""

import poise
from poise.behaviours import Balance
from poise.motion import keyframes

REST = {"shoulder_l": {"abduct": 10}, "elbow_l": 15, "spine_low": {"twist": 0}}
SALUTE = {"shoulder_l": {"flex": 40, "abduct": 80, "twist": 0}, "elbow_l": 120, "spine_low": {"twist": 15}}
REACH = {"shoulder_l": {"flex": 95, "abduct": 10, "twist": 0}, "elbow_l": 10, "spine_low": {"twist": -20}}


def main(seconds: float = 4.0) -> poise.Recording:
    body = poise.Character.named("adult")
    clip = keyframes.from_keys(body, [(0.0, REST), (1.0, SALUTE), (2.0, SALUTE), (3.0, REACH), (4.0, REST)])
    behaviour = Balance(clip=clip)
    scene = poise.Scene("own-clip", body, poise.World(), behaviour, seconds=seconds, q_start=clip.at(0.0))
    take = poise.simulate(scene)
    outcome = "fell" if take.fell else "stands"
    print(f"{outcome}, {take.metrics['tracking_rmse_rad']:.3f} rad from the clip")
    return take


if __name__ == "__main__":
    main().save("keyframes.png")
