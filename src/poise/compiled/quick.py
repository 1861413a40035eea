"""Compiling in half the time: numba optimises and codes each function again in each of its callers; here only once.

numba makes machine code of every function it meets, and optimises a callee for itself and again inside each caller.
Here a function called by compiled code alone stays an intermediate form; when the function that Python calls is
reached, everything is linked into it, made private to it, optimised and coded once, and only that one gets the
wrapper by which Python calls it. This holds while a function of ours is being compiled, and only with a numba that it
was tried with; else numba does it its own way, slower.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import numba
import numba._dynfunc as _dynfunc
from numba.core import event, types
from numba.core.codegen import CPUCodeLibrary
from numba.core.cpu import CPUContext
from numba.core.environment import lookup_environment
from numba.core.runtime.nrt import rtsys
from numba.core.targetconfig import ConfigStack, TargetConfig
from numba.core.types.functions import BaseFunction
from numba.extending import overload
from numba.np import arrayobj

from poise.console import aside

TRIED = ((0, 68),)  # versions of numba; what is replaced below is private to it
INNER = 2  # depth of functions that a function of ours calls

_depth = 0  # of compilations within one another, the outermost a function of ours
_signatures: dict[Any, tuple[Any, Any]] = {}  # of calls met before, each with the function it is of
THEIRS: dict[str, Any] = {}  # numba's own parts that are replaced, by name


def tried(version: str) -> bool:
    """Whether this works with a version of numba."""
    return any(version.startswith(f"{major}.{minor}.") for major, minor in TRIED)


ON = os.environ.get("POISE_QUICK") != "0" and tried(numba.__version__)


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
    context, library = cres.target_context, cres.library
    if _plain(cres.fndesc):
        library._finalized, library._shared_module = False, None
        THEIRS["create_cpython_wrapper"](context, library, cres.fndesc, cres.environment, None)
        library._final_module.link_in(rtsys.library._get_module_for_linking(), preserve=True)
        library._finalized = True
    return cres._replace(entry_point=_realised(context, library, cres.fndesc, cres.environment))


def _realised(context: Any, library: Any, fndesc: Any, env: Any) -> Any:
    library._shared_module = library._get_module_for_linking().clone()  # callers link what was there before
    for function in library._final_module.functions:
        if not function.is_declaration and function.linkage.name == "linkonce_odr":
            function.linkage = "internal"
    THEIRS["_optimize_final_module"](library)
    library.enable_object_caching()
    library._deferred = False
    THEIRS["_finalize_final_module"](library)
    for variable in library._final_module.global_variables:
        known = lookup_environment(variable.name)
        if known is not None:
            library.codegen.set_env(variable.name, known)
    return THEIRS["get_executable"](context, library, fndesc, env)


def _finalize_later(library: Any) -> None:
    """Check a module as numba does, but do not code it yet."""
    if not inside() or getattr(library, "_compiled_object", None):
        THEIRS["_finalize_final_module"](library)
        return
    library._finalize_dynamic_globals()
    library._verify_declare_only_symbols()
    library._deferred = library._finalized = True


def _optimize_later(library: Any) -> None:
    """The cheap passes alone: they take away what would not be kept on disk."""
    if not inside():
        THEIRS["_optimize_final_module"](library)
        return
    passes, builder = library._codegen._module_pass_manager(
        loop_vectorize=False, slp_vectorize=False, opt=0, cost="cheap"
    )
    passes.run(library._final_module, builder)


def _optimize_defined(library: Any, module: Any) -> None:
    """Passes on the functions that a module holds; numba sets them up for those that it only names, too."""
    if not inside():
        THEIRS["_optimize_functions"](library, module)
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
        return THEIRS["get_executable"](context, library, fndesc, env)
    if _depth < INNER:
        return _realised(context, library, fndesc, env)
    name = fndesc.qualname.split(".")[-1]
    return _dynfunc.make_function(fndesc.lookup_module(), name, "intermediate", 0, env, (library,))


def _plain(fndesc: Any) -> bool:
    """Whether a function returns a number or nothing; the wrappers of others keep what they make in its environment."""
    return isinstance(fndesc.restype, (types.Number, types.Boolean, types.NoneType))


def _wrap_later(context: Any, library: Any, fndesc: Any, *others: Any, **named: Any) -> None:
    """The wrapper by which Python calls a function, left out where compiled code alone calls it."""
    if _depth < INNER or not _plain(fndesc):
        THEIRS["create_cpython_wrapper"](context, library, fndesc, *others, **named)


def _wrap_for_c_outside(context: Any, library: Any, *others: Any) -> None:
    if not inside():
        THEIRS["create_cfunc_wrapper"](context, library, *others)


@cache
def _defaults(kind: Any) -> dict[str, Any]:
    return {name: option.default for name, option in kind.options.items()}


def _values(config: Any) -> dict[str, Any]:
    """All options of a compilation; numba asks for them a hundred thousand times, and one by one."""
    return {**_defaults(type(config)), **config._values}


def _call_type(function: Any, context: Any, args: Any, kws: Any) -> Any:
    """Signature of a call of numba's own functions, which are found by trials: most calls were met before."""
    if not inside():
        return THEIRS["get_call_type"](function, context, args, kws)
    key = id(function), id(context), tuple(args), tuple(kws.items()), ConfigStack.top_or_none()
    if key not in _signatures:
        _signatures[key] = THEIRS["get_call_type"](function, context, args, kws), function
    return _signatures[key][0]


def _serialize(library: Any) -> Any:
    return (
        library.serialize_using_bitcode()
        if deferred(library)
        else THEIRS["serialize_using_object_code"](library)
    )


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


REPLACED = (
    (CPUCodeLibrary, "_finalize_final_module", _finalize_later),
    (CPUCodeLibrary, "_optimize_final_module", _optimize_later),
    (CPUCodeLibrary, "_optimize_functions", _optimize_defined),
    (CPUCodeLibrary, "serialize_using_object_code", _serialize),
    (CPUContext, "get_executable", _executable_later),
    (CPUContext, "create_cpython_wrapper", _wrap_later),
    (CPUContext, "create_cfunc_wrapper", _wrap_for_c_outside),
    (TargetConfig, "values", _values),
    (BaseFunction, "get_call_type", _call_type),
    (arrayobj, "raise_with_shape_context", _differ),
)
if ON:
    for owner, name, ours in REPLACED:
        THEIRS[name] = getattr(owner, name)
        setattr(owner, name, ours)
    event.register("numba:compile", _Watch())
