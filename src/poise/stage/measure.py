"""How fast the stage answers: a client without a browser, beside a server in a process of its own."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
from typing import Any

import numpy as np
from websockets.asyncio.client import connect

from poise.errors import PoiseError
from poise.stage.frame import HEAD

SETTLE = 1.5  # [s] before counting begins
EVERY = 0.1  # [s] between two commands


def measure(scene: str, seconds: float = 10.0) -> dict[str, Any]:
    """Frames a second, share of real time, age of frames and time from a command to the frame that shows it.

    Both processes read the same monotonic clock, so the age of a frame is exact.
    """
    begun = time.monotonic()
    command = [sys.executable, "-m", "poise", "stage", scene, "--port", "0", "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            line = server.stdout.readline()
            if not line.startswith("stage: "):
                raise PoiseError("the stage did not start")
            opened = time.monotonic() - begun
            found = asyncio.run(_watch(line.split()[1].rstrip("/"), seconds))
        finally:
            server.terminate()
            server.wait(timeout=20)
    return {"scene": scene, "seconds": seconds, "start_s": round(opened, 2), **found}


async def _watch(url: str, seconds: float) -> dict[str, Any]:
    waits: dict[int, float] = {}
    rows: list[tuple[float, float, float]] = []  # when it came, its simulated time, its age
    answers: list[float] = []
    async with connect(url.replace("http", "ws", 1) + "/socket", origin=url, compression=None) as socket:  # type: ignore[arg-type]
        talk = asyncio.create_task(_talk(socket, waits))
        begun = time.monotonic()
        while (now := time.monotonic()) < begun + SETTLE + seconds:
            frame = await socket.recv()
            if isinstance(frame, str):
                continue
            now = time.monotonic()
            ack, _, _, _, t, made, *_ = HEAD.unpack_from(frame)
            for number in [n for n in waits if n <= ack]:
                answers.append(now - waits.pop(number))
            if now > begun + SETTLE:
                rows.append((now, t, now - made))
        talk.cancel()
    return _figures(np.array(rows), np.array(answers), len(frame))


async def _talk(socket: Any, waits: dict[int, float]) -> None:
    number = 0
    while True:
        await asyncio.sleep(EVERY * (0.7 + 0.6 * ((number * 0.618) % 1.0)))  # at all phases of a frame
        number += 1
        waits[number] = time.monotonic()
        await socket.send(json.dumps({"do": "ping", "id": number}))


def _figures(rows: np.ndarray, answers: np.ndarray, size: int) -> dict[str, Any]:
    passed = rows[-1, 0] - rows[0, 0]
    ages, answers = 1e3 * rows[:, 2], 1e3 * answers
    found = {
        "frames_per_s": (len(rows) - 1) / passed,
        "real_time_share": (rows[-1, 1] - rows[0, 1]) / passed,
        "frame_age_p50_ms": np.median(ages),
        "frame_age_p95_ms": np.percentile(ages, 95),
        "command_to_frame_p50_ms": np.median(answers),
        "command_to_frame_p95_ms": np.percentile(answers, 95),
    }
    return {**{name: round(float(v), 3) for name, v in found.items()}, "frame_bytes": size}


def describe(found: dict[str, Any]) -> str:
    """For people."""
    return "\n".join(f"{name:26} {value}" for name, value in found.items())
