"""Compiled functions: numba's ``njit`` with a cache on disk, asked for in one place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba


def compiled(function: Callable | None = None, **options: Any) -> Any:
    """Decorator: compile at the first call and keep the result on disk; options are those of ``numba.njit``."""
    if function is not None:
        return numba.njit(cache=True)(function)
    return numba.njit(cache=True, **options)
