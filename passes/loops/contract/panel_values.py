"""Which values of a contraction's body are packed.

The kernel is what varies with both the rows and the columns of the result. What it takes are the
largest values that do not: they vary with (row, step of depth) or with (step, column), and a panel
holds them. Scalars in memory and constants are read as they are.

    x + (alpha * a) * b      rows: alpha * a      columns: b
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from xdsl.ir import Operation, SSAValue

from polyopt.support.record import record

Iterators = frozenset[SSAValue]


@record
class PanelValues:
    rows: tuple[SSAValue, ...]
    columns: tuple[SSAValue, ...]


@record
class Body:
    """What computes, the elements that are updated and their next values, what each value varies
    with (nothing, where it is not there: it is from outside), and which leaves are scalars."""

    operations: Sequence[Operation]
    elements: Collection[SSAValue]
    results: Sequence[SSAValue]
    varies: Mapping[SSAValue, Iterators]
    is_scalar: Callable[[SSAValue], bool]

    def panels(
        self, rows: SSAValue, columns: SSAValue, batch: Collection[SSAValue]
    ) -> PanelValues | None:
        """What is packed where the iterators have these roles; None if they cannot."""
        tile = {rows, columns}
        kernel = [op for op in self.operations if any(tile <= self.varies[r] for r in op.results)]
        computed = {result for op in kernel for result in op.results}.union(self.elements)
        by_rows: dict[SSAValue, None] = {}
        by_columns: dict[SSAValue, None] = {}
        for value in (*(operand for op in kernel for operand in op.operands), *self.results):
            if value in computed or value not in self.varies:
                continue
            varies = self.varies[value]
            if tile <= varies:
                return None
            if not varies and self.is_scalar(value):
                continue
            (by_columns if columns in varies else by_rows)[value] = None
        if not by_rows or not by_columns:
            return None
        if any(not self.varies[value].isdisjoint(batch) for value in by_columns):
            return None
        return PanelValues(tuple(by_rows), tuple(by_columns))


def spread(
    operations: Sequence[Operation], leaves: Mapping[SSAValue, Iterators]
) -> dict[SSAValue, Iterators]:
    """What each value of the body varies with, the leaves known."""
    varies = dict(leaves)
    for op in operations:
        found = Iterators().union(*(varies.get(operand, ()) for operand in op.operands))
        varies.update(dict.fromkeys(op.results, found))
    return varies
