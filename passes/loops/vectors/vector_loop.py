"""Innermost loops whose iterations can be lanes, as data (`find_vector_loop.py` finds them)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from xdsl.dialects import affine, arith, memref, scf
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AnyFloat,
    IndexType,
    IntegerType,
    f32,
    f64,
    i32,
    i64,
)
from xdsl.ir import Operation, SSAValue

from polyopt.dialects.cmem import memref_type
from polyopt.dialects.pvec_accesses import is_table
from polyopt.ir.affine.affine_nest import AffineLoop
from polyopt.ir.affine.linear import Linear, linear_of
from polyopt.ir.affine.subscripts import stride_of, subscripts_of
from polyopt.ir.effects import constant_integer
from polyopt.ir.evolution.exact_floats import mantissa_of
from polyopt.ir.expressions.shapes import element_bytes
from polyopt.passes.loops.value_ranges import ValueRange, fits, value_ranges, width_of
from polyopt.passes.loops.vectors.accumulations import Accumulation
from polyopt.passes.loops.vectors.bests import Best, KeptValue
from polyopt.passes.loops.vectors.grouped_stores import StoreGroups
from polyopt.passes.loops.vectors.looked_up_rows import Rows, row_of
from polyopt.passes.loops.vectors.scan import Scan
from polyopt.support.core_model import CORE
from polyopt.support.record import record

_PLACES = (arith.IndexCastOp, arith.ExtUIOp, arith.ExtSIOp)


@record
class Distance:
    """An iteration touches what one `form / step` iterations before it touches first."""

    form: Linear
    step: int

    def allows(self, least: int) -> tuple[Linear, Linear]:
        """Vectors of at most `least` lanes keep the order of the two where one of these is at least
        zero."""
        return self.form, -self.form - least * self.step


@record
class VectorLoop:
    loop: AffineLoop
    accumulations: tuple[Accumulation, ...]
    scans: tuple[Scan, ...] = ()
    may_leave_out: bool = False
    """Are there stores that leave out some elements of a vector, at no cost?"""
    distances: tuple[Distance, ...] = ()
    """What its iterations carry, where vectors may hold them or not (`distances.py`)."""
    bests: tuple[Best, ...] = ()

    @property
    def operations(self) -> list[Operation]:
        return [op for op in self.loop.block.ops if not isinstance(op, affine.YieldOp)]

    @cached_property
    def everything(self) -> list[Operation]:
        """The operations, and those of conditionals in their place."""
        return list(flattened(self.operations))

    @property
    def kept(self) -> list[KeptValue]:
        """What is kept of the best values, in the order in which it is carried."""
        return [one for best in self.bests for one in best.kept]

    @cached_property
    def loads(self) -> list[affine.LoadOp]:
        own = {one.load for one in self.accumulations}
        own |= {load for one in self.scans for load in one.loads}
        own |= {one.load for one in self.kept}
        return [op for op in self.everything if isinstance(op, affine.LoadOp) and op not in own]

    @cached_property
    def lookups(self) -> list[memref.LoadOp]:
        """Loads from places that are computed in the loop."""
        return [op for op in self.everything if isinstance(op, memref.LoadOp)]

    @cached_property
    def rows(self) -> Rows:
        """Lookups along rows that are the same in all iterations, with their subscripts."""
        found = {op: row_of(op, self.loop) for op in self.lookups}
        return {op: row for op, row in found.items() if row is not None}

    @property
    def gathers(self) -> list[memref.LoadOp]:
        """Lookups whose elements lie anywhere."""
        return [op for op in self.lookups if op not in self.rows]

    @cached_property
    def stores(self) -> list[affine.StoreOp]:
        own = {one.store for one in self.accumulations}
        own |= {one.store for one in self.scans if one.is_cell}
        own |= {one.store for one in self.kept}
        return [op for op in self.everything if isinstance(op, affine.StoreOp) and op not in own]

    @cached_property
    def groups(self) -> list[list[affine.StoreOp]]:
        """Stores that fill a stretch of memory together, in the order of their places, or a part of
        it, which may be one store's. They may wait for each other: of what they store, nothing is
        touched in between."""
        accesses = (*self.loads, *self.lookups, *self.stores)
        grouping = StoreGroups(self.loop, self.everything, accesses, self.may_leave_out)
        return grouping.groups_of(self.stores)

    @cached_property
    def grouped(self) -> frozenset[Operation]:
        return frozenset(op for group in self.groups for op in group)

    @cached_property
    def streamed(self) -> affine.StoreOp | None:
        """One whose vectors are non-temporal. They must be aligned, so there is one."""
        stores = [op for op in self.operations if isinstance(op, affine.StoreOp)]
        numbers = self.loop.facts.nontemporal
        marked = [stores[number] for number in numbers if number < len(stores)]
        return next((op for op in marked if stride_of(op, self.loop) == 1), None)

    def is_near(self, load: affine.LoadOp) -> bool:
        """Are its elements taken from vectors of all that lies around them? Where they are far
        apart, only if much of that is wanted."""
        stride = stride_of(load, self.loop)
        if stride is None or abs(stride) <= CORE.strided.near_stride:
            return stride is not None
        return 2 * len(window_of(load, self)) >= abs(stride)

    @property
    def picked(self) -> list[affine.LoadOp]:
        """Loads whose elements lie so near that they are picked out of several vectors."""
        strides = {op: stride_of(op, self.loop) for op in self.loads}
        return [op for op, stride in strides.items() if stride not in (None, -1, 0, 1)]

    @property
    def tables(self) -> list[memref.LoadOp]:
        """Those of the arrays of `gathers` that are so small that registers hold them."""
        return [op for op in self.gathers if is_table(op.memref.type)]

    def place_type(self, load: memref.LoadOp, index: SSAValue) -> IntegerType:
        """Of an index of the load that is computed in the loop, in lanes: i32 if its lowest bits
        are all that there is of it, so that a vector of them is as long as one of words. Of places
        in tables bytes are made."""
        if self.tables:
            return i64
        extent = memref_type(load.memref).get_shape()[list(load.indices).index(index)]
        is_inside = extent != DYNAMIC_INDEX and extent <= 1 << 31
        return i32 if self._is_low_part(index, is_inside) else i64

    def _is_low_part(self, index: SSAValue, is_inside: bool) -> bool:
        """Do 32 bits do for all that the index is computed from? If it is in that range itself,
        `is_inside`, sums, differences and products may leave it on the way."""
        pending = [(index, is_inside)]
        while pending:
            value, only_low = pending.pop()
            constant = constant_integer(value)
            known = self._ranges.get(value) if constant is None else ValueRange(constant, constant)
            if not only_low and (known is None or not fits(known, 32, signed=True)):
                return False
            owner = value.owner
            if constant is not None or not isinstance(owner, Operation):
                continue
            if isinstance(owner, arith.IndexCastOp):
                if known is None or not fits(known, 32, signed=True):
                    return False
                continue
            low = only_low and isinstance(owner, _BY_LOW_BITS)
            pending += [(operand, low) for operand in owner.operands]
        return True

    def quotient_type(self, op: Operation) -> AnyFloat:
        """Of the type that a quotient of integers is computed in: f32 where both are so short."""
        is_unsigned = isinstance(op, (arith.DivUIOp, arith.RemUIOp))
        return f32 if all(self._is_short(one, is_unsigned) for one in op.operands) else f64

    def _is_short(self, value: SSAValue, is_unsigned: bool) -> bool:
        """Is it below 2^23, whichever way it is read: has it no more bits, with its sign, than a
        number of f32 has?"""
        most = mantissa_of(f32)
        width, constant = width_of(value.type), constant_integer(value)
        here = ValueRange.of_bits(width) if constant is None else ValueRange(constant, constant)
        here = self._ranges.get(value, here)
        is_natural = not is_unsigned or here.low >= 0 or width < most
        return is_natural and fits(here, most, signed=True)

    @cached_property
    def _ranges(self) -> dict[SSAValue, ValueRange]:
        return value_ranges(self.everything)

    @property
    def element_bytes(self) -> int:
        """The size of the widest value, apart from places: bytes hold those in tables, vectors
        those of `gathers` only."""
        places = _only_for([index for op in self.lookups for index in op.indices])
        values = [v for op in self.everything if op not in places for v in op.results]
        types = [v.type for v in values if not isinstance(v.type, IndexType)]
        if not self.tables:
            types += [self.place_type(op, index) for op in self.gathers for index in op.indices]
        types += [op.value.type for op in self.everything if isinstance(op, affine.StoreOp)]
        return max(size for t in types if (size := element_bytes(t)) is not None)


def flattened(operations: Iterable[Operation]) -> Iterator[Operation]:
    for op in operations:
        if not isinstance(op, scf.IfOp):
            yield op
            continue
        for region in op.regions:
            if region.blocks:
                yield from flattened(
                    inner for inner in region.block.ops if not isinstance(inner, scf.YieldOp)
                )


def _only_for(indices: Sequence[SSAValue]) -> set[Operation]:
    """The operations that nothing else than the lookups at these indices needs."""
    found: set[Operation] = set()
    lookups = {use.operation for index in indices for use in index.uses}
    pending = [index.owner for index in indices]
    while pending:
        op = pending.pop()
        is_place = isinstance(op, (*_PLACES, *INDEX_OPERATIONS, *_ALSO_FOR_PLACES))
        if not is_place or op in found:
            continue
        if all(use.operation in found or use.operation in lookups for use in op.results[0].uses):
            found.add(op)
            pending += [operand.owner for operand in op.operands if operand.owner is not op.parent]
    return found


def window_of(load: affine.LoadOp, loop: VectorLoop) -> list[int]:
    """How far from the element of `load` the loop's loads of the same stride are in the same
    iteration, in order; those that are made in every iteration. Where all together are further
    apart than one stride, they are taken in windows from the lowest one on, and only those in the
    window of `load` count: [-1, 0] and [1] of the stride 2, as LLVM's groups of interleaved
    accesses are."""
    stride = stride_of(load, loop.loop) or 0
    offsets = {0}
    for other in loop.loads:
        is_always = other.parent is loop.loop.block
        if is_always and other.memref is load.memref and stride_of(other, loop.loop) == stride:
            here, there = subscripts_of(load), subscripts_of(other)
            assert here is not None
            assert there is not None
            *outer, difference = [b - a for a, b in zip(here, there, strict=True)]
            if not any(form != Linear() for form in outer) and not difference.terms:
                offsets.add(difference.constant)
    return _window_around_zero(sorted(offsets), abs(stride))


def _window_around_zero(offsets: Sequence[int], stride: int) -> list[int]:
    """Those of the ascending `offsets` in one window of `stride` places with 0, where each window
    begins at the first offset behind the one before."""
    window: list[int] = []
    for offset in offsets:
        if window and offset - window[0] >= stride:
            if window[-1] >= 0:
                break
            window = []
        window.append(offset)
    return window


_BY_LOW_BITS = (arith.AddiOp, arith.SubiOp, arith.MuliOp, arith.AndIOp)
"""Of whose results the lowest bits depend on as many of their operands."""
INDEX_OPERATIONS = (*_BY_LOW_BITS, arith.MaxSIOp, arith.MinSIOp)
_ALSO_FOR_PLACES = (arith.FloorDivSIOp, arith.ConstantOp)


def shift_of(op: arith.FloorDivSIOp) -> int | None:
    """By how many bits, if the divisor is a power of two."""
    divisor = linear_of(op.rhs)
    is_power = not divisor.terms and divisor.constant.bit_count() == 1 and divisor.constant > 0
    return divisor.constant.bit_length() - 1 if is_power else None
