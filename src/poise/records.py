"""Records: objects whose declared arrays compiled code reads by name, so that ``state.M`` is the same on both sides.

A call passes one pointer a record, however many arrays it holds. The record's table of arrays is written once, by
``seal``, in plain Python: nothing is compiled to make one. From then on its arrays are filled, never rebound; single
numbers may be changed by ``change``.
"""

from __future__ import annotations

from typing import Annotated, Any, get_args, get_type_hints

import numpy as np
from llvmlite import ir
from numba import typeof
from numba.core import cgutils, types
from numba.core.datamodel import models
from numba.core.typing.templates import AttributeTemplate
from numba.extending import NativeValue, infer_getattr, lower_getattr_generic, register_model, unbox

Real = Annotated[float, types.float64]
Count = Annotated[int, types.int64]
Vector = Annotated[np.ndarray, types.float64[::1]]
Matrix = Annotated[np.ndarray, types.float64[:, ::1]]
Cube = Annotated[np.ndarray, types.float64[:, :, ::1]]
Indices = Annotated[np.ndarray, types.int64[::1]]
EngineIndices = Annotated[np.ndarray, types.int32[::1]]  # MuJoCo's own
Flags = Annotated[np.ndarray, types.boolean[::1]]
FlagMatrix = Annotated[np.ndarray, types.boolean[:, ::1]]
Signs = Annotated[np.ndarray, types.int8[::1]]
SignMatrix = Annotated[np.ndarray, types.int8[:, ::1]]

WORD = ir.IntType(64)


class Record:
    """Base of such an object. Fields are annotated with a name from above, or with another Record."""

    _numba_type_: RecordType

    def seal(self) -> None:
        """Write the table of the declared fields, which must be there by now. Call it last in the constructor."""
        cls = type(self)
        if "_numba_type_" not in vars(cls):
            cls._numba_type_ = RecordType(cls.__qualname__, _declared(cls))
        self._table = np.array([w for w in self._words()], dtype=np.int64)
        self._address = int(self._table.ctypes.data)

    def change(self, **numbers: float) -> None:
        """Give fields that are single numbers other values; the table stays where it is."""
        for name, value in numbers.items():
            setattr(self, name, value)
        self._table[:] = self._words()

    def intact(self) -> bool:
        """Whether every field is still the one that was there when the record was sealed."""
        return self._words() == self._table.tolist()

    def _words(self) -> list[int]:
        words = []
        for name, kind in self._numba_type_.fields.items():
            value: Any = getattr(self, name)
            if isinstance(kind, RecordType):
                words.append(value._address)
                continue
            found = typeof(value)
            if found != kind:
                raise TypeError(f"{type(self).__name__}.{name} is {found}, declared {kind}")
            if isinstance(kind, types.Array):
                words += [value.ctypes.data, value.size, *value.shape, *value.strides]
            else:
                words.append(int(np.array(value).view(np.int64)))
        return words

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name not in ("_table", "_address")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self.seal()


class RecordType(types.Type):
    """What the compiler knows of a Record: its fields in order; its name spells them out, so a cache knows them."""

    def __init__(self, name: str, fields: dict[str, Any]):
        self.fields, self.at, size = fields, {}, 0
        for field, kind in fields.items():
            self.at[field] = size
            size += 2 + 2 * kind.ndim if isinstance(kind, types.Array) else 1
        super().__init__(name=f"{name}({', '.join(f'{k}: {t}' for k, t in fields.items())})")


def _declared(cls: type[Record]) -> dict[str, Any]:
    """Field to numba's type, in order of declaration."""
    fields = {}
    for name, hint in get_type_hints(cls, include_extras=True).items():
        kinds = [kind for kind in get_args(hint) if isinstance(kind, types.Type)]
        if kinds:
            fields[name] = kinds[0]
        elif isinstance(hint, type) and issubclass(hint, Record):
            fields[name] = hint._numba_type_
    return fields


register_model(RecordType)(models.OpaqueModel)


@infer_getattr
class _Fields(AttributeTemplate):
    key = RecordType

    def generic_resolve(self, typ: RecordType, attr: str) -> Any:
        return typ.fields.get(attr)


@lower_getattr_generic(RecordType)
def _read(context, builder, typ, record, attr):
    """Code that reads a field. The table never changes, and saying so lets the reading be moved out of loops."""
    table = builder.bitcast(record, WORD.as_pointer())
    never_changes = builder.module.add_metadata([])

    def word(i, kind=WORD):
        at = builder.gep(table, [ir.Constant(ir.IntType(32), typ.at[attr] + i)])
        value = builder.load(builder.bitcast(at, kind.as_pointer()))
        value.set_metadata("invariant.load", never_changes)
        return value

    kind = typ.fields[attr]
    if not isinstance(kind, types.Array):
        return word(0, context.get_value_type(kind))
    array = context.make_array(kind)(context, builder)
    array.meminfo = cgutils.get_null_value(array.meminfo.type)  # Python keeps the array alive
    array.parent = cgutils.get_null_value(array.parent.type)
    array.data, array.nitems = word(0, array.data.type), word(1)
    array.itemsize = context.get_constant(
        types.intp, np.dtype(str(kind.dtype).replace("boolean", "bool")).itemsize
    )
    n = kind.ndim
    array.shape = cgutils.pack_array(builder, [word(2 + i) for i in range(n)])
    array.strides = cgutils.pack_array(builder, [word(2 + n + i) for i in range(n)])
    return array._getvalue()


@unbox(RecordType)
def _pass(typ, obj, c):
    address = c.pyapi.object_getattr_string(obj, "_address")
    pointer = c.pyapi.long_as_voidptr(address)
    c.pyapi.decref(address)
    return NativeValue(pointer, is_error=c.pyapi.c_api_error())
