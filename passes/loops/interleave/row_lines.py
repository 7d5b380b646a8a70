"""Where the vectors of a row begin on lines of the cache."""

from __future__ import annotations

from functools import cached_property

from polyopt.dialects.pvec_transfers import ReadOp, WriteOp
from polyopt.ir.affine.linear import Linear, linear_forms
from polyopt.ir.expressions.shapes import has_even_rows
from polyopt.passes.loops.affine_builder import AffineBuilder
from polyopt.passes.loops.interleave.masked_loop import MaskedLoop
from polyopt.passes.loops.vector_memory import misalignment
from polyopt.support.record import entity


@entity
class RowLines:
    """An alignment is what is added to v in the last subscript, where vectors that start at
    multiples of the lanes lie on lines."""

    builder: AffineBuilder
    source: MaskedLoop

    @cached_property
    def side_by_side(self) -> list[ReadOp | WriteOp]:
        """The transfers of elements side by side, those that write first."""
        found = [op for op in self.source.operations if isinstance(op, (ReadOp, WriteOp))]
        return sorted(
            (op for op in found if op.is_unit and self._place(op) is not None),
            key=lambda op: isinstance(op, ReadOp),
        )

    def of_all_rows(self) -> Linear | None:
        """In every row of the arrays: no access is split, but at the ends."""
        unit, lanes = self.side_by_side, self.source.lanes
        writes = any(isinstance(op, WriteOp) for op in self.source.operations)
        if not unit or not writes or not all(has_even_rows(op.memref, lanes) for op in unit):
            return None
        return self._beginning(unit[0], Linear())[-1]

    def of_streamed(self, start: Linear) -> Linear | None:
        """The same for non-temporal stores, found out when the loop runs."""
        for op in self.side_by_side:
            if isinstance(op, WriteOp) and op.nontemporal is not None:
                return self.found(op, start)
        return None

    def found(self, op: ReadOp | WriteOp, start: Linear) -> Linear:
        """Of one array, when the loop runs."""
        place = self._beginning(op, start)
        behind = misalignment(self.builder, op.memref, place, self.source.lanes)
        return Linear.of(behind) - start

    def _place(self, op: ReadOp | WriteOp) -> tuple[Linear, ...] | None:
        """Where it is; None where lanes are not iterations side by side."""
        forms = linear_forms(op.map.data, op.indices)
        if forms is None:
            return None
        steps = tuple(form.coefficient(self.source.loop.iv) for form in forms)
        return forms if steps == op.distances else None

    def _beginning(self, op: ReadOp | WriteOp, at: Linear) -> list[Linear]:
        forms = self._place(op)
        assert forms is not None
        return [form.substitute({self.source.loop.iv: at}) for form in forms]
