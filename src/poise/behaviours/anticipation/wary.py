"""Wary: go about one's day, and when a ball comes, dodge it, duck or block as learned; then go on as before.

::

    daily --> sees a ball on its way to the body, for ``delay`` --> move --> daily
      ^                                                              |
      '------------- the move is over, or the balance is leaving ----'
"""

from __future__ import annotations

import math

import mujoco
import numpy as np

from poise.behaviours.anticipation.behaviour import ALERT, FIRM, Choice, leaving
from poise.behaviours.anticipation.moves import MOVES, Move
from poise.behaviours.anticipation.reaction import Reaction
from poise.behaviours.anticipation.threat import Sight, see
from poise.behaviours.balance.balance import Balance
from poise.behaviours.stepping.step import Gait
from poise.behaviours.stepping.stepper import Stepper
from poise.control.behaviour import Behaviour, Signal, Solver, Torque
from poise.control.solve import Command
from poise.dynamics.state import State
from poise.errors import BadInput
from poise.geometry import quat

SOON = 1.2  # [s] before it arrives: a ball farther off is no threat yet
FAST = 2.5  # [m/s] over the ground
BESIDE, HIGH = 0.55, 2.0  # [m] from the body's axis, and above the ground: it flies past
LEFT = 0.08  # [s]: too late to do anything


class Wary(Behaviour[Command]):
    """A stepper that looks out for balls while it stands.

    Args:
        daily: What it does else.
        choose: What is seen → the move to make, or None to stand still.
        delay: From seeing a ball on its way to the first movement [s].
        on: Whether it looks out; ``command(dodge=0)`` changes it.
    """

    def __init__(self, daily: Stepper, choose: Choice, delay: float = 0.2, on: bool = True):
        self.daily, self.choose, self.delay, self.on = daily, choose, delay, on
        self.grip = daily.grip

    def start(self, state: State, dt: float) -> None:
        self._dt = dt
        names = [state.model.joint(j).name for j in range(state.model.njnt)]
        self._balls = [
            mujoco.mj_name2id(state.model, mujoco.mjtObj.mjOBJ_JOINT, n)
            for n in names
            if n.startswith("ball_")
        ]
        self._seen = np.full(len(self._balls), math.nan)  # since when each is on its way [s]
        self._reaction: Reaction | None = None
        self.move: Move | None = None
        self.dodged, self._told = 0, np.array([-1.0, 0.0])
        self._now: Behaviour = self.daily
        self.daily.start(state, dt)
        self.lowest = self.daily.lowest
        self._kept = {name: s._replace(values=s.values.copy()) for name, s in self.daily.signals().items()}

    def update(self, state: State) -> Command:
        if self.move is not None and (state.t > self._until or leaving(state)):
            self._back(state)
        if self.on and self.move is None and self.gait.step is None:
            self._look_out(state)
        command = self._now.update(state)
        self.q_ref = self._now.q_ref
        self._tell()
        return command

    def around(self, usual: Solver, state: State, torque: Torque) -> Solver:
        return self.daily.around(usual, state, torque)

    def _look_out(self, state: State) -> None:
        for k, joint in enumerate(self._balls):
            sight = self._sight(state, joint)
            if not threatens(sight):
                self._seen[k] = math.nan
            elif math.isnan(self._seen[k]):
                self._seen[k] = state.t
            elif state.t - self._seen[k] >= self.delay and sight.time > LEFT:
                self._seen[k] = math.nan
                return self._meet(state, sight)

    def _sight(self, state: State, joint: int) -> Sight:
        """A ball as seen from the middle of the soles."""
        model, data = state.model, state.data
        q, v = int(model.jnt_qposadr[joint]), int(model.jnt_dofadr[joint])
        ahead = quat.rotate(state.q[3:7], np.array([1.0, 0.0, 0.0]))
        centre, facing = state.x[:, :2].mean(axis=0), math.atan2(ahead[1], ahead[0])
        return see(data.qpos[q : q + 3], data.qvel[v : v + 3], centre, facing)

    def _meet(self, state: State, sight: Sight) -> None:
        self.move = self.choose(sight)
        if self.move is None:
            return
        if self._reaction is None:
            self._reaction = Reaction(state.character)
        clip, _, _ = self._reaction.meet(self.move, sight)
        self._now, self._until = Balance(clip, FIRM, ALERT, mu=self.daily.mu), state.t + clip.seconds
        self._now.start(state, self._dt)
        self.dodged += 1

    def _back(self, state: State) -> None:
        self.move, self._now = None, self.daily
        self.daily.start(state, self._dt)

    # -- what others ask

    @property
    def gait(self) -> Gait:
        return self.daily.gait

    @property
    def steps(self) -> int:  # type: ignore[override]
        return self.daily.steps

    @property
    def doing(self) -> str:
        return "" if self.move is None else f"dodging: {self.move.name}"

    @property
    def period(self) -> float | None:
        return self.daily.period

    def command(self, **wishes: float) -> None:
        """``dodge`` 1 or 0: whether it looks out for balls; all else as of the daily behaviour."""
        dodge = wishes.pop("dodge", None)
        if dodge is not None and dodge not in (0.0, 1.0):
            raise BadInput(f"dodge={dodge:g}; give 0 or 1")
        if wishes:
            self.daily.command(**wishes)
        self.on = self.on if dodge is None else bool(dodge)

    def signals(self) -> dict[str, Signal]:
        """Which move it makes, -1 for none, and how many it has made; and what the daily behaviour tells."""
        return {"dodge": Signal(self._told, "1, 1", "none", ("move", "made")), **self._kept}

    def _tell(self) -> None:
        self._told[:] = -1 if self.move is None else MOVES.index(self.move), self.dodged
        told = self.daily.signals() if self.move is None else {}
        for name, kept in self._kept.items():
            kept.values[:] = told[name].values if name in told else math.nan


def threatens(sight: Sight) -> bool:
    """Whether a ball will come to the body, and soon."""
    return (
        sight.speed > FAST
        and 0.0 < sight.time < SOON
        and abs(sight.offset) < BESIDE
        and 0.0 < sight.height < HIGH
    )
