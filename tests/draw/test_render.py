"""Frames: bodies, pushes, shadows and floors where they belong, from every camera, with no graphics library."""

from __future__ import annotations

from dataclasses import replace

import mujoco
import numpy as np
import pytest

from poise.draw import look, raster, render
from poise.draw.camera import ANGLES, Camera
from poise.draw.cloth import clothes, rigid
from poise.draw.form import Form
from poise.draw.mesh import ellipsoid
from poise.draw.painter import Painter
from poise.draw.shot import CAMERAS
from poise.draw.skin import displaced
from poise.draw.view import View
from poise.errors import BadInput
from poise.geometry import quat

SIZE = (160, 120)


def blue(frame: np.ndarray) -> np.ndarray:
    """Pixels of the body, which has no colour of its own and so is blue."""
    r, _, b = np.moveaxis(frame.astype(int), -1, 0)
    return (b - r > 18) & (b < 200)


def red(frame: np.ndarray) -> np.ndarray:
    r, g, _ = np.moveaxis(frame.astype(int), -1, 0)
    return r - g > 80


def test_frames_show_the_body_the_push_and_the_motion(take):
    frames = rest, pushed, later = list(render.frames(take, [0.0, 0.55, 0.9], *SIZE))
    for frame in frames:
        assert frame.shape == (SIZE[1], SIZE[0], 3) and frame.dtype == np.uint8
        rows = np.flatnonzero(blue(frame).any(axis=1))
        assert rows[-1] - rows[0] > 0.6 * SIZE[1]  # the body fills the frame,
        assert rows[0] > 0 and rows[-1] < SIZE[1] - 1  # and is inside it
        assert frame[:5].mean() > 200  # the sky is light
    assert red(pushed).sum() > 20 and red(rest).sum() == 0 and red(later).sum() == 0
    assert np.abs(rest.astype(int) - later).mean() > 0.5


@pytest.mark.parametrize("camera", CAMERAS)
def test_every_camera_sees_the_body(take, camera):
    frame = next(render.frames(take, [0.9], *SIZE, camera))
    assert blue(frame).sum() > 0.03 * SIZE[0] * SIZE[1]
    assert set(CAMERAS) == set(ANGLES)


def test_a_ghost_is_seen_through(take):
    with_ghost = next(render.frames(take, [0.9], *SIZE, "side", True)).astype(int)
    without = next(render.frames(take, [0.9], *SIZE, "side")).astype(int)
    changed = np.abs(with_ghost - without).max(axis=2) > 8
    assert 50 < changed.sum() < 0.3 * changed.size


def test_between_records_the_pose_is_between(take):
    a, b, c = (frame.astype(float) for frame in render.frames(take, [0.9, 0.905, 0.91], *SIZE))
    assert np.abs(a - b).sum() < np.abs(a - c).sum()
    assert np.abs(b - c).sum() < np.abs(a - c).sum()


def test_marks_are_drawn(take):
    with_mark = next(render.frames(take, [0.0], *SIZE, marks=("cmp",)))
    without = next(render.frames(take, [0.0], *SIZE))
    assert (with_mark != without).any()


def test_a_take_that_ends_in_nan_shows_its_last_good_pose(take):
    q = take["q"].copy()
    q[100:] = np.nan
    broken = replace(take, series=take.series | {"q": take.series["q"]._replace(values=q)})
    last, after = render.frames(broken, [0.99, 1.5], *SIZE)
    assert (last == after).all()


def test_an_unknown_camera_is_bad_input(take, tmp_path):
    with pytest.raises(BadInput, match=r"moon.*three-quarter"):
        take.save(tmp_path / "take.png", camera="moon")


def test_the_camera_follows_and_keeps_every_pose_inside(take):
    drift = np.zeros_like(take["q"])
    drift[:, 0] = np.linspace(0, 5, len(take))
    values = take["q"] + drift
    com = take["com"] + drift[:, :3]
    series = take.series | {
        "q": take.series["q"]._replace(values=values),
        "com": take.series["com"]._replace(values=com),
    }
    away = replace(take, series=series)
    view = View(away, look.dressed(away.model_xml), 4 / 3)
    for t in (0.0, 1.0, 2.0):
        camera, _ = view.at(t)
        pixels = camera.project(view.data.geom_xpos[1:], 640, 480)
        assert (pixels[:, :2] > 0).all() and (pixels[:, :2] < [640, 480]).all()


def test_dressing_leaves_the_configuration_alone(take, takes):
    bare, dressed = mujoco.MjModel.from_xml_string(takes.BODY), look.dressed(takes.BODY)
    assert bare.nq == dressed.nq and (bare.qpos0 == dressed.qpos0).all()
    assert [bare.body(b).name for b in range(bare.nbody)] == [
        dressed.body(b).name for b in range(dressed.nbody)
    ]


