"""Step: a push that no standing body can take. The momentum supervisor steps where the capture point will be."""

import poise

MOMENTS = (0.4, 0.55, 0.8, 0.95, 1.3)  # of its picture [s]


def main(seconds: float = 4.0) -> poise.Recording:
    take = poise.simulate(poise.scene("reactive-step", push="torso:-420,420,0@0.5+0.1", seconds=seconds))
    outcome = "fell" if take.fell else "stands"
    print(f"{outcome} after {take.steps} steps")
    if take.steps:
        print(f"landed {1e3 * take.metrics['landing_error_m']:.0f} mm from where it wanted to")
    return take


if __name__ == "__main__":
    main().save("step.png")
