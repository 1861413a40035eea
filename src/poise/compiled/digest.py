"""What a compiled function depends on, as one short text: its code, its constants and all that it calls."""

from __future__ import annotations

import hashlib
import sys
from functools import cache
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

import llvmlite
import numba
import numpy as np
from numba.core import config

PACKAGE = __name__.partition(".")[0]
PLAIN = (bool, int, float, complex, str, bytes, type(None))


@cache
def digest(function: Any) -> str:
    """Changes when the compiled form would: an edit of the function, of a callee, or of a constant of either.

    numba itself looks at the file of the function alone, and so runs stale code after the edit of a callee elsewhere.
    """
    parts: list[str] = [numba.__version__, llvmlite.__version__, np.__version__, str(vars(config)["OPT"])]
    for one in [function, *callees(function)]:
        parts += [
            *(f"{key}={_text(one.targetoptions[key])}" for key in sorted(one.targetoptions)),
            *_code(one.__code__),
        ]
        parts += [f"{name}={_text(value)}" for name, value in sorted(_named(one), key=lambda item: item[0])]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


@cache
def callees(function: Any) -> tuple[Any, ...]:
    """All compiled functions that it calls, directly or not, in the order in which they are met."""
    found: dict[int, Any] = {id(function): function}
    waiting = [function]
    while waiting:
        for _, value in _named(waiting.pop()):
            if _compiled(value) and id(value) not in found:
                found[id(value)] = value
                waiting.append(value)
    return tuple(found.values())[1:]


def _compiled(value: Any) -> bool:
    return hasattr(value, "py_func") and hasattr(value, "targetoptions")


def _named(function: Any) -> list[tuple[str, Any]]:
    """Globals and closed-over values by name; attributes of our own modules too."""
    python = function.py_func
    names = _names(python.__code__)
    found = [(name, python.__globals__[name]) for name in names if name in python.__globals__]
    modules = [value for _, value in found if isinstance(value, ModuleType) and _ours(value.__name__)]
    found += [(name, vars(module)[name]) for module in modules for name in names if name in vars(module)]
    cells = zip(python.__code__.co_freevars, python.__closure__ or ())
    return found + [(name, cell.cell_contents) for name, cell in cells]


def _names(code: CodeType) -> list[str]:
    inner = [name for part in code.co_consts if isinstance(part, CodeType) for name in _names(part)]
    return sorted({*code.co_names, *inner})


def _code(code: CodeType) -> list[str]:
    """Instructions and constants, without the docstring and the line numbers."""
    constants = (
        code.co_consts[1:] if code.co_consts and isinstance(code.co_consts[0], str) else code.co_consts
    )
    parts = [code.co_code.hex(), repr(code.co_names), repr(code.co_varnames)]
    for constant in constants:
        parts += _code(constant) if isinstance(constant, CodeType) else [repr(constant)]
    return parts


def _text(value: Any) -> str:
    """A constant by its value; something else of ours by the source of its module."""
    if isinstance(value, PLAIN):
        return repr(value)
    if isinstance(value, (tuple, list)):
        return repr([_text(part) for part in value])
    if isinstance(value, (set, frozenset)):
        return repr(sorted(map(_text, value)))
    if isinstance(value, np.ndarray):
        return f"{value.dtype}{value.shape}{hashlib.sha256(value.tobytes()).hexdigest()}"
    if _compiled(value) or isinstance(value, ModuleType):
        return "code"  # callees are counted by themselves
    module = getattr(value, "__module__", None) or type(value).__module__
    return _source(module) if _ours(module) else repr(type(value))


def _ours(module: str) -> bool:
    return module.partition(".")[0] == PACKAGE


@cache
def _source(module: str) -> str:
    path = getattr(sys.modules.get(module), "__file__", None)
    return hashlib.sha256(Path(path).read_bytes()).hexdigest() if path else module
