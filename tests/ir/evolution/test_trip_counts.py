"""How often loops run is what counting them one by one says, wherever that is known."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from oracles.expressions import Evaluation
from oracles.prepared import function_named, prepare_all, source_module
from xdsl.ir import SSAValue

from polyopt.ir.control.control_flow import ControlFlow
from polyopt.ir.control.loops import NaturalLoop
from polyopt.ir.evolution.scalar_evolution import Evolution

Goes = Callable[[int, int], bool]
Step = Callable[[int], int]
LIMIT = 100
NUMBERS = (-9, -8, -3, -1, 0, 1, 2, 3, 7, 8, 9, 27, 81)


def halved(x: int) -> int:
    return x // 2 if x >= 0 else -(-x // 2)


LOOPS: dict[str, tuple[str, Callable[[int], int], Goes, Step]] = {
    "up": ("int x = 0; x < n; x += 3", lambda n: 0, lambda x, n: x < n, lambda x: x + 3),
    "up to": ("int x = 2; x <= n; x += 2", lambda n: 2, lambda x, n: x <= n, lambda x: x + 2),
    "down": ("int x = n; x > 0; x -= 2", lambda n: n, lambda x, n: x > 0, lambda x: x - 2),
    "until equal": ("int x = 0; x != n; x++", lambda n: 0, lambda x, n: x != n, lambda x: x + 1),
    "in threes": ("int x = n; x != 0; x -= 3", lambda n: n, lambda x, n: x != 0, lambda x: x - 3),
    "products": ("int x = 1; x < n; x *= 3", lambda n: 1, lambda x, n: x < n, lambda x: x * 3),
    "halves": ("int x = n; x > 0; x /= 2", lambda n: n, lambda x, n: x > 0, halved),
    "halves to zero": ("int x = n; x != 0; x /= 2", lambda n: n, lambda x, n: x != 0, halved),
    "halves of what has no sign": (
        "unsigned x = n; x != 0; x /= 2",
        lambda n: n % 2**32,
        lambda x, n: x != 0,
        halved,
    ),
}
UNKNOWN = {"halves to zero"}
"""Numbers below zero go up to it."""


def counted(start: Callable[[int], int], goes: Goes, step: Step, n: int) -> int | None:
    x, count = start(n), 0
    while goes(x, n):
        x, count = step(x), count + 1
        if count > LIMIT:
            return None
    return count


@pytest.mark.parametrize("name", LOOPS)
def test_the_count_is_that_of_the_iterations(name: str):
    head, start, goes, step = LOOPS[name]
    text = f"void f(int n, int *A) {{ for ({head}) A[0] += 1; }}"
    function = function_named(prepare_all(source_module(text)))
    flow = ControlFlow(function.body)
    (loop,) = flow.loops.all_loops()
    found = Evolution(flow).trip_count(loop)
    assert (found is None) == (name in UNKNOWN)
    if found is None:
        return
    size = function.body.blocks[0].args[0]
    checked = 0
    for n in NUMBERS:

        def value_of(value: SSAValue, is_signed: bool, n: int = n) -> int:
            assert value is size
            return n if is_signed else n % 2**32

        def counter_of(loop: NaturalLoop) -> int:
            raise AssertionError(loop)

        here = Evaluation(value_of, counter_of)
        if all(here.holds(one) for one in found.assumptions):
            assert here.of(found.taken) == counted(start, goes, step, n), n
            checked += 1
    assert checked >= 5
