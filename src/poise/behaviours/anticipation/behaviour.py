"""See a ball, choose, and meet it in physics: the example is tracked by momentum control, steps save the rest."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import mujoco
import numpy as np

from poise.behaviours.anticipation.aftermath import Aftermath, Struck, Watch, struck
from poise.behaviours.anticipation.away import stepping_away
from poise.behaviours.anticipation.clips import Example
from poise.behaviours.anticipation.moves import ACTS, Move
from poise.behaviours.anticipation.reaction import Reaction, timed
from poise.behaviours.anticipation.threat import Sight, blurred, see
from poise.behaviours.balance.balance import Balance
from poise.behaviours.balance.gains import Gains, Weights
from poise.behaviours.stepping.recover import Recover
from poise.behaviours.stepping.stepper import Stepper
from poise.character.character import Character
from poise.character.constants import GRAVITY
from poise.control.behaviour import Behaviour, Signal
from poise.control.solve import Command
from poise.dynamics.state import State
from poise.geometry import quat
from poise.geometry.polygon import hull, inside, nearest
from poise.motion.clip import Clip

Choice = Callable[[Sight], Move | None]
RESPONSE = 0.15  # [s] after a hit, in which physics alone answers
MARGIN = 0.02  # [m] beyond the soles: only then does a step help more than the move itself
ALERT = Weights(arms=20.0, tracking=1.0, root=1.0)
FIRM = Gains(track=14.0, track_damping=7.0)


@dataclass
class Anticipate(Behaviour):
    """Stand idle, and meet the ball ``ball_0`` with the move that ``choose`` gives.

    Args:
        choose: What is seen → the move to make, or None to stand still.
        delay: From the throw to the first movement [s].
        noise: Standard deviation of where the ball is thought to pass [m].
        misses: Chance that it is not seen at all.
        seed: Of noise and misses.
        example: A captured movement to use for every move; None is the move's own pose.
        idle: The pose in which it waits; None is rest.
        steps_if_needed: Whether the supervisor may take steps.
        after: What it does after a hit, once that was felt for ``RESPONSE``; None is back to idle.
    """

    choose: Choice
    delay: float = 0.2
    noise: float = 0.0
    misses: float = 0.0
    seed: int = 0
    weights: Weights = field(default_factory=lambda: ALERT)
    gains: Gains = field(default_factory=lambda: FIRM)
    example: Example | None = None
    idle: np.ndarray | None = None
    steps_if_needed: bool = True
    after: Aftermath | None = None

    def __post_init__(self) -> None:
        self.stepper: Stepper | None = None  # once the supervisor has taken over

    def start(self, state: State, dt: float) -> None:
        self._dt, self._t0 = dt, state.t
        self._rng = np.random.default_rng(self.seed)
        self._seen = self._rng.random() < self.misses  # a miss is as good as having looked already
        self._joint = mujoco.mj_name2id(state.model, mujoco.mjtObj.mjOBJ_JOINT, "ball_0")
        self._reaction = Reaction(state.character, self.idle)
        self.move: Move | None = None
        self.decision_ms = self.plan_ms = self.reacted_s = math.nan
        self._watch = Watch(state.model, self._joint) if self.after is not None and self._joint >= 0 else None
        self._hit: tuple[float, Struck] | None = None
        self._told = np.array([-1.0, 0.0])
        self._rule(
            Balance() if self.idle is None else Balance(held(state.character, self.idle), self.gains), state
        )
        self.stepper = None
        self.lowest = float(state.character.com_rest[2])

    def signals(self) -> dict[str, Signal]:
        """Which example was chosen, -1 for none, and whether the supervisor steps."""
        return {"anticipation": Signal(self._told, "1, 1", "none", ("move", "stepping"))}

    def metrics(self) -> dict[str, float]:
        """How long choosing and planning took [ms], and when the reaction to a hit began [s], if one did."""
        took = {"decision_ms": self.decision_ms, "plan_ms": self.plan_ms}
        return took if math.isnan(self.reacted_s) else {**took, "reacted_s": self.reacted_s}

    @property
    def steps(self) -> int:  # type: ignore[override]
        return 0 if self.stepper is None else self.stepper.steps

    def _rule(self, behaviour: Behaviour, state: State) -> None:
        self._now = behaviour
        behaviour.start(state, self._dt)

    def update(self, state: State) -> Command:
        if not self._seen and self._joint >= 0 and state.t - self._t0 >= self.delay:
            self._seen = True
            self._decide(state)
        if self.stepper is None and self.steps_if_needed and leaving(state):
            self.stepper = Stepper(Recover())
            self._rule(self.stepper, state)
        if self._watch is not None and self.stepper is None:
            self._respond(state, self._watch)
        self._told[1] = self.stepper is not None
        command = self._now.update(state)
        self.q_ref = self._now.q_ref
        return command

    def _respond(self, state: State, watch: Watch) -> None:
        """A while after a hit, the reaction example."""
        if self._hit is None and watch.met(state.data):
            ball, (centre, facing) = state.data.qpos[watch.place].copy(), self._stand(state)
            self._hit = state.t + RESPONSE, struck(state.data, state.tree, ball, centre, facing)
        if self._hit is not None and math.isnan(self.reacted_s) and state.t >= self._hit[0]:
            self.reacted_s = state.t
            assert self.after is not None
            clip = self.after.clip(self._reaction, self._hit[1], np.array(self.q_ref))
            self._rule(Balance(clip, self.gains, self.weights), state)

    # -- the choice

    def _decide(self, state: State) -> None:
        model, data = state.model, state.data
        q, v = int(model.jnt_qposadr[self._joint]), int(model.jnt_dofadr[self._joint])
        centre, facing = self._stand(state)
        sight = see(data.qpos[q : q + 3], data.qvel[v : v + 3], centre, facing)
        sight = blurred(sight, self.noise, self._rng) if self.noise > 0 else sight
        self.move, self.decision_ms = timed(self.choose, sight)
        if self.move is None:
            return
        _, self.plan_ms = timed(self._make, self.move, sight, state)
        self._told[0] = ACTS.index(self.move)

    def _stand(self, state: State) -> tuple[np.ndarray, float]:
        """Middle of the soles (2,) [m] and where the body faces [rad]."""
        ahead = quat.rotate(state.q[3:7], np.array([1.0, 0.0, 0.0]))
        return state.x[:, :2].mean(axis=0), math.atan2(ahead[1], ahead[0])

    def _make(self, move: Move, sight: Sight, state: State) -> None:
        """From now on a step out of the ball's way, or idle, the key pose with the hands on it, and idle again."""
        if move.kind == "step":
            self.stepper = stepping_away(move)
            return self._rule(self.stepper, state)
        clip, _, _ = self._reaction.meet(move, sight, self.example)
        self._rule(Balance(clip, self.gains, self.weights), state)


def held(character: Character, q: np.ndarray) -> Clip:
    """A clip of one pose."""
    return Clip(character, np.array([0.0, 1.0]), np.tile(q, (2, 1)))


def leaving(state: State) -> bool:
    """Whether the point where the body would come to rest is outside its soles."""
    omega = math.sqrt(GRAVITY / max(float(state.c[2]), 0.4))
    xi = state.c[:2] + state.L[:2] / state.m / omega
    soles = np.vstack([state.corners[s][: state.corner_count[s], :2] for s in range(len(state.corner_count))])
    area = hull(soles)
    return not inside(area, xi) and float(np.linalg.norm(nearest(area, xi) - xi)) > MARGIN
