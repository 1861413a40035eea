"""How far joints may go: hinge ranges of the model and swing-twist limits of the character."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from poise.compiled import compiled
from poise.geometry import quat
from poise.motion import coordinates as layout

if TYPE_CHECKING:
    from poise.character.character import Character

NUDGE = 1e-6  # [rad] for derivatives by differences


class Limits:
    """All limits of a character as functions g(q) <= 0 [rad]: two of each hinge, three of each ball joint."""

    def __init__(self, character: Character, margin: float = 0.0) -> None:
        """``margin`` [rad] makes the limits tighter on every side, by half of a narrow range at the most."""
        model = character.model
        hinges = [j for j in range(model.njnt) if model.jnt_type[j] == layout.HINGE and model.jnt_limited[j]]
        self.nv = model.nv
        self.hinge_q, self.hinge_v = model.jnt_qposadr[hinges], model.jnt_dofadr[hinges]
        low, high = model.jnt_range[hinges].T
        inside = np.minimum(margin, 0.25 * (high - low))
        self.low, self.high = low + inside, high - inside
        balls = [character.joint(name) for name in character.limits]
        self.ball_q = model.jnt_qposadr[balls][:, None] + np.arange(4)
        self.ball_v = model.jnt_dofadr[balls][:, None] + np.arange(3)
        sides = np.array([(a.swing_x, a.swing_y, a.twist) for a in character.limits.values()]).reshape(
            -1, 3, 2
        )
        self.sides = sides - np.sign(sides) * np.minimum(margin, 0.5 * np.abs(sides))  # zero stays inside
        self.centres = np.array([a.centre for a in character.limits.values()]).reshape(-1, 4)

    def values(self, q: np.ndarray) -> np.ndarray:
        """g (n,) [rad]: how far each limit is exceeded; negative inside."""
        angle = q[self.hinge_q]
        return np.concatenate([self.low - angle, angle - self.high, self._balls(q[self.ball_q]).ravel()])

    def gradient(self, q: np.ndarray) -> np.ndarray:
        """Rows G (n, nv): g changes by G dq along a tangent step dq."""
        count, hinges = len(self.ball_q), len(self.hinge_v)
        G = np.zeros((2 * hinges + 3 * count, self.nv))
        G[np.arange(hinges), self.hinge_v] = -1.0
        G[hinges + np.arange(hinges), self.hinge_v] = 1.0
        turn = q[self.ball_q]
        nudged = quat.multiply(turn, quat.from_rotvec(NUDGE * np.eye(3))[:, None])  # (3, balls, 4)
        slopes = (self._balls(nudged) - self._balls(turn)) / NUDGE
        for k in range(3):
            rows = 2 * hinges + k * count + np.arange(count)
            G[rows[:, None], self.ball_v] = slopes[..., k, :].T
        return G

    def _balls(self, turn: np.ndarray) -> np.ndarray:
        """g (..., 3, balls): swing beyond its ellipse, twist below and above its bounds."""
        out = np.empty((*turn.shape[:-2], 3, turn.shape[-2]))
        for index in np.ndindex(turn.shape[:-2]):
            _ball_values(turn[index], self.centres, self.sides, out[index])
        return out


@compiled
def _ball_values(turn, centres, sides, out):
    """g (3, balls) of rotations (balls, 4): as quat.swing_twist from the centre, number by number for speed."""
    for i in range(len(turn)):
        a, b, c, d = centres[i]
        w0, x0, y0, z0 = turn[i]
        w = a * w0 + b * x0 + c * y0 + d * z0
        x = a * x0 - b * w0 - c * z0 + d * y0
        y = a * y0 + b * z0 - c * w0 - d * x0
        z = a * z0 - b * y0 + c * x0 - d * w0
        if w < 0:
            w, x, y, z = -w, -x, -y, -z
        half = np.arctan2(z, w)
        sine, cosine = np.hypot(x, y), np.hypot(w, z)
        size = 2 * np.arctan2(sine, cosine)
        across = x * np.cos(half) - y * np.sin(half), y * np.cos(half) + x * np.sin(half)
        reach, least = 0.0, np.inf
        for k in range(2):
            radius = sides[i, k, 1] if across[k] > 0 else -sides[i, k, 0]
            least = min(least, radius)
            if sine > 1e-9:
                reach += (across[k] / sine / radius) ** 2
        out[0, i] = size - 1 / np.sqrt(reach) if reach > 0 else -least
        out[1, i], out[2, i] = sides[i, 2, 0] - 2 * half, 2 * half - sides[i, 2, 1]


def beyond(character: Character, q: np.ndarray) -> float:
    """How far the worst joint is outside its limits [rad]; 0 when all are inside."""
    return float(np.max(Limits(character).values(q), initial=0.0))
