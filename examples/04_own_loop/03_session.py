"""Session: the same loop, stepped from outside, as a game or a notebook would. A saved moment can be lived twice."""

import poise

MOMENTS = (0.45, 0.6, 0.9, 1.1, 1.6)  # of its picture [s]


def main(seconds: float = 3.0) -> poise.Recording:
    session = poise.Session(poise.scene("reactive-step", push=[], seconds=seconds))
    while session.time < 0.5:
        session.step(0.02)
    mark = session.save()
    for force in ((500.0, 0.0, 0.0), (0.0, -450.0, 0.0)):  # forward; to the right [N]
        session.restore(mark)
        session.push("torso", force, duration=0.1)
        session.step(seconds - session.time)
        print(f"{force}: {'fell' if session.fell else 'stands'}, {session.controller.behaviour.steps} steps")
    return session.recording()


if __name__ == "__main__":
    main().save("session.png")
