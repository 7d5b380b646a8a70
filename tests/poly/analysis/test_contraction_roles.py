"""Roles in contractions, against the definition read word by word."""

from itertools import permutations
from random import Random

import pytest

from polyopt.poly.analysis.contraction_roles import OPERANDS, contraction_roles

ITERATORS = "bijk"


def fits(
    rows: str, columns: str, depth: str, result: set[str], taken: list[set[str]], next_: set[str]
) -> bool:
    """Is X[f(rows, columns)] updated along depth, from operands of rows and of columns?"""
    return (
        {rows, columns} <= result
        and set(ITERATORS) - result == {depth}
        and columns in next_
        and not any({rows, columns} <= one for one in taken)
        and any(rows in one for one in taken)
        and any(columns in one for one in taken)
    )


def test_every_assignment_that_fits_and_no_other():
    random, found = Random(4), 0
    for _ in range(2000):
        result = {one for one in ITERATORS if random.random() < 0.75}
        next_ = {one for one in result if random.random() < 0.5}
        taken = [
            {one for one in ITERATORS if random.random() < 0.5} for _ in range(random.randint(1, 3))
        ]
        roles = list(contraction_roles(ITERATORS, result, taken, lambda one: one in next_))
        wanted = {
            (rows, columns, depth)
            for rows, columns, depth in permutations(ITERATORS, 3)
            if fits(rows, columns, depth, result, taken, next_)
        }
        assert {(one.rows, one.columns, one.depth) for one in roles} == wanted
        for one in roles:
            assert sorted((*one.batch, one.rows, one.columns, one.depth)) == sorted(ITERATORS)
        found += len(roles)
    assert found > 100


def test_rows_and_columns_late_in_the_order_come_first():
    roles = contraction_roles("abcd", "abc", ["ad", "bd", "cd"], lambda one: one in "bc")
    assert [(one.rows, one.columns) for one in roles] == [
        *[("c", "b"), ("b", "c"), ("a", "c"), ("a", "b")],
    ]


@pytest.mark.parametrize(
    ("count", "results", "is_one"), [(6, 1, True), (7, 1, False), (12, 2, True)]
)
def test_sums_of_many_products_are_none(count: int, results: int, is_one: bool):
    taken = ["ik", "kj", *["k"] * (count - 2)]
    roles = list(contraction_roles("ijk", "ij", taken, lambda one: one == "j", results))
    assert (OPERANDS, bool(roles)) == (6, is_one)
