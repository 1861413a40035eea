"""One goal-directed step without physics ([Stepping] 3.2): example, paths, blend, optimisation."""

from __future__ import annotations

from dataclasses import dataclass, field

import mujoco
import numpy as np

from poise.behaviours.example_steps.database import Database
from poise.behaviours.example_steps.legs import TwoLegs
from poise.behaviours.example_steps.profile import Timing, com_path, foot_progress
from poise.behaviours.example_steps.step import absolute, heading_of, middle_of, print_of, relative, wrapped
from poise.character.character import Character
from poise.dynamics.limits import JointLimits
from poise.errors import BadInput
from poise.geometry import quat
from poise.geometry.easing import quintic
from poise.motion.clip import Clip
from poise.motion.coordinates import relocated
from poise.motion.ik import Solver, Targets

RATE = 120.0  # [Hz] of the frames made
LIFT = 0.055  # [heights of the CM] that a foot is lifted where no example says how
FARTHEST = 0.95  # [leg lengths] from the support foot that a foot may land
NEAREST = 1.05  # [sole widths] between the middles of the soles
SAME = 1e-6  # [m] by which two distances may differ that are one
TURN_MOST = 1.5  # [rad] of one foot against the other
QUICKEST, SLOWEST = 0.4, 5.0  # [s] of a step
PROPER = Timing(0.0, 0.28, 0.72, 1.0)  # proportions where no example gives them
BEYOND = 1e-3  # [rad] that a joint may pass its limit before the pose is solved again with limits


@dataclass(frozen=True)
class Goal:
    """What a step should do.

    Args:
        swing: 0 for the left foot, 1 for the right.
        place: (3,) where its sole should come to stand, world: x, y [m], heading [rad].
        seconds: From double stance to double stance.
        timing: Proportions of the step; the example's where None.
    """

    swing: int
    place: np.ndarray
    seconds: float
    timing: Timing | None = None


@dataclass
class Made:
    """A step that was made: its clip, the blend it began as, and what there is to say about it."""

    clip: Clip
    blend: Clip
    goal: Goal
    timing: Timing
    com: np.ndarray  # (n, 2) wanted [m]
    notes: list[str] = field(default_factory=list)

    @property
    def landing_error(self) -> float:
        """Distance of the sole from where it should have landed [m]."""
        legs = TwoLegs(self.clip.character)
        return float(
            np.linalg.norm(print_of(legs, self.clip.q[-1], self.goal.swing)[:2] - self.goal.place[:2])
        )


