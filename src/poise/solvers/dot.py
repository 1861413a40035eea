"""Dot products in an order of their own, in compiled code.

Four lanes are summed side by side, then together, then the rest: the same rounding on every processor, wherever the
code is inlined. Leaving that order to the compiler is as fast, but it chooses another one in each place.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from poise.compiled import compiled

REAL, SIZE, LANES = ir.DoubleType(), ir.IntType(64), 4


@compiled
def dot(a, b, n):
    """Σ aᵢ bᵢ over the first n entries of two rows."""
    return dots((a,), b, n)[0]


@compiled
def applied(A, x):
    """A x of a matrix (n, m) and a vector (m,), new."""
    out = np.empty(A.shape[0])
    for i in range(A.shape[0]):
        out[i] = dot(A[i], x, x.shape[0])
    return out


@compiled
def against(A, B):
    """A Bᵀ: every row of one matrix with every row of the other, new."""
    out = np.empty((A.shape[0], B.shape[0]))
    for i in range(A.shape[0]):
        for j in range(B.shape[0]):
            out[i, j] = dot(A[i], B[j], A.shape[1])
    return out


@compiled
def length(x):
    """Of a vector."""
    return math.sqrt(dot(x, x, x.shape[0]))


def _dots(typingctx, rows, other, n):
    """Dot products of several rows (a tuple) with one, over the first n entries; that one is read once."""
    signature = types.UniTuple(types.float64, len(rows))(rows, other, types.intp)

    def codegen(context, builder, signature, args):
        kinds = [*signature.args[0], signature.args[1]]
        values = [*cgutils.unpack_tuple(builder, args[0]), args[1]]
        arrays = [_Row(context, builder, kind, value) for kind, value in zip(kinds, values)]
        n = args[2]
        middle = builder.and_(n, ir.Constant(SIZE, -LANES))
        wide = _sum(builder, arrays, ir.VectorType(REAL, LANES), ir.Constant(SIZE, 0), middle)
        rest = _sum(builder, arrays, REAL, middle, n)
        totals = []
        for lanes, last in zip(wide, rest):
            a, b, c, d = (
                builder.extract_element(lanes, ir.Constant(ir.IntType(32), i)) for i in range(LANES)
            )
            totals.append(builder.fadd(builder.fadd(builder.fadd(a, c), builder.fadd(b, d)), last))
        return context.make_tuple(builder, signature.return_type, totals)

    return signature, codegen


dots: Any = intrinsic(_dots)  # (rows, other, n)


class _Row:
    """A one-dimensional array of doubles while code is made: how to read it at a place."""

    def __init__(self, context, builder, kind, value):
        array = context.make_array(kind)(context, builder, value)
        self.builder, self.data, self.whole = builder, array.data, kind.layout == "C"
        self.stride = builder.extract_value(array.strides, 0)

    def read(self, k, kind):
        builder = self.builder
        if self.whole:
            at = builder.bitcast(builder.gep(self.data, [k]), kind.as_pointer())
            return builder.load(at, align=8)
        if kind is REAL:
            return self._strided(k)
        value = ir.Constant(kind, ir.Undefined)
        for i in range(LANES):
            one = self._strided(builder.add(k, ir.Constant(SIZE, i)))
            value = builder.insert_element(value, one, ir.Constant(ir.IntType(32), i))
        return value

    def _strided(self, k):
        start = self.builder.ptrtoint(self.data, SIZE)
        at = self.builder.add(start, self.builder.mul(k, self.stride))
        return self.builder.load(self.builder.inttoptr(at, REAL.as_pointer()), align=8)


def _sum(builder, arrays, kind, begin, end):
    """Code of a loop from begin to end that adds up, lane by lane, each array times the last one."""
    width = 1 if kind is REAL else LANES
    totals = [cgutils.alloca_once(builder, kind) for _ in arrays[:-1]]
    for total in totals:
        builder.store(ir.Constant(kind, 0.0 if kind is REAL else None), total)
    with cgutils.for_range_slice(builder, begin, end, ir.Constant(SIZE, width)) as (k, _):
        other = arrays[-1].read(k, kind)
        for array, total in zip(arrays[:-1], totals):
            product = builder.fmul(array.read(k, kind), other)
            builder.store(builder.fadd(builder.load(total), product), total)
    return [builder.load(total) for total in totals]
