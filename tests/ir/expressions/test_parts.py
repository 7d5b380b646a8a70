"""What conditions are not, and what atoms are made of."""

from __future__ import annotations

from itertools import product

import pytest
from oracles.expressions import Evaluation
from xdsl.dialects.builtin import i1, i32
from xdsl.ir import Block, SSAValue

from polyopt.ir.control.loops import NaturalLoop
from polyopt.ir.expressions.integer_conditions import negated
from polyopt.ir.expressions.integer_expr import (
    Atom,
    Binomial,
    Both,
    Choice,
    Compare,
    Condition,
    Divided,
    Either,
    Expr,
    Extremum,
    Flag,
    Floor,
    Logarithm,
    Power,
    Quotient,
    Truth,
    Unknown,
    Wrapped,
    subexpressions,
)

BLOCK = Block(arg_types=[i32, i32, i1])
X, Y, TRUTH = BLOCK.args
x, y, z = Expr.of(Unknown(X)), Expr.of(Unknown(Y)), Expr.of(Unknown(X)) + 1
SIMPLE: list[Condition] = [
    Truth(True),
    Truth(False),
    Flag(TRUTH, True),
    Flag(TRUTH, False),
    *(Compare(relation, x - y) for relation in ("<", "<=", "==", "!=")),
]
CONDITIONS = [
    *SIMPLE,
    *(kind(left, right) for kind in (Both, Either) for left, right in product(SIMPLE, SIMPLE)),
]


@pytest.mark.parametrize("values", list(product((-1, 0, 1), (0, 1), (0, 1))))
def test_the_negation_holds_where_the_condition_does_not(values: tuple[int, int, int]):
    known: dict[SSAValue, int] = dict(zip(BLOCK.args, values, strict=True))

    def value_of(value: SSAValue, is_signed: bool) -> int:
        return known[value]

    def counter_of(loop: NaturalLoop) -> int:
        raise AssertionError(loop)

    here = Evaluation(value_of, counter_of)
    for condition in CONDITIONS:
        assert here.holds(negated(condition)) != here.holds(condition), condition


ATOMS: list[tuple[Atom, list[Expr]]] = [
    (Floor(x, 3), [x]),
    (Quotient(x, 3), [x]),
    (Wrapped(x, 32, True), [x]),
    (Binomial(x, 2), [x]),
    (Power(2, x), [x]),
    (Logarithm(x, 2), [x]),
    (Divided(x, 2, y, True), [x, y]),
    (Extremum(True, (x, y, z)), [x, y, z]),
    (Choice(Either(Compare("<", x), Both(Compare("==", z), Truth(True))), y, x), [x, z, y, x]),
    (Unknown(X), []),
]


@pytest.mark.parametrize(("atom", "parts"), ATOMS, ids=[type(one).__name__ for one, _ in ATOMS])
def test_subexpressions_are_all_that_an_atom_is_made_of(atom: Atom, parts: list[Expr]):
    assert list(subexpressions(atom)) == parts
