"""Gymnasium: the momentum controller as action space. Nothing is learnt: a constant policy beats a random one."""

import gymnasium
import numpy as np

import poise
import poise.environments

MOMENTS = (1.0, 1.1, 1.25, 1.5, 1.95)  # of its picture [s]
TASK, EPISODES = "poise/Balance-v0", 2


def constant(env) -> np.ndarray:
    """Lean nowhere, and let the angular law count twice as much."""
    return np.array([0.0, 0.0, 0.5], dtype=np.float32)


def random(env) -> np.ndarray:
    return env.action_space.sample()


def returns(env, policy, steps: int) -> float:
    """Mean sum of rewards over some episodes, each cut after so many steps."""
    total = 0.0
    for episode in range(EPISODES):
        env.reset(seed=episode)
        env.action_space.seed(episode)
        for _ in range(steps):
            _, reward, terminated, truncated, _ = env.step(policy(env))
            total += reward
            if terminated or truncated:
                break
    return total / EPISODES


def main(seconds: float = 2.0) -> poise.Recording:
    env = gymnasium.make(TASK)
    steps = max(1, round(seconds / 0.05))
    found = {policy.__name__: returns(env, policy, steps) for policy in (random, constant)}
    print(", ".join(f"{name} {value:.2f}" for name, value in found.items()), f"of {steps} at most")
    assert isinstance(env.unwrapped, poise.environments.BalanceEnv)
    return env.unwrapped.session.recording()


if __name__ == "__main__":
    main(10.0).save("gymnasium.png")
