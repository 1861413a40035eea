"""Duck: a ball flies at the head. A trained machine picks an example, and the body follows it in physics."""

import poise

MOMENTS = (0.1, 0.45, 0.6, 0.75, 1.8)  # of its picture [s]


def main(seconds: float | None = 2.0) -> poise.Recording:
    options = {"ball.from": 20.0, "ball.height": 1.6, "ball.speed": 8.0}
    take = poise.simulate(poise.scene("anticipate", seconds=seconds, **options))
    print(f"chosen: {take.metrics['chosen']}; damage {take.metrics['damage_j']:.2f} J")
    return take


if __name__ == "__main__":
    main().save("duck.png")
