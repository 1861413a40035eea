"""Direction: what an animator asks of a clip that reacts: a window, a blend, a loop, parts that hold to the clip."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import mujoco
import numpy as np

from poise.behaviours.balance.balance import Balance
from poise.behaviours.following.follow import Follow
from poise.character import Character
from poise.character.limbs import chain
from poise.errors import BadInput, unknown
from poise.motion.clip import Clip
from poise.record.recording import Recording
from poise.scenes.options import Options
from poise.simulate import Scene
from poise.worlds.disturb import Push

BLEND = 0.3  # [s] in which the clip goes over into physics
FIRM = 2.0  # times the stiffness of a part that holds to the clip, if no number is given
BEYOND = 1.0  # [s] of the clip after a window that are looked at: a foot that is in the air goes somewhere
HOLD = "give parts, with a factor if you like: arms, legs, head, trunk, or a body: arms,head=8"


def directed(o: Options, compose: Callable[[Options], Scene]) -> Scene:
    """A scene that follows a motion file, as an animator directs it.

    Options: ``window=A:B`` is simulated, in the clip's own time [s], and the rest is left as it is; ``blend`` is how
    long one goes over into the other [s]; ``loop=on`` lets the end meet the start as in the clip; ``hold=arms,head=8``
    makes parts stiffer towards the clip.
    """
    text = o.take("window", "")
    blend = o.take("blend", BLEND, lambda x: 0 <= x <= 60, "give seconds from zero on")
    loop, hold = o.take("loop", False), o.take("hold", "")
    window = _window(o, text) if text else None
    if window is not None or loop:
        o.asked.setdefault("pace", "captured")  # frames around it keep theirs
    made = compose(o)
    behaviour = made.behaviour
    assert isinstance(behaviour, (Balance, Follow))
    clip = behaviour.score.clip if isinstance(behaviour, Follow) else behaviour.clip
    assert clip is not None
    source = made.info["motion"]
    end = source["start"] + source["speed"] * clip.seconds
    said: dict[str, Any] = {"window": [], "blend": blend, "loop": loop, "end": end}
    if hold:
        made = replace(made, behaviour=replace(behaviour, hold=held(made.character, hold)))
    if window is not None and source["speed"] != 1.0:
        raise BadInput("a window is a part of the clip at its own pace; leave motion.speed at 1")
    if (window is not None or loop) and source["retargeted"]:
        raise BadInput("window and loop are about the clip's own skeleton; leave out the character")
    if window is not None:
        said["window"] = [window[0], min(window[1], end)]
        made = replace(made, seconds=min(made.seconds, said["window"][1] - window[0]))
    if window is not None or loop:
        made = replace(made, measures=(*made.measures, _Return(clip, blend)))
    return replace(made, info={**made.info, "direction": said})


def _window(o: Options, text: str) -> tuple[float, float]:
    """Make a part of the file the clip, and let pushes count from its start; returns both ends [s]."""
    a, colon, b = text.partition(":")
    try:
        first, last = float(a or 0.0), float(b) if b.strip() else np.inf
    except ValueError:
        first, colon = 0.0, ""
    if not colon or not 0 <= first < last:
        raise BadInput(
            f"window {text!r} not understood; write A:B, the seconds of the clip in which physics acts"
        )
    if {"motion.start", "motion.end"} & set(o.asked):
        raise BadInput(
            "window and motion.start or motion.end both choose a part of the clip; give one of them"
        )
    o.asked |= {"motion.start": first} | (
        {"motion.end": last, "motion.beyond": BEYOND} if last < np.inf else {}
    )
    if o.pushes is not None:
        o.pushes = tuple(_later(push, first, last) for push in o.pushes)
    return first, last


def _later(push: Push, first: float, last: float) -> Push:
    if not first <= push.start < last:
        raise BadInput(
            f"push {push} starts at {push.start:g} s, outside the window of {first:g} to {last:g} s"
        )
    return replace(push, start=push.start - first)


def held(character: Character, text: str) -> dict[str, float]:
    """Bodies and how many times stiffer they are, from text such as ``arms,head=8``."""
    parts = parts_of(character)
    found: dict[str, float] = {}
    for word in filter(None, (w.strip() for w in text.split(","))):
        name, _, factor = word.partition("=")
        try:
            times = float(factor) if factor else FIRM
        except ValueError:
            times = np.nan
        if not 0 < times <= 1e3:
            raise BadInput(f"hold {word!r} not understood; {HOLD}")
        found |= dict.fromkeys(_bodies(character, parts, name.strip()), times)
    if not found:
        raise BadInput(f"hold {text!r} names nothing; {HOLD}")
    return found


def parts_of(character: Character) -> dict[str, tuple[str, ...]]:
    """Names of parts that hold several bodies."""
    names, model = character.body_names, character.model
    legs = {model.body(b).name for s in character.stance for b in chain(character, character.support(s).body)}
    head = tuple(n for n in names if n.startswith(("head", "neck")))
    hands = tuple(n for n in names if n.startswith("hand"))
    limbs = {*legs, *character.arms, *head}
    trunk = tuple(n for n in names if n not in limbs)
    found = {
        "arms": character.arms,
        "legs": tuple(n for n in names if n in legs),
        "head": head,
        "hands": hands,
    }
    return {name: bodies for name, bodies in (found | {"trunk": trunk}).items() if bodies}


def _bodies(character: Character, parts: dict[str, tuple[str, ...]], name: str) -> tuple[str, ...]:
    """Bodies of a part, of a body's own name, or of a joint of the skeleton that the body was made from."""
    if name in parts:
        return parts[name]
    if name in character.body_names:
        return (name,)
    joints = () if character.mapped is None else character.mapped.skeleton.names
    if name not in joints:
        raise unknown("part", name, (*parts, *character.body_names, *joints))
    from poise.capture.autorig import body_of

    return (body_of(character, name),)


class _Return:
    """Metrics: how far the body was from the clip where it began to go back, and how much of a window it followed."""

    def __init__(self, clip: Clip, blend: float):
        self.clip, self.blend = clip, blend

    def __call__(self, take: Recording) -> dict[str, float]:
        model, window = self.clip.character.model, take.info["direction"]["window"]
        k = int(np.searchsorted(take.time, take.time[-1] - self.blend))
        clock = take["clip"][:, 0] if "clip" in take else take.time
        here, there = mujoco.MjData(model), mujoco.MjData(model)
        here.qpos[:] = take["q"][k, : model.nq]
        there.qpos[:] = self.clip.at(self.clip.start + (take.time if window else clock)[k])
        mujoco.mj_kinematics(model, here)
        mujoco.mj_kinematics(model, there)
        found = {"return_gap_m": float(np.linalg.norm(here.xpos - there.xpos, axis=1).max())}
        if window and "clip" in take:
            stood = clock[
                : len(clock) if take.fall_time is None else np.searchsorted(take.time, take.fall_time)
            ]
            found["kept_share"] = float(min(stood.max(initial=0.0) / (window[1] - window[0]), 1.0))
        return found
