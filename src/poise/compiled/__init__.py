"""Compiled functions: numba's ``njit``, kept on disk and quick to make, asked for in one place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba.core import config

from poise.compiled.direct import Direct
from poise.compiled.function import Function


def compiled(function: Callable) -> Any:
    """Decorator: compile at the first call and keep the result on disk."""
    return function if vars(config)["DISABLE_JIT"] else Function(function)


def compiled_for_record(function: Callable) -> Any:
    """The same for a function of one record that only Python calls, and calls at every step."""
    made = compiled(function)
    return Direct(made) if isinstance(made, Function) else made
