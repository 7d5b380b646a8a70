"""Between which elements subscripts are that data choose, against all that the data may be."""

from __future__ import annotations

import pytest
from oracles.prepared import function_named, prepare, source_module
from xdsl.dialects import memref

from polyopt.ir.control.control_flow import ControlFlow
from polyopt.ir.expressions.integer_expr import Expr
from polyopt.ir.references.loop_view import LoopView
from polyopt.ir.references.memory_references import reference
from polyopt.passes.parallel.irregular.index_bounds import Bounds, place_bounds

SAMPLES = {
    "unsigned char": range(256),
    "int": [*range(-300, 300), -(1 << 31), (1 << 31) - 1],
    "unsigned": [*range(300), 1 << 31, (1 << 32) - 1],
}
TIGHT = [
    ("unsigned char", "1", "b"),
    ("unsigned char", "1", "255 - b"),
    ("int", "b >= 3 && b <= 9", "b"),
    ("int", "9 >= b && 3 <= b", "2 * b + 1"),
    ("int", "(unsigned)b < 20u", "b"),
    ("int", "1", "b & 63"),
    ("unsigned", "b < 20u", "b"),
    ("unsigned", "b <= 20u", "b"),
    ("unsigned", "1", "b % 10u"),
    ("int", "b > -5 && b < 7", "5 - b"),
]
"""The type of what is read, what is asked of it, and a subscript: ends that occur."""
UNKNOWN = [
    ("int", "(unsigned)b > 5u", "b"),
    ("int", "b < 20", "b"),
    ("int", "b >= 3", "b"),
    ("int", "b != 3", "b"),
]


def bounds(type: str, asked: str, index: str, array: str = "int *restrict h") -> Bounds | None:
    text = f"""
    void f(int n, int m, const {type} *restrict x, {array})
    {{
        for (int i = 0; i < n; i++) {{
            {type} b = x[i];
            if ({asked}) h{index} += 1;
        }}
    }}"""
    flow = ControlFlow(function_named(prepare(source_module(text))).body)
    (loop,) = flow.loops.all_loops()
    view = LoopView(loop, flow)
    (store,) = [
        op for block in loop.blocks for op in block.walk() if isinstance(op, memref.StoreOp)
    ]
    one = reference(store, view.evolution)
    assert one is not None
    return place_bounds(view.exactly(one), view)


def places(type: str, asked: str, place: str) -> list[int]:
    as_python = asked.replace("(unsigned)b", "(b % 2**32)").replace("&&", "and")
    as_python = as_python.replace("0u", "0").replace("5u", "5")
    values = [b for b in SAMPLES[type] if eval(as_python, {"b": b})]
    return [eval(place.replace("0u", "0"), {"b": b}) for b in values]


@pytest.mark.parametrize(("type", "asked", "index"), TIGHT)
def test_the_ends_are_the_least_and_the_greatest(type: str, asked: str, index: str):
    found = bounds(type, asked, f"[{index}]")
    wanted = places(type, asked, index)
    assert found == Bounds(Expr.constant(min(wanted)), Expr.constant(max(wanted)))


@pytest.mark.parametrize(("type", "asked", "index"), UNKNOWN)
def test_what_has_no_end_has_none(type: str, asked: str, index: str):
    assert bounds(type, asked, f"[{index}]") is None


def test_what_is_known_is_less_than_what_is_declared():
    wanted = places("int", "1", "(b & 3) * 8 + (b & 1)")
    found = bounds("int", "1", "[b & 3][b & 1]", "int h[restrict][8]")
    assert found == Bounds(Expr.constant(min(wanted)), Expr.constant(max(wanted)))
    declared = bounds("int", "b >= 0 && b < 4", "[b][x[i + 1]]", "int h[restrict][8]")
    assert declared == Bounds(Expr.constant(0), Expr.constant(31))


def test_an_end_may_be_a_value_that_stays():
    for index in ("[b]", "[b + 2]"):
        found = bounds("int", "b >= 0 && b < m", index)
        assert found is not None
        assert found.least == Expr.constant(2 if "2" in index else 0)
        assert found.most.as_constant is None
