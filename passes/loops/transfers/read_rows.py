"""The vectors that a loop reads along rows of arrays, as data.

A row is what one loop over vectors walks along: the reads of one array whose places differ by
constants in the last dimension alone. A step goes on by whole vectors; where reads of a row lie
apart by less, most elements are read in several steps, or several times in one.

    for v step 8:  A[i][v - 1], A[i][v], A[i][v + 1], A[i - 1][v]       rows i and i - 1 of A
"""

from __future__ import annotations

from functools import cached_property

from xdsl.dialects import affine, memref
from xdsl.dialects.builtin import FixedBitwidthType, VectorType
from xdsl.dialects.vector import BroadcastOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.traits import IsTerminator

from polyopt.dialects.pvec_lanes import lanes_of
from polyopt.dialects.pvec_transfers import ReadOp, WriteOp
from polyopt.dialects.shaped_types import is_vector
from polyopt.ir.affine.affine_nest import AffineLoop, enclosing_loops
from polyopt.ir.affine.linear import Linear, is_never_zero, linear_forms
from polyopt.ir.effects import is_pure
from polyopt.ir.expressions.shapes import has_even_rows
from polyopt.ir.fast_math import is_fused
from polyopt.ir.objects.alias import may_overlap
from polyopt.support.record import entity, record


@entity
class ReadRow:
    """Reads of the row `outer` of an array by how far they lie from `last`, a form without a
    constant."""

    array: SSAValue
    outer: tuple[Linear, ...]
    last: Linear
    type_: VectorType[Attribute]
    reads: dict[int, list[ReadOp]]

    @property
    def lanes(self) -> int:
        return self.type_.get_shape()[0]

    @property
    def bytes(self) -> int:
        """Of a vector."""
        element = self.type_.element_type
        assert isinstance(element, FixedBitwidthType)
        return self.lanes * element.size

    def at(self, offset: int) -> list[Linear]:
        return [*self.outer, self.last + offset]


@record
class RowReads:
    """A loop of vectors and the rows that it reads; `low` to `high` is its range."""

    loop: AffineLoop
    low: Linear
    high: Linear

    @cached_property
    def transfers(self) -> list[ReadOp | WriteOp]:
        return [op for op in self.loop.block.ops if isinstance(op, (ReadOp, WriteOp))]

    @cached_property
    def work(self) -> int:
        """How many operations compute with vectors."""
        return sum(1 for op in self.loop.block.ops if _is_work(op))

    @cached_property
    def rows(self) -> list[ReadRow]:
        """Those that nothing in the loop writes to, in the order of their first reads."""
        found: dict[tuple[SSAValue, tuple[Linear, ...], VectorType[Attribute]], ReadRow] = {}
        for op in self.transfers:
            forms = self._forms(op)
            if not isinstance(op, ReadOp) or forms is None:
                continue
            *outer, last = forms
            assert is_vector(op.result.type)
            first = last - last.constant
            key = (op.memref, (*outer, first), op.result.type)
            if key not in found:
                found[key] = ReadRow(op.memref, tuple(outer), first, op.result.type, {})
            found[key].reads.setdefault(last.constant, []).append(op)
        return [row for row in found.values() if self._is_kept(row)]

    def is_aligned(self, row: ReadRow, offset: int) -> bool:
        """Does a vector of the row begin at a multiple of its size, where stores do?"""
        if self._lines is None or not has_even_rows(row.array, row.lanes):
            return False
        apart = row.last + offset - self._lines
        return not apart.terms and apart.constant % row.lanes == 0

    @cached_property
    def _lines(self) -> Linear | None:
        """Where lines begin in the last dimension, if arrays show it (`affine-peel-masks`)."""
        unit = [op for op in self.transfers if op.is_unit and op.mask is None]
        writes = [op for op in unit if isinstance(op, WriteOp)]
        if not all(has_even_rows(op.memref, lanes_of(_vector(op))) for op in unit):
            return None
        forms = self._forms(writes[0]) if writes else None
        return None if forms is None else forms[-1]

    def _forms(self, op: ReadOp | WriteOp) -> tuple[Linear, ...] | None:
        """Where all lanes of a vector begin that moves on along its row."""
        forms = linear_forms(op.map.data, op.indices)
        if forms is None or not forms or op.mask is not None or not op.is_unit:
            return None
        steps = [form.coefficient(self.loop.iv) for form in forms]
        is_known = not any(self._changes(value) for form in forms for value in form.values)
        return forms if is_known and steps == [*([0] * (len(forms) - 1)), 1] else None

    def _changes(self, value: SSAValue) -> bool:
        """From step to step, other than the iterator does?"""
        owner = value.owner
        block = owner.parent if isinstance(owner, Operation) else owner
        return block is self.loop.block and value is not self.loop.iv

    def _is_kept(self, row: ReadRow) -> bool:
        """Does no write of the loop touch the row?"""
        writes = (op for op in self.transfers if isinstance(op, WriteOp))
        return not any(self._may_touch(op, row) for op in writes)

    def is_stored_nearby(self, row: ReadRow) -> bool:
        """May the loop around have written the row, an iteration before or in this one? Not if it
        writes to other arrays, or to another part of this one in all of its iterations."""
        loops = enclosing_loops(self.loop.op)
        if not loops:
            return True
        around = loops[-1]
        return any(
            may_overlap(op.memref, row.array) and not _is_apart(op, row, around.iv)
            for op in around.op.walk()
            if isinstance(op, (WriteOp, affine.StoreOp, memref.StoreOp))
        )

    def _may_touch(self, op: WriteOp, row: ReadRow) -> bool:
        if op.memref is not row.array:
            return may_overlap(op.memref, row.array)
        forms = linear_forms(op.map.data, op.indices)
        if forms is None or any(op.distances[:-1]):
            return True
        apart = [own - its for own, its in zip(forms, row.outer, strict=False)]
        return not any(map(is_never_zero, apart))


def rows_of(op: affine.ForOp) -> RowReads | None:
    """None where it does more than to read and write vectors and to compute."""
    loop = AffineLoop(op)
    if loop.lowers is None or loop.uppers is None or loop.step < 2:
        return None
    if len(loop.lowers) != 1 or len(loop.uppers) != 1:
        return None
    if not all(_is_known(one) for one in loop.block.ops):
        return None
    return RowReads(loop, loop.lowers[0], loop.uppers[0])


def _is_apart(
    op: WriteOp | affine.StoreOp | memref.StoreOp, row: ReadRow, iterator: SSAValue
) -> bool:
    """Is what it writes in another part of the array, whatever the iterator is?"""
    if op.memref is not row.array or isinstance(op, memref.StoreOp):
        return False
    forms = linear_forms(op.map.data, op.indices)
    return forms is not None and any(
        is_never_zero(own - its) and ((own - its).terms or not own.uses([iterator]))
        for own, its in zip(forms, row.outer, strict=False)
    )


def _vector(op: ReadOp | WriteOp) -> SSAValue:
    return op.result if isinstance(op, ReadOp) else op.value


def _is_known(op: Operation) -> bool:
    return isinstance(op, (ReadOp, WriteOp)) or op.has_trait(IsTerminator) or is_pure(op)


def _is_work(op: Operation) -> bool:
    """Does it compute with vectors? A product that only a sum takes up is computed with it."""
    if isinstance(op, (ReadOp, WriteOp, BroadcastOp)) or not op.operands or is_fused(op):
        return False
    return any(isinstance(result.type, VectorType) for result in op.results)
