"""Pacer: the thread that owns the act, keeps it at real time and makes sixty frames a second of it."""

from __future__ import annotations

import queue
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from poise.errors import PoiseError
from poise.formats.skeletal import Bodies
from poise.stage import frame
from poise.stage.act import Act
from poise.stage.frame import Packer
from poise.stage.messages import INPUTS

HZ = 60.0
CATCH_UP = (
    2.0  # ticks' worth of steps that are made up for in one tick; the rest is lost, and the factor says so
)
STATUS = 15  # frames between two words about how the body is doing
PAUSE_AT_END = 2.0  # [s] after which a clip that has ended, or a body that blew up, starts again
WINDOW = 60  # ticks over which the real-time factor is measured

Answer = Callable[[dict[str, Any]], None]
Publish = Callable[
    [bytes, dict[int, int]], None
]  # a frame, and the last message of each client that is in it


class Pacer(threading.Thread):
    """Runs an act. Everything that touches it comes through ``ask`` or ``call``, and is done here between two steps."""

    def __init__(self, act: Act, world: Bodies, publish: Publish, tell: Answer = lambda words: None):
        super().__init__(name="poise-stage", daemon=True)
        self._publish, self._tell = publish, tell
        self._orders: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._ended = threading.Event()
        self._acks: dict[int, int] = {}
        self._frames, self._owed, self._ended_for = 0, 0.0, 0.0
        self.paused, self.speed, self.factor = False, 1.0, 1.0
        self.take_over(act, world)

    def take_over(self, act: Act, world: Bodies) -> None:
        """Go on with another act."""
        self.act, self.packer, self._owed = act, Packer(act.session, world), 0.0
        self._past: deque[tuple[float, float]] = deque(maxlen=WINDOW)

    def ask(self, client: int, number: int, kind: str, fields: dict[str, Any], answer: Answer) -> None:
        """From any thread: do this before the next step."""
        self._orders.put((client, number, kind, fields, answer))

    def call(self, function: Callable[[], Any]) -> Future[Any]:
        """From any thread: run this between two steps; its result comes as a future."""
        future: Future[Any] = Future()
        self._orders.put((function, future))
        return future

    def end(self) -> None:
        """Stop, and wait until it has stopped."""
        self._ended.set()
        if self.is_alive():
            self.join(timeout=10.0)

    def forget(self, client: int) -> None:
        """A window was closed: nothing of it is waited for."""
        self._acks.pop(client, None)

    def run(self) -> None:
        due = last = time.monotonic()
        while not self._ended.is_set():
            now = time.monotonic()
            self._tick(now - last)
            last = now
            due = max(due + 1.0 / HZ, time.monotonic() - 1.0 / HZ)  # a stall is not made up for by a burst
            self._ended.wait(max(due - time.monotonic(), 0.0))

    def _tick(self, passed: float) -> None:
        """Orders, steps, a frame. A fault of ours holds the scene and is told; the thread lives on."""
        try:
            self._drain()
            self._go_on(passed)
            self._show()
        except Exception as error:
            self.paused = True
            self._tell({"say": "refused", "id": 0, "why": f"failed: {type(error).__name__}: {error}"[:400]})

    def _go_on(self, passed: float) -> None:
        """The steps that real time asks for, as many as can be made up for."""
        act, before = self.act, self.act.session.time
        if not self.paused:
            self._owed += passed * self.speed / act.dt
            most = max(CATCH_UP * self.speed / (HZ * act.dt), 1.0)
            steps = int(min(self._owed, most))
            self._owed = min(self._owed - steps, 1.0)
            act.advance(steps)
            self._ended_for = self._ended_for + passed if act.session.over else 0.0
            if self._ended_for > PAUSE_AT_END:
                act.again()
        self._past.append((passed * self.speed, act.session.time - before))
        wanted, had = (sum(column) for column in zip(*self._past, strict=True))
        self.factor = had / wanted if wanted > 0 else 1.0

    def _drain(self) -> None:
        seek: tuple[Any, ...] | None = None
        while True:
            try:
                order = self._orders.get_nowait()
            except queue.Empty:
                break
            if len(order) == 2:
                self._run(*order)
            elif order[2] == "seek":  # of many places on the way only the last counts
                seek = order
            else:
                self._obey(*order)
        if seek is not None:
            self._obey(*seek)

    def _run(self, function: Callable[[], Any], future: Future[Any]) -> None:
        try:
            future.set_result(function())
        except BaseException as error:  # whoever asked is told
            future.set_exception(error)

    def _obey(self, client: int, number: int, kind: str, fields: dict[str, Any], answer: Answer) -> None:
        try:
            self.do(kind, fields)
        except PoiseError as error:
            answer({"say": "refused", "id": number, "why": str(error)[:400]})
        except Exception as error:  # a fault of ours must not stop the simulation
            answer({"say": "refused", "id": number, "why": f"failed: {type(error).__name__}: {error}"[:400]})
        self._acks[client] = number

    def do(self, kind: str, fields: dict[str, Any]) -> None:
        """What a message asks for."""
        if kind in INPUTS:
            self.act.do(kind, fields)
        elif kind == "pause":
            self.paused, self._owed = fields["on"], 0.0
        elif kind == "speed":
            self.speed = fields["factor"]
        elif kind == "step":
            self.paused = True
            self._step(fields["steps"])
        elif kind == "seek":
            self.paused = True
            self.act.seek(fields["time"])
        elif kind == "again":
            self.act.again()

    def _step(self, steps: int) -> None:
        act = self.act
        if steps < 0 or act.session.steps + steps <= round(act.newest / act.dt):
            act.seek(act.session.time + steps * act.dt)
        else:
            act.advance(steps)

    def _show(self) -> None:
        acks = dict(self._acks)
        self._publish(self.packed(), acks)
        if self._frames % STATUS == 0:
            self._tell(self.status())

    def status(self) -> dict[str, Any]:
        """How the body is doing, in words."""
        status = self.act.session.status
        return {
            "say": "status",
            "word": status.word,
            "limits": status.limits[:6],
            "failures": status.failures,
            "spin": self.act.session.spin,
            "conditions": vars(self.act.session.conditions),
        }

    def packed(self) -> bytes:
        """The frame of this moment, its first four bytes left for the acknowledgement."""
        act, packer = self.act, self.packer
        poses, ghost, reference = packer.poses(), act.ghost.get(act.tick, b""), packer.reference()
        act.keep_poses(poses)
        flags = (
            frame.PAUSED * self.paused + frame.GHOST * bool(ghost) + frame.FELL * act.session.fell
            + frame.OVER * act.session.over + frame.REFERENCE * bool(reference)
        )  # fmt: skip
        self._frames = (self._frames + 1) & 0xFFFFFFFF
        head = frame.HEAD.pack(
            0, self._frames, act.session.steps, flags, act.session.time, time.monotonic(), act.oldest, act.newest,
            self.factor, self.speed,
        )  # fmt: skip
        return b"".join((head, poses, packer.rest(), ghost, reference))
