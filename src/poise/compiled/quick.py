"""Compiling in half the time: numba optimises and codes each function again in each of its callers; here only once.

numba makes machine code of every function it meets, and optimises a callee for itself and again inside each caller.
Here a function called by compiled code alone stays an intermediate form; when the function that Python calls is
reached, everything is linked into it, made private to it, optimised and coded once. This holds while a function of
ours is being compiled, and only where numba is built as expected; else numba does it its own way, slower.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numba._dynfunc as _dynfunc
from numba.core import event
from numba.core.codegen import CPUCodeLibrary
from numba.core.cpu import CPUContext
from numba.core.environment import lookup_environment
from numba.extending import overload
from numba.np import arrayobj

from poise.console import aside

PARTS = ("_finalize_final_module", "_optimize_final_module", "_optimize_functions", "_get_module_for_linking")
ON = (
    os.environ.get("POISE_QUICK") != "0"
    and all(hasattr(CPUCodeLibrary, name) for name in PARTS)
    and hasattr(CPUContext, "get_executable")
)
INNER = 2  # depth of functions that a function of ours calls

_depth = 0  # of compilations within one another, the outermost a function of ours
_finalize = CPUCodeLibrary._finalize_final_module
_optimize = CPUCodeLibrary._optimize_final_module
_optimize_functions = CPUCodeLibrary._optimize_functions
_executable = CPUContext.get_executable


def inside() -> bool:
    """Whether a function of ours is being compiled now."""
    return _depth > 0


def deferred(library: Any) -> bool:
    """Whether there is no machine code of it yet."""
    return getattr(library, "_deferred", False)


@contextmanager
def loading() -> Iterator[None]:
    """While a form is read from disk: an intermediate form stays one."""
    global _depth
    _depth += INNER
    try:
        yield
    finally:
        _depth -= INNER


def realise(cres: Any) -> Any:
    """The same compiled form with machine code, to be called from Python."""
    entry = _realised(cres.target_context, cres.library, cres.fndesc, cres.environment)
    return cres._replace(entry_point=entry)


def _realised(context: Any, library: Any, fndesc: Any, env: Any) -> Any:
    library._shared_module = library._get_module_for_linking().clone()  # callers link what was there before
    for function in library._final_module.functions:
        if not function.is_declaration and function.linkage.name == "linkonce_odr":
            function.linkage = "internal"
    _optimize(library)
    library.enable_object_caching()
    library._deferred = False
    _finalize(library)
    for variable in library._final_module.global_variables:
        known = lookup_environment(variable.name)
        if known is not None:
            library.codegen.set_env(variable.name, known)
    return _executable(context, library, fndesc, env)


def _finalize_later(library: Any) -> None:
    """Check a module as numba does, but do not code it yet."""
    if not inside() or getattr(library, "_compiled_object", None):
        _finalize(library)
        return
    library._finalize_dynamic_globals()
    library._verify_declare_only_symbols()
    library._deferred = library._finalized = True


def _optimize_later(library: Any) -> None:
    """The cheap passes alone: they take away what would not be kept on disk."""
    if not inside():
        _optimize(library)
        return
    passes, builder = library._codegen._module_pass_manager(
        loop_vectorize=False, slp_vectorize=False, opt=0, cost="cheap"
    )
    passes.run(library._final_module, builder)


def _optimize_defined(library: Any, module: Any) -> None:
    """Passes on the functions that a module holds; numba sets them up for those that it only names, too."""
    if not inside():
        _optimize_functions(library, module)
        return
    module.data_layout = library._codegen._data_layout
    passes, builder = library._codegen._function_pass_manager(
        opt=1, loop_vectorize=False, slp_vectorize=False
    )
    for function in module.functions:
        if not function.is_declaration:
            passes.run(function, builder)


def _executable_later(context: Any, library: Any, fndesc: Any, env: Any) -> Any:
    """An entry point, empty for functions that Python does not call."""
    library._ensure_finalized()
    if not deferred(library):
        return _executable(context, library, fndesc, env)
    if _depth < INNER:
        return _realised(context, library, fndesc, env)
    name = fndesc.qualname.split(".")[-1]
    return _dynfunc.make_function(fndesc.lookup_module(), name, "intermediate", 0, env, (library,))


def _serialize(library: Any) -> Any:
    return library.serialize_using_bitcode() if deferred(library) else _serialize_object(library)


class _Watch(event.Listener):
    """Counts compilations within one another, tells the person who waits, and keeps the garbage collector out."""

    def __init__(self) -> None:
        self.done: set[Any] = set()
        self.wanted: set[Any] = set()
        self.collecting = False

    def on_start(self, event: Any) -> None:
        global _depth
        function = event.data["dispatcher"]
        ours = getattr(function, "quick", False)
        if not ours and not _depth:
            return
        if not _depth:
            self._begin(function)
        _depth += 1
        if ours:
            self.done.add(function)
            aside(f"compiling (once): {len(self.done)} of {len(self.wanted | self.done)}")

    def on_end(self, event: Any) -> None:
        global _depth
        if not _depth:
            return
        _depth -= 1
        if not _depth and self.collecting:
            gc.enable()

    def _begin(self, function: Any) -> None:
        from poise.compiled.digest import callees

        self.wanted |= {function, *callees(function)}
        self.collecting = gc.isenabled()
        gc.disable()


def _differ(source, index):
    """Raised where a slice is assigned values of another shape; the text of numba's own takes seconds to compile."""


@overload(_differ)
def _raise_differ(source, index):
    def raise_it(source, index):
        raise ValueError("cannot assign slice from input of different shape")

    return raise_it


_serialize_object = CPUCodeLibrary.serialize_using_object_code
REPLACED = (
    (CPUCodeLibrary, "_finalize_final_module", _finalize_later),
    (CPUCodeLibrary, "_optimize_final_module", _optimize_later),
    (CPUCodeLibrary, "_optimize_functions", _optimize_defined),
    (CPUCodeLibrary, "serialize_using_object_code", _serialize),
    (CPUContext, "get_executable", _executable_later),
    (arrayobj, "raise_with_shape_context", _differ),
)
if ON:
    for owner, name, ours in REPLACED:
        setattr(owner, name, ours)
    event.register("numba:compile", _Watch())
