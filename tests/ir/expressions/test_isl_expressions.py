"""Conditions that are read back from isl hold for the values that are in the set."""

from itertools import product
from types import SimpleNamespace
from typing import cast

import islpy as isl
import pytest
from oracles.expressions import Evaluation
from xdsl.dialects.builtin import IndexType
from xdsl.ir import SSAValue
from xdsl.utils.test_value import create_ssa_value

from polyopt.ir.expressions.affine_space import AffineSpace
from polyopt.ir.expressions.integer_expr import Unknown
from polyopt.ir.expressions.isl_expressions import condition_of_set, expression_of

N, M = (create_ssa_value(IndexType()) for _ in range(2))
SPACE = cast(AffineSpace, SimpleNamespace(parameters={(Unknown(N),): "n", (Unknown(M),): "m"}))


def evaluation(n: int, m: int) -> Evaluation:
    def value_of(value: SSAValue, is_signed: bool) -> int:
        return n if value is N else m

    def counter_of(loop: object) -> int:
        raise AssertionError("no loops here")

    return Evaluation(value_of, counter_of)


SETS = (
    "n >= 3",
    "n < m",
    "n = 2m - 1",
    "n >= 1 and m >= n + 2",
    "n < 0 or m > 4",
    "n mod 3 = 1",
    "(n + m) mod 2 = 0 and m >= 0",
    "floor(n/2) >= m",
    "false",
    "true",
    "n = 4 and m != 2",
)


@pytest.mark.parametrize("text", SETS)
def test_a_condition_holds_where_the_set_is(text: str):
    values = isl.Set(f"[n, m] -> {{ : {text} }}")
    condition = condition_of_set(values, SPACE)
    for n, m in product(range(-5, 8), repeat=2):
        point = isl.Set(f"[n, m] -> {{ : n = {n} and m = {m} }}")
        inside = not values.intersect(point).is_empty()
        assert evaluation(n, m).holds(condition) == inside, (n, m)


@pytest.mark.parametrize("text", ["n + 2m - 3", "-n", "(n)/2", "(2m - 5)/3", "floor(n/4) + m"])
def test_an_expression_is_the_floor_of_the_function(text: str):
    aff = isl.Aff(f"[n, m] -> {{ [({text})] }}")
    found = expression_of(aff, SPACE)
    for n, m in product(range(-5, 8), repeat=2):
        point = isl.Set(f"[n, m] -> {{ : n = {n} and m = {m} }}")
        value = isl.PwAff.from_aff(aff.floor()).intersect_params(point).max_val().to_python()
        assert evaluation(n, m).of(found) == value, (n, m)
