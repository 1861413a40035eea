"""Roll: follow a cycle of poses locked to how far the body has turned, and steer its momentum ([Rolling] §4, §6)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from poise.behaviours.rolling.contacts import Grounded
from poise.behaviours.rolling.course import TURN, Attitude, Course, Facing
from poise.behaviours.rolling.cycle import Cycle
from poise.behaviours.rolling.joints import Joints, rotations
from poise.behaviours.rolling.on_ground import place
from poise.behaviours.rolling.program import FeatureProgram, FeatureWeights
from poise.behaviours.rolling.solver import Drive, Wanted
from poise.behaviours.rolling.speeds import Gears
from poise.behaviours.rolling.springs import blend_rows
from poise.behaviours.rolling.steer import MOST_TURN, Steer, Steering
from poise.character import Character
from poise.control.behaviour import Behaviour, Signal
from poise.control.solve import Solution
from poise.dynamics.state import State
from poise.geometry.linear import times
from poise.motion.collide import parted

SIGNALS = ("phase", "heading", "tilt", "advance", "blend", "trunk_contact", "head_contact", "tipping")
STALLED = math.radians(25)  # turned by less than this
WAIT = 0.5  # [s] for so long: it has stalled
URGE = TURN * 0.9  # [rad/s] at which the pose then moves on ahead of the body
AHEAD = math.radians(15)  # between the two poses of the blend
POSE_HOMING = 0.4  # [rad/m] of a roll that its poses steer
STRAYED = math.radians(8)  # most of a heading error that the pose answers
CALM = 0.15  # [s] in which a pose that has moved on falls back to the body's phase
# a forward roll from rest: half crouched, arms ahead, leaning forward, the body falls into its roll
LEAN = math.radians(55)  # phase of the trunk at the start: the weight is ahead of the feet
OVER = math.radians(80)  # phase from which the cycle goes on
CROUCH = {  # [deg]
    "spine": (15.0,), "hip": (60.0,), "knee": (60.0,), "shoulder": (120.0,), "elbow": (10.0,), "neck": (20.0,),
    "ankle": (20.0,),
}  # fmt: skip


@dataclass(frozen=True)
class Start:
    """How a take begins; the spreads are standard deviations of what the seed draws."""

    speed: float | None = None  # [m/s]; the cycle's where None
    spin: float | None = None  # [rev/s]
    yaw_spread: float = math.radians(12)  # [rad]
    speed_spread: float = 0.25  # [m/s]
    spin_spread: float = 0.4  # [rad/s]


class Rolling(Behaviour[Wanted]):
    """What all rolls share: where the body is in its roll, springs with the feature program, and what is recorded."""

    lies = True  # a body that rolls does not fall
    course: Course
    facing: Facing
    weights: FeatureWeights
    strength: float
    steered = True  # False: by springs alone

    def start(self, state: State, dt: float) -> None:
        self.dt, self.attitude = dt, Attitude(state, self.facing, self.course)
        n = state.nv - 6
        self.wanted = Wanted(np.zeros(n), np.zeros(n), np.zeros(6))
        self._joints, self.q_ref = Joints(state.character), np.full(state.tree.nq, np.nan)
        self._signal, self._ground = np.zeros(len(SIGNALS)), Grounded(state)

    def solver(self, state: State, torque, solution: Solution | None = None) -> Drive:
        """Springs, and the program where it steers."""
        axes = self.course.axes
        self._program = FeatureProgram(state, self.weights, axes) if self.steered else None
        return Drive(state, torque, self.strength, self._program, solution)

    def _keep(self, state: State, advance: float = 0.0, blend: float = 1.0) -> Wanted:
        """Note what is recorded of this tick; returns what is wanted."""
        attitude = self.attitude
        self.q_ref[:7] = state.q[:7]
        rotations(self._joints, self.wanted.pose, self.q_ref[7:])
        self._signal[:5] = attitude.phase, attitude.heading, attitude.tilt, advance, blend
        self._signal[5:7] = self._ground.update(state)
        return self.wanted

    def hold(self, state: State, pose: np.ndarray) -> Wanted:
        """By the springs alone, a pose; the attitude has been looked at."""
        self.wanted.pose[:], self.wanted.steered = pose, False
        return self._keep(state)

    def signals(self) -> Mapping[str, Signal]:
        return {"roll": Signal(self._signal, "rad, 1", "course", SIGNALS)}


class Roll(Rolling):
    """Roll on and on along a course."""

    def __init__(
        self,
        cycle: Cycle | Sequence[Cycle],
        course: Course | None = None,
        steering: Steering | None = None,
        weights: FeatureWeights | None = None,
        strength: float = 1.0,
        partner: Cycle | None = None,
        tip: bool = False,
    ):
        """Several cycles are mixed to the speed of ``steering``; without it springs alone follow the slowest.

        ``partner`` has the other poses of the blend; without one they are those a little further on. With ``tip``
        the roll begins at rest, crouched and leaning forward.
        """
        self.cycles = (cycle,) if isinstance(cycle, Cycle) else tuple(cycle)
        self.course, self.strength, self.partner = course or Course(), strength, partner
        self.tip = tip
        self.steering, self.weights = steering, weights or FeatureWeights()
        self.steered = steering is not None
        first = self.cycles[0]
        self.facing = Facing.of(first.style, math.radians(first.oblique))

    def start(self, state: State, dt: float) -> None:
        super().start(state, dt)
        self.gears = self._gears(state.character, dt)
        self._turn = self.cycles[0].steering(state.character)
        self._other = None if self.partner is None else self.partner.table(state.character)
        self._steer = None if self.steering is None else Steer(state, self.steering, self.attitude)
        self._line, self._advance = state.c.copy(), 0.0
        self._past = [self.attitude.phase] * max(1, round(WAIT / dt))  # phases of the last while, a ring
        self._tick = 0
        self._crouch = crouch(state.character) if self.tip else None  # until it has tipped over

    def begin(self, state: State) -> None:
        """Roll on from here: what was before is no stall, and the line of travel begins here."""
        self._tick, self._advance, self._line[:] = 0, 0.0, state.c
        self.gears, self.wanted.steered = self._gears(state.character, self.dt), True
        if self._steer is not None:
            self._steer.line[:] = state.c

    def _gears(self, body: Character, dt: float) -> Gears:
        steering = self.steering
        if steering is None:
            return Gears(self.cycles, body, self.cycles[0].speed, dt)
        return Gears(
            self.cycles, body, steering.spin if steering.spins else steering.speed, dt, steering.spins
        )

    def update(self, state: State) -> Wanted:
        attitude, wanted = self.attitude, self.wanted
        attitude.update()
        self._urge()
        along = float(times(state.c, attitude.axes[:, 0]))
        self.gears.update(
            attitude.phase / TURN if self.steering is not None and self.steering.spins else along
        )
        at = attitude.phase + self.gears.lead + self._advance
        self.gears.pose(at / TURN, wanted.pose)
        error = min(max(attitude.heading + self._homing(state), -STRAYED), STRAYED)
        wanted.pose += error * self._turn
        self._tip(wanted.pose)
        blend = 1.0
        if self._steer is not None and self._program is not None:
            if self._other is None:
                self.gears.pose((at + AHEAD) / TURN, wanted.ahead)
                wanted.ahead += error * self._turn
            else:
                blend_rows(self._other, at / TURN, wanted.ahead)
            wanted.momentum_rate[:] = self._steer.update(state, self.dt)
            blend = self._program.gamma
            if self._steer.steering.acts == "aside":
                wanted.in_plane = self.gears.brake
        self._signal[7] = self._crouch is not None
        return self._keep(state, self._advance, blend)

    @property
    def stalled(self) -> bool:
        """Whether the body has not turned for a while, and the pose has gone on without it."""
        return self._advance > STALLED

    def _tip(self, pose: np.ndarray) -> None:
        """Hold the crouch until the body has tipped over."""
        if self._crouch is None:
            return
        pose[:], self._advance, self._tick = self._crouch, 0.0, 0
        if self.attitude.phase > OVER:
            self._crouch = None

    def _homing(self, state: State) -> float:
        """How far the heading should point back to the line of travel, right positive [rad]."""
        aside = float(times(state.c - self._line, self.attitude.axes[:, 1]))
        return min(max(POSE_HOMING * aside, -MOST_TURN), MOST_TURN)

    def _urge(self) -> None:
        """After a stall the pose goes on by itself, until the body follows."""
        i = self._tick % len(self._past)
        self._tick += 1
        turned = self.attitude.phase - self._past[i]
        self._past[i] = self.attitude.phase
        if turned < STALLED and self._tick > len(self._past):
            self._advance += URGE * self.dt
        else:
            self._advance -= TURN * round(self._advance / TURN)
            self._advance *= math.exp(-self.dt / CALM)


def crouch(body: Character) -> np.ndarray:
    """Pose (nv - 6,) of the crouch that a roll from rest begins in [rad]."""
    return Cycle("forward", CROUCH).table(body)[0]


def _unfolded(body: Character, pose: np.ndarray) -> np.ndarray:
    """The pose (nv - 6,), opened towards a crouch as far as the parts of the body are in each other."""
    joints, free = Joints(body), crouch(body)

    def q(share: float) -> np.ndarray:
        return np.concatenate([body.q_rest[:7], joints.q(pose + share * (free - pose))])

    share = parted(body, q)
    return pose + share * (free - pose) if share else pose


def launch(
    roll: Roll, body: Character, start: Start, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Configuration and velocity at the start: the cycle's pose on the ground, moving, with the seed's errors."""
    yaw, dv, dw = rng.normal(size=3) * (start.yaw_spread, start.speed_spread, start.spin_spread)
    first = roll.cycles[0]
    speed = first.speed if start.speed is None else start.speed
    gears = Gears(roll.cycles, body, speed, 1.0)
    phase, pose = math.radians(first.start), np.zeros(body.model.nv - 6)
    gears.pose(phase / TURN, pose)
    if roll.tip:
        phase, pose = LEAN, crouch(body)
    spin = first.spin if start.spin is None else start.spin
    pose = _unfolded(body, pose)
    return place(body, pose, roll.facing, roll.course, phase, yaw, speed + dv, TURN * spin + dw)
