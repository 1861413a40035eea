"""The full body behind the model: poses like the clip's whose momenta are the model's and whose feet stay put.

[Abstract], eq. 13, as one weighted least-squares problem a frame: feet before momenta before joints, H as firm as the
velocity of c. The model is never told what the body did instead: it moves by contacts and pushes alone. Where a leg is
too short for feet and momenta, the foot stays and the body lags; ``gap`` says by how much, ``gaps`` what that cost.
"""

from __future__ import annotations

import mujoco
import numpy as np

from poise.behaviours.planned.cone import FACES, project
from poise.behaviours.planned.course import Course
from poise.behaviours.planned.model import add_cross
from poise.behaviours.planned.reference import Reference
from poise.compiled import compiled
from poise.geometry.linear import solve
from poise.motion.follow import SPIN, Feet, Follower

PULL = 0.03  # share of a joint's error taken back in a frame
KEEP = 1e-4  # w3 of eq. 14: cost of changing a force [1/N²]
ROOT_TURN = 5.0  # weight of the root's orientation: nothing in H holds a posture
LEGS = 0.5  # weight of the joints of the legs: a free leg is not kicked about to hold H
SETTLE = 15  # iterations of the first pose
LANDING = 16  # frames in which a swinging foot becomes as firm as a standing one
RELEASE = 1e-3  # of the weights of a swing as it begins: what a foot is astray then is taken back by and by
SAME_SUM = 100.0  # cost of changing the sum of the forces [1/N²]
STAND, PIVOT, SWING = (1.0, 1.0), (1.0, 1e-7), (1e-3, 1e-5)  # weights of place and turn, by how a foot stands


def led(ref: Reference) -> tuple[np.ndarray, np.ndarray]:
    """How the feet are led at each frame: by a local point (T, S, 3), with weights (T, S, 2) of place and turn.

    A flat foot is led by its middle, one on an edge by that edge, free to turn about it, one in the air softly, and
    most softly as it leaves the ground: caught up in a frame, a centimetre there is a kick that no contact explains.
    """
    supports = [ref.character.support(name) for name in ref.character.stance]
    local = np.empty((ref.frames, len(supports), 3))
    weight = np.empty((ref.frames, len(supports), 2))
    left = ref.feet.next_landing(never=2 * (ref.frames + LANDING)) - np.arange(ref.frames)[:, None]
    gone = np.minimum(ref.feet.since_lift() / LANDING, 1.0)
    for s, support in enumerate(supports):
        on = ref.feet.on[:, s, : len(support.points)]
        number = on.sum(axis=1)
        middle = on @ support.points / np.maximum(number, 1)[:, None]
        local[:, s] = np.where(number[:, None] > 0, middle, support.points.mean(axis=0))
        soon = np.clip(left[:, s] / LANDING, 0.0, 1.0)[:, None]
        swing = np.array(SWING) ** soon * np.array(PIVOT) ** (1 - soon) * RELEASE ** (1 - gone[:, s, None])
        weight[:, s] = np.where(
            (number == 0)[:, None], swing, np.where((number < len(support.points))[:, None], PIVOT, STAND)
        )
    return local, weight


