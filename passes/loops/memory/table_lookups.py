"""Bytes that an innermost loop looks up in a table of which nothing says how long it is.

    d[i] = t[s[i]]             t a pointer, s of bytes: from its begin on at most 256 bytes are read
    d[i] = m->lut[s[i] >> 4]   begin: the member's place; at most 16

A place of the table is its begin, which the loops around do not change, and a byte that each
iteration computes from what nobody has written before it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import prod

from xdsl.dialects import affine, arith, memref
from xdsl.dialects.builtin import DYNAMIC_INDEX, i8
from xdsl.ir import Block, Operation, OpResult, SSAValue

from polyopt.dialects import cmem
from polyopt.dialects.cmem import memref_type
from polyopt.dialects.pvec_accesses import GREATEST_TABLE, is_table
from polyopt.ir.affine.affine_dependence import dependences_below
from polyopt.ir.affine.affine_nest import (
    AffineLoop,
    accesses_in,
    enclosing_loops,
    is_defined_inside,
)
from polyopt.ir.affine.linear import Linear, linear_of
from polyopt.ir.effects import constant_integer, is_speculatable
from polyopt.ir.expressions.shapes import is_row_major
from polyopt.ir.objects.alias import may_overlap
from polyopt.ir.objects.named_symbols import named_by
from polyopt.passes.loops.affine_builder import AffineBuilder
from polyopt.passes.loops.memory.byte_places import Ranges, byte_of
from polyopt.passes.loops.memory.row_lookups import runs_conditions
from polyopt.passes.loops.replacement import move_all
from polyopt.passes.loops.value_ranges import value_ranges
from polyopt.support.record import record


@record
class TableLookup:
    """`op` loads, from `begin` on, byte number `byte`, which is less than `bound`, and which the
    operations `computed` find, in each iteration of `loops`, from what stands still there; of a
    table that is in registers anyway there are no loops."""

    op: memref.LoadOp
    begin: tuple[Linear, ...]
    byte: SSAValue
    bound: int
    loops: tuple[AffineLoop, ...] = ()
    computed: frozenset[Operation] = frozenset()

    @property
    def table(self) -> tuple[SSAValue, tuple[Linear, ...], affine.ForOp]:
        """What is the same for all lookups in one table, seen from one nest."""
        return self.op.memref, self.begin, self.loops[0].op

    @property
    def iterations(self) -> int | None:
        """None where they are not known."""
        extents = [loop.greatest_extent for loop in self.loops]
        known = [one for one in extents if one is not None]
        return prod(known) if len(known) == len(extents) else None


def find_table_lookups(loop: affine.ForOp) -> list[TableLookup]:
    """All bytes that the loop looks up; none at all where one of them cannot come from a table,
    since then the loop has no vectors. What computes their places is written before them."""
    loads = [op for op in loop.body.block.ops if isinstance(op, memref.LoadOp)]
    places = [op for op in loads if op.res.type == i8]
    ranges = value_ranges(list(loop.body.block.ops)) if places else {}
    found = list[TableLookup]()
    for op in places:
        is_near = is_table(op.memref.type)
        split = _begin_and_number(op, loop, ranges)
        if split is None:
            if is_near:
                continue
            return []
        begin, number = split
        byte = _written_before(op, number, ranges)
        lookup = TableLookup(op, begin, byte, ranges[number].high + 1)
        if not is_near:
            lookup = _seen_from_furthest(lookup)
        elif any(form != Linear() for form in begin):
            continue
        if lookup is None:
            return []
        found.append(lookup)
    return found


def _written_before(op: Operation, number: SSAValue, ranges: Ranges) -> SSAValue:
    builder = AffineBuilder(Block(), op)
    byte = byte_of(builder, number, ranges)
    assert op.parent is not None
    move_all(builder.block, op.parent, op)
    return byte


def _begin_and_number(
    op: memref.LoadOp, loop: affine.ForOp, ranges: Ranges
) -> tuple[tuple[Linear, ...], SSAValue] | None:
    """The subscripts without what the iteration adds to the last one, and that, from 0 to 255."""
    if not op.indices or not is_row_major(memref_type(op.memref)):
        return None
    *leading, last = op.indices
    for begin, number in (_split(last, loop), (Linear(), last)):
        range_ = None if number is None else ranges.get(number)
        if number is not None and range_ is not None:
            if 0 <= range_.low and range_.high < GREATEST_TABLE:
                return (*map(linear_of, leading), begin), number
    return None


def _split(index: SSAValue, loop: affine.ForOp) -> tuple[Linear, SSAValue | None]:
    """What stands still of the index, and the rest."""
    still = Linear()
    while isinstance(index.owner, arith.AddiOp) and is_defined_inside(index, loop):
        sides = index.owner.lhs, index.owner.rhs
        fixed = [one for one in sides if _is_fixed(one, loop)]
        if not fixed:
            return still, index
        still += linear_of(fixed[0])
        index = sides[1] if fixed[0] is sides[0] else sides[0]
    return (still + linear_of(index), None) if _is_fixed(index, loop) else (still, index)


def _is_fixed(value: SSAValue, loop: affine.ForOp) -> bool:
    return constant_integer(value) is not None or not is_defined_inside(value, loop)


def _seen_from_furthest(lookup: TableLookup) -> TableLookup | None:
    loops = enclosing_loops(lookup.op)
    for depth in range(len(loops)):
        nest = tuple(loops[depth:])
        computed = _computed(lookup.byte, nest)
        if computed is not None and _may_be_first(lookup.op, lookup.begin, computed, nest):
            return replace(lookup, loops=nest, computed=computed)
    return None


def _may_be_first(
    op: memref.LoadOp,
    begin: Sequence[Linear],
    computed: frozenset[Operation],
    nest: Sequence[AffineLoop],
) -> bool:
    """May the numbers of all iterations be found, and the table be read, in front of the nest?"""
    root = nest[0].op
    values = (op.memref, *(value for form in begin for value in form.values))
    return (
        _is_chain(op, nest)
        and runs_conditions(nest) is not None
        and not any(is_defined_inside(value, root) for value in values)
        and _stands_still(op, computed, root)
    )


def _is_chain(op: Operation, nest: Sequence[AffineLoop]) -> bool:
    """Does each iteration of a loop run the next one, and of the last one the operation?"""
    inner = (*(loop.op for loop in nest[1:]), op)
    blocks = all(one.parent is loop.block for loop, one in zip(nest, inner, strict=True))
    return blocks and not any(loop.op.inits for loop in nest)


def _computed(byte: SSAValue, nest: Sequence[AffineLoop]) -> frozenset[Operation] | None:
    """The operations of the nest that the byte needs; None where one may not run once more."""
    ivs, root = [loop.iv for loop in nest], nest[0].op
    pending, found = [byte], set[Operation]()
    while pending:
        value = pending.pop()
        owner = value.owner
        if value in ivs or not is_defined_inside(value, root) or owner in found:
            continue
        if not isinstance(owner, Operation) or owner.regions:
            return None
        if not any(owner.parent is loop.block for loop in nest):
            return None
        if not (isinstance(owner, affine.LoadOp) or is_speculatable(owner)):
            return None
        found.add(owner)
        pending += owner.operands
    return frozenset(found)


def _stands_still(op: memref.LoadOp, computed: frozenset[Operation], root: affine.ForOp) -> bool:
    """Does nobody write the table in the nest, nor, before it is read, what the number needs?"""
    loads = [one for one in computed if isinstance(one, affine.LoadOp)]
    if any(is_defined_inside(load.memref, root) for load in loads):
        return False
    is_written = False
    for access in accesses_in(root):
        if access is None or (access.is_write and may_overlap(access.array, op.memref)):
            return False
        is_written |= access.is_write and any(may_overlap(access.array, o.memref) for o in loads)
    if not is_written:
        return True
    dependences = dependences_below(root)
    return dependences.is_complete and not any(
        one.kind == "RAW" and one.sink.op in loads for one in dependences.dependences
    )


def reaches(lookup: TableLookup, bound: int) -> bool:
    """Is it known that there are so many bytes from the begin on?"""
    array, form = lookup.op.memref, lookup.begin[-1]
    if len(lookup.begin) != 1 or form.terms or form.constant < 0:
        return False
    (extent,) = memref_type(array).get_shape()
    room = _room_behind(array) if extent == DYNAMIC_INDEX else extent
    return room is not None and form.constant + bound <= room


def _room_behind(place: SSAValue) -> int | None:
    """The bytes of a global object from here on."""
    before = 0
    while isinstance(place, OpResult):
        match place.op:
            case cmem.DistinctObjectsOp() as op:
                place = op.operands[place.index]
            case cmem.ViewOp() as op:
                place = op.operands[0]
            case cmem.OffsetOp() as op:
                count = constant_integer(op.index)
                if count is None or count * op.stride.value.data < 0:
                    return None
                before += count * op.stride.value.data
                place = op.base
            case cmem.AddressOfOp() as op:
                found = named_by(op)
                return found.size.value.data - before if isinstance(found, cmem.GlobalOp) else None
            case _:
                return None
    return None