class Walker:
    """Makes steps of one body; keeps its buffers."""

    def __init__(self, character: Character, database: Database | None = None):
        self.character, self.database = character, database
        self.legs = TwoLegs(character)
        self.solver, self.limits = Solver(character), JointLimits.of(character)

    def step(self, q: np.ndarray, goal: Goal, towards: Clip | None = None) -> Made:
        """A step from a double stance.

        Args:
            q: The pose now, both feet on the ground.
            goal: Where to.
            towards: A motion to arrive in, in the place of an example (3.2: without the database).
        """
        goal, notes = self.reachable(q, goal, 0.0 if towards is None else self.straddle(towards))
        support = 1 - goal.swing
        base = print_of(self.legs, q, support)
        ankle, turn = self._standing(q, support)
        if towards is None:
            follow, timing = self._example(q, goal, base)
        else:
            follow = lambda t: towards.at(towards.start)  # noqa: E731
            timing = goal.timing or PROPER
        timing = timing.scaled(goal.seconds)
        times = np.linspace(0.0, goal.seconds, max(8, round(goal.seconds * RATE) + 1))
        frames = np.array([follow(t / goal.seconds) for t in times])
        frames = self._about(frames, support, base)
        end = self.end_pose(frames[-1], q, goal)
        blend = self._blend(frames, q, end, times / goal.seconds, support, ankle, turn)
        return self._finish(q, goal, timing, times, blend, end, notes)

    def warm_up(self) -> None:
        """Load compiled code and mirror images, so that the first step is as quick as the others."""
        q = np.asarray(self.character.q_rest)
        feet = [self._standing(q, i) for i in range(2)]
        ankles, turns = np.array([f[0] for f in feet]), np.array([f[1] for f in feet])
        self.limits.worst(self.legs.balance(q, ankles, turns, self.legs.com(q)[:2] + 0.01))
        if self.database is not None:
            self.database.nearest(0, np.zeros(3), np.zeros(3))

    # -- before the step

    def straddle(self, clip: Clip) -> float:
        """How far apart the soles are in which a clip begins [m]."""
        left, right = (print_of(self.legs, clip.at(clip.start), i) for i in range(2))
        return float(np.hypot(*(left - right)[:2]))

    def reachable(self, q: np.ndarray, goal: Goal, straddle: float = 0.0) -> tuple[Goal, list[str]]:
        """The goal, cut to what one step can do, and a note where it was; feet may come ``straddle`` apart [m]."""
        if not QUICKEST <= goal.seconds <= SLOWEST:
            raise BadInput(f"a step of {goal.seconds} s; give {QUICKEST} to {SLOWEST} s")
        if not np.isfinite(goal.place).all():
            raise BadInput(f"a step to {goal.place}; give finite numbers")
        base = print_of(self.legs, q, 1 - goal.swing)
        want, notes = self.cut(goal.swing, relative(np.asarray(goal.place, float), base), straddle)
        return Goal(goal.swing, absolute(want, base), goal.seconds, goal.timing), notes

    def cut(self, swing: int, want: np.ndarray, straddle: float = 0.0) -> tuple[np.ndarray, list[str]]:
        """A footprint (3,) as seen from the support foot, cut to what one step can do, and what was cut."""
        want, leg, notes = np.array(want), self.legs.both.both[swing], []
        size = float(np.hypot(*want[:2]))
        far = max(FARTHEST * leg.reach, straddle + SAME)
        if size > far:
            want[:2] *= far / size
            notes.append(f"a step of {size:.2f} m is out of reach; the foot lands {far:.2f} m from the other")
        turn = float(np.clip(want[2], -TURN_MOST, TURN_MOST))
        if turn != want[2]:
            notes.append(
                f"a turn of {np.degrees(want[2]):.0f} deg is too far for one step; it is {np.degrees(turn):.0f} deg"
            )
            want[2] = turn
        near = NEAREST * 2 * self.legs.both.sole[1]
        if abs(want[0]) < 2 * self.legs.both.sole[0] and leg.side * want[1] < near:
            notes.append(f"the feet would stand on each other; they keep {near:.2f} m")
            want[1] = leg.side * near
        return want, notes

    def _standing(self, q: np.ndarray, i: int) -> tuple[np.ndarray, np.ndarray]:
        """Origin (3,) and rotation (4,) of a foot that stands, made level and put on the ground."""
        return self.foot_at(i, print_of(self.legs, q, i))

    def _example(self, q: np.ndarray, goal: Goal, base: np.ndarray):
        """Poses of the nearest example over the step (0 to 1), in the world of the support foot, and its timing."""
        if self.database is None:
            raise BadInput("a step without an example needs a motion to arrive in")
        start = relative(print_of(self.legs, q, goal.swing), base)
        found = self.database.nearest(goal.swing, start, relative(goal.place, base))
        clip = found.clip(self.character)
        own, wanted = found.timing, (goal.timing or found.timing).scaled(found.timing.end)
        old, new = ((t.begin, t.lift, t.land, t.end) for t in (own, wanted))

        def follow(x: float) -> np.ndarray:
            return relocated(clip.at(float(np.interp(x * own.end, new, old))), base[:2], base[2])

        return follow, goal.timing or own

    def _about(self, frames, support, base) -> np.ndarray:
        """Poses moved so that the support foot of the first is in place."""
        here = print_of(self.legs, frames[0], support)
        yaw = wrapped(base[2] - here[2])
        turned = relocated(frames, np.zeros(2), yaw)
        gap = base[:2] - print_of(self.legs, turned[0], support)[:2]
        turned[:, :2] += gap
        return turned

    def end_pose(self, q: np.ndarray, now: np.ndarray, goal: Goal) -> np.ndarray:
        """The pose nearest to q with the support foot where it is now and the other at the goal (3.2, step 3)."""
        support = 1 - goal.swing
        fixed = print_of(self.legs, now, support)
        before = [print_of(self.legs, q, i) for i in range(2)]
        after = [fixed, np.asarray(goal.place)] if support == 0 else [np.asarray(goal.place), fixed]
        yaw = 0.5 * sum(wrapped(b[2] - a[2]) for a, b in zip(before, after))
        out = relocated(q, 0.5 * (after[0][:2] + after[1][:2]), yaw, about=middle_of(self.legs, q))
        feet = [self._standing(now, support), self.foot_at(goal.swing, goal.place)]
        if support == 1:
            feet.reverse()
        ankles, turns = np.array([f[0] for f in feet]), np.array([f[1] for f in feet])
        return self._within(self.legs.stand(out, ankles, turns), ankles, turns, None)

    def foot_at(self, i: int, place: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Origin and rotation of a foot that stands level at a footprint."""
        level = quat.from_rotvec(np.array([0.0, 0.0, float(place[2])]))
        ankle = self.legs.ankle(i, np.array([place[0], place[1], 0.0]), level)
        ankle[2] = -float(self.legs.corners[i][:, 2].min())
        return ankle, level

    # -- the step itself

    def _blend(self, frames, q, end, x, support, ankle, turn) -> np.ndarray:
        """Starting blend (3.5): errors at both ends are eased away over the step, about the support foot."""
        model = self.character.model
        first, last = np.empty(model.nv), np.empty(model.nv)
        mujoco.mj_differentiatePos(model, first, 1.0, frames[0], q)
        mujoco.mj_differentiatePos(model, last, 1.0, frames[-1], end)
        out = np.empty_like(frames)
        for i, share in enumerate(quintic(x)):
            pose = frames[i].copy()
            mujoco.mj_integratePos(model, pose, (1 - share) * first + share * last, 1.0)
            out[i] = self._hold(pose, support, ankle, turn)
        return out

    def _hold(self, q, support, ankle, turn) -> np.ndarray:
        """The pose moved as a whole so that the support foot is in place."""
        self.legs.pose(q)
        body = self.legs.bodies[support]
        place, now = self.legs.data.xpos[body], self.legs.data.xquat[body]
        fix = quat.multiply(turn, quat.conjugate(now))
        q[:3] = ankle + quat.rotate(fix, q[:3] - place)
        q[3:7] = quat.multiply(fix, q[3:7])
        return q

    def _finish(self, q, goal, timing, times, blend, end, notes) -> Made:
        """Foot and centre-of-mass paths, and the poses that follow them (3.6)."""
        swing, support = goal.swing, 1 - goal.swing
        base = print_of(self.legs, q, support)
        ankle, turn = self._standing(q, support)
        start = self.legs.com(q)[:2]
        com = com_path(times, timing, start, base[:2], self.legs.com(end)[:2])
        feet = self._foot_path(q, goal, timing, times, blend)
        made, guess = np.empty_like(blend), None
        for i in range(len(times)):
            ankles, turns = np.empty((2, 3)), np.empty((2, 4))
            ankles[support], turns[support] = ankle, turn
            ankles[swing], turns[swing] = feet[0][i], feet[1][i]
            near = None if guess is None else blend[i, :2] + guess[:2] - blend[i - 1, :2]
            pose = self.legs.balance(blend[i], ankles, turns, com[i], near)
            made[i] = guess = self._within(pose, ankles, turns, com[i], guess)
        contacts = {
            self.legs.names[support]: ((0.0, float(times[-1])),),
            self.legs.names[swing]: ((0.0, timing.lift), (timing.land, float(times[-1]))),
        }
        clips = [Clip(self.character, times, frames, contacts=contacts) for frames in (made, blend)]
        return Made(clips[0], clips[1], goal, timing, com, notes)

    def _foot_path(self, q, goal, timing, times, blend) -> tuple[np.ndarray, np.ndarray]:
        """Origin (n, 3) and rotation (n, 4) of the swing foot: a straight way with a Gaussian speed (3.3).

        Height above the way and tilt are those of the blend while the foot is in the air.
        """
        i = goal.swing
        ends = self._standing(q, i), self.foot_at(i, goal.place)
        sole_a, sole_b = (ankle + quat.rotate(turn, self.legs.centre[i]) for ankle, turn in ends)
        way = foot_progress(times, timing)
        x = np.clip((times - timing.lift) / (timing.land - timing.lift), 0.0, 1.0)
        inside = np.clip(2.0 * np.sin(np.pi * x), 0.0, 1.0)
        start, yaw = print_of(self.legs, q, i)[2], wrapped(goal.place[2] - print_of(self.legs, q, i)[2])
        least = LIFT * self.legs.both.height * 16 * x**2 * (1 - x) ** 2
        places, turns = np.empty((len(times), 3)), np.empty((len(times), 4))
        for k in range(len(times)):
            place, turn = self.legs.foot(blend[k], i)
            ahead = quat.from_rotvec(np.array([0.0, 0.0, -heading_of(turn)]))
            tilt = inside[k] * quat.to_rotvec(quat.multiply(ahead, turn))
            heading = quat.from_rotvec(np.array([0.0, 0.0, start + way[k] * yaw]))
            turns[k] = quat.multiply(heading, quat.from_rotvec(tilt))
            sole = sole_a + way[k] * (sole_b - sole_a)
            sole[2] += max(inside[k] * (place[2] - sole_a[2]), float(least[k]))
            places[k] = self.legs.ankle(i, sole, turns[k])
            low = places[k, 2] + quat.rotate(turns[k], self.legs.corners[i])[:, 2].min()
            places[k, 2] -= min(low, 0.0)
        return places, turns

    def _within(self, pose, ankles, turns, com, guess=None) -> np.ndarray:
        """The pose with every joint inside its limits; those of closed legs seldom are not."""
        if self.limits.worst(pose) < BEYOND:
            return pose
        bodies = {
            self.character.model.body(b).name: (ankles[i], turns[i]) for i, b in enumerate(self.legs.bodies)
        }
        goal = Targets(bodies=bodies, com=com, com_share=1e-3)
        return self.solver.solve(pose, goal, guess)
