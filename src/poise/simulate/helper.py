"""A helper: another process of this Python that makes takes, asked through a pipe."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Callable
from typing import Any, BinaryIO

from poise.threads import VARIABLES

DONE, FAILED, STRANGE = range(3)  # a take was made; it raised; the scene could not be read
SERVE = "import sys; sys.path[:] = {path!r}; from poise.simulate.helper import serve; serve()"


class Gone(Exception):
    """A helper that could not do what it was asked."""


class Helper:
    """One such process, used as a context. It imports nothing of the script that started it."""

    def __init__(self) -> None:
        self.alive, self._keeps = True, True  # whether what is kept can be chosen there
        self._process = subprocess.Popen(
            [sys.executable, "-c", SERVE.format(path=sys.path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            env={**dict.fromkeys(VARIABLES, "1"), **os.environ},
        )  # fmt: skip

    def __enter__(self) -> Helper:
        return self

    def __exit__(self, kind: Any, *_: Any) -> None:
        if kind is not None:
            self._process.kill()
        assert self._process.stdin is not None and self._process.stdout is not None
        try:
            self._process.stdin.close()
        except OSError:
            self._process.kill()
        self._process.wait()
        self._process.stdout.close()

    def run(self, scene: Any, keep: Callable[[Any], Any] | None) -> Any:
        """What is kept of a scene's take; ``keep`` is asked here where it cannot travel."""
        left = None if self._keeps else keep
        try:
            text = pickle.dumps((scene, keep if self._keeps else None))
        except Exception:  # whatever a class of somebody's raises
            text, left = self._alone(scene), keep
        how, value = self._ask(text)
        if how == STRANGE:
            if left is keep:
                raise Gone
            self._keeps = False  # a function that only the script knows
            return self.run(scene, keep)
        if how == FAILED:
            raise value
        return value if left is None else left(value)

    def _alone(self, scene: Any) -> bytes:
        try:
            return pickle.dumps((scene, None))
        except Exception as error:
            raise Gone from error

    def _ask(self, text: bytes) -> tuple[int, Any]:
        assert self._process.stdin is not None and self._process.stdout is not None
        try:
            pickle.dump(text, self._process.stdin)
            self._process.stdin.flush()
            return pickle.load(self._process.stdout)
        except (OSError, EOFError, pickle.UnpicklingError) as error:
            self.alive = False
            raise Gone from error


def serve() -> None:
    """Make takes until nobody asks any more; what is printed goes to stderr."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C goes to who asks, who ends this one
    asked, answer = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    while True:
        try:
            text = pickle.load(asked)
        except EOFError:
            return
        _tell(answer, _made(text))


def _made(text: bytes) -> tuple[int, Any]:
    from poise.simulate.batches import kept

    try:
        scene, keep = pickle.loads(text)
    except Exception:  # a class that only the script knows
        return STRANGE, None
    try:
        return DONE, kept(keep, scene)
    except Exception as error:
        return FAILED, error


def _tell(answer: BinaryIO, found: tuple[int, Any]) -> None:
    try:
        text = pickle.dumps(found)
    except Exception:  # what was kept cannot travel
        text = pickle.dumps((STRANGE, None))
    answer.write(text)
    answer.flush()
