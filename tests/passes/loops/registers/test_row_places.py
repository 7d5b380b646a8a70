"""Places of rows are counted as by making each of them."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from xdsl.dialects import test
from xdsl.dialects.builtin import IndexType
from xdsl.ir import SSAValue

from polyopt.ir.affine.linear import Linear
from polyopt.passes.loops.registers.nest_groups import Element
from polyopt.passes.loops.registers.row_places import RowPlaces

VALUES: Sequence[SSAValue] = test.TestOp.create(result_types=[IndexType()] * 6).results
ROW, COLUMNS, OTHER = VALUES[:3]
ARRAYS = VALUES[3:]


def one_by_one(places: Sequence[Element], row: SSAValue | None, rows: int) -> tuple[int, int]:
    """Every place of every row, its subscripts as linear forms."""
    seen: dict[Element, int] = {}
    for array, forms in places:
        for r in range(rows if row is not None else 1):
            at = tuple(f + (0 if row is None else f.coefficient(row) * r) for f in forms)
            stride = forms[-1].coefficient(COLUMNS) if forms else 0
            seen[array, at] = 1 if stride < 0 else max(0, stride - 1)
    return len(seen), sum(seen.values())


def random_form(draw: random.Random) -> Linear:
    """Terms in any order, with coefficients that often cancel or agree."""
    terms = [(value, draw.choice((-1, 0, 1, 1, 2, 3))) for value in (ROW, COLUMNS, OTHER)]
    draw.shuffle(terms)
    return Linear.from_terms(terms, draw.randint(-2, 4))


@pytest.mark.parametrize("seed", range(40))
def test_counts(seed: int) -> None:
    draw = random.Random(seed)
    places: list[Element] = [
        (draw.choice(ARRAYS), tuple(random_form(draw) for _ in range(draw.randint(0, 2))))
        for _ in range(draw.randint(0, 12))
    ]
    counted = RowPlaces(places, COLUMNS)
    for row in (ROW, OTHER, None, ROW):
        for rows in (3, 1, 8, 3):
            assert counted.distinct(row, rows) == one_by_one(places, row, rows)


def test_window_of_rows() -> None:
    """Three rows of a window of three read five rows: a[i + r + w] for w of 0 to 2."""
    window: list[Element] = [
        (ARRAYS[0], (Linear.of(ROW) + w, Linear.of(COLUMNS))) for w in range(3)
    ]
    assert RowPlaces(window, COLUMNS).distinct(ROW, 3) == (5, 0)
    assert RowPlaces(window, COLUMNS).distinct(None, 3) == (3, 0)