def test_where_there_is_no_floor_one_lies_below_the_terrain():
    box = '<geom type="box" size="3 3 .5" pos="0 0 {z}"/><body><freejoint/><geom size=".1"/></body>'
    for z, floor in ((-0.5, -1.0), (-4.0, -4.5), (0.6, -look.BELOW)):
        model = look.dressed(f"<mujoco><worldbody>{box.format(z=z)}</worldbody></mujoco>")
        plane = np.flatnonzero(model.geom_type == mujoco.mjtGeom.mjGEOM_PLANE)
        assert model.geom_pos[plane, 2].tolist() == pytest.approx([floor])


BALL = """<mujoco><worldbody><geom type="plane" size="0 0 1"/>
<body name="ball" pos="0 0 1"><freejoint/><geom size=".3" rgba=".2 .3 .9 1"/></body></worldbody></mujoco>"""


def painted(height: float, size: int = 200) -> np.ndarray:
    model = look.dressed(BALL)
    data = mujoco.MjData(model)
    data.qpos[2] = height
    mujoco.mj_kinematics(model, data)
    painter = Painter(model, size, size, 2.0)
    return painter(painter.pose(data, Camera(np.array([0.0, 0.0, 0.5]), 5.0, np.pi, -0.35), []))


def test_edges_are_smooth_and_shadows_soft():
    high, low = painted(1.2).astype(float), painted(0.31).astype(float)
    r, b = high[..., 0], high[..., 2]
    edge = (b - r > 15) & (b - r < 100)  # between the ball and what is behind it
    assert edge.sum() > 50
    floor = np.abs(high - low).max(axis=2)[120:] > 2
    assert floor.sum() > 200  # the shadow moves with the ball
    row = high[150:, :, 0].min(axis=0)
    steps = np.abs(np.diff(row))
    assert steps.max() < 30  # no hard edge in it


def test_a_ball_in_the_air_has_the_size_that_geometry_says():
    frame = painted(1.2, 400)
    r, _, b = np.moveaxis(frame.astype(int), -1, 0)
    rows, columns = np.nonzero(b - r > 60)
    camera = Camera(np.array([0.0, 0.0, 0.5]), 5.0, np.pi, -0.35)
    x, y, depth = camera.project(np.array([0.0, 0.0, 1.2]), 400, 400)
    radius = 0.3 * 200 / np.tan(0.5 * camera.fovy) / depth
    assert [columns.mean() + 0.5, rows.mean() + 0.5] == pytest.approx([x, y], abs=1.5)
    assert np.ptp(columns) + 1 == pytest.approx(2 * radius, abs=3)


def test_triangles_that_reach_behind_the_camera_are_cut():
    points = np.array([[-5.0, -3, 0], [5, -3, 0], [0, 9, 0]])
    faces, eye, axes = np.array([[0, 1, 2]]), np.array([0.0, 0, 1]), np.diag([1.0, 1, 1])[[0, 2, 1]]
    near, ids = np.zeros((40, 40, 4), np.float32), np.full((40, 40, 4), -1, np.int32)
    raster.seen(points, faces, eye, axes * [[1], [1], [-1]], 20.0, raster.SAMPLES, near, ids)
    assert (ids[30:] == 0).all() and (ids[:20] == -1).all()  # a floor: below the horizon, not above it


def test_rigid_things_go_where_their_bodies_go():
    model = look.dressed(BALL)
    form, data = Form(model), mujoco.MjData(model)
    data.qpos[:] = [1, 2, 3, *quat.from_rotvec([0.3, 0.2, 0.1])]
    mujoco.mj_kinematics(model, data)
    body, others, fixed = clothes(form)
    where = body.at(displaced(form, data.xpos, data.xquat)).points
    assert np.linalg.norm(where - [1, 2, 3], axis=1) == pytest.approx(0.3, abs=0.02)
    assert not len(others.faces) and not len(fixed.faces)
    still = rigid(ellipsoid(np.ones(3)), np.ones(3)).at(displaced(form, data.xpos, data.xquat)).points
    assert np.abs(np.linalg.norm(still, axis=1) - 1).max() < 1e-9


def test_the_page_has_the_same_light():
    from importlib.resources import files

    text = (files("poise.formats") / "page" / "body.js").read_text(encoding="utf-8")
    everywhere, sky, sun, lamp = look.PAINT.light
    assert f"({everywhere} + {sky} * sky + {sun} * sun + {lamp} * lamp)" in text
