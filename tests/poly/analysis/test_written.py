"""Boxes of what is written, against all that is written at small sizes."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import islpy as isl
import pytest
from oracles.nests import NESTS
from oracles.polyhedral import accesses_of, bind

from polyopt.poly.analysis.written import written_box
from polyopt.poly.loops.expressions import evaluate
from polyopt.poly.loops.loop_tree import Expr
from polyopt.poly.notation import parse_scop
from polyopt.poly.scop import Scop

SHAPES = {
    "triangle": "[n, m]\nfor i : 0 <= i < n\n  for j : 0 <= j <= i\n    S: A[i, j] =",
    "antidiagonal": "[n, m]\nfor i : 0 <= i < n\n  S: A[i, m - i] =",
    "rows of two": "[n, m]\nfor i : 0 <= i < n\n  S: A[2i] = \n  T: A[5 - 3i] =",
    "behind a condition": "[n, m]\nif n > m\n  for i : m <= i < n\n    S: A[i] =\nT: x[] =",
    "floors": "[n, m]\nfor i : 0 <= i < n\n  if i mod 3 = m mod 2\n    S: A[floor(i/2), i mod 2] =",
}


def sizes_of(scop: Scop) -> Iterator[dict[str, int]]:
    """Values of the parameters that are known to occur, also those for which nothing runs."""
    kind = isl.dim_type.param
    names = [scop.context.get_dim_name(kind, k) or "" for k in range(scop.context.dim(kind))]
    for values in product((-1, 0, 1, 2, 5), repeat=len(names)):
        sizes: dict[str, int] = dict(zip(names, values, strict=True))
        if not bind(scop.known, sizes).is_empty():
            yield sizes


@pytest.mark.parametrize("name", [*NESTS, *SHAPES])
def test_boxes_are_those_of_what_is_written(name: str):
    scop = parse_scop(NESTS[name] if name in NESTS else SHAPES[name])
    boxes = {one.name: written_box(scop, one, is_object=False) for one in scop.arrays}
    assert None not in boxes.values() or name == "may-writes"
    for sizes in sizes_of(scop):
        written: dict[str, set[tuple[int, ...]]] = {array: set() for array in boxes}
        for accesses in accesses_of(scop, sizes).values():
            for access, (array, element) in accesses:
                if access.is_write:
                    written[array].add(element)
        for array, box in boxes.items():
            if box is None:
                continue
            elements = sorted(written[array])
            assert evaluate(box.is_any, sizes) == bool(elements)
            if elements:
                columns = list(zip(*elements, strict=True))
                assert value(box.lower, sizes) == tuple(map(min, columns))
                assert value(box.upper, sizes) == tuple(map(max, columns))
                assert value(box.first, sizes) == elements[0]
                assert value(box.last, sizes) == elements[-1]


def value(corner: tuple[Expr, ...], sizes: dict[str, int]) -> tuple[int, ...]:
    return tuple(evaluate(one, sizes) for one in corner)


def test_elements_that_may_not_be_there_are_in_no_box():
    text = "[n, m]\nfor i : 0 <= i < n\n  S: ?A[i] ?B[i] ?C[*] = B[i]"
    scop = parse_scop(text)
    for name, has_box in (("A", False), ("B", True), ("C", False)):
        assert (written_box(scop, scop.array(name), is_object=False) is not None) is has_box
    array = replace(scop.array("C"), extents=("m",))
    box = written_box(scop, array, is_object=True)
    assert box is not None
    assert value(box.lower + box.upper, {"n": 1, "m": 7}) == (0, 6)
    assert written_box(scop, replace(array, extents=(None,)), is_object=True) is None
