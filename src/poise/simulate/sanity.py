"""Sane bounds: what no body of flesh or steel does. A state beyond them is a blow-up, and ends the take as a result."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from poise.compiled import compiled_for_record
from poise.solvers.dot import dot

if TYPE_CHECKING:
    from poise.dynamics.state import State
    from poise.worlds.world import Arena

FASTEST = 300.0  # [m/s] of the centre of mass
QUICKEST = 3000.0  # [rad/s] of the root or of a joint
FARTHEST = 5000.0  # [m] of the centre of mass from where the world begins
FIERCEST = 45_000.0  # [J/kg]: kinetic energy over mass, that of the fastest
STRONG = 100.0  # weights of the body: a push beyond this may be the cause by itself


@dataclass(frozen=True)
class BlowUp:
    """When a state left the bounds, and how."""

    time: float  # [s]
    what: str  # which bound, by which part
    cause: str  # the likely one

    def __str__(self) -> str:
        return f"blew up at t = {self.time:.3f} s: {self.what}; {self.cause}; cut at the last sane record"


def judge(state: State, arena: Arena) -> BlowUp | None:
    """None while the state is sane."""
    code, at = (0, -1) if not state.finite else measure(state)
    if state.finite and code == 0:
        return None
    name = _part(arena, at)
    what = {
        0: "a state that is not finite", 1: f"{name} turns faster than {QUICKEST:g} rad/s",
        2: f"the body moves faster than {FASTEST:g} m/s", 3: f"the body is more than {FARTHEST:g} m away",
        4: f"more than {FIERCEST:g} J of motion per kg",
    }[code]  # fmt: skip
    return BlowUp(float(arena.data.time), what, likely_cause(arena, name))


def likely_cause(arena: Arena, name: str | None = None) -> str:
    """A push that is enough by itself, else the time step; ``name`` is the joint that showed it."""
    name = name or _part(arena, -1)
    weight, t = arena.tree.mass * 9.81, float(arena.data.time)
    for push in arena.pushes:
        if push.start <= t and math.hypot(*push.force) > STRONG * weight:
            return f"likely cause: a push of {math.hypot(*push.force):.3g} N, {STRONG:g} times its weight or more"
    dt = arena.world.dt
    return f"likely cause: a step of {dt:g} s is too large for {name}; try --set dt={0.5 * dt:g}"


def _part(arena: Arena, dof: int) -> str:
    """The joint of a degree of freedom; of the fastest one where none is named."""
    model, speed = arena.model, abs(arena.data.qvel)
    if dof < 0:
        speed[~(speed >= 0)] = math.inf
        dof = int(speed.argmax())
    else:
        dof += arena.tree.dof0
    return f"joint {model.joint(int(model.dof_jntid[dof])).name!r}"


@compiled_for_record
def measure(state):
    """Which bound is left, 0 for none: 1 a joint's speed (and its degree of freedom), 2 speed, 3 place, 4 energy."""
    v, c, m = state.v, state.c, state.m
    n, energy, speed, place = v.shape[0], 0.0, 0.0, 0.0
    for i in range(3, n):
        if not abs(v[i]) < QUICKEST:
            return 1, i
    for i in range(3):
        speed += (state.G[i] / m) ** 2
        place += c[i] ** 2
    if not speed < FASTEST**2:
        return 2, -1
    if not place < FARTHEST**2:
        return 3, -1
    for i in range(n):
        energy += 0.5 * v[i] * dot(state.M[i], v, n)
    return (0, -1) if energy < FIERCEST * m else (4, -1)
