"""Stairs: a walk on flat ground becomes a plan with feedback; the same plan climbs stairs of 0.18 m ([Abstract])."""

import poise


def main(seconds: float | None = None) -> poise.Recording:
    take = poise.simulate(poise.scene("ofc-stairs", seconds=seconds, rise=0.18))
    rise = take["com"][-1, 2] - take["com"][0, 2]
    print(f"{take.info['character']}: the centre of mass rose by {rise:.2f} m in {take.time[-1]:.1f} s")
    return take


if __name__ == "__main__":
    main().save("stairs.png")
