"""The page: whole in one file, packed numbers that unpack, and a browser that plays it."""

import base64
import io
import json
import re
from dataclasses import replace

import mujoco
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from PIL import Image

import bodies
import browser
from poise.character import Character
from poise.formats import pack, skeletal
from poise.formats.writers import html
from poise.record.recording import Recording, Series
from poise.worlds.world import Arena, World

DATA = re.compile(r'<script type="application/json" id="take">(.*?)</script>', re.S)
POINTS = ("com", "cp", "cmp", "contact_force", "linear_momentum", "angular_momentum")


def unpacked(packed: dict) -> np.ndarray:
    """The columns again (T, k), nan where they were not finite."""
    low, high = np.array(packed["low"]), np.array(packed["high"])
    steps = np.frombuffer(base64.b64decode(packed["data"]), "<i2").reshape(packed["shape"]).astype(float)
    return np.where(steps == pack.NONE, np.nan, low + (steps + pack.STEPS / 2) / pack.STEPS * (high - low))


def data_of(text: str) -> dict:
    found = DATA.search(text)
    assert found
    return json.loads(found.group(1))


@given(arrays(float, st.tuples(st.integers(1, 9), st.integers(1, 4)),
              elements=st.one_of(st.floats(-1e6, 1e6), st.just(np.nan), st.just(np.inf))))  # fmt: skip
def test_packed_numbers_unpack_to_a_part_of_their_range(values):
    packed = pack.numbers(values)
    json.dumps(packed, allow_nan=False)
    back = unpacked(packed)
    known = np.isfinite(values)
    assert np.array_equal(np.isfinite(back), known)
    for k in range(values.shape[1]):
        column, rows = values[:, k], known[:, k]
        if rows.any():
            step = (column[rows].max() - column[rows].min()) / pack.STEPS
            assert np.abs(back[rows, k] - column[rows]).max() <= 0.51 * step + 1e-9


def test_the_page_needs_nothing_else(take):
    text = html.page(take)
    outside = DATA.sub("", text)
    for word in ("http:", "https:", "src=", "@import", "url(", "import(", "fetch(", "XMLHttp", "{{"):
        assert word not in outside, word
    assert text.count("</script>") == 2 and "<noscript>" in text and 'lang="en"' in text


def test_poses_and_series_are_those_of_the_take(take):
    data = data_of(html.page(take))
    at, turned = skeletal.capture(take).world
    for j, node in enumerate(data["scene"]["nodes"]):
        pose = unpacked(node["pose"])
        pose = np.repeat(pose, len(take), axis=0) if len(pose) == 1 else pose
        assert np.abs(pose[:, :3] - at[:, j]).max() < 1e-4 and np.abs(pose[:, 3:] - turned[:, j]).max() < 1e-4
    assert np.abs(unpacked(data["series"]["com"]) - take["com"]).max() < 1e-4
    for chart in data["charts"]:
        for line in chart["lines"]:
            assert line["column"] < data["series"][line["series"]]["shape"][1]
    titles = " ".join(chart["title"] for chart in data["charts"])
    for word in (
        "CM, CP, CMP",
        "Linear momentum",
        "Angular momentum",
        "Tracking error",
        "Ground force",
        "Torques",
    ):
        assert word in titles
    assert data["frames"] == len(take) and data["hz"] == 100


def test_it_says_what_was_pushed_and_how_it_ended(take):
    data = data_of(html.page(replace(take, fell=True, fall_time=1.25), [("More", [("units", 0.01, "m")])]))
    assert data["events"][0] == {
        "time": 0.5, "end": 0.6, "text": "torso pushed with 250 N", "more": "(250, 0, 0) N for 0.1 s",
    }  # fmt: skip
    assert data["events"][1]["text"] == "fell" and "fell at 1.25 s" in data["facts"]
    metrics, more = data["tables"]
    assert ["tracking rmse", "0.25", "rad"] in metrics["rows"] and ["recovered", "yes", ""] in metrics["rows"]
    assert ["strange", "–", ""] in metrics["rows"] and more["rows"] == [["units", "0.01", "m"]]
    assert data["notes"] == ["made up"]


def test_text_cannot_leave_its_place(take):
    nasty = "</script><script>alert(1)</script>&<b>"
    text = html.page(replace(take, info=take.info | {"scene": nasty}, notes=[nasty]))
    assert "<script>alert" not in text and data_of(text)["notes"] == [nasty]


def test_odd_bodies_and_short_takes_have_a_page(take, tmp_path):
    for frames in (1, 2, 30):
        data = data_of(html.page(bodies.recording(bodies.ODD, frames=frames)))
        assert data["frames"] == frames
        assert [n["name"] for n in data["scene"]["nodes"]][-3:] == ["scenery", "ball", "lift"]
        assert data["scene"]["pushes"][0]["node"] == 1 and data["charts"] == []
    bodies.recording(bodies.FIXED).save(tmp_path / "fixed.html")
    assert data_of((tmp_path / "fixed.html").read_text())["scene"]["floor"] is not None


