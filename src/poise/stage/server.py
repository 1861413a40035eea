"""Server: the page, its socket and its files, for whoever the guard lets in."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Mapping
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

from websockets.asyncio.server import Server as Listener
from websockets.asyncio.server import ServerConnection, serve
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

from poise.console import dumps
from poise.errors import PoiseError
from poise.stage import away, bring, house
from poise.stage.guard import Bucket, Guard
from poise.stage.house import Play
from poise.stage.messages import LONGEST_PART, BadMessage, parse
from poise.stage.pacer import Pacer

WINDOWS = 8  # that may be open at once
DOWNLOAD = 180.0  # [s] that writing a file may take
BEHIND = 1 << 14  # bytes that may wait for a slow page: a few frames
SAFE = {
    "Content-Security-Policy": "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
    "connect-src 'self'; img-src data: blob:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}


class Window:
    """One open page: the newest frame that it has not seen, and what it is uploading."""

    def __init__(self, number: int, socket: ServerConnection):
        self.number, self.socket, self.bucket = number, socket, Bucket()
        self.news, self.frame = asyncio.Event(), b""
        self.upload: bring.Upload | None = None
        self.dropped = 0

    def offer(self, frame: bytes, ack: int) -> None:
        """The newest frame wins: one that was not sent yet is replaced."""
        self.dropped += self.news.is_set()
        self.frame = ack.to_bytes(4, "little") + frame[4:]
        self.news.set()

    async def show(self) -> None:
        """Send frames for as long as the page is there."""
        while True:
            await self.news.wait()
            self.news.clear()
            await self.socket.send(self.frame)


class Server:
    """A stage that can be reached: ``async with Server(play, host, port)``."""

    def __init__(self, play: Play, host: str = "127.0.0.1", port: int = 8080):
        self.play, self.host, self.port = play, host, port
        self.guard = Guard(host)
        self.windows: dict[int, Window] = {}
        self._count, self._busy, self._making = 0, asyncio.Lock(), asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def url(self) -> str:
        name = f"[{self.host}]" if ":" in self.host else self.host
        token = f"?token={self.guard.token}" if self.guard.token else ""
        return f"http://{name}:{self.port}/{token}"

    async def __aenter__(self) -> Server:
        self._loop = asyncio.get_running_loop()
        self.pacer = Pacer(self.play.act, self.play.world, self._publish, self._tell_all)
        self._listener: Listener = await serve(
            self._meet, self.host, self.port, process_request=self._request, compression=None, server_header=None,
            max_size=LONGEST_PART + 256, max_queue=64, write_limit=BEHIND, open_timeout=DOWNLOAD,
            close_timeout=1, ping_interval=20, ping_timeout=60,
        )  # fmt: skip
        self.port = self.guard.port = next(iter(self._listener.sockets)).getsockname()[1]
        self.pacer.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await asyncio.to_thread(self.pacer.end)
        self._listener.close()
        await self._listener.wait_closed()

    # -- frames and words down

    def _publish(self, frame: bytes, acks: dict[int, int]) -> None:
        """Called by the pacer's thread."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._offer, frame, acks)

    def _tell_all(self, words: dict[str, Any]) -> None:
        """Called by the pacer's thread."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._spread, words)

    def _spread(self, words: dict[str, Any]) -> None:
        for window in self.windows.values():
            self._spawn(self._say(window, words))

    def _offer(self, frame: bytes, acks: dict[int, int]) -> None:
        for number, window in self.windows.items():
            window.offer(frame, acks.get(number, 0))

    def _spawn(self, work: Awaitable[None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _say(self, window: Window, words: dict[str, Any]) -> None:
        with contextlib.suppress(ConnectionClosed):
            await window.socket.send(dumps(words))

    def _answer(self, window: Window) -> Callable[[dict[str, Any]], None]:
        """For the pacer's thread."""

        def answer(words: dict[str, Any]) -> None:
            if not self._loop.is_closed():
                self._loop.call_soon_threadsafe(lambda: self._spawn(self._say(window, words)))

        return answer

    # -- messages up

    async def _meet(self, socket: ServerConnection) -> None:
        if len(self.windows) >= WINDOWS:
            await socket.close(1013, "too many windows")
            return
        self._count += 1
        window = self.windows[self._count] = Window(self._count, socket)
        shown = asyncio.create_task(window.show())
        try:
            async for message in socket:
                if not await self._hear(window, message):
                    break
        except ConnectionClosed:
            pass
        finally:
            del self.windows[window.number]
            self.pacer.forget(window.number)
            shown.cancel()
            await asyncio.gather(shown, return_exceptions=True)

    async def _hear(self, window: Window, message: str | bytes) -> bool:
        """Do what a message says; false where the page was sent away."""
        if isinstance(message, bytes):
            await window.socket.close(1003, "text only")
            return False
        if not window.bucket.takes():
            if window.bucket.fault():
                await window.socket.close(1008, "too many messages")
                return False
            await asyncio.sleep(0.05)
            return True
        try:
            number, kind, fields = parse(message)
            await self._sort(window, number, kind, fields)
        except PoiseError as error:
            await self._say(window, {"say": "refused", "id": 0, "why": str(error)[:400]})
            if isinstance(error, BadMessage) and window.bucket.fault():
                await window.socket.close(1008, "too many bad messages")
                return False
        return True

    async def _sort(self, window: Window, number: int, kind: str, fields: dict[str, Any]) -> None:
        """What builds something is done apart; all else goes to the simulation."""
        if kind == "scene":
            clips = self.play.act.clips
            self._spawn(self._change(window, lambda: house.asked(fields["name"], fields["character"]), clips))
        elif kind == "bring":
            window.upload = bring.Upload(fields["name"], fields["size"])
        elif kind == "part":
            if window.upload is None:
                raise BadMessage("a part of no file")
            upload = window.upload
            done = upload.add(fields["data"])
            await self._say(window, {"say": "part", "have": upload.have})
            if done:
                window.upload = None
                clips = self.play.act.clips | upload.clip
                self._spawn(self._change(window, upload.scene, clips))
        elif kind == "behave" or "dodge" in fields.get("wishes", ()):
            self._spawn(self._rehearse(window, number, kind, fields))
        else:
            self.pacer.ask(window.number, number, kind, fields, self._answer(window))
            if kind == "shove":  # every window shows its arrow
                self._spread({"say": "shove", **fields})

    async def _build(self, window: Window, make: Callable[[], Any]) -> Any:
        """What something makes in a thread of its own while the scene plays on; None where it was refused."""
        try:
            return await asyncio.to_thread(make)
        except PoiseError as error:
            why = str(error)
        except Exception as error:  # the present scene plays on
            why = f"failed: {type(error).__name__}"
        await self._say(window, {"say": "refused", "id": 0, "why": why[:400]})
        return None

    async def _rehearse(self, window: Window, number: int, kind: str, fields: dict[str, Any]) -> None:
        """Make a behaviour ready before it takes over: that may take longer than a frame."""
        act = self.pacer.act
        async with self._making:
            ready = await self._build(window, lambda: house.rehearse(act, kind, fields))
        if ready and act is self.pacer.act:
            self.pacer.ask(window.number, number, kind, fields, self._answer(window))

    async def _change(self, window: Window, make: Callable[[], Any], clips: Mapping[str, str]) -> None:
        """Build another scene while the present one plays on, then change over and tell all windows."""
        if self._busy.locked():
            await self._say(window, {"say": "refused", "id": 0, "why": "another scene is being built"})
            return
        async with self._busy:
            play = await self._build(window, lambda: house.play(make(), clips))
            if play is None:
                return
            await asyncio.wrap_future(self.pacer.call(lambda: self.pacer.take_over(play.act, play.world)))
            self.play = play
            await asyncio.gather(*(self._say(w, {"say": "reload"}) for w in [*self.windows.values()]))

    # -- requests

    async def _request(self, connection: ServerConnection, request: Request) -> Response | None:
        headers = request.headers
        path = urlsplit(request.path).path
        refusal = self.guard.refuses(
            request.path[:2000], headers.get("Host"), headers.get("Origin"), path == "/socket"
        )
        if refusal is not None:
            return _respond(refusal[0], refusal[1].encode())
        if path == "/socket":
            return None
        if path == "/":
            return _respond(200, self.play.page.encode(), "text/html; charset=utf-8")
        if path == "/favicon.ico":
            return _respond(204, b"")
        if path == "/take.txt":
            line = await asyncio.wrap_future(self.pacer.call(lambda: house.command_line(self.pacer.act)))
            return _respond(200, line.encode())
        return await self._download(request.path)

    async def _download(self, path: str) -> Response:
        try:
            wanted = away.wanted(path)
        except PoiseError as error:
            return _respond(404, str(error).encode())
        async with self._busy:
            try:
                act = self.pacer.act
                asked = self.pacer.call(lambda: (act.recording(wanted.last, wanted.part), dict(act.ghost)))
                take, ghost = await asyncio.wrap_future(asked)
                body = await asyncio.to_thread(
                    away.written, take, wanted.ending, ghost, self.pacer.packer.own
                )
            except PoiseError as error:
                return _respond(409, str(error).encode())
            except Exception as error:  # the stage plays on
                return _respond(500, f"failed: {type(error).__name__}".encode())
        name = f"poise-{self.play.act.scene.name}{wanted.ending}"
        return _respond(200, body, away.KINDS[wanted.ending], f'attachment; filename="{name}"')


def _respond(
    status: int, body: bytes, kind: str = "text/plain; charset=utf-8", how: str = "inline"
) -> Response:
    headers = Headers(
        {**SAFE, "Content-Type": kind, "Content-Length": str(len(body)), "Content-Disposition": how}
    )
    headers["Connection"] = "close"
    return Response(status, HTTPStatus(status).phrase, headers, body)
