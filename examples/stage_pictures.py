"""The pictures of docs/stage.md: the stage in a headless browser, touched in every way. Needs `make stage-clients`."""

from __future__ import annotations

import base64
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))
import browser  # noqa: E402

DOCS = ROOT / "docs"
SIZE = (1280, 820)
TORSO = "body: 'torso'"


@contextmanager
def stage(*words: str, size: tuple[int, int] = SIZE) -> Iterator[browser.Browser]:
    """A stage of its own, and a page on it."""
    command = [sys.executable, "-m", "poise", "stage", *words, "--port", "0", "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        url = server.stdout.readline().split()[1]
        with browser.Browser(*browser.SOFTWARE, size=size) as page:
            page.call(
                "Emulation.setDeviceMetricsOverride", width=size[0], height=size[1], deviceScaleFactor=1,
                mobile=False,
            )  # fmt: skip
            page.visit(url)
            page.until("window.poise && poise.drawn > 2 && poise.status", 60)
            page.js(
                "poise.painter.plain = true; poise.layers.ghost = false"
            )  # quicker, until a picture is kept
            yield page
        server.terminate()


def tell(page: browser.Browser, what: str, fields: str = "") -> None:
    page.js(f"poise.tell('{what}', {{{fields}}})")


def keep(page: browser.Browser, name: str, whole: bool = False, zoom: float = 0.8) -> None:
    """Hold, draw with all lights, and keep the picture."""
    tell(page, "pause", "on: true")
    page.until("!poise.player.playing")
    page.js(f"poise.painter.plain = false; poise.camera.distance = {zoom} * poise.camera.home; poise.draw()")
    page.js("document.getElementById('view').scrollIntoView({block: 'center'}); scrollTo(0, 0)")
    page.rest(4)
    box = "document.getElementById('view').getBoundingClientRect()"
    clip = page.js(f"(b => ({{x: b.left, y: b.top, width: b.width, height: b.height, scale: 1}}))({box})")
    if whole:
        clip = {"x": 0, "y": 0, "width": SIZE[0], "height": SIZE[1], "scale": 1}
    data = page.call("Page.captureScreenshot", clip=clip)["data"]
    (DOCS / f"{name}.png").write_bytes(base64.b64decode(data))
    print(name, flush=True)
    page.js("poise.painter.plain = true")
    tell(page, "pause", "on: false")


def again(page: browser.Browser) -> None:
    tell(page, "again")
    page.until("poise.t < 0.6")


def pull(page: browser.Browser) -> None:
    tell(page, "command", "wishes: {speed: 0.6}")
    page.until("poise.t > 4", 60)
    tell(page, "command", "wishes: {speed: 0}")
    page.until("poise.t > 6.5", 60)
    tell(
        page,
        "pull",
        f"{TORSO}, to: [poise.value('com')[0] + 0.5, poise.value('com')[1] + 0.5, 1.45], at: [0.1, 0, 0.2], "
        "stiffness: 500, most: 260",
    )
    page.until("poise.pulls.length && Math.hypot(...poise.pulls[0].force) > 120")
    page.js("poise.layers.xi = true")
    page.until("Number.isFinite(poise.value('footprint')[0])")
    page.until("poise.pulls.length && poise.value('linear_momentum').some(v => Math.abs(v) > 18)")
    keep(page, "stage", whole=True, zoom=1.0)
    keep(page, "stage-pull")
    tell(page, "release", TORSO)


def shove(page: browser.Browser) -> None:
    page.until("poise.t > 0.4")
    tell(page, "shove", f"{TORSO}, force: [380, 160, 0], seconds: 0.1")
    page.until("poise.take.scene.pushes.length && poise.t > poise.take.scene.pushes.at(-1).start + 0.12")
    keep(page, "stage-shove")


def lean(page: browser.Browser) -> None:
    page.until("poise.t > 0.4")
    tell(page, "lean", "body: 'chest', force: [-35, 45, -70], at: [0.02, -0.17, 0.16]")
    page.until("poise.pulls.length && Math.hypot(...poise.pulls[0].force) > 88")
    keep(page, "stage-lean", zoom=0.95)
    tell(page, "release", "body: 'chest'")


def ball(page: browser.Browser) -> None:
    page.until("poise.t > 0.4")
    tell(page, "speed", "factor: 0.1")
    tell(page, "throw", "place: [3.5, -0.8, 1.5], velocity: [-9, 2, 1.6], ball: 1")
    page.until("poise.poses.slice(poise.own).some(p => p[0] < 1.0 && p[0] > -3)")
    keep(page, "stage-ball")
    tell(page, "speed", "factor: 1")


def dodge(page: browser.Browser) -> None:
    page.js("poise.panel.menu.dodge.click()")
    page.js("poise.camera.look(0.6, 0.1)")
    page.until("poise.t > 3", 60)
    tell(page, "speed", "factor: 0.25")
    tell(page, "throw", "place: [4, 0.1, 1.5], velocity: [-8, 0, 2.5], ball: 0")
    page.until("poise.status.word.startsWith('dodging')", 60)
    page.until("poise.poses.slice(poise.own).some(p => p[0] < 0.45 && p[0] > -1.5)", 60)
    keep(page, "stage-dodge", zoom=1.1)
    tell(page, "speed", "factor: 1")
    page.js("poise.panel.menu.dodge.click(); poise.camera.reset()")


def walk(page: browser.Browser) -> None:
    tell(page, "command", "wishes: {speed: 0.8}")
    page.until("poise.t > 3", 60)
    page.js("poise.layers.xi = true")
    page.until("Number.isFinite(poise.value('footprint')[0])")
    keep(page, "stage-walk")
    tell(page, "command", "wishes: {speed: 0}")


def roll(page: browser.Browser) -> None:
    page.until("poise.t > 0.3")
    page.js("poise.layers.xi = poise.layers.trail = false")
    page.js("poise.panel.menu.roll(0)")
    page.until("poise.status.word === 'roll'", 60)
    page.until("poise.value('com')[2] < 0.5")
    tell(page, "speed", "factor: 0.1")
    keep(page, "stage-roll", zoom=0.65)
    tell(page, "speed", "factor: 1")
    page.until("poise.status.word === 'stand'", 90)


def get_up(page: browser.Browser) -> None:
    page.until("poise.t > 0.3")
    tell(page, "shove", f"{TORSO}, force: [100, 900, 0], seconds: 0.2")
    page.until("['fours', 'hop', 'lunge'].includes(poise.status.word) && poise.value('com')[2] > 0.4", 90)
    keep(page, "stage-get-up", zoom=0.65)


def behave(page: browser.Browser) -> None:
    page.until("poise.t > 0.3")
    page.js(
        "poise.panel.menu.name.value = 'side-kick'; poise.panel.menu.change(); poise.layers.reference = true"
    )
    page.until("poise.t > 3.4", 60)
    page.until("poise.poses.some((p, k) => poise.take.scene.nodes[k].name === 'foot_l' && p[2] > 0.25)", 60)
    keep(page, "stage-behave")
    page.js("poise.layers.reference = false; poise.panel.menu.name.value = 'roam'; poise.panel.menu.change()")


def rewind(page: browser.Browser) -> None:
    tell(page, "command", "wishes: {speed: 0.7}")
    page.until("poise.t > 5", 60)
    tell(page, "seek", "time: 2.2")
    page.until("!poise.player.playing")
    page.js("poise.layers.ghost = true")
    tell(page, "shove", f"{TORSO}, force: [-60, 420, 0], seconds: 0.1")
    tell(page, "pause", "on: false")
    page.until("poise.t > 3.2 && poise.ghost", 60)
    keep(page, "stage-rewind", zoom=0.9)


def ground(page: browser.Browser) -> None:
    for axis, distance in (("roll", 0.12), ("pitch", -0.08)):
        tell(page, "ground", f"axis: '{axis}', distance: {distance}, seconds: 0.6")
    page.until("poise.t > 2.5", 60)
    keep(page, "stage-ground")


def phone(page: browser.Browser) -> None:
    page.until("poise.t > 0.5")
    page.js(
        "poise.stick.knob.style.transform = 'translate(6px, -26px)'; poise.walk({speed: 0.6, side: 0, turn: -10})"
    )
    page.until("poise.value('linear_momentum')[0] > 25", 60)
    tell(page, "pause", "on: true")
    page.js("poise.painter.plain = false; poise.draw()")
    page.rest(4)
    (DOCS / "stage-phone.png").write_bytes(page.picture())


def main(only: list[str]) -> None:
    """All pictures, or those that are named."""
    touches = (pull, shove, lean, ball, dodge, walk, roll, get_up, behave, rewind)
    wanted = [t for t in touches if not only or t.__name__ in only]
    if wanted:
        with stage() as page:
            for touch in wanted:
                again(page)
                touch(page)
    if not only or "ground" in only:
        with stage("platform", "--set", "ride=still") as page:
            ground(page)
    if not only or "phone" in only:
        with stage(size=(390, 844)) as page:
            phone(page)


if __name__ == "__main__":
    main(sys.argv[1:])
