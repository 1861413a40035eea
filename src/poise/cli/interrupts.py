"""An interrupt ends a command wherever it lands.

Python drops one that lands in a finalizer or in the callback of a weak reference, prints what it dropped, and goes on;
and compiled bindings that convert an argument just then make a TypeError of it.
"""

from __future__ import annotations

import _thread
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

LATER_S = 0.01


class Interrupts:
    """Whether this process was interrupted."""

    came = False


@contextmanager
def heeded() -> Iterator[None]:
    """No interrupt is lost in here; where somebody else sees to them, or they are ignored, nothing is changed."""
    Interrupts.came = False
    if (
        threading.current_thread() is not threading.main_thread()
        or signal.getsignal(signal.SIGINT) is not signal.default_int_handler
    ):
        yield
        return
    signal.signal(signal.SIGINT, _noted)
    before, sys.unraisablehook = sys.unraisablehook, _again
    try:
        yield
    finally:
        sys.unraisablehook = before
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _noted(*_: Any) -> None:
    Interrupts.came = True
    raise KeyboardInterrupt


def _again(dropped: sys.UnraisableHookArgs) -> None:
    """Interrupt once more, from aside: at once it would be dropped again, in here."""
    if isinstance(dropped.exc_value, KeyboardInterrupt):
        _thread.start_new_thread(_later, ())
    else:
        sys.__unraisablehook__(dropped)


def _later() -> None:
    time.sleep(LATER_S)
    _thread.interrupt_main()
