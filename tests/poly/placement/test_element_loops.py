"""Loops over the elements of a message: each once, in the order of subscripts."""

from collections.abc import Callable
from itertools import product

import islpy as isl
import pytest
from oracles.polyhedral import coordinates, run_loops

from polyopt.poly.loops.loop_tree import Node
from polyopt.poly.placement.element_loops import element_loops, guarded_box

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
