"""Direct: a compiled function of one record that Python calls at every step, and does not ask for its type again."""

from __future__ import annotations

from typing import Any

from poise.compiled.function import Function


class Direct:
    """Calls the compiled form for a class of records itself: numba's way there takes twice as long as the call."""

    def __init__(self, function: Function) -> None:
        self.function = function
        self._form: tuple[Any, Any] = None, None  # class of the last record, and what was compiled for it

    def __call__(self, record: Any) -> Any:
        kind, entry = self._form
        if type(record) is not kind:
            entry = self.function.compile((record._numba_type_,))
            self._form = type(record), entry
        return entry(record)
