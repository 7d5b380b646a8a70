"""Chains of recurrences of every kind are what the values are, in every iteration of a run."""

from __future__ import annotations

import pytest
from oracles.checked_run import CheckedRun
from oracles.prepared import function_named, prepare_all, source_module
from oracles.random_recurrences import recurrence_program
from oracles.source_ir import Counters, TooLong, Undefined, Values
from xdsl.ir import Block

from polyopt.ir.control.control_flow import ControlFlow
from polyopt.ir.evolution.scalar_evolution import Evolution
from polyopt.ir.expressions.integer_expr import Unknown

ARGUMENTS = ((5, 3, 4, 6), (0, 1, 0, -1), (9, 4, 37, 100), (1, 7, 1, 4), (-3, -3, 2, 63))
ADDRESS = 1 << 40


@pytest.mark.parametrize(
    "seed", [n if n < 25 else pytest.param(n, marks=pytest.mark.slow) for n in range(400)]
)
def test_expressions_are_the_values(seed: int):
    function = function_named(prepare_all(source_module(recurrence_program(seed))))
    flow = ControlFlow(function.body)
    evolution = Evolution(flow)
    for arguments in ARGUMENTS:
        run = CheckedRun(steps=2000)

        def visit(block: Block, values: Values, counters: Counters, run: CheckedRun = run) -> None:
            run.check(flow, evolution, block)

        run.visit = visit
        try:
            run.run(flow, (*arguments, ADDRESS))
        except (TooLong, Undefined):
            continue


KNOWN = {
    "sums of powers": "s += p; p *= 2;",
    "sums of powers and a step": "s += p + 5; p *= 3;",
    "sums of counters": "s += i; p = s;",
    "one and the other": "p = s; s = 7 - s;",
    "halves": "p = s; s >>= 1;",
}


@pytest.mark.parametrize("step", KNOWN.values(), ids=KNOWN)
def test_recurrences_that_have_an_expression_are_known(step: str):
    loop = f"for (int i = 0; i < n; i++) {{ A[i] = s; A[i + n] = p; {step} }}"
    text = f"void f(int n, int *A, int m) {{ int s = m, p = 1; {loop} }}"
    flow = ControlFlow(function_named(prepare_all(source_module(text))).body)
    (around,) = flow.loops.all_loops()
    evolution = Evolution(flow)
    for argument in around.header.args:
        known = evolution.signed(argument, around.header)
        assert argument not in {
            one.value for one in known.all_atoms() if isinstance(one, Unknown)
        }, text
