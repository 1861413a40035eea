"""Compiled functions: numba's ``njit``, kept on disk and quick to make, asked for in one place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba.core import config

from poise.compiled.function import Function


def compiled(function: Callable | None = None, **options: Any) -> Any:
    """Decorator: compile at the first call and keep the result on disk; options are those of ``numba.njit``."""

    def make(function: Callable) -> Any:
        return function if vars(config)["DISABLE_JIT"] else Function(function, options)

    return make if function is None else make(function)
