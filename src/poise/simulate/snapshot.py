"""Snapshot: the state of running objects, kept and put back in place, bit for bit.

Everything that can change is found by walking from the roots: attributes, containers, arrays, random generators and
what closures hold. Putting back writes into the same objects, so that views and aliases stay what they were.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

import mujoco
import numpy as np

from poise.character import Character
from poise.motion.clip import Clip

PLAIN = (
    int,
    float,
    complex,
    str,
    bytes,
    bool,
    type(None),
    type,
    ModuleType,
    BuiltinFunctionType,
    np.generic,
    range,
)
# never change, or are kept by their owner
FIXED = (Character, Clip, mujoco.MjModel, mujoco.MjData, mujoco.MjSpec)
Undo = Callable[[], None]


class Snapshot:
    """What some objects are now; ``restore`` makes them so again."""

    def __init__(self, roots: Iterable[object], leave: Iterable[object] = ()):
        """``leave`` are objects that the walk does not enter."""
        self._undo: list[Undo] = []
        self._seen = {id(o) for o in leave}
        self._kept: list[object] = []  # so that no id is used again while the snapshot lives
        todo = list(roots)
        while todo:
            todo.extend(self._keep(todo.pop()))

    def restore(self) -> None:
        """Put everything back."""
        for undo in self._undo:
            undo()

    def _keep(self, thing: Any) -> Iterable[object]:
        """Note how to put one object back; returns what to look at next."""
        if isinstance(thing, (*PLAIN, *FIXED)) or id(thing) in self._seen:
            return ()
        self._seen.add(id(thing))
        self._kept.append(thing)
        if isinstance(thing, np.ndarray):
            return self._array(thing)
        if isinstance(thing, (tuple, frozenset)):
            return thing
        if isinstance(thing, (list, deque, set, dict)):
            return self._container(thing)
        if isinstance(thing, np.random.Generator):
            return self._generator(thing)
        if isinstance(thing, MethodType):
            return (thing.__self__,)
        if isinstance(thing, FunctionType):
            return self._closure(thing)
        return self._object(thing)

    def _array(self, array: np.ndarray) -> Iterable[object]:
        if isinstance(array.base, np.ndarray):
            return (array.base,)
        if array.base is None and array.flags.writeable:  # memory with another owner belongs to the engine
            copy = array.copy()
            self._undo.append(lambda: np.copyto(array, copy))
        return ()

    def _container(self, thing: list | deque | set | dict) -> Iterable[object]:
        copy = thing.copy()

        def undo() -> None:
            thing.clear()
            (thing.extend if isinstance(thing, (list, deque)) else thing.update)(copy)  # type: ignore[arg-type]

        self._undo.append(undo)
        return [*copy, *copy.values()] if isinstance(copy, dict) else copy

    def _generator(self, generator: np.random.Generator) -> Iterable[object]:
        state = generator.bit_generator.state

        def undo() -> None:
            generator.bit_generator.state = state

        self._undo.append(undo)
        return ()

    def _closure(self, function: FunctionType) -> Iterable[object]:
        found = []
        for cell in function.__closure__ or ():
            content = cell.cell_contents
            self._undo.append(lambda cell=cell, content=content: setattr(cell, "cell_contents", content))
            found.append(content)
        return found

    def _object(self, thing: Any) -> Iterable[object]:
        """Attributes, by dict or by slots; an object with neither is left alone."""
        found: list[object] = []
        attributes = getattr(thing, "__dict__", None)
        if attributes is not None:
            copy = dict(attributes)

            def undo() -> None:
                attributes.clear()
                attributes.update(copy)

            self._undo.append(undo)
            found.extend(copy.values())
        for kind in type(thing).__mro__:
            for name in getattr(kind, "__slots__", ()):
                if name not in ("__dict__", "__weakref__") and hasattr(thing, name):
                    value = getattr(thing, name)
                    self._undo.append(lambda n=name, v=value: object.__setattr__(thing, n, v))
                    found.append(value)
        return found
