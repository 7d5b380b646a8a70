"""How many rows of a loop run together: a model of the loads and stores that they share."""

from __future__ import annotations

from math import prod

from xdsl.dialects import affine, vector
from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Operation, OpResult, SSAValue

from polyopt.dialects.cmem import memref_type
from polyopt.dialects.pvec_transfers import TransferOp, WriteOp
from polyopt.ir.affine.affine_nest import is_defined_inside
from polyopt.ir.affine.linear import Linear, linear_forms
from polyopt.ir.expressions.shapes import element_bytes, has_even_rows
from polyopt.passes.loops.interleave.row_loop import RowLoop, VectorGroup, find_far_rows
from polyopt.support.core_model import CORE
from polyopt.support.target import LINE_BYTES, Target


def best_rows(near: RowLoop) -> RowLoop:
    """Those of a loop further out if they share a load or store more in each step."""
    far = max(find_far_rows(near), key=_shared, default=None)
    return far if far is not None and _shared(far) >= _shared(near) + 1 else near


def _transfers(rows: RowLoop) -> int:
    """The loads and stores of a step of one row."""
    return sum(len(_vectors(rows, group, 1)) for group in rows.vector_groups)


def _shared(rows: RowLoop) -> float:
    """How many loads and stores of each row's step another row has made."""
    single = _transfers(rows)
    together = sum(len(_vectors(rows, group, CORE.rows.rows)) for group in rows.vector_groups)
    return single - together / CORE.rows.rows


def fixed_values(rows: RowLoop, count: int) -> int:
    """The values that are the same in all lanes of all vectors of `count` rows."""
    found: set[tuple[Operation, int]] = set()
    for group in rows.vector_groups:
        used = {value for op in group.vectors.operations for value in op.operands}
        for spread in (value.owner for value in used):
            if not isinstance(spread, vector.BroadcastOp):
                continue
            load = spread.source.owner
            if isinstance(load, affine.LoadOp):
                forms = linear_forms(load.map.data, load.indices) or ()
                differs = any(form.uses([rows.loop.iv]) for form in forms)
                found |= {(load, row) for row in range(count if differs else 1)}
    return len(found)


def choose_rows(rows: RowLoop, target: Target) -> int:
    """Several rows where they share at least half a load or store in each row's step, and where
    what they walk along at once is so little that the prefetchers follow or, where they share
    more of it or are short, in L1. Rows that are updated in place share at least one: where they
    come from memory, one row behind the other is one stream, and several are as many that begin
    anew with each row (all shortest paths of 2800 places by four rows took 1.27 times as long;
    of 1400, in the caches, 0.9 times). And where long rows of more than L1 holds begin beside lines
    of the cache, as wide as vectors, the stores of one row may be aligned, of several not."""
    model, shared = CORE.rows, _shared(rows)
    if not any(map(_computes, rows.vector_groups)) or shared < model.least_shared:
        return 1
    groups = rows.vector_groups
    if shared < len(groups) and any(
        _is_in_place(group) and not _is_near(rows, group, target) for group in groups
    ):
        return 1
    far = [group for group in groups if not _is_followed(rows, group)]
    if not far:
        return model.rows
    if any(_splits_stores(group, target) and not _is_short(group) for group in far):
        return 1
    is_worth_it = shared >= model.least_part * _transfers(rows) or all(map(_is_short, far))
    return model.rows if is_worth_it and all(_is_near(rows, group, target) for group in far) else 1


def _is_short(group: VectorGroup) -> bool:
    extent = group.vectors.greatest_extent
    return extent is not None and extent * _widest(group) <= CORE.rows.few_bytes


def _splits_stores(group: VectorGroup, target: Target) -> bool:
    """Are there stores across two lines, in all rows but a few, of more than L1 holds?"""
    return any(
        op.is_unit and _lies_across_lines(op.memref, group.vectors.lanes, target)
        for op in group.transfers
        if isinstance(op, WriteOp)
    )


def _lies_across_lines(array: SSAValue, lanes: int, target: Target) -> bool:
    shape = memref_type(array).get_shape()
    size = element_bytes(memref_type(array).element_type) or 0
    if DYNAMIC_INDEX in shape or size * prod(shape) <= target.l1_bytes:
        return False
    return size * lanes == LINE_BYTES and not has_even_rows(array, lanes)


def _widest(group: VectorGroup) -> int:
    """The bytes of the widest elements."""
    types = (memref_type(op.memref).element_type for op in group.transfers)
    return max((element_bytes(one) or 0 for one in types), default=0)


def _computes(group: VectorGroup) -> bool:
    """Is there anything to do but to move data? For that, one row is as good as several."""
    return any(not isinstance(op, TransferOp) and op.operands for op in group.vectors.operations)


def _is_in_place(group: VectorGroup) -> bool:
    """Whether a vector that is read is written again."""
    writes = [op for op in group.transfers if isinstance(op, WriteOp)]
    reads = [op for op in group.transfers if not isinstance(op, WriteOp)]
    return any(
        read.memref is write.memref and read.map == write.map and read.indices == write.indices
        for write in writes
        for read in reads
    )


def _is_followed(rows: RowLoop, group: VectorGroup) -> bool:
    return _streams(rows, group) <= CORE.rows.streams


def _is_near(rows: RowLoop, group: VectorGroup, target: Target) -> bool:
    """Does what several rows walk along lie in L1, all that lies between lanes included?"""
    extent, size = group.vectors.greatest_extent, _widest(group)
    if extent is None:
        return False
    walked = sum(_bytes_on(group, array, size, target) for array, *_ in _rows_walked(rows, group))
    return 2 * extent * walked <= target.l1_bytes


def _bytes_on(group: VectorGroup, array: SSAValue, size: int, target: Target) -> int:
    """How far an iteration goes along a row of the array, or the line that it touches."""
    places = [op.distances for op in group.transfers if op.memref is array]
    if any(any(distances[:-1]) for distances in places):
        return target.line_bytes
    steps = (abs(distance) for distances in places for distance in distances[-1:])
    return min(max([1, *steps]) * size, target.line_bytes)


def _streams(rows: RowLoop, group: VectorGroup) -> int:
    return len(_rows_walked(rows, group))


def _rows_walked(rows: RowLoop, group: VectorGroup) -> set[_Row]:
    """The rows of arrays that several rows walk along, read or written."""
    together = _vectors(rows, group, CORE.rows.rows, by_row=True)
    return {vector[1:] for vector in together}


_Row = tuple[SSAValue, tuple[Linear, ...], int]
_Vector = tuple[bool, SSAValue, tuple[Linear, ...], int]


def _vectors(
    rows: RowLoop, group: VectorGroup, count: int, *, by_row: bool = False
) -> set[_Vector]:
    """The different vectors that `count` rows read (False) or write (True) in one step; those of
    one array row taken together where `by_row`."""
    found: set[_Vector] = set()
    for op in group.transfers:
        forms = linear_forms(op.map.data, op.indices)
        assert forms is not None
        if by_row:
            forms = forms[:-1]
        is_looked_up = any(_is_computed_in(rows, value) for form in forms for value in form.values)
        for row in range(count):
            at = tuple(form + form.coefficient(rows.loop.iv) * row for form in forms)
            found.add((isinstance(op, WriteOp), op.memref, at, row if is_looked_up else 0))
    return found


def _is_computed_in(rows: RowLoop, value: SSAValue) -> bool:
    """Is it another value in each row, as far as is known?"""
    return isinstance(value, OpResult) and is_defined_inside(value, rows.loop.op)
