"""The adult against its sources."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from poise.character import load
from poise.geometry import quat

# de Leva (1996), table 4, males: mass over body mass
FRACTIONS = {
    "head": 0.0694,
    "chest": 0.1596,
    "pelvis": 0.1117,
    "upper_arm_l": 0.0271,
    "forearm_l": 0.0162,
    "hand_l": 0.0061,
    "thigh_l": 0.1416,
    "shin_l": 0.0433,
    "foot_l": 0.0137,
}


def posed(**joints: Any):
    """The adult at rest but for some joints: angle, or rotation vector, in degrees; both sides when symmetric."""
    adult = load("adult")
    q = adult.q_rest.copy()
    for name, value in joints.items():
        start = adult.model.jnt_qposadr[adult.joint(name)]
        if np.ndim(value):
            q[start : start + 4] = quat.from_rotvec(np.deg2rad(value))
        else:
            q[start] = np.deg2rad(value)
    return adult, adult.posed(q)


def test_size():
    adult = load("adult")
    assert adult.mass == pytest.approx(75.0, abs=1e-3)
    assert adult.height == pytest.approx(1.75, abs=0.01)
    assert adult.model.nv == 46 and adult.model.nu == 40
    assert 0.55 < adult.com_rest[2] / adult.height < 0.58  # men: about 0.56 of stature


def test_segment_masses():
    adult = load("adult")
    for body, fraction in FRACTIONS.items():
        assert adult.model.body(body).mass[0] / adult.mass == pytest.approx(fraction, rel=1e-4), body
    middle = sum(adult.model.body(b).mass[0] for b in ("abdomen", "torso"))
    assert middle / adult.mass == pytest.approx(0.1633, rel=1e-4)


def test_whole_trunk_has_the_published_inertia():
    """The four parts together against de Leva's row for the whole trunk, cervicale to mid-hip, transverse axis."""
    adult = load("adult")
    data = adult.posed(adult.q_rest)
    bodies = [adult.body(b) for b in ("pelvis", "abdomen", "torso", "chest")]
    mass = adult.model.body_mass[bodies]
    com = mass @ data.xipos[bodies] / mass.sum()
    spread = ((data.xipos[bodies] - com)[:, [0, 2]] ** 2).sum(axis=1)
    radius = np.sqrt((adult.model.body_inertia[bodies, 1] + mass * spread).sum() / mass.sum())
    assert radius == pytest.approx(0.306 * 0.6033, rel=0.1)


def test_feet():
    adult = load("adult")
    points = adult.support("foot_l").points
    assert np.ptp(points[:, 0]) == pytest.approx(0.26) and np.ptp(points[:, 1]) == pytest.approx(0.095)
    data = adult.posed(adult.q_rest)
    assert data.body("foot_l").xpos[1] - data.body("foot_r").xpos[1] == pytest.approx(0.19, abs=0.01)


def test_knees_and_elbows_bend_one_way():
    adult = load("adult")
    low, high = adult.model.jnt_range[adult.joint("knee_l")]
    assert low == 0.0 and high > np.deg2rad(140)
    low, high = adult.model.jnt_range[adult.joint("elbow_l")]
    assert high == 0.0 and low < np.deg2rad(-140)
    _, data = posed(knee_l=90)
    assert data.body("foot_l").xpos[0] < data.body("foot_r").xpos[0] - 0.2  # heel to the back
    _, data = posed(elbow_l=-90)
    assert data.body("hand_l").xpos[0] > 0.2  # hand to the front


@pytest.mark.parametrize(
    ("joint", "rotation"),
    [
        ("shoulder_l", (90, 0, 0)),  # T pose
        ("shoulder_l", (0, -165, 0)),  # overhead
        ("shoulder_l", (165, 0, 0)),
        ("hip_l", (65, 0, 0)),  # side kick
        ("hip_l", (0, -125, 0)),  # squat
        ("ankle_l", (0, -28, 0)),
        ("ankle_l", (0, 45, 0)),
        ("spine_low", (0, 48, 0)),
    ],
)
def test_reachable(joint: str, rotation: tuple[float, float, float]):
    adult, _ = posed()
    swing, twist = adult.limits[joint].reach(quat.from_rotvec(np.deg2rad(rotation)))
    assert swing <= 1.0 and abs(twist) <= 1.0


@pytest.mark.parametrize(
    "pose",
    [
        {"shoulder_l": (90, 0, 0), "shoulder_r": (-90, 0, 0)},
        {"shoulder_l": (0, -165, 0), "shoulder_r": (0, -165, 0)},
        {"hip_l": (0, -110, 0), "knee_l": 130, "hip_r": (0, -110, 0), "knee_r": 130, "spine_low": (0, 20, 0)},
        {"hip_l": (65, 0, 0), "knee_l": 5, "shoulder_l": (80, 0, 0), "spine_low": (20, 0, 0)},
        {"hip_l": (0, -30, 0), "hip_r": (0, 20, 0), "shoulder_l": (9, 30, 0), "shoulder_r": (-9, -40, 0)},
        {"shoulder_l": (10, -45, 0), "elbow_l": -120},
        {"spine_low": (0, 25, 20), "spine_mid": (0, 25, 20), "spine_top": (0, 25, 20), "neck": (0, 30, 60)},
        {"spine_low": (0, -20, 0), "spine_mid": (0, -20, 0), "spine_top": (0, -15, 0), "neck": (0, -55, 0)},
    ],
)
def test_ordinary_poses_touch_nothing(pose: dict):
    assert posed(**pose)[1].ncon == 0


@pytest.mark.parametrize(
    ("pose", "pair"),
    [
        ({"hip_l": (-25, 0, 0)}, {"thigh_l", "thigh_r"}),
        ({"shoulder_l": (-30, 0, 0)}, {"upper_arm_l", "torso"}),
        ({"shoulder_l": (0, 0, -80), "elbow_l": -100}, {"forearm_l", "torso"}),
    ],
)
def test_limbs_collide(pose: dict, pair: set[str]):
    adult, data = posed(**pose)
    touching = [{adult.model.body(b).name for b in adult.model.geom_bodyid[g]} for g in data.contact.geom]
    assert pair in touching


def test_back_is_round_when_curled():
    """The rolls of the trunk lie near one circle: their outer side is a wheel, not a corner."""
    curl = {"spine_low": (0, 45, 0), "spine_mid": (0, 45, 0), "spine_top": (0, 40, 0)}
    adult, data = posed(**curl)
    solid = [
        g
        for g in range(adult.model.ngeom)
        if adult.model.geom_contype[g]
        and adult.model.body(adult.model.geom_bodyid[g]).name in ("pelvis", "abdomen", "torso", "chest")
    ]
    middles, radii = data.geom_xpos[solid][:, [0, 2]], adult.model.geom_size[solid, 0]
    gaps = np.linalg.norm(np.diff(middles, axis=0), axis=1)
    assert len(solid) == 4 and (gaps < 0.14).all() and (gaps < radii[1:] + radii[:-1]).all()
    # circle through the middles by least squares: |p|² = 2 p·o + k
    A = np.column_stack([2 * middles, np.ones(4)])
    centre_and_k = np.linalg.lstsq(A, (middles**2).sum(axis=1), rcond=None)[0]
    reach = np.linalg.norm(middles - centre_and_k[:2], axis=1) + radii
    assert np.ptp(reach) < 0.03
    assert 0.2 < reach.mean() < 0.35
