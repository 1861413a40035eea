"""Platform: the ground itself moves and tilts. A scene is a frozen record, so its world can be replaced."""

from dataclasses import replace

import poise
from poise.worlds.ground import Platform, Sine


def main(seconds: float = 6.0) -> poise.Recording:
    scene = poise.scene("stand", seconds=seconds)
    waves = (Sine("x", 0.04, 0.6), Sine("z", 0.05, 0.9), Sine("pitch", 0.04, 0.5), Sine("roll", 0.03, 0.4))
    scene = replace(scene, world=replace(scene.world, platform=Platform(waves=waves)))
    take = poise.simulate(scene)
    outcome = "fell" if take.fell else "stands"
    print(f"{outcome}; its soles slid by {1e3 * take.metrics['foot_slip_m']:.1f} mm")
    return take


if __name__ == "__main__":
    main().save("platform.png")