def adult(frames: int) -> Recording:
    """A take of the adult at random, with the series of a real one."""
    rng = np.random.default_rng(0)
    arena = Arena(World(), Character.named("adult"))
    q = np.empty((frames, arena.model.nq))
    for t in range(frames):
        q[t] = Character.named("adult").q_rest
        mujoco.mj_integratePos(arena.model, q[t], 0.1 * rng.normal(size=arena.model.nv), 1.0)
    widths = {
        "q": q.shape[1],
        "q_ref": q.shape[1],
        "tau": 42,
        "support_points": 24,
        "ground": 7,
    } | dict.fromkeys(POINTS, 3)
    series = {
        name: Series(rng.normal(size=(frames, k)), "1", "world", tuple(map(str, range(k))))
        for name, k in widths.items()
    }
    series["q"] = series["q"]._replace(values=q)
    return Recording({"character": "adult"}, arena.xml, np.arange(frames) / 100, series)


def test_ten_seconds_are_less_than_two_megabytes():
    assert len(html.page(adult(1001)).encode()) <= 2_000_000


def test_long_takes_are_thinned(monkeypatch):
    monkeypatch.setattr(html, "FRAMES", 50)
    data = data_of(html.page(adult(101)))
    assert data["frames"] == 34 and data["hz"] == pytest.approx(100 / 3, rel=1e-6)
    assert data["series"]["com"]["shape"] == [34, 3] and "one record in 3" in data["notes"][-1]


@pytest.fixture(scope="module")
def pages(tmp_path_factory, takes):
    if browser.program() is None:
        pytest.skip("no Chromium found (set POISE_CHROMIUM)")
    folder = tmp_path_factory.mktemp("pages")
    takes.take().save(folder / "take.html")
    bodies.recording(bodies.ODD).save(folder / "odd.html")
    bodies.recording(bodies.ODD, frames=1).save(folder / "one.html")
    return folder


def errors(page: browser.Browser) -> list[dict]:
    return [e for e in page.events if e.get("method") in ("Runtime.exceptionThrown", "Log.entryAdded")]


@pytest.mark.slow
def test_a_browser_plays_it(pages):
    with browser.Browser(*browser.SOFTWARE) as page:
        page.open(pages / "take.html", "#t=0.55")
        assert page.js("document.getElementById('clock').textContent").startswith("0.55 s")
        assert page.js("document.querySelectorAll('.chart').length") >= 8
        assert page.js("poise.painter !== null"), "no WebGL in this browser"
        pushed = np.asarray(Image.open(io.BytesIO(page.picture())).convert("RGB")).astype(int)
        page.drag(page.middle("#play"))
        assert page.js("poise.player.playing") and abs(page.js("poise.player.time") - 0.55) > 0.01
        page.key(" ")
        assert not page.js("poise.player.playing")
        page.drag(page.middle("#scrub", 0.75))
        assert page.js("poise.player.time") == pytest.approx(1.5, abs=0.05)
        page.key("ArrowRight")
        assert (page.js("poise.player.frame") + 1e-6) % 1 < 1e-3
        page.key("Home")
        assert page.js("poise.player.time") == 0
        page.drag(page.middle(".chart:not(.plan) canvas"))
        assert page.js("poise.player.time") == pytest.approx(1.0, abs=0.25)
        side = page.js("poise.camera.side")
        x, y = page.middle("#overlay")
        page.drag((x, y), (x + 40, y), (x + 80, y + 10))
        assert page.js("poise.camera.side") == pytest.approx(side - 0.64, abs=1e-6)
        page.key("t")
        assert page.js("document.documentElement.dataset.theme") in ("dark", "light")
        later = np.asarray(Image.open(io.BytesIO(page.picture())).convert("RGB")).astype(int)
        assert np.abs(later - pushed).mean() > 1
        assert (pushed[..., 0] - pushed[..., 2] > 90).sum() > 200  # the arrow of the push
        requests = [
            e["params"]["request"]["url"]
            for e in page.events
            if e.get("method") == "Network.requestWillBeSent"
        ]
        assert all(url.startswith(("file:", "about:")) for url in requests) and errors(page) == []


@pytest.mark.slow
def test_the_plan_is_drawn_at_every_width_and_comes_to_rest(pages):
    ink = (
        "(c => [c.height, c.getContext('2d').getImageData(0, 0, c.width, c.height).data.filter((v, i) => i % 4 == 3"
        "&& v > 0).length])(poise.plan.canvas)"
    )
    with browser.Browser(*browser.SOFTWARE) as page:
        page.open(pages / "take.html", "#plain")
        for width in (1280, 1281, 1277, 1366, 1440, 1024, 700):
            page.call(
                "Emulation.setDeviceMetricsOverride",
                width=width,
                height=720,
                deviceScaleFactor=1,
                mobile=False,
            )
            page.rest(6)
            height, drawn = page.js(ink)
            page.rest(6)
            assert drawn > 300 and page.js(ink)[0] == height, width


@pytest.mark.slow
def test_without_webgl_it_shows_bones(pages):
    with browser.Browser(*browser.WITHOUT_WEBGL) as page:
        for name in ("take", "odd", "one"):
            page.open(pages / f"{name}.html")
            assert page.js("poise.painter === null")
            drawn = page.js(
                "(c => c.getContext('2d').getImageData(0, 0, c.width, c.height).data.some(v => v))"
                "(document.getElementById('overlay'))"
            )
            assert drawn, name
        assert [e for e in errors(page) if e["method"] == "Runtime.exceptionThrown"] == []
