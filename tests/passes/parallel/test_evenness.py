"""Which loops are taken to have iterations that take equally long: conditions that are the same for
all but a few at the ends are none; what then runs in these must not be more than all run."""

import pytest
from oracles.affine_native import parse_affine
from xdsl.dialects import affine

from polyopt.passes.parallel.evenness import depends_on

ONE = "affine.store %c, %A[%i, 0] : memref<?x?xf64>"
ROW = "affine.for %j = 0 to %n { affine.store %c, %A[%i, %j] : memref<?x?xf64> }"
PLANE = "affine.for %k = 0 to %n { " + ROW + " }"


def where(condition: str, then: str, otherwise: str = "") -> str:
    """`then` where the condition on i and n holds."""
    set = f"affine_set<(d0)[s0] : ({condition})>"
    return (
        f'"affine.if"(%i, %n) <{{condition = {set}}}> ({{ {then} "affine.yield"() : () -> () }}, '
        f'{{ {otherwise} "affine.yield"() : () -> () }}) : (index, index) -> ()'
    )


INSIDE = "d0 - 1 >= 0, s0 - d0 - 2 >= 0"

EVEN = {
    "nothing": ROW,
    "all but the border": where(INSIDE, ROW),
    "the border otherwise": where(INSIDE, ROW, ROW),
    "the first one more": where("d0 == 0", ROW) + ROW,
    "the last ones more": where("d0 - s0 + 3 >= 0", ROW) + ROW,
    "within a row": "affine.for %k = 0 to %n { " + where(INSIDE, ROW) + " }",
    "of no iterator": where("s0 - 7 >= 0", ROW),
}
UNEVEN = {
    "a triangle": "affine.for %j = 0 to %i { affine.store %c, %A[%i, %j] : memref<?x?xf64> }",
    "from a number on": where("d0 - 20 >= 0", ROW),
    "a half": where("d0 * 2 - s0 >= 0", ROW),
    "a multiple": where("d0 mod 2 == 0", ROW),
    "the first one deeper": where("d0 == 0", PLANE) + ROW,
    "the border deeper": where(INSIDE, ROW, PLANE),
    "the last one deeper": where("d0 - s0 + 1 >= 0", ROW) + ONE,
}


def loop(body: str) -> affine.ForOp:
    module = parse_affine(
        "func.func @f(%A: memref<?x?xf64>, %n: index, %c: f64) { affine.for %i = 0 to %n { "
        f"{body} }} func.return }}"
    )
    return next(op for op in module.walk() if isinstance(op, affine.ForOp))


@pytest.mark.parametrize("body", EVEN.values(), ids=EVEN.keys())
def test_iterations_take_equally_long(body: str):
    assert not depends_on(loop(body))


@pytest.mark.parametrize("body", UNEVEN.values(), ids=UNEVEN.keys())
def test_iterations_take_different_times(body: str):
    assert depends_on(loop(body))
