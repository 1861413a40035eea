"""Shove: 300 N from the front for 0.1 s, taken without a step. A low weight on the pose of the arms lets them
wind-mill: nothing asks them to, angular momentum does."""

import poise

MOMENTS = (0.9, 1.05, 1.4, 1.8, 3.5)  # of its picture [s]


def main(seconds: float = 4.0) -> poise.Recording:
    scene = poise.scene(
        "balance-push", push="torso:-300,0,0@1.0+0.1", seconds=seconds, **{"weights.arms": 0.02}
    )
    take = poise.simulate(scene)
    share = take.metrics["arm_h_share"]
    outcome = "fell" if take.fell else "stands"
    print(f"{outcome}; the arms carry {share:.0%} of the peak angular momentum")
    return take


if __name__ == "__main__":
    main().save("shove.png")
