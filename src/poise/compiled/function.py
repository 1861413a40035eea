"""One compiled function: numba's dispatcher, with our cache, and machine code made only where Python calls it."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from numba.core import sigutils, types
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import CPUDispatcher

from poise.compiled import quick
from poise.compiled.cache import Kept

# wrappers for C are never asked for; `boundscheck` None leaves the word to NUMBA_BOUNDSCHECK; one error model for all,
# so that what numpy's functions are made of is compiled once: x / 0 is inf or nan, as in numpy; `nogil`: other
# threads go on meanwhile
OPTIONS = {
    "nopython": True,
    "boundscheck": None,
    "no_cfunc_wrapper": True,
    "error_model": "numpy",
    "nogil": True,
}


class Function(CPUDispatcher):
    """A function that is compiled once for each signature and kept on disk.

    Called by other compiled code alone it is kept as an intermediate form; machine code is made for those that Python
    calls, with everything they call inside, so that the code that runs does not depend on what was loaded before.
    """

    quick = True  # one of ours, to the listener in `quick`
    seconds = 0.0  # that all of them have taken so far, to be compiled or read from disk

    def __init__(self, function: Callable) -> None:
        super().__init__(py_func=function, targetoptions=OPTIONS)
        self._cache = Kept(self)

    def add_overload(self, cres: Any) -> None:
        """Make a compiled form known, to Python only where it can be called."""
        if quick.deferred(cres.library):
            self.overloads[tuple(cres.signature.args)] = cres
        else:
            super().add_overload(cres)

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """What a call in compiled code calls: one form for all numbers of a type, also for those written out."""
        kws = {name: types.unliteral(kind) for name, kind in kws.items()}
        return super().get_call_template([types.unliteral(kind) for kind in args], kws)

    def compile(self, sig: Any) -> Any:
        """The entry point for a signature: from memory, from disk, or made now."""
        begun = time.perf_counter()
        with global_compiler_lock:  # other threads may want the same
            try:
                return self._entry(sig)
            finally:
                if not quick.inside():
                    Function.seconds += time.perf_counter() - begun

    def _entry(self, sig: Any) -> Any:
        entry = super().compile(sig)
        arguments, _ = sigutils.normalize_signature(sig)
        cres = self.overloads.get(tuple(arguments))
        if quick.inside() or cres is None or not quick.deferred(cres.library):
            return entry
        cres = quick.realise(cres)
        self.targetctx.insert_user_function(cres.entry_point, cres.fndesc, [cres.library])
        self.add_overload(cres)
        self._cache.save_overload(sig, cres)
        return cres.entry_point

    @classmethod
    def _rebuild(cls, *states: Any, **named: Any) -> Any:  # of a pickle: compiled functions are found by name
        raise NotImplementedError

    def __reduce__(self) -> str:
        return self.__qualname__
