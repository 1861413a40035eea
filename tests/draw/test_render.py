"""Frames: OpenGL where there is one, and the plain renderer everywhere."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from poise.draw import gl, look, render, shapes
from poise.draw.view import View
from poise.errors import BadInput

SIZE = (160, 120)
BODY = (look.BODY * 255).astype(int)


def blue(frame: np.ndarray) -> np.ndarray:
    """Pixels of the body, which has no colour of its own and so is blue."""
    r, _, b = np.moveaxis(frame.astype(int), -1, 0)
    return (b - r > 18) & (b < 200)


def red(frame: np.ndarray) -> np.ndarray:
    r, g, _ = np.moveaxis(frame.astype(int), -1, 0)
    return r - g > 80


def check(frames: list[np.ndarray]) -> None:
    rest, pushed, later = frames
    for frame in frames:
        assert frame.shape == (SIZE[1], SIZE[0], 3) and frame.dtype == np.uint8
        rows = np.flatnonzero(blue(frame).any(axis=1))
        assert rows[-1] - rows[0] > 0.6 * SIZE[1]  # the body fills the frame,
        assert rows[0] > 0 and rows[-1] < SIZE[1] - 1  # and is inside it
        assert frame[:5].mean() > 200  # the sky is light
    assert red(pushed).sum() > 20 and red(rest).sum() == 0 and red(later).sum() == 0
    assert np.abs(rest.astype(int) - later).mean() > 0.5


@pytest.mark.usefixtures("plain")
def test_plain_frames_show_the_body_the_push_and_the_motion(take):
    check(list(render.frames(take, [0.0, 0.55, 0.9], *SIZE)))


@pytest.mark.parametrize("name", ["egl", "osmesa"])
def test_gl_frames_show_the_same(take, monkeypatch, name):
    if not gl.works(name):
        pytest.skip(f"no {name} here")
    monkeypatch.setenv(render.FORCE, name)
    render.backend.cache_clear()
    frames = list(render.frames(take, [0.0, 0.55, 0.9], *SIZE))
    check(frames)
    monkeypatch.setenv(render.FORCE, "plain")
    render.backend.cache_clear()
    plain = list(render.frames(take, [0.0, 0.55, 0.9], *SIZE))
    render.backend.cache_clear()
    for ours, theirs in zip(plain, frames):  # the two cameras agree
        both, either = blue(ours) & blue(theirs), blue(ours) | blue(theirs)
        assert both.sum() > 0.75 * either.sum()


@pytest.mark.usefixtures("plain")
def test_between_records_the_pose_is_between(take):
    a, b, c = (frame.astype(float) for frame in render.frames(take, [0.9, 0.905, 0.91], *SIZE))
    assert np.abs(a - b).sum() < np.abs(a - c).sum()
    assert np.abs(b - c).sum() < np.abs(a - c).sum()


@pytest.mark.usefixtures("plain")
def test_marks_are_drawn(take):
    with_mark = next(render.frames(take, [0.0], *SIZE, marks=("cmp",)))
    without = next(render.frames(take, [0.0], *SIZE))
    assert (with_mark != without).any()


@pytest.mark.usefixtures("plain")
def test_a_take_that_ends_in_nan_shows_its_last_good_pose(take):
    q = take["q"].copy()
    q[100:] = np.nan
    broken = replace(take, series=take.series | {"q": take.series["q"]._replace(values=q)})
    last, after = render.frames(broken, [0.99, 1.5], *SIZE)
    assert (last == after).all()


def test_an_unknown_renderer_is_bad_input(take, monkeypatch):
    monkeypatch.setenv(render.FORCE, "crayon")
    render.backend.cache_clear()
    with pytest.raises(BadInput, match=r"crayon.*plain"):
        next(render.frames(take, [0.0], *SIZE))
    render.backend.cache_clear()


def test_without_opengl_the_plain_renderer_is_chosen_and_said_once(monkeypatch, capsys):
    monkeypatch.delenv(render.FORCE, raising=False)
    monkeypatch.setattr(gl, "works", lambda name: False)
    render._say.cache_clear()
    for _ in range(2):
        render.backend.cache_clear()
        assert render.backend() == "plain"
    assert capsys.readouterr().err.count("plain renderer") == 1
    render.backend.cache_clear()


def test_a_driver_that_kills_the_process_is_not_chosen_even_when_asked_for(monkeypatch, capsys):
    monkeypatch.setattr(gl, "_PROBE", "import os; os.abort()")
    monkeypatch.setenv(render.FORCE, "egl")
    gl.works.cache_clear()
    render.backend.cache_clear()
    assert not gl.works("egl")
    assert render.backend() == "plain"
    assert "POISE_RENDER=egl does not draw here" in capsys.readouterr().err
    gl.works.cache_clear()
    render.backend.cache_clear()


def test_a_driver_that_raises_in_this_process_leaves_the_plain_renderer(take, monkeypatch, capsys):
    monkeypatch.setenv(render.FORCE, "egl")
    monkeypatch.setattr(gl, "works", lambda name: True)
    monkeypatch.setitem(gl.CONTEXTS, "egl", "no.such.module")
    render.backend.cache_clear()
    frame = next(render.frames(take, [0.0], *SIZE))
    assert blue(frame).any()
    assert "egl did not start" in capsys.readouterr().err
    render.backend.cache_clear()


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
    import mujoco

    bare, dressed = mujoco.MjModel.from_xml_string(takes.BODY), look.dressed(takes.BODY)
    assert bare.nq == dressed.nq and (bare.qpos0 == dressed.qpos0).all()
    assert [bare.body(b).name for b in range(bare.nbody)] == [
        dressed.body(b).name for b in range(dressed.nbody)
    ]


@pytest.mark.parametrize(
    ("shape", "far", "normal"),
    [
        (lambda o, d: shapes.capsule(o, d, 0.5, 1.0), 4.5, [0.5, 0, 0]),
        (lambda o, d: shapes.capsule(o, d, 0.5, 0.0), 4.5, [0.5, 0, 0]),
        (lambda o, d: shapes.ellipsoid(o, d, np.array([2.0, 1, 1])), 3.0, [1, 0, 0]),
        (lambda o, d: shapes.box(o, d, np.array([1.5, 1, 1])), 3.5, [1, 0, 0]),
        (lambda o, d: shapes.cone(o, d, 1.0, 1.0, 2.0), 4.0, [1, 0, 0]),
    ],
)
def test_rays_meet_shapes_where_they_should(shape, far, normal):
    o = np.array([[5.0, 0, 0], [5.0, 0, 0], [5.0, 9, 0]])
    d = np.array([[-1.0, 0, 0], [1.0, 0, 0], [-1.0, 0, 0]])  # towards it, away from it, past it
    t, n = shape(o, d)
    assert t.tolist() == pytest.approx([far, np.inf, np.inf])
    assert n[0] / np.linalg.norm(n[0]) == pytest.approx(np.array(normal) / np.linalg.norm(normal))


def test_rays_meet_the_ends_of_a_cone_and_of_a_capsule():
    down, above = np.array([[0, 0, -1.0]]), np.array([[0.1, 0, 5.0]])
    t, n = shapes.cone(above, down, 1.0, 0.5, 2.0)
    assert t[0] == pytest.approx(3) and n[0].tolist() == [0, 0, 1]
    t, n = shapes.capsule(above, down, 0.5, 1.0)
    assert t[0] == pytest.approx(5 - 1 - np.sqrt(0.25 - 0.01)) and n[0, 2] > 0
