r"""The controller at run time: which frame of the plan fits the present state, and the forces that follow from it.

The frame t_c solves r(k) = K^d (x - x*_k) + K^c ΔΨ - (1 + K^d ẋ*_k)(t - k) h = 0: [Abstract], eq. 11, before a division
by 1 + K^d ẋ*, which is nearly zero (exactly so where neither cost nor contacts depend on time). Contacts follow another
clock t_d that runs on without jumps, and the forces are matched to the contacts there (eq. 12).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from poise.behaviours.planned.cone import FACES
from poise.behaviours.planned.course import Course
from poise.behaviours.planned.model import step, wrench
from poise.behaviours.planned.problem import FALL
from poise.behaviours.planned.rollout import match
from poise.behaviours.planned.segments import Controller, Segment
from poise.compiled import compiled

SAGITTAL = np.array([1, 0, 1, 1, 0, 1, 0, 1, 0, 0, 1, 0], float)  # what the search for t_c looks at
SWITCH = 14  # frames before its end that a piece hands over
EARLY = 1.75  # and of the frames from its last landing to its end: 14 of 8 in a walk, 21 of 12 in long steps
LAST = 6  # frames before its end that the last piece stops: forces that late only chase the goal
BAND = 15  # frames that t_c may be away from t_d
SLOWEST, FASTEST = 0.2, 3.0  # of t_d
SMALL_FORCE = 1e-4  # in eq. 12, against the squared force
SAME = 0.01  # [m]: points of contact this near are the same
LEVER = 1.0  # [m]: eq. 12 weighs newtons and newton metres alike


@dataclass(frozen=True)
class Settings:
    """How the controller behaves.

    ``free``: whether the final time is; ``anticipate``: whether a new goal is known ahead, as a change of the final
    state (else the reference is bent towards it and only followed); ``sagittal``: whether the clock heeds no errors to
    the side; ``early``: whether a piece is left before its last landing; ``switch``, ``band``: see the constants of
    these names.
    """

    free: bool = True
    anticipate: bool = True
    sagittal: bool = False
    early: bool = True
    switch: int = SWITCH
    band: float = BAND


class Clock:
    """The times of one piece, in frames from its start: elapsed t, plan t_c, contacts t_d."""

    def __init__(self, t: float) -> None:
        self.t = self.t_c = self.t_d = t


class Online:
    """Feedback over all pieces of a controller. ``advance`` is one frame."""

    def __init__(self, controller: Controller, course: Course, settings: Settings | None = None) -> None:
        self.controller, self.course, self.settings = controller, course, settings or Settings()
        self.index = 0
        self.x = np.array(self.segment.policy.X[0])
        self.x[:3] += course.goal[0]
        self.clock = Clock(0.0)
        self.F = np.zeros(course.points.shape[1:])
        self.points = course.points[0, :0]
        self.wanted = np.zeros(6)  # wrench about c that the feedback asked for
        self.aim = np.zeros(3)  # change of this piece's goal for c that the course does not know of [m]
        self.extra = 0.0  # change of the final time so far [frames], finished pieces
        self.finished = False
        self._g = np.array(FALL)
        self._active = np.zeros(FACES * course.points.shape[1], bool)
        self._mask = SAGITTAL if self.settings.sagittal else np.ones(12)

    @property
    def segment(self) -> Segment:
        return self.controller.segments[self.index]

    @property
    def frame(self) -> float:
        """The reference's frame that t_d points at."""
        return self.segment.start + self.clock.t_d

    @property
    def change(self) -> float:
        """Change of the final time [frames]: of the finished pieces and of this one as planned now."""
        return self.extra + self.clock.t - self.clock.t_c

    def decide(self) -> np.ndarray:
        """Find t_c and the forces for this frame; returns F (n, 3) at ``points`` (n, 3)."""
        clock, p = self.clock, self.segment.policy
        offset, goal = self.course.goal[self.index], np.zeros(12)
        if self.settings.anticipate:
            goal[:3] = self.course.goal[self.index + 1] - offset + self.aim
        else:
            offset = self.course.drift[min(int(self.frame), len(self.course.drift) - 1)]
        local = self.x.copy()
        local[:3] -= offset
        last = p.frames - 1
        if self.settings.free:
            low = max(clock.t_d - self.settings.band, 0.0)
            high = min(clock.t_d + self.settings.band, float(last))
            clock.t_c = _search(local, goal, clock.t, clock.t_c, low, high, p, self._mask)
        else:
            clock.t_c = clock.t
        _feedback(local, goal, clock.t, clock.t_c, clock.t_d, p, self.wanted)
        k = min(int(self.frame + 0.5), len(self.course.count) - 1)
        n = int(self.course.count[k])
        self.points = self.course.points[k, :n]
        self.F[:] = 0.0
        if n:
            active = self._active[: FACES * n]
            active[:] = False
            match(self.x, self.points, self.wanted, p.mu, LEVER, SMALL_FORCE, active, self.F[:n])
        return self.F[:n]

    @property
    def rate(self) -> float:
        """How many frames t_d runs on in this frame."""
        p, clock = self.segment.policy, self.clock
        left, planned = p.frames - clock.t_d, max(p.frames - clock.t_c, 1e-6)
        return min(max(left / planned, SLOWEST), FASTEST) if self.settings.free else 1.0

    def peek(self, push: np.ndarray, at: np.ndarray) -> np.ndarray:
        """The model's state a frame later, under the present forces and a push [N] at a point [m]."""
        p, n = self.segment.policy, len(self.points)
        points, F = np.empty((n + 1, 3)), np.empty((n + 1, 3))
        points[:n], points[n], F[:n], F[n] = self.points, at, self.F[:n], push
        new = np.empty(12)
        step(self.x, points, F, p.h, p.mass, self._g, new)
        return new

    def advance(self, push: np.ndarray, at: np.ndarray) -> None:
        """Move the model by one frame, then the clocks."""
        rate = self.rate
        self.x = self.peek(push, at)
        self.tick(1.0, rate)

    def tick(self, frames: float, rate: float) -> None:
        """Let the clocks run for some frames, t_d at its own rate, and hand over to the next piece when it is time."""
        self.clock.t += frames
        self.clock.t_c += frames
        self.clock.t_d += frames * rate
        self._hand_over()

    def _hand_over(self) -> None:
        """On to the next piece a while before the end of this one; the last piece runs to its end.

        As a landing comes near, one foot can do less and less about the goal that lies behind it, and f_z answers to
        errors of ∫H and to the side by ever more: a piece is left before that.
        """
        segment, clock = self.segment, self.clock
        last = self.index == len(self.controller.segments) - 1
        if last:
            self.finished = clock.t_d >= segment.policy.frames - LAST
            return
        if clock.t_d >= segment.policy.frames - self._early():
            self.extra += clock.t - clock.t_d
            self.index += 1
            self.clock = Clock(clock.t_d + segment.start - self.segment.start)

    def _early(self) -> int:
        """How many frames before its end the present piece hands over; not before the next begins."""
        segment, frames = self.segment, self.settings.switch
        if segment.landing and self.settings.early:
            frames = max(frames, round(EARLY * segment.landing))
        return min(frames, segment.end - self.controller.segments[self.index + 1].start)


