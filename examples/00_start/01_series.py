"""Series: everything that happened is in the recording, with unit and frame. Here: what a butterfly exercise does to
the angular momentum, and the figure of a take."""

import numpy as np

import poise


def main(seconds: float = 5.0) -> poise.Recording:
    take = poise.simulate(poise.scene("butterfly", seconds=seconds, period=1.2))
    for name in ("com", "cp", "linear_momentum", "angular_momentum", "tau"):
        series = take.series[name]
        print(f"{name:17} {series.values.shape!s:11} [{series.unit}], {series.frame}")
    H = take["angular_momentum"]
    print(f"largest |H| about the centre of mass: {np.linalg.norm(H, axis=1).max():.2f} kg m2/s")
    return take


def draw(take: poise.Recording, path: str) -> None:
    """The picture of this example is the take's own figure."""
    take.plot(path)


if __name__ == "__main__":
    draw(main(), "butterfly.png")
