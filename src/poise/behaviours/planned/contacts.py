"""Which corners of the soles carry, from a clip's contact labels and the motion of the soles themselves.

Labels of captured motion often end a stance when the heel rises and begin it when the foot is flat; then a walk seems
to fly between its steps. A sole whose lowest edge is near its own ground and slow still stands, and a gap too short
for a flight is shared between the foot that leaves and the foot that lands.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from poise.character.character import Support
from poise.geometry import quat
from poise.geometry.easing import cubic
from poise.motion.parts import runs

FLAT_WITHIN = 0.01  # [m] that an edge of a sole may be up while the sole counts as flat
LEVEL = np.radians(
    15.0
)  # a foot that stands steadily this steep stands flat: skeletons differ in what is level
FLOOR = 0.07  # [m] a footprint this near to the floor is on it
BALL_AT = 0.7  # where along a sole its ball is
BENT = 0.07  # [m] that the ball may be up while the toes carry: toes bend
LOW, SLOW = 0.04, 0.4  # [m] above its ground and [m/s]: an edge of a sole that still stands
SHORTEST = 0.06  # [s] of a contact or of a gap in one: shorter ones are noise
FLIGHT = 0.12  # [s] of a gap between two feet that is not taken for a flight
DOUBLE = 0.07  # [s] of double support that such a gap becomes


@dataclass(frozen=True)
class Stance:
    """A foot on the ground: index of the support, first and last frame."""

    support: int
    first: int
    last: int


def sole(support: Support) -> np.ndarray:
    """Points (K + 2, 3) of a sole that may carry: its corners, then two under the ball of the foot [m].

    A rigid sole whose heel is up would stand on a line; toes bend, and the ball stays down for a while.
    """
    points = support.points
    order = np.argsort(points[:, 0])
    balls = []
    for pick in (np.argmin, np.argmax):
        rear, front = (points[side][pick(points[side][:, 1])] for side in (order[:2], order[-2:]))
        balls.append(rear + BALL_AT * (front - rear))
    return np.vstack([points, balls])


def standing(down: np.ndarray, corners: np.ndarray, h: float) -> np.ndarray:
    """Which feet (T, S) stand: as labelled, or slow with an edge near the ground; gaps too short to fly are closed."""
    down = down.copy()
    for s in range(down.shape[1]):
        if down[:, s].any():
            lowest = corners[:, s, :, 2].min(axis=1)
            ground = np.median(lowest[down[:, s]])
            speed = np.linalg.norm(np.gradient(corners[:, s], h, axis=0), axis=2).min(axis=1)
            down[:, s] |= (lowest < ground + LOW) & (speed < SLOW)
        _drop_short(down[:, s], round(SHORTEST / h))
    return _bridged(down, round(FLIGHT / h), round(DOUBLE / h))


@dataclass(frozen=True)
class Feet:
    """Feet that stand as feet do: flat on their footprint, or rolling over its front or rear edge.

    Attributes:
        place, turn: (T, S, 3), (T, S, 4) frames of the feet's bodies.
        on: (T, S, K + 2) which points of the soles carry. corners: (T, S, K + 2, 3) where, at rest while they carry.
        stances: Sorted by their first frame.
    """

    place: np.ndarray
    turn: np.ndarray
    on: np.ndarray
    corners: np.ndarray
    stances: tuple[Stance, ...]

    def next_landing(self, never: int) -> np.ndarray:
        """(T, S) the frame at which each foot is down next; ``never`` where it is not again."""
        frames = np.where(self.on.any(axis=2), np.arange(len(self.on))[:, None], never)
        return np.minimum.accumulate(frames[::-1])[::-1]

    def turned(self, k: int, foot: int) -> tuple[np.ndarray, np.ndarray]:
        """Orientation (4,) of a foot at a frame, and its turn (3,) until the next one, world [rad]."""
        now = self.turn[k, foot]
        after = self.turn[min(k + 1, len(self.turn) - 1), foot]
        return now, quat.to_rotvec(quat.multiply(after, quat.conjugate(now)))

    def since_lift(self) -> np.ndarray:
        """(T, S) how many frames ago each foot was down last; at the start, as if long ago."""
        now = np.arange(len(self.on))[:, None]
        frames = np.where(self.on.any(axis=2), now, -len(self.on))
        return now - np.maximum.accumulate(frames)


def footprints(down: np.ndarray, place: np.ndarray, turn: np.ndarray, soles: list[np.ndarray]) -> Feet:
    """Give every stance one level footprint and leave the foot no freedom on it but to roll over an edge."""
    place, turn = place.copy(), turn.copy()
    on = np.zeros((*down.shape, len(soles[0])), bool)
    corners = np.stack(
        [place[:, s, None] + quat.rotate(turn[:, s, None], soles[s]) for s in range(len(soles))], axis=1
    )
    found = [Stance(s, a, b - 1) for s in range(down.shape[1]) for a, b in runs(down[:, s])]
    stances = tuple(sorted(found, key=lambda stance: stance.first))
    raw_place, raw_turn = place.copy(), turn.copy()
    for stance in stances:
        span, s = slice(stance.first, stance.last + 1), stance.support
        place[span, s], turn[span, s], on[span, s], flat = _stand(
            raw_place[span, s], raw_turn[span, s], soles[s]
        )
        corners[span, s] = np.where(on[span, s][..., None], flat, corners[span, s])
    for s in range(down.shape[1]):
        _carry(down[:, s], raw_place[:, s], raw_turn[:, s], place[:, s], turn[:, s])
    return Feet(place, turn, on, corners, stances)


def _stand(place: np.ndarray, turn: np.ndarray, sole: np.ndarray):
    """One stance: frames (T, 3), (T, 4), points that carry (T, K), and the footprint (K, 3)."""
    real = sole[:-2]
    ahead = quat.rotate(turn, np.array([1.0, 0.0, 0.0]))
    pitch = -np.arcsin(np.clip(ahead[:, 2], -1.0, 1.0))  # heel up is positive
    calm = np.argsort(np.abs(pitch - np.median(pitch)) + np.abs(pitch))[: max(1, len(pitch) // 3)]
    pitch = pitch - np.clip(np.median(pitch[calm]), -LEVEL, LEVEL)
    dead = np.arcsin(min(FLAT_WITHIN / np.ptp(real[:, 0]), 1.0))
    pitch = np.sign(pitch) * np.maximum(np.abs(pitch) - dead, 0.0)
    yaw = np.arctan2(np.median(ahead[calm, 1]), np.median(ahead[calm, 0]))
    heading = quat.from_rotvec(np.array([0.0, 0.0, yaw]))
    points = place[calm, None] + quat.rotate(turn[calm, None], real)
    ground = float(np.median(points[..., 2].min(axis=1)))
    centre = np.append(np.median(points.mean(axis=1), axis=0)[:2], 0.0 if abs(ground) < FLOOR else ground)
    middle = np.array([*real[:, :2].mean(axis=0), real[:, 2].min()])
    flat = centre + quat.rotate(heading, sole - middle)
    flat[:, 2] = centre[2]
    front = real[:, 0] > real[:, 0].mean()
    edge = np.where(pitch[:, None] > 0, sole[:-2][front].mean(axis=0), sole[:-2][~front].mean(axis=0))
    pivot = centre + quat.rotate(heading, edge - middle)
    rolled = quat.multiply(heading, quat.from_rotvec(pitch[:, None] * np.array([0.0, 1.0, 0.0])))
    up = pitch[:, None] > 0
    bent = np.sin(pitch)[:, None] * (real[front, 0].max() - sole[-2:, 0]) < BENT
    on = np.hstack([np.where(front, pitch[:, None] >= 0, ~up), up & bent])
    return pivot - quat.rotate(rolled, edge), rolled, on, flat


def _carry(down: np.ndarray, raw_place, raw_turn, place, turn) -> None:
    """In the air, in place: the captured path, corrected as at its ends and in between by a mix of the two."""
    for a, b in runs(~down):
        ends = [k for k in (a - 1, b) if 0 <= k < len(down)]
        if not ends:
            continue
        shift = np.array([place[k] - raw_place[k] for k in ends])
        twist = np.array([quat.to_rotvec(quat.multiply(turn[k], quat.conjugate(raw_turn[k]))) for k in ends])
        x = np.linspace(0.0, 1.0, b - a + 2)[1:-1, None]
        mix = cubic(x) if len(ends) == 2 else np.zeros_like(x)
        place[a:b] = raw_place[a:b] + (1 - mix) * shift[0] + mix * shift[-1]
        turn[a:b] = quat.multiply(quat.from_rotvec((1 - mix) * twist[0] + mix * twist[-1]), raw_turn[a:b])


def _drop_short(flags: np.ndarray, shortest: int) -> None:
    """Close short gaps, then drop short stretches, in place; those at the ends stay."""
    for value in (False, True):
        for a, b in runs(flags == value):
            if b - a < shortest and a > 0 and b < len(flags):
                flags[a:b] = not value


def _bridged(down: np.ndarray, longest: int, double: int) -> np.ndarray:
    """Where one foot leaves as another lands, both are down for a while, unless the gap is a flight."""
    out = down.copy()
    for s in range(down.shape[1]):
        for _, up in runs(down[:, s]):
            for other in range(down.shape[1]):
                landings = [
                    a for a, _ in runs(down[:, other]) if other != s and up - double <= a < up + longest
                ]
                if landings and up < len(down):
                    more = (double + landings[0] - up + 1) // 2
                    out[up : up + more, s] = True
                    out[max(landings[0] - more, 0) : landings[0], other] = True
    return out
