"""A headless Chromium that tests may drive: pages, mouse, keys and pictures, over the pipe of its own debugger."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
OPTIONS = (
    "--headless=new", "--no-sandbox", "--no-first-run", "--disable-background-networking", "--disable-sync",
    "--disable-component-update", "--disable-quic", "--remote-debugging-pipe",
)  # fmt: skip
SOFTWARE = ("--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader")
WITHOUT_WEBGL = ("--disable-gpu", "--disable-3d-apis")


def program() -> str | None:
    """Path of a browser: POISE_CHROMIUM, or one that is installed; None on Windows, which has no such pipes."""
    if os.name == "nt":
        return None
    return os.environ.get("POISE_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)


class Browser:
    """One page of a browser, closed when the block ends."""

    def __init__(self, *options: str, size: tuple[int, int] = (1280, 800)) -> None:
        exe = program()
        assert exe is not None
        self._home = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        (get, their_put), (their_get, put) = os.pipe(), os.pipe()
        window = f"--window-size={size[0]},{size[1]}"

        def connect() -> None:  # the browser reads orders from 3 and answers to 4
            spare = os.dup(their_get), os.dup(their_put)
            os.dup2(spare[0], 3)
            os.dup2(spare[1], 4)

        command = [exe, *OPTIONS, *options, window, f"--user-data-dir={self._home.name}"]
        quiet = subprocess.DEVNULL
        self._process = subprocess.Popen(
            command, stdout=quiet, stderr=quiet, preexec_fn=connect, close_fds=False
        )
        os.close(their_put)
        os.close(their_get)
        self._get, self._put, self._rest, self._count = get, put, b"", 0
        self._session: str | None = None
        self.events: list[dict[str, Any]] = []

    def __enter__(self) -> Browser:
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._get)
        os.close(self._put)
        self._home.cleanup()

    def call(self, method: str, **params: Any) -> dict[str, Any]:
        """Send an order and wait for its answer; what else is heard goes to `events`."""
        self._count += 1
        order = {"id": self._count, "method": method, "params": params}
        if self._session is not None:
            order["sessionId"] = self._session
        os.write(self._put, json.dumps(order).encode() + b"\0")
        while True:
            heard = self._hear()
            if heard.get("id") == self._count:
                if "error" in heard:
                    raise RuntimeError(f"{method}: {heard['error']['message']}")
                return heard["result"]
            self.events.append(heard)

    def _hear(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            part = os.read(self._get, 1 << 16)
            if not part:
                raise RuntimeError("the browser has ended")
            self._rest += part
        message, self._rest = self._rest.split(b"\0", 1)
        return json.loads(message)

    def open(self, path: Path, fragment: str = "") -> None:
        """Open a file and wait until it has loaded."""
        self.visit(path.resolve().as_uri() + fragment)

    def visit(self, url: str) -> None:
        """Open an address and wait until it has loaded."""
        self.call("Page.navigate", url=url)
        self.js(
            "new Promise(done => document.readyState === 'complete' ? done() : addEventListener('load', done))"
        )
        self.rest()

    def js(self, text: str) -> Any:
        """Value of an expression; promises are waited for."""
        said = self.call("Runtime.evaluate", expression=text, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in said:
            raise RuntimeError(said["exceptionDetails"]["exception"].get("description", "error"))
        return said["result"].get("value")

    def until(self, text: str, seconds: float = 30.0) -> Any:
        """Wait until an expression is true, and return its value."""
        end = time.monotonic() + seconds
        while not (value := self.js(text)):
            assert time.monotonic() < end, f"not within {seconds} s: {text}"
            time.sleep(0.05)
        return value

    def rest(self, pictures: int = 3) -> None:
        """Wait for a few pictures of the screen."""
        tick = "const tick = () => n-- ? requestAnimationFrame(tick) : done(); tick();"
        self.js(f"new Promise(done => {{ let n = {pictures}; {tick} }})")

    def middle(self, selector: str, across: float = 0.5) -> tuple[float, float]:
        """A point of an element on the screen, by default its middle."""
        box = self.js(
            f"(e => {{ e.scrollIntoView({{block: 'center'}}); const b = e.getBoundingClientRect();"
            f"return [b.left, b.top, b.width, b.height]; }})(document.querySelector({json.dumps(selector)}))"
        )
        return box[0] + across * box[2], box[1] + 0.5 * box[3]

    def drag(self, start: tuple[float, float], *path: tuple[float, float]) -> None:
        """Press the button, go along a path, let go; without a path it is a click."""
        self._mouse("mousePressed", start)
        for point in path:
            self._mouse("mouseMoved", point)
        self._mouse("mouseReleased", (path or (start,))[-1])
        self.rest()

    def key(self, key: str, shift: bool = False) -> None:
        """Press a key."""
        code = {" ": 32, "ArrowLeft": 37, "ArrowRight": 39, "Home": 36, "End": 35}.get(
            key, ord(key[0].upper())
        )
        for kind in ("rawKeyDown", "keyUp"):
            self.call(
                "Input.dispatchKeyEvent", type=kind, key=key, windowsVirtualKeyCode=code, modifiers=8 * shift
            )
        self.rest()

    def picture(self) -> bytes:
        """The screen as PNG."""
        return base64.b64decode(self.call("Page.captureScreenshot")["data"])

    def _mouse(self, kind: str, at: tuple[float, float]) -> None:
        self.call(
            "Input.dispatchMouseEvent", type=kind, x=at[0], y=at[1], button="left", buttons=1, clickCount=1
        )
