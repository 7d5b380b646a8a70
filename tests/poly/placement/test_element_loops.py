"""Loops over the elements of a message: each once, in the order of subscripts."""

from collections.abc import Callable, Sequence
from functools import reduce
from itertools import product

import islpy as isl
import pytest
from oracles.polyhedral import coordinates, run_loops

from polyopt.poly.loops.expressions import evaluate
from polyopt.poly.loops.loop_tree import Node
from polyopt.poly.placement.element_loops import element_loops, guarded_box, stretch_of

SETS = {
    "rows": "[a, b, n] -> { A[i, j] : a <= i < b and 0 <= j < n }",
    "two rows": "[a, b, n] -> { A[i, j] : (i = a or i = b) and 0 <= j < n }",
    "turns": "[a, b, n] -> { A[i, j] : 0 <= i < n and (i + a) mod 3 = 0 and i <= j <= b }",
    "corner": "[a, b, n] -> { A[i, j] : 0 <= i, j < n and (i < a or j > b) }",
    "scalar": "[a, b, n] -> { s[] : a < b }",
    "blocks": "[a, b, n] -> { A[i] : 0 <= i < n and a <= i - 4*floor(i/4) <= b }",
}
ANYTHING = isl.Set("[a, b, n] -> { : }")


def by_isl(elements: isl.Set) -> tuple[Node, ...]:
    return element_loops(elements, ANYTHING)


@pytest.mark.parametrize("make", [by_isl, guarded_box])
@pytest.mark.parametrize("name", SETS)
def test_each_element_in_order(make: Callable[[isl.Set], tuple[Node, ...]], name: str):
    elements = isl.Set(SETS[name])
    nodes = make(elements)
    for a, b, n in product((0, 1, 3), (0, 2, 4), (0, 3, 6)):
        sizes = {"a": a, "b": b, "n": n}
        expected = sorted(coordinates(elements, sizes))
        assert [place for _, place in run_loops(nodes, sizes)] == expected, sizes


KNOWN = isl.Set("[a, b, n, m] -> { : 0 <= a <= b <= n and 0 < m }")
STRETCHES = {
    # the elements, the extents, and where they lie side by side
    "rows": ("{ A[i, j] : a <= i < b and 0 <= j < m }", (None, "m"), "{ : }"),
    "planes": (
        "{ A[i, j, k] : a <= i < b and 0 <= j < n and 0 <= k < m }",
        (None, "n", "m"),
        "{ : }",
    ),
    "of a known length": ("{ A[i, j] : a <= i < b and 0 <= j < m }", (None, "4"), "{ : m = 4 }"),
    "a vector": ("{ A[i] : a <= i < b }", (None,), "{ : }"),
    "all but one column": ("{ A[i, j] : a <= i < b and 0 < j < m }", (None, "m"), None),
    "rows in turns": ("{ A[i, j] : a <= i < b and i mod 2 = 0 and 0 <= j < m }", (None, "m"), None),
    "columns": ("{ A[i, j] : 0 <= i < n and a <= j < b }", (None, "m"), "{ : a = 0 and b = m }"),
    "unknown rows": ("{ A[i, j] : a <= i < b and 0 <= j < m }", (None, None), None),
}


@pytest.mark.parametrize("name", STRETCHES)
def test_what_lies_side_by_side(name: str):
    elements, extents, where = STRETCHES[name]
    points = isl.Set(f"[a, b, n, m] -> {elements}")
    found = stretch_of(points, extents, KNOWN)
    if where is None:
        assert found is None
        return
    assert found is not None
    asked = KNOWN.intersect(points.params())
    wanted = isl.Set(f"[a, b, n, m] -> {where}").intersect(asked)
    assert found.where.intersect(asked).is_equal(wanted)
    lengths = [4 if one == "4" else one for one in extents[1:]]
    for a, b, n, m in product((0, 2), (2, 3, 4), (4,), (3, 4)):
        sizes = {"a": a, "b": b, "n": n, "m": m}
        if KNOWN.intersect(found.where).intersect(isl.Set(at(sizes))).is_empty():
            continue
        rows = [one if isinstance(one, int) else sizes[one or ""] for one in lengths]
        first = place([evaluate(one, sizes) for one in found.first], rows)
        places = [place(one, rows) for one in sorted(coordinates(points, sizes))]
        assert places == [*range(first, first + len(places))] or not places


def at(sizes: dict[str, int]) -> str:
    return f"[{', '.join(sizes)}] -> {{ : {' and '.join(f'{k} = {v}' for k, v in sizes.items())} }}"


def place(subscripts: Sequence[int], rows: Sequence[int]) -> int:
    """In memory."""
    first, *rest = subscripts
    return reduce(lambda so_far, one: so_far * one[0] + one[1], zip(rows, rest, strict=True), first)
