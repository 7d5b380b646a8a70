"""How many different places the rows of a register tile load from.

Row r of a tile is the body with r more in the row loop's iterator, so a place `c + k*iv` is one at
`c + k*iv + k*r`: rows change the constants only. Places whose terms are equal are of one kind, and
two of a kind are one where their constants are. A model asks for tiles of many sizes: a number of
rows is counted once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

from xdsl.ir import SSAValue

from polyopt.passes.loops.registers.nest_groups import Element
from polyopt.support.record import entity


@entity
class RowPlaces:
    """The places that one iteration of the innermost code loads from, as rows see them; elements of
    vectors have the stride that `columns` says."""

    places: Sequence[Element]
    columns: SSAValue
    _counts: dict[tuple[SSAValue | None, int], tuple[int, int]] = field(
        default_factory=dict[tuple[SSAValue | None, int], tuple[int, int]]
    )

    def distinct(self, row: SSAValue | None, rows: int) -> tuple[int, int]:
        """The different places of so many rows (one where there is no loop of rows); and how many
        vectors beyond the first they are picked from, all together."""
        if row is None:
            rows = 1
        if (row, rows) not in self._counts:
            self._counts[row, rows] = self._counted(row, rows)
        return self._counts[row, rows]

    def _counted(self, row: SSAValue | None, rows: int) -> tuple[int, int]:
        kinds: dict[object, int] = {}
        seen = set[tuple[int, ...]]()
        picks = 0
        for array, forms in self.places:
            kind = kinds.setdefault((array, *(frozenset(f.terms) for f in forms)), len(kinds))
            stride = forms[-1].coefficient(self.columns) if forms else 0
            more = 1 if stride < 0 else max(0, stride - 1)
            steps = [0 if row is None else form.coefficient(row) for form in forms]
            for r in range(rows):
                at = (kind, *(f.constant + k * r for f, k in zip(forms, steps, strict=True)))
                if at not in seen:
                    seen.add(at)
                    picks += more
        return len(seen), picks
