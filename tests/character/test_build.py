"""Limb description to MJCF."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from poise.character import Limb, Sole, SwingTwist, ball, both_sides, build, capsule, look
from poise.errors import BadInput
from poise.geometry import quat

GREY = (0.5, 0.5, 0.5, 1.0)
ROD = (capsule((0, 0, 0), (0, 0, -0.3), 0.03, GREY),)


def tiny():
    """A trunk on two stilts."""
    trunk = Limb("pelvis", "", "root", (0, 0, 0), 10.0, (capsule((0, 0, 0), (0, 0, 0.3), 0.1, GREY),))
    stilt = Limb(
        "foot_l", "pelvis", "hip_l", (0, 0.1, 0), 2.0, ROD, limits=ball((-20, 40), (-90, 30), (-10, 20)),
        torque=(10, 20, 30), rest=(0.1, 0.0, 0.05), sole=Sole(-0.1, 0.1, (0.05, 0.08), 0.3),
        tips={"toe_l": (0.1, 0.01, -0.3)},
    )  # fmt: skip
    return build("tiny", (trunk, *both_sides(stilt)))


def test_mirror():
    body = tiny()
    left, right = body.limits["hip_l"], body.limits["hip_r"]
    assert right.swing_x == (-left.swing_x[1], -left.swing_x[0]) and right.swing_y == left.swing_y
    assert right.twist == (-left.twist[1], -left.twist[0])
    np.testing.assert_allclose(body.rest["hip_r"], body.rest["hip_l"] * np.array([1, -1, 1, -1]))
    np.testing.assert_allclose(body.effectors["toe_r"][1], [0.1, -0.01, -0.3])
    assert body.pairs == (("foot_l", "foot_r"),)
    np.testing.assert_allclose(body.model.body("foot_r").pos, [0, -0.1, 0])


def test_mass_and_inertia_from_shapes():
    body = tiny()
    assert body.mass == pytest.approx(14.0, rel=1e-5)
    np.testing.assert_allclose(body.model.body("foot_l").ipos, [0, 0, -0.15], atol=1e-6)
    np.testing.assert_allclose(sorted(body.model.body("foot_l").inertia)[1:], 2 * 0.1**2, rtol=0.3)


def test_given_inertia_is_kept():
    limb = Limb(
        "pelvis", "", "root", (0, 0, 0), 3.0, ROD, com=(0.01, 0, -0.1), gyration=(0.1, 0.11, 0.05),
        sole=Sole(-0.1, 0.1, (0.05, 0.05), 0.3),
    )  # fmt: skip
    body = build("stick", (limb,), stance=("pelvis",)).model.body("pelvis")
    inertia = quat.to_matrix(body.iquat) @ np.diag(body.inertia) @ quat.to_matrix(body.iquat).T
    np.testing.assert_allclose(inertia, np.diag([0.03, 0.0363, 0.0075]), atol=1e-6)
    np.testing.assert_allclose(body.ipos, [0.01, 0, -0.1])


def test_drawn_shapes_do_not_collide():
    limb = Limb(
        "pelvis", "", "root", (0, 0, 0), 3.0, (*ROD, look("box", (0, 0, 0), (1, 1, 1), GREY)),
        sole=Sole(-0.1, 0.1, (0.05, 0.05), 0.3),
    )  # fmt: skip
    model = build("stick", (limb,), stance=("pelvis",)).model
    box = np.flatnonzero(model.geom_type == mujoco.mjtGeom.mjGEOM_BOX)
    assert model.geom_contype[box] == 0 and model.geom_conaffinity[box] == 0
    assert (
        model.geom_contype[np.flatnonzero(model.geom_group == 3)] == 1
    ).all()  # hidden ones are there to collide


def test_limits_need_both_sides():
    with pytest.raises(BadInput, match=r"limit twist must have lower < 0 < upper.*\(0.1, 0.2\)"):
        SwingTwist((-1, 1), (-1, 1), (0.1, 0.2))


@pytest.mark.parametrize("side", [-1, 1])
def test_reach_is_one_on_the_limit(side: int):
    limits = SwingTwist((-0.5, 1.0), (-2.0, 0.3), (-0.4, 0.8))
    on_x = limits.swing_x[side > 0]
    twist = limits.twist[side > 0]
    swing, turn = limits.reach(quat.from_swing_twist([on_x, 0.0], twist))
    assert swing == pytest.approx(1.0) and turn == pytest.approx(1.0)
    corner = np.array([limits.swing_x[1], limits.swing_y[0]]) / np.sqrt(2)
    assert limits.reach(quat.from_swing_twist(corner, 0.0))[0] == pytest.approx(1.0)


def test_cone_holds_every_allowed_rotation():
    limits, rng = SwingTwist((-0.5, 1.0), (-1.4, 0.3), (-0.4, 0.8)), np.random.default_rng(0)
    for angle, twist in zip(rng.uniform(0, 2 * np.pi, 200), rng.uniform(-0.4, 0.8, 200)):
        swing = np.array([np.cos(angle), np.sin(angle)])
        swing *= [abs(limits.swing_x[int(swing[0] > 0)]), abs(limits.swing_y[int(swing[1] > 0)])]
        turn = np.linalg.norm(quat.to_rotvec(quat.from_swing_twist(swing, twist)))
        assert turn <= limits.cone + 1e-9
