"""Stand: the smallest take. A scene by its name, one call, and the numbers that every take carries."""

import poise


def main(seconds: float = 3.0) -> poise.Recording:
    scene = poise.scene("stand", seconds=seconds)
    take = poise.simulate(scene)
    outcome = "fell" if take.fell else "stands"
    print(f"{scene.character.name}, {scene.character.mass:.1f} kg: {outcome}")
    for name in ("foot_slip_m", "torque_peak_nm", "com_speed_final_ms"):
        print(f"  {name} = {take.metrics[name]:.4g}")
    return take


if __name__ == "__main__":
    main().save("stand.png")