@compiled
def _residual(k, local, goal, t, p, mask):
    X, X_dot, Kd, Kc = p.X, p.X_dot, p.Kd, p.Kc
    r, along = 0.0, 1.0
    for i in range(12):
        r += mask[i] * (Kd[k, i] * (local[i] - X[k, i]) + Kc[k, i] * goal[i])
        along += mask[i] * Kd[k, i] * X_dot[k, i]
    return r - along * (t - k) * p.h


@compiled
def _search(local, goal, t, guess, low, high, p, mask):
    """The root of r(k) in [low, high] nearest to ``guess``, between frames; without one, the least |r|."""
    first, last, free = int(np.ceil(low)), int(np.floor(high)), p.free
    if not free[min(max(int(guess + 0.5), 0), free.shape[0] - 1)] or last <= first:
        return min(max(t, low), high)
    best, found = guess, np.inf
    before = _residual(first, local, goal, t, p, mask)
    least, where = abs(before), float(first)
    for k in range(first + 1, last + 1):
        now = _residual(k, local, goal, t, p, mask)
        if before == 0.0 or (before < 0.0) != (now < 0.0):
            root = k - 1 + before / (before - now) if before != now else k - 1.0
            if abs(root - guess) < found:
                best, found = root, abs(root - guess)
        if abs(now) < least:
            least, where = abs(now), float(k)
        before = now
    return best if found < np.inf else where


@compiled
def _alike(t_c, t_d, p):
    """The frame nearest to t_c, on the way to t_d, that has the contacts of t_d.

    Forces planned for one foot, acted out on two, would be matched for a frame by several times their size.
    """
    last = p.F.shape[0] - 1
    k, there = min(max(int(t_c + 0.5), 0), last), min(max(int(t_d + 0.5), 0), last)
    n, way = p.count[there], 1 if there > k else -1
    while k != there:
        if p.count[k] == n and (n == 0 or np.abs(p.points[k, :n] - p.points[there, :n]).max() < SAME):
            break
        k += way
    return k


@compiled
def _feedback(local, goal, t, t_c, t_d, p, out):
    """Wrench (6,) about c of the feedback forces, with the contacts that are there at t_d."""
    k = _alike(t_c, t_d, p)
    n, h, Kx, Km, Kt = p.count[k], p.h, p.Kx, p.Km, p.Kt
    dt = (t - t_c) * h
    dx = np.empty(12)
    for i in range(12):
        dx[i] = local[i] - p.X[k, i] - p.X_dot[k, i] * (t - k) * h
    dm = p.Vmm_inverse[k] @ (goal - p.Vmx[k] @ dx - p.Vmt[k] * dt)
    f = p.F[k, :n].copy()
    for i in range(3 * n):
        change = Kt[k, i] * dt
        for j in range(12):
            change += Kx[k, i, j] * dx[j] + Km[k, i, j] * dm[j]
        f[i // 3, i % 3] += change
    wrench(p.points[k, :n], f, local[:3], out)
