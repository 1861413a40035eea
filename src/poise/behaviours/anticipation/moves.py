"""The examples of anticipation: key poses in 8 directions, for 4 parts of the body, mild and strong, mirrored.

A threat from straight ahead or behind can be met leftwards or rightwards; from elsewhere there is one way. Directions
count as in ``Threat``: 0 in front, 90 on the left. Poses are keyframed for any body with the adult's joints and put on
its feet by inverse kinematics; hands that block find the ball by themselves (``arms``).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from poise.behaviours.anticipation.threat import Sight
from poise.character.character import Character
from poise.errors import unknown
from poise.motion.ik import Solver, Targets
from poise.motion.keyframes import from_keys
from poise.motion.mirror import mirror_pose
from poise.motion.plant import middle, rest_places

ZONES = ("legs", "pelvis", "trunk", "head")
STRENGTHS = ("mild", "strong")
AUTHORED = (0, 45, 90, 135, 180)  # the other directions are mirror images
KINDS = {
    ("legs", "mild"): "lift", ("legs", "strong"): "crouch", ("pelvis", "mild"): "block", ("pelvis", "strong"): "shift",
    ("trunk", "mild"): "block", ("trunk", "strong"): "lean", ("head", "mild"): "block", ("head", "strong"): "duck",
}  # fmt: skip
HANDS = {"legs": (0.1, 0.85), "pelvis": (0.7, 1.3), "trunk": (1.1, 1.7), "head": (1.5, 2.2)}  # [m] for balls
SPINE = ("spine_low", "spine_mid", "spine_top")
BLOCKING = ("block", "crouch", "lift")  # hands go and meet the ball
STEP = ("body", "step")  # a protective step: the whole body goes out of the ball's way


@dataclass(frozen=True)
class Move:
    """One example: ``side`` is 1 for the authored one, -1 for its mirror image.

    ``direction`` is where the threat comes from; that of a step is where the body goes [deg].
    """

    zone: str
    strength: str
    direction: int
    side: int = 1

    @property
    def kind(self) -> str:
        return "step" if (self.zone, self.strength) == STEP else KINDS[self.zone, self.strength]

    @property
    def name(self) -> str:
        if self.kind == "step":
            return f"step away {self.direction}"
        hand = "" if self.direction % 180 else (" left" if self.side > 0 else " right")
        return f"{self.kind} {self.zone} {self.strength} {self.direction}{hand}"

    @property
    def lifted(self) -> str | None:
        """The foot that leaves the ground."""
        return None if self.kind != "lift" else ("foot_l" if self.side > 0 else "foot_r")


def all_moves() -> tuple[Move, ...]:
    """All examples, mirror images included."""
    out = []
    for zone in ZONES:
        for strength in STRENGTHS:
            for direction in AUTHORED:
                out.append(Move(zone, strength, direction))
                out.append(Move(zone, strength, -direction if direction != 180 else 180, -1))
    return tuple(out)


def for_sight(zone: str, strength: str, sight: Sight) -> Move:
    """The example of a kind for what is seen: the nearest direction; ahead and behind, away from the ball."""
    if (zone, strength) == STEP:
        return step_away(sight)
    beside = -math.cos(math.radians(sight.bearing)) * sight.offset  # the ball's y at the body's axis
    return towards(zone, strength, sight.bearing, 1 if beside >= 0 else -1)


def step_away(sight: Sight) -> Move:
    """The step across the ball's way, to the side on which the ball does not pass; ahead it goes aside, too."""
    across = nearest_eighth(
        sight.bearing + (90.0 if sight.offset > 0 else -90.0)
    )  # its left is at bearing - 90
    if across == 0:
        across = -45 if sight.bearing > 0 else 45
    return Move(*STEP, across)


def nearest_eighth(bearing: float) -> int:
    """The nearest of eight directions, above -180 and up to 180 [deg]."""
    near = int(45 * round(((bearing + 180) % 360 - 180) / 45))
    return 180 if near == -180 else near


def towards(zone: str, strength: str, bearing: float, side: int) -> Move:
    """The example of a kind for a threat from a bearing [deg]; ``side`` decides ahead and behind."""
    if (zone, strength) not in KINDS:
        raise unknown("example", f"{zone} {strength}", [" ".join(k) for k in KINDS])
    near = nearest_eighth(bearing)
    if near % 180 == 0:
        return Move(zone, strength, near, side)
    return Move(zone, strength, near, 1 if near > 0 else -1)


MOVES = all_moves()
ACTS = (*MOVES, *(Move(*STEP, direction) for direction in range(-135, 181, 45)))  # as recordings number them
_POSES: dict[tuple[str, Move], np.ndarray] = {}  # by the body's own text: bodies have no hash


