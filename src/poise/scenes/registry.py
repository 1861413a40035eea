"""The scenes that exist: every file of this folder may add some."""

from __future__ import annotations

from collections.abc import Callable

from poise.scenes.options import Options
from poise.simulate import Scene

Compose = Callable[[Options], Scene]
SCENES: dict[str, Compose] = {}


def scene(compose: Compose) -> Compose:
    """Register a function as the scene of its name, with dashes: ``roll_over`` is the scene roll-over."""
    SCENES[compose.__name__.replace("_", "-")] = compose
    return compose
