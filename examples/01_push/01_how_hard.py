"""How hard: halve the interval between a push that is survived and one that is not. One take proves little: `poise
pushmap` asks five replicas of every push and all smaller ones too."""

import poise


def pushed(newtons: float, seconds: float) -> poise.Recording:
    push = poise.Push("torso", (newtons, 0.0, 0.0), start=0.5, duration=0.1)
    return poise.simulate(poise.scene("balance-push", push=push, seconds=seconds, after_fall=0.5))


def main(seconds: float = 4.0, halvings: int = 5) -> poise.Recording:
    low, high = 100.0, 800.0  # [N]: survived, not survived
    fall = pushed(high, seconds)
    for _ in range(halvings):
        middle = 0.5 * (low + high)
        take = pushed(middle, seconds)
        print(f"{middle:5.0f} N: {f'fell after {take.fall_time:.2f} s' if take.fell else 'stands'}")
        if take.fell:
            high, fall = middle, take
        else:
            low = middle
    print(f"between {low:.0f} and {high:.0f} N from behind")
    return fall


if __name__ == "__main__":
    main().save("too-hard.png")
