"""The reference motions of [Balance] section 9, keyframed by hand and planted: feet flat, CM over the support."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import wraps

import numpy as np

from poise.character.character import Character
from poise.errors import BadInput, unknown
from poise.motion.clip import Clip
from poise.motion.dynamic import lean
from poise.motion.keyframes import Numbers, from_keys
from poise.motion.plant import middle, path, plant

Pose = dict[str, Numbers]

LEANS = 2  # rounds of leaning against the movement's own momentum; after two, millimetres are left
REMEMBERED = 16  # clips of each motion
SIT_BACK = 0.03  # [m] of the CM towards the heels at the bottom of a squat: spares the ankles


def _remembered(make: Callable[..., Clip]) -> Callable[..., Clip]:
    """Make each clip once: sweeps ask for the same one many times, and a Clip never changes."""
    made: dict[tuple, Clip] = {}

    @wraps(make)
    def again(character: Character, *args, **options) -> Clip:
        # a clip keeps its character, so no id comes twice
        key = (id(character), args, tuple(sorted(options.items())))
        if key not in made:
            if len(made) >= REMEMBERED:
                made.pop(next(iter(made)))
            made[key] = make(character, *args, **options)
        return made[key]

    return again


@_remembered
def butterfly(character: Character, period: float = 2.0) -> Clip:
    """Standing butterfly: straight arms sweep at shoulder height from the front to the sides and back. Loops."""
    front, open_ = _butterfly_poses()
    keys = [(0.0, front), (0.5 * period, open_), (period, front)]
    return plant(from_keys(character, _known(character, keys), loop=True))


@_remembered
def butterfly_one_leg(
    character: Character, period: float = 2.0, cycles: int = 3, side: str = "l", leans: int = LEANS
) -> Clip:
    """The butterfly on one leg: shift the weight, raise the knee of ``side``, sweep the arms, and step back down."""
    front, open_ = _butterfly_poses()
    up = {f"hip_{_side(side)}": dict(flex=45, abduct=8), f"knee_{side}": 80, f"ankle_{side}": dict(flex=0)}
    down = {f"hip_{side}": dict(flex=10, abduct=7), f"knee_{side}": 26, f"ankle_{side}": dict(flex=16)}
    rest = dict.fromkeys(up)
    shift, rise = 1.2, 0.7  # [s] to shift the weight, to raise the knee
    t0 = shift + rise
    t1 = t0 + cycles * period
    keys = [(0.0, front | rest), (shift, down), (t0, front | up)]
    for n in range(cycles):
        keys += [(t0 + (n + 0.5) * period, open_), (t0 + (n + 1) * period, front)]
    keys[-1] = (t1, front | up)
    keys += [(t1 + rise, down), (t1 + rise + shift, front | rest)]
    return _on_one_leg(character, keys, side, shift, t1 + rise, leans)


@_remembered
def squat(character: Character, depth: float = 0.3, period: float = 2.5) -> Clip:
    """Squats with heels flat: the pelvis sinks by ``depth`` [m], the arms rise forwards. Loops."""
    if not 0 < depth < 0.5 * character.height:
        raise BadInput(
            f"squat depth {depth} m; give more than 0 and less than half of {character.height:.2f} m"
        )
    leg = float(character.q_rest[2])
    fold = float(np.degrees(np.arccos(1 - depth / leg)))  # [deg] of thigh and of shin, if both folded alike
    lean, ankle, knee = 0.6 * fold, min(0.54 * fold, 27.0), 1.9 * fold
    both: Pose = dict(shoulder=dict(flex=85 + 0.8 * fold), elbow=8, hip=dict(flex=lean + knee - ankle), knee=knee,
                      ankle=dict(flex=ankle))  # fmt: skip
    low = _two_sided(both) | dict(
        root=dict(flex=lean), spine_low=dict(flex=5), spine_mid=dict(flex=4), spine_top=dict(flex=2),
        neck=dict(flex=-0.6 * lean),
    )  # fmt: skip
    rest = dict.fromkeys(low)
    keys = [(0.0, rest), (0.5 * period, low), (period, rest)]
    clip = from_keys(character, _known(character, keys), loop=True)
    height = path(clip.times, [(0.0, [leg]), (0.5 * period, [leg - depth]), (period, [leg])], loop=True)[:, 0]
    centre = middle(character, character.stance)
    back = [(0.0, centre), (0.5 * period, centre - [SIT_BACK, 0]), (period, centre)]
    return plant(clip, com=path(clip.times, back, loop=True), height=height)


@_remembered
def side_kick(character: Character, duration: float = 5.0, side: str = "l", leans: int = LEANS) -> Clip:
    """Side kick of one leg at hip height: shift the weight, chamber, kick, re-chamber, put the foot back.

    ``contacts`` of the clip says when the kicking foot is off the ground. With ``leans`` = 0 the CM is over the
    standing foot as if the movement were slow; otherwise it leans so that the zero-moment point stays in the foot.
    """
    far = "r" if _side(side) == "l" else "l"
    away = -1.0 if side == "l" else 1.0  # sense of a bend away from the kick
    hip, knee, ankle = f"hip_{side}", f"knee_{side}", f"ankle_{side}"
    guard: Pose = {
        f"shoulder_{side}": dict(elevate=35, plane=30, twist=0), f"elbow_{side}": 95,
        f"shoulder_{far}": dict(elevate=35, plane=30, twist=0), f"elbow_{far}": 105,
    }  # fmt: skip
    shifted: Pose = guard | {"root": None, "neck": None}
    shifted |= {hip: dict(flex=8, abduct=7), knee: 20, ankle: dict(flex=11)}
    chamber: Pose = guard | {
        "root": dict(bend=12 * away), "neck": dict(bend=-8 * away, twist=-35 * away),
        hip: dict(flex=85, abduct=35, twist=0), knee: 115, ankle: dict(flex=5),
    }  # fmt: skip
    kick: Pose = {
        "root": dict(bend=36 * away), "spine_low": dict(bend=6 * away), "spine_mid": dict(bend=3 * away),
        "neck": dict(bend=-28 * away, twist=-45 * away),
        hip: dict(flex=18, abduct=56, twist=-20), knee: 4, ankle: dict(flex=8),
        f"shoulder_{side}": dict(elevate=50, plane=80, twist=0), f"elbow_{side}": 40,
        f"shoulder_{far}": dict(elevate=50, plane=30, twist=0), f"elbow_{far}": 110,
    }  # fmt: skip
    rest = dict.fromkeys(shifted | kick)
    parts = [(0.0, rest), (0.24, shifted), (0.45, chamber), (0.54, kick), (0.57, kick), (0.66, chamber)]
    keys = [(f * duration, p) for f, p in [*parts, (0.84, shifted), (1.0, rest)]]
    return _on_one_leg(character, keys, side, 0.24 * duration, 0.84 * duration, leans)


@_remembered
def twist(character: Character, period: float = 2.4, angle: float = 40.0) -> Clip:
    """The trunk turns left and right by ``angle`` degrees, upper arms swinging along, lower pairs against. Loops."""
    spine = [n for n in character.joint_names if n.startswith("spine")]
    arms = [n for n in character.joint_names if "shoulder" in n]

    def turned(sense: float) -> Pose:
        pose: Pose = {n: dict(twist=sense * angle / len(spine)) for n in spine}
        for n in arms:
            outer = sense * (1 if n.endswith("_l") else -1)  # the arm on the side of the turn opens
            outer *= 1 if n.startswith("shoulder") else -1
            pose[n] = dict(elevate=60 + 12 * outer, plane=50 + 30 * outer)
        head = {n: dict(twist=-0.5 * sense * angle) for n in character.joint_names if n == "neck"}
        return pose | head | {n: 40.0 for n in character.joint_names if "elbow" in n}

    swing = [turned(s) for s in (0, 1, 0, -1, 0)]
    return plant(from_keys(character, [(i * period / 4, p) for i, p in enumerate(swing)], loop=True))


def _butterfly_poses() -> tuple[Pose, Pose]:
    """Arms in front of the chest; arms out at the sides with the chest opened."""
    front, open_ = dict(elevate=88, plane=-6, twist=0), dict(elevate=88, plane=98, twist=20)
    rounded, arched = ({f"spine_{n}": dict(flex=a) for n in ("low", "mid", "top")} for a in (3, -4))
    before, after = (_two_sided({"shoulder": arm, "elbow": 10.0}) for arm in (front, open_))
    return {**before, **rounded}, {**after, **arched}


def _on_one_leg(
    character: Character, keys: list[tuple[float, Pose]], side: str, off: float, on: float, leans: int
) -> Clip:
    """Planted clip in which the foot of ``side`` is in the air from ``off`` to ``on`` [s], the CM over the other."""
    foot, other = f"foot_{side}", "foot_r" if side == "l" else "foot_l"
    clip = from_keys(character, _known(character, keys))
    clip = replace(clip, contacts={foot: ((clip.start, off), (on, clip.end))})
    both, one = middle(character, character.stance), middle(character, [other])
    com = path(clip.times, [(clip.start, both), (off, one), (on, one), (clip.end, both)])
    planted = plant(clip, com=com)
    for _ in range(leans):
        com = com + lean(planted)
        planted = plant(clip, com=com)
    return planted


def _two_sided(pose: Pose) -> Pose:
    """Joints named without a side, on both sides."""
    return {f"{name}_{side}": numbers for name, numbers in pose.items() for side in "lr"}


def _known(character: Character, keys: list[tuple[float, Pose]]) -> list[tuple[float, Pose]]:
    """The keys without joints that this body does not have."""
    return [(t, {n: x for n, x in p.items() if n in character.joint_names}) for t, p in keys]


def _side(side: str) -> str:
    if side not in ("l", "r"):
        raise unknown("side", side, ("l", "r"))
    return side
