"""One derivative checker for every objective, and what all of them owe to the solver."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable

import mujoco
import numpy as np
import pytest

from moving import later
from poise import behaviours, control
from poise.control.apart import Apart, Pair
from poise.control.momentum import AngularMomentum, LinearMomentum
from poise.control.objective import Objective
from poise.control.points import Orientation, Point
from poise.control.sole import RollingSole, SwingSole
from poise.control.tracking import Tracking
from poise.dynamics.state import Measure, State

STEP = 1e-5  # [s] of the central difference


class SupportMotion(Objective):
    """The rows that the solver writes for a planted support: linear and angular velocity of its sole."""

    def __init__(self, index: int):
        self.index = index

    def measure(self, state: State) -> Measure:
        return Measure(state.J_v[self.index], state.J[self.index], state.J_bias[self.index])

    def desired(self, state: State) -> np.ndarray:
        return np.zeros(6)

    def weights(self, state: State) -> np.ndarray:
        return np.ones(6)


def tip(state: State) -> tuple[str, tuple[float, float, float]]:
    """The end effector farthest from the root."""
    body, local = max(
        state.character.effectors.values(), key=lambda at: np.linalg.norm(state.place(*at) - state.c)
    )
    return body, tuple(local)


OBJECTIVES: dict[str, Callable[[State], Objective]] = {
    "linear momentum": lambda s: LinearMomentum(np.array([1.0, 2.0, 3.0]), (1.0, 2.0, 3.0), 0.9),
    "angular momentum": lambda s: AngularMomentum(np.array([1.0, 2.0, 3.0]), (1.0, 2.0, 3.0), 0.9),
    "tracking": lambda s: Tracking(np.ones(s.nv), np.ones(s.nv)),
    "point": lambda s: Point(*tip(s), target=np.array([0.3, 0.2, 1.0])),
    "damped point": lambda s: Point(*tip(s), target=None, velocity=np.ones(3)),
    "orientation": lambda s: Orientation("head", np.array([1.0, 0.0, 0.0, 0.0])),
    "upright": lambda s: Orientation(tip(s)[0], np.array([0.8, 0.6, 0.0, 0.0]), upright=True),
    "swing sole": lambda s: SwingSole(
        0, s.x[0] + 0.1, np.ones(3), np.zeros(3), np.eye(3), np.ones(3), np.zeros(3), 100.0, 20.0, (10.0, 5.0)
    ),
    "rolling sole": lambda s: RollingSole(
        1, np.array([0.13, 0, 0]), s.x[1] + 0.1, 0.3, 0.1, 100.0, 20.0, (10.0, 5.0), 2.0
    ),
    "apart": lambda s: Apart(
        [Pair((tip(s)[0], tip(s)[1]), ("head", (0.0, 0.1, 0.0)), np.array([0.6, 0.0, 0.8]), 0.02)], 1.0
    ),
    "support": lambda s: SupportMotion(0),
    "other support": lambda s: SupportMotion(1),
}


def check_objective(objective: Objective, state: State, seed: int = 0) -> None:
    """y = A v, and ẏ by central difference along (v, v̇) equals A v̇ + bias."""
    v_dot = 3.0 * np.random.default_rng(seed).normal(size=state.nv)
    here = objective.measure(state)
    y, rate = here.y.copy(), here.A @ v_dot + here.bias
    after = objective.measure(later(state, v_dot, STEP)).y.copy()
    sooner = objective.measure(later(state, v_dot, -STEP)).y.copy()
    scale = max(1.0, np.abs(rate).max())
    np.testing.assert_allclose(y, here.A @ state.v, atol=1e-12 * max(1.0, np.abs(y).max()))
    np.testing.assert_allclose((after - sooner) / (2 * STEP), rate, atol=1e-6 * scale)


def test_every_objective_of_the_package_is_checked(moving):
    for part in (control, behaviours):
        for module in pkgutil.walk_packages(part.__path__, f"{part.__name__}."):
            importlib.import_module(module.name)
    state = moving("adult", 0)
    checked = {type(make(state)) for make in OBJECTIVES.values()}
    known, left = set(), [Objective]
    while left:
        left += (found := left.pop().__subclasses__())
        known |= {kind for kind in found if kind.__module__.startswith("poise.")}
    assert known and known <= checked


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("kind", OBJECTIVES)
def test_derivative(moving, name: str, kind: str, seed: int):
    state = moving(name, seed)
    check_objective(OBJECTIVES[kind](state), state, seed)


@pytest.mark.parametrize("kind", OBJECTIVES)
def test_contract(moving, name: str, kind: str):
    """Shapes, finite, repeatable, rows follow from measure and desired, state untouched."""
    state = moving(name, 7)
    q, v, M = state.q.copy(), state.v.copy(), state.M.copy()
    objective = OBJECTIVES[kind](state)
    A, b, w = objective.rows(state)
    measure = objective.measure(state)
    assert A.shape == (len(b), state.nv) and w.shape == b.shape
    assert np.isfinite(A).all() and np.isfinite(b).all() and (w >= 0).all()
    np.testing.assert_array_equal(b, objective.desired(state) - measure.bias)
    again = OBJECTIVES[kind](state).rows(state)
    for first, second in zip((A, b, w), again):
        np.testing.assert_array_equal(first, second)
    for before, after in ((q, state.q), (v, state.v), (M, state.M)):
        np.testing.assert_array_equal(before, after)


def test_target_reached_means_zero_command(moving, name: str):
    """At rest on its target, an objective asks for nothing."""
    state = moving(name, 3, speed=0.0)
    body, local = tip(state)
    upright = state.data.body("head").xquat.copy()
    for objective in (
        Point(body, local, state.place(body, local)),
        Point(body, local, None),
        Orientation("head", upright),
        Orientation("head", -upright),  # the other quaternion of the same rotation
    ):
        assert np.abs(objective.desired(state)).max() < 1e-9


def test_commands_point_at_the_target(moving):
    state = moving("adult", 3, speed=0.0)
    x = state.place("hand_l", (0, 0, 0))
    wanted = Point("hand_l", (0.0, 0.0, 0.0), x + np.array([0.1, 0.0, 0.0]), k=100.0).desired(state)
    np.testing.assert_allclose(wanted, [10.0, 0.0, 0.0], atol=1e-9)
    turn = np.zeros(4)
    mujoco.mju_axisAngle2Quat(turn, np.array([0.0, 0.0, 1.0]), 0.2)  # about the world's z
    target = np.zeros(4)
    mujoco.mju_mulQuat(target, turn, state.data.body("head").xquat)
    wanted = Orientation("head", target, k=100.0).desired(state)
    np.testing.assert_allclose(wanted, [0.0, 0.0, 20.0], atol=1e-9)


def test_damping_opposes_motion(moving):
    state = moving("adult", 4)
    point = Point("hand_l", (0.0, 0.0, 0.0), None, d=5.0)
    head = Orientation("head", np.array([1.0, 0.0, 0.0, 0.0]), k=0.0, d=5.0)
    for objective in (point, head):
        np.testing.assert_allclose(objective.desired(state), -5.0 * objective.measure(state).y, atol=1e-12)


def test_heading_is_free_when_upright():
    objective = Orientation("head", np.array([1.0, 0.0, 0.0, 0.0]), upright=True, weight=3.0)
    np.testing.assert_array_equal(objective.weights(None), [3.0, 3.0, 0.0])  # type: ignore[arg-type]
