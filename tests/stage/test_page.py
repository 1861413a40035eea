"""The page in a real browser: it moves, is pulled, shoved, walked, rewound; files go in and out; two windows agree.

Nothing is judged by the clock of the wall: the tests wait for what should come.
"""

from __future__ import annotations

import base64
import io
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import browser
import foreign_files
import poise
from poise.capture.readers import bvh

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        browser.program() is None, reason="no Chromium: `make stage-clients`, or set POISE_CHROMIUM"
    ),
]
SMALL = (480, 360)
BAD = ("Runtime.exceptionThrown", "Log.entryAdded", "Runtime.consoleAPICalled")


@pytest.fixture
def url() -> Iterator[str]:
    """A stage of its own for each test."""
    command = [sys.executable, "-m", "poise", "stage", "--port", "0", "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        yield server.stdout.readline().split()[1]
        server.terminate()
        assert server.wait(timeout=30) == 0


@pytest.fixture
def page(url: str) -> Iterator[browser.Browser]:
    with browser.Browser(*browser.SOFTWARE, size=SMALL) as made:
        made.visit(url + "#plain")
        made.until("window.poise && poise.drawn > 2")
        yield made
        assert [e for e in made.events if e.get("method") in BAD] == []


def shot(page: browser.Browser) -> np.ndarray:
    """What WebGL draws, read in the same turn."""
    text = page.js(
        "(() => { poise.draw(); const c = document.getElementById('solid'), d = document.createElement('canvas');"
        "d.width = c.width; d.height = c.height; d.getContext('2d').drawImage(c, 0, 0); return d.toDataURL(); })()"
    )
    return np.asarray(Image.open(io.BytesIO(base64.b64decode(text.split(",")[1]))).convert("RGB"), dtype=int)


def com(page: browser.Browser) -> np.ndarray:
    return np.array(page.js("[...poise.value('com')]"))


def grab(page: browser.Browser, part: str) -> tuple[float, float]:
    page.js("document.getElementById('overlay').scrollIntoView({block: 'center'})")
    page.js("poise.tell('pause', {on: true})")
    page.until("!poise.player.playing")
    page.rest()
    x, y = page.js(f"poise.screen({part!r})")
    page.js("poise.tell('pause', {on: false})")
    return x, y


def test_a_drag_on_the_torso_pulls_and_makes_it_step(page: browser.Browser):
    before, start = shot(page), com(page)
    x, y = grab(page, "torso")
    page._mouse("mousePressed", (x, y))
    for k in range(1, 8):
        page._mouse("mouseMoved", (x + 12 * k, y))
    page.until("poise.pulls.length === 1 && Math.hypot(...poise.pulls[0].force) > 30")
    page.until("Math.hypot(poise.value('com')[0], poise.value('com')[1]) > 0.25")
    assert page.js("poise.take.scene.nodes[poise.pulls[0].node].name") in ("torso", "chest")
    page._mouse("mouseReleased", (x + 84, y))
    page.until("poise.pulls.length === 0")
    assert np.linalg.norm(com(page) - start) > 0.2 and not page.js("poise.fell")
    assert np.abs(shot(page) - before).max(axis=2).mean() > 0.5


def test_a_click_shoves_and_keys_walk(page: browser.Browser):
    x, y = grab(page, "torso")
    page.drag((x, y))
    page.until("poise.take.scene.pushes.length === 1")
    page.until("poise.value('linear_momentum').some(v => Math.abs(v) > 8)")
    page.call("Input.dispatchKeyEvent", type="rawKeyDown", key="w", windowsVirtualKeyCode=87)
    here = com(page)[0]
    page.until(f"poise.value('com')[0] > {here + 0.6}", 60)
    page.call("Input.dispatchKeyEvent", type="keyUp", key="w", windowsVirtualKeyCode=87)
    page.until("Math.abs(poise.value('linear_momentum')[0]) < 3", 60)
    page.js(
        "poise.tell('speed', {factor: 0.1})"
    )  # a flight of half a second is easily missed by a busy browser
    page.key("b")
    page.until(
        "poise.poses.slice(poise.own).some(p => Math.hypot(p[0] - poise.centre[0], p[1] - poise.centre[1]) < 8)"
    )
    assert not page.js("poise.fell")


def test_rewound_it_is_the_same_bit_for_bit(page: browser.Browser):
    state = "JSON.stringify([poise.step, ...poise.poses.map(p => [...p]), [...poise.value('contact_force')]])"
    page.until("poise.t > 0.6")
    page.js("poise.tell('shove', {body: 'torso', force: [150, 80, 0], seconds: 0.1})")
    page.until("poise.t > 1.4")
    page.js("window.asked = poise.tell('seek', {time: 1.1})")
    page.until("poise.ack >= asked && !poise.player.playing")
    first = page.js(state)
    page.js("window.asked = poise.tell('seek', {time: 0.3})")
    page.until("poise.ack >= asked")
    assert page.js(state) != first
    page.js("window.asked = poise.tell('seek', {time: 1.1})")
    page.until("poise.ack >= asked")
    assert page.js(state) == first
    page.js("poise.tell('shove', {body: 'torso', force: [0, -200, 0], seconds: 0.1})")
    page.js("poise.tell('speed', {factor: 0.1}); poise.tell('pause', {on: false})")
    page.until("poise.ghost !== null")


def test_a_second_window_sees_the_same(page: browser.Browser, url: str):
    page.js("poise.tell('shove', {body: 'torso', force: [100, 0, 0], seconds: 0.1})")
    page.until("poise.t > 0.8")
    page.js("window.asked = poise.tell('pause', {on: true})")
    page.until("poise.ack >= asked && !poise.player.playing")
    with browser.Browser(*browser.SOFTWARE, size=SMALL) as other:
        other.visit(url + "#plain")
        other.until("window.poise && poise.seen && !poise.player.playing")
        look = "JSON.stringify([poise.step, ...poise.poses.map(p => [...p])])"
        assert other.js(look) == page.js(look)
        other.js("poise.tell('pause', {on: false})")
        page.until("poise.player.playing")


def test_a_dropped_motion_appears_and_a_download_opens_again(page: browser.Browser, url: str, tmp_path: Path):
    page.until("poise.t > 1.0")
    text = page.js("fetch('/take.bvh?last=0.5').then(reply => reply.text())")
    (tmp_path / "take.bvh").write_text(text, encoding="utf-8")
    assert len(bvh.read(tmp_path / "take.bvh").names) == 17
    raw = page.js(
        "fetch('/take.npz?last=0.5').then(r => r.arrayBuffer()).then(b => btoa(Array.from(new Uint8Array(b),"
        "x => String.fromCharCode(x)).join('')))"
    )
    (tmp_path / "take.npz").write_bytes(base64.b64decode(raw))
    assert len(poise.Recording.load(tmp_path / "take.npz")) == 50
    poise.simulate(poise.scene("squat", seconds=1.5)).save(tmp_path / "mine.bvh")
    mine = json.dumps((tmp_path / "mine.bvh").read_text(encoding="utf-8"))
    page.js(
        f"(() => {{ const t = new DataTransfer(); t.items.add(new File([{mine}], 'mine.bvh'));"
        "window.dispatchEvent(new DragEvent('drop', {dataTransfer: t, cancelable: true})); })()"
    )
    page.until("window.poise?.facts?.scene === 'react' && poise.drawn > 2", 90)


def choose(page: browser.Browser, box: str, value: str) -> None:
    page.js(f"(b => {{ b.value = {value!r}; b.dispatchEvent(new Event('change')); }})(poise.panel.{box})")


def press(page: browser.Browser, text: str) -> None:
    page.js(f"[...document.querySelectorAll('.hands button')].find(b => b.textContent === {text!r}).click()")


def test_behaviours_take_over_without_a_restart(page: browser.Browser):
    page.js("window.same = true")
    page.until("poise.t > 0.3")
    choose(page, "menu.name", "squat")
    page.until("poise.value('com')[2] < 0.9")
    choose(page, "menu.name", "roam")
    page.until("poise.status.word === 'stand'")
    press(page, "→")
    page.until("poise.status.word === 'roll'", 60)
    page.until("poise.status.word === 'stand' && poise.value('com')[2] > 0.9", 60)
    assert page.js("poise.value('com')[1]") < -0.4  # to its right
    page.js("poise.panel.menu.dodge.click()")
    page.js("poise.tell('ping')")
    page.js("poise.tell('shove', {body: 'torso', force: [900, 100, 0], seconds: 0.2})")
    page.until("['fall', 'lie', 'flat'].includes(poise.status.word)", 60)
    page.until("poise.status.word === 'stand'", 90)
    assert page.js("window.same")  # no page was loaded meanwhile


def test_numbers_that_matter_act(page: browser.Browser):
    page.js(
        "for (const {input, name} of poise.panel.menu.inputs) if (name === 'friction') {"
        "input.value = 0.3; input.dispatchEvent(new Event('change')); }"
    )
    page.until("poise.status?.conditions.friction === 0.3")
    page.js("poise.tell('adjust', {friction: 0.6, strength: 0.7, delay: 0.004})")
    page.until("poise.panel.menu.inputs[0].input.value === '0.6' && poise.status.conditions.strength === 0.7")


def test_a_hand_that_is_held_still_leans_and_a_finger_pulls(page: browser.Browser):
    x, y = grab(page, "torso")
    page._mouse("mousePressed", (x, y))
    page.until("poise.pulls.length === 1 && Number.isNaN(poise.pulls[0].target[0]) && poise.held?.leaning")
    page.until("Math.hypot(...poise.pulls[0].force) > 60")
    page._mouse("mouseReleased", (x, y))
    page.until("poise.pulls.length === 0")
    page.call("Emulation.setTouchEmulationEnabled", enabled=True)
    x, y = grab(page, "torso")
    page.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
    for k in range(1, 6):
        page.call("Input.dispatchTouchEvent", type="touchMove", touchPoints=[{"x": x + 12 * k, "y": y}])
    page.until("poise.pulls.length === 1 && Math.hypot(...poise.pulls[0].force) > 20")
    page.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
    page.until("poise.pulls.length === 0")
    box = page.js(
        "(b => [b.left + b.width / 2, b.top + b.height / 2])(poise.stick.base.getBoundingClientRect())"
    )
    page.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": box[0], "y": box[1] - 25}])
    page.until("poise.status.word === 'walk' && poise.value('linear_momentum')[0] > 15", 60)
    page.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
    page.until("Math.abs(poise.value('linear_momentum')[0]) < 4", 60)


def test_a_marked_part_is_taken_away(page: browser.Browser, tmp_path: Path):
    page.until("poise.t > 0.4")
    press(page, "● Record")
    page.until("poise.t > poise.panel.files.part[0] + 0.6")
    press(page, "■ Stop")
    first, last = page.js("poise.panel.files.part")
    assert page.js("poise.panel.files.query()") == f"from={first}&to={last}"
    raw = page.js(
        "fetch('/take.npz?' + poise.panel.files.query()).then(r => r.arrayBuffer()).then(b => btoa(Array.from("
        "new Uint8Array(b), x => String.fromCharCode(x)).join('')))"
    )
    (tmp_path / "take.npz").write_bytes(base64.b64decode(raw))
    take = poise.Recording.load(tmp_path / "take.npz")
    assert take.time[0] == pytest.approx(first, abs=0.011) and take.time[-1] == pytest.approx(last, abs=0.011)
    assert not page.js("poise.panel.files.span.hidden")
    line = page.js("fetch('/take.txt').then(reply => reply.text())")
    assert line.startswith("poise run roam --character adult --set life=on")


def test_a_dropped_body_appears_with_its_report(page: browser.Browser):
    text = json.dumps(foreign_files.biped())
    page.js(
        f"(() => {{ const t = new DataTransfer(); t.items.add(new File([{text}], 'biped.xml'));"
        "window.dispatchEvent(new DragEvent('drop', {dataTransfer: t, cancelable: true})); })()"
    )
    page.until("window.poise?.take?.title.includes('biped.xml') && poise.drawn > 2", 90)
    assert "What the file was taken for" in page.js("document.body.textContent")


def test_ghosts_are_drawn(page: browser.Browser):
    page.until("poise.aimed !== null")
    plain = shot(page)
    page.js("poise.tell('pause', {on: true}); poise.layers.reference = true")
    page.until("!poise.player.playing")
    assert page.js("poise.ghosts().length") == 1
    assert np.abs(shot(page) - plain).max() > 20


@pytest.mark.parametrize("size", [(1280, 720), (390, 844)])
def test_it_fits_the_screen(url: str, size: tuple[int, int]):
    with browser.Browser(*browser.SOFTWARE, size=size) as page:
        page.visit(url + "#plain")
        page.until("window.poise && poise.drawn > 2", 60)
        assert page.js("document.documentElement.scrollWidth <= innerWidth")
        drawn = page.js(
            "(() => { const c = poise.plan.canvas; poise.draw(); const d = c.getContext('2d').getImageData(0, 0, "
            "c.width, c.height).data; let n = 0; for (let i = 3; i < d.length; i += 4) n += d[i] > 0; return n; })()"
        )
        assert drawn > 100