def key_pose(character: Character, move: Move) -> np.ndarray:
    """The pose (nq,) that a move holds, feet planted and the centre of mass over them. Read-only."""
    key = (character.spec_xml, move)
    if key not in _POSES:
        _POSES[key] = _made(character, move)
    return _POSES[key]


def _made(character: Character, move: Move) -> np.ndarray:
    if move.side < 0:
        direction = -move.direction if move.direction != 180 else 180
        q = mirror_pose(character, key_pose(character, Move(move.zone, move.strength, direction)))
    else:
        q = _planted(character, move)
    q.flags.writeable = False
    return q


def _planted(character: Character, move: Move) -> np.ndarray:
    pose, down, shift = _keys(move)
    lean = pose.get("root", {}).get("flex", 0.0)
    pose = _folded(down * float(character.com_rest[2]) / float(character.q_rest[2]), lean) | pose
    known = {name: value for name, value in pose.items() if name in character.joint_names}
    raw = from_keys(character, [(0.0, known)]).q[0]
    places = rest_places(character)
    stance = [s for s in character.stance if s != move.lifted]
    centre = middle(character, stance) + np.asarray(shift)
    bodies = {character.support(s).body: places[s] for s in stance}
    height = float(character.q_rest[2]) - down * float(character.com_rest[2])
    return Solver(character).solve(raw, Targets(bodies=bodies, com=centre, com_share=0.1, root_height=height))


def _folded(depth: float, lean: float) -> dict:
    """Legs of a squat by a part of the leg's length, under a root that leans forward [deg]."""
    fold = math.degrees(math.acos(1 - max(depth, 0.004)))
    ankle, knee = min(0.54 * fold, 27.0), 1.9 * fold
    return _both_sides({"hip": dict(flex=lean + knee - ankle), "knee": knee, "ankle": dict(flex=ankle)})


def _both_sides(pose: dict) -> dict:
    return {f"{joint}_{side}": value for joint, value in pose.items() for side in "lr"}


def _keys(move: Move) -> tuple[dict, float, tuple[float, float]]:
    """Joints in degrees, how far the pelvis sinks [heights of the CM], shift of the CM [m]; for the left-hand side."""
    a = math.radians(move.direction)
    fro, left = math.cos(a), math.sin(a)  # where the threat is
    twist = min(move.direction, 90) * 0.35  # towards it, over each of three joints of the spine, and the hips
    kind = move.kind
    if kind == "block":
        pose = {name: dict(twist=0.55 * twist, flex=2 - 4 * fro, bend=-4 * left) for name in SPINE}
        pose |= {"root": dict(twist=0.5 * twist), "neck": dict(twist=0.4 * twist)}
        low = {"head": 0.02, "trunk": 0.03, "pelvis": 0.08}[move.zone]
        return pose, low, (-0.01 * fro, -0.01 * left)
    if kind == "crouch":
        pose = {name: dict(flex=14, twist=0.3 * twist) for name in SPINE}
        pose |= {"root": dict(flex=50, twist=0.4 * twist), "neck": dict(flex=-25)}
        return pose, 0.17, (-0.01, 0.0)
    if kind == "duck":
        pose = {name: dict(flex=13) for name in SPINE} | {"root": dict(flex=30), "neck": dict(flex=10)}
        pose |= _both_sides({"shoulder": dict(elevate=70, plane=20, twist=0), "elbow": 120})
        return pose, 0.2, (-0.01, 0.0)
    if kind == "lean":
        return _lean(fro, left)
    if kind == "shift":
        pose = {name: dict(bend=10, flex=6) for name in SPINE} | {"root": dict(bend=-8, twist=-20)}
        pose |= {f"shoulder_{s}": dict(flex=40, abduct=a, twist=0) for s, a in (("l", 40), ("r", 50))}
        return pose, 0.06, (0.0, -0.055)
    up = {"hip_l": dict(flex=75, abduct=20), "knee_l": 85, "ankle_l": dict(flex=0),
          "shoulder_l": dict(flex=20, abduct=30, twist=0), "shoulder_r": dict(flex=0, abduct=45, twist=0)}  # fmt: skip
    return up, 0.02, (0.0, 0.0)


def _lean(fro: float, left: float) -> tuple[dict, float, tuple[float, float]]:
    """Out of the ball's way: sideways from the front and from behind, folded forwards from the side."""
    side = abs(fro)  # ahead and behind, the trunk goes to the right; from the side, forwards
    pose = {n: dict(bend=-19 * side, flex=17 * abs(left) + 4, twist=-10 * side) for n in SPINE}
    pose |= {"shoulder_l": dict(flex=25, abduct=15, twist=0), "shoulder_r": dict(flex=15, abduct=35, twist=0)}
    pose |= {
        "root": dict(bend=-20 * side, flex=38 * abs(left), twist=-18 * side),
        "neck": dict(bend=-15 * side),
    }
    return pose, 0.05 + 0.1 * abs(left), (0.0, -0.04 * side)
