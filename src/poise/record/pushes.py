"""The pushes of a take, read back from its `info`, for pictures and plots."""

from __future__ import annotations

from typing import TYPE_CHECKING

from poise.errors import BadInput
from poise.record.recording import Recording

if TYPE_CHECKING:
    from poise.worlds.disturb import Push


def pushes(recording: Recording) -> list[Push]:
    """Pushes in the order given; text that is not a push is left out."""
    from poise.worlds.disturb import Push

    found = []
    for text in recording.info.get("pushes") or []:
        try:
            found.append(Push.parse(str(text)))
        except BadInput:
            continue
    return found


def end(push: Push) -> float:
    """When a push is over [s]."""
    return push.start + push.duration
