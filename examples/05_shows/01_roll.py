"""Roll: a cycle of key poses locked to how far the body has turned; a program steers its momentum ([Rolling])."""

import poise

MOMENTS = (1.0, 1.2, 1.4, 1.65, 1.9)  # of its picture [s]


def main(seconds: float = 4.0) -> poise.Recording:
    take = poise.simulate(poise.scene("roll-forward", seconds=seconds))
    print(f"{take.metrics['revolutions']:.1f} revolutions, {take.metrics['speed_ms']:.2f} m/s")
    return take


if __name__ == "__main__":
    main().save("roll.png")