class Body:
    """The character, frame by frame. ``move`` takes it to the model's next state."""

    def __init__(self, ref: Reference, course: Course, first: int = 0, root_turn: float = ROOT_TURN) -> None:
        """``first`` is the frame of the clip to begin at."""
        self.ref, self.course = ref, course
        self.follower = Follower(ref.character, root_turn=root_turn, legs=LEGS, balls=True)
        self.q = np.array(ref.q[first])
        self.q[:3] += course.goal[0]
        self.v = np.array(ref.v[first])
        self.gap = np.zeros(3)  # of the centre of mass from the model's, after the last frame [m]
        self._local, self._weight = led(ref)
        S = ref.feet.place.shape[1]
        self._feet = Feet(np.empty((S, 3)), np.empty((S, 3)), np.empty((S, 4)), np.empty((S, 2)))
        self._settle(first)

    def _settle(self, first: int) -> None:
        """From the clip's pose to the nearest with the feet on their footprints and c in its place."""
        ref, follower = self.ref, self.follower
        c = ref.x[first, :3] + self.course.goal[0]
        for _ in range(SETTLE):
            follower.at(self.q)
            self._lead(first, 0.0)
            step = follower.prepare(
                self.q, np.zeros(len(self.v)), self._feet, c - follower.c, c, 1.0, spin=0.0
            )
            size = float(np.abs(step).max())
            mujoco.mj_integratePos(follower.model, self.q, step, min(1.0, 0.2 / max(size, 1e-9)))
        follower.at(self.q)

    def _lead(self, k: int, part: float) -> None:
        """Targets of the feet at frame k + part."""
        _lead(k, part, self.course.place, self.ref.feet.turn, self._local, self._weight, self._feet)

    def prepare(
        self, now: np.ndarray, new: np.ndarray, frame: float, rate: float, blow: np.ndarray | None
    ) -> None:
        """Look at the coming frame: the model goes from ``now`` to about ``new``, the clip to ``frame`` at ``rate``.

        ``blow`` (nv,) is the velocity that a push would give to the joints were they free: g₃ of eq. 14.
        """
        ref, follower, h = self.ref, self.follower, self.ref.h
        k, part = split(frame, ref.frames)
        self._lead(k, part)
        wish = follower.pull(self.q, ref.q[k], h / PULL)
        wish += (rate + PULL * part) * ref.v[k]
        if blow is not None:
            wish[6:] += blow[6:]
        follower.prepare(self.q, wish, self._feet, (new[:3] - follower.c) / h, middle(now, new), h)

    def adapt(self, x: np.ndarray, new: np.ndarray, points: np.ndarray, F: np.ndarray, mu: float) -> None:
        """Change the forces F (n, 3), in place and in their cones, towards the angular momentum that the pose likes.

        [Abstract], eq. 14, on the moment alone: the sum of the forces is the plan's. ``new`` is the model's next state
        under F, pushes included.
        """
        follower, h = self.follower, self.ref.h
        arm = x[:3] + 0.5 * h / self.ref.character.mass * x[3:6]
        _adapt(points, F, arm, 0.5 * h, follower.S, follower.y_free, (new[:3] - follower.c) / h, middle(x, new), mu,
               np.zeros(FACES * len(F), bool))  # fmt: skip

    def move(self, now: np.ndarray, new: np.ndarray) -> None:
        """One frame: the model has gone from ``now`` to ``new``."""
        follower, h = self.follower, self.ref.h
        self.v[:] = follower.finish((new[:3] - follower.c) / h, middle(now, new))
        mujoco.mj_integratePos(follower.model, self.q, self.v, h)
        follower.at(self.q)
        self.gap = follower.c - new[:3]

    def struck(self, force: np.ndarray, at: np.ndarray, body: int) -> np.ndarray:
        """Velocity (nv,) that a force [N] at a point of a body gives in a frame: h M⁻¹ Jᵀ F."""
        follower, J = self.follower, np.zeros((3, len(self.v)))
        mujoco.mj_jac(follower.model, follower.data, J, None, at, body)
        return self.ref.h * solve(follower.M, force @ J)


def middle(now: np.ndarray, new: np.ndarray) -> np.ndarray:
    """H (3,) halfway between two states: the velocity of a frame is that of its middle."""
    return 0.5 * (now[9:] + new[9:])


def split(frame: float, frames: int) -> tuple[int, float]:
    """Whole frame and the part beyond it, inside the clip."""
    frame = min(max(frame, 0.0), frames - 1.0)
    k = min(int(frame), frames - 2)
    return k, frame - k


@compiled
def _lead(k, beyond, place, turn, local, weight, feet):
    """Targets of the feet at frame k + beyond; a foot that stands at frame k stands until the next."""
    out_turn = feet.turn
    for s in range(place.shape[1]):
        part, size = (0.0 if weight[k, s, 0] >= STAND[0] else beyond), 0.0
        for i in range(4):
            out_turn[s, i] = (1 - part) * turn[k, s, i] + part * turn[k + 1, s, i]
            size += out_turn[s, i] ** 2
        size = np.sqrt(size)
        for i in range(4):
            out_turn[s, i] /= size
        w, x, y, z = out_turn[s]
        a, b, c = local[k, s]
        u, v, t = 2 * (y * c - z * b), 2 * (z * a - x * c), 2 * (x * b - y * a)
        turned = (a + w * u + y * t - z * v, b + w * v + z * u - x * t, c + w * t + x * v - y * u)
        for i in range(3):
            feet.local[s, i] = local[k, s, i]
            feet.place[s, i] = (1 - part) * place[k, s, i] + part * place[k + 1, s, i] + turned[i]
        feet.weight[s] = weight[k, s]


@compiled
def _adapt(points, F, arm, h, S, y_free, c_dot, H, mu, active):
    n = F.shape[0]
    B = np.zeros((3, 3 * n))  # of H / SPIN by the forces
    T = np.zeros((3, 3 * n))
    for i in range(n):
        add_cross(points[i] - arm, h / SPIN, B, 0, 3 * i)
        for k in range(3):
            T[k, 3 * i + k] = 1.0
    f = F.copy().ravel()
    e = np.empty(6)
    for k in range(3):
        e[k], e[3 + k] = c_dot[k] - y_free[k], H[k] / SPIN - y_free[3 + k]
    e[3:] -= B @ f
    inner = np.ascontiguousarray(S[3:, 3:])
    Q = B.T @ (inner @ B) + SAME_SUM * (T.T @ T)
    for i in range(3 * n):
        Q[i, i] += KEEP
    r = B.T @ (np.ascontiguousarray(S[3:]) @ e) - SAME_SUM * (T.T @ (T @ f)) - KEEP * f
    new = np.empty((n, 3))
    if project(Q, r, mu, active, new):
        F[:, :] = new
