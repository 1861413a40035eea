"""Own behaviour: a supervisor is a behaviour that holds others. This one stands until it is pushed, then squats."""

import numpy as np

import poise
from poise.behaviours import Balance
from poise.control.behaviour import Behaviour
from poise.motion import library

STARTLED = 0.08  # speed of the centre of mass that counts as a push [m/s]
CALM = 0.03  # and at which it is over
MOMENTS = (0.55, 0.8, 1.5, 2.3, 3.3)  # of its picture [s]


class SquatWhenPushed(Behaviour):
    """Hands the tick to one of two behaviours; both are told when they begin."""

    def __init__(self, body: poise.Character):
        self.stand, self.squat = Balance(), Balance(clip=library.squat(body, depth=0.3, period=2.0))

    def start(self, state, dt):
        self.dt, self.pushed, self.now = dt, False, self.stand
        self.squat.start(state, dt)  # so that its lowest pose is known: less height than this is a fall
        self.stand.start(state, dt)
        self.lowest, self.q_ref = self.squat.lowest, self.stand.q_ref

    def update(self, state):
        speed = float(np.linalg.norm(state.c_dot))
        self.pushed = self.pushed or speed > STARTLED
        if self.now is self.stand and self.pushed and speed < CALM:
            self.now = self.squat
            self.now.start(state, self.dt)
        command = self.now.update(state)
        self.q_ref = self.now.q_ref
        return command


def main(seconds: float = 5.0) -> poise.Recording:
    body = poise.Character.named("adult")
    push = poise.Push("torso", (150.0, 0.0, 0.0), start=0.5, duration=0.1)
    scene = poise.Scene(
        "own-behaviour", body, poise.World(pushes=(push,)), SquatWhenPushed(body), seconds=seconds
    )
    take = poise.simulate(scene)
    low = take["com"][:, 2].min()
    outcome = "fell" if take.fell else "stands"
    print(f"{outcome}; lowest centre of mass {low:.2f} m of {body.com_rest[2]:.2f} m")
    return take


if __name__ == "__main__":
    main().save("startled.png")
