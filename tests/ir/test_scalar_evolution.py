"""What scalar evolution says of a value is what the value is, in every iteration of a run."""

from __future__ import annotations

import pytest
from oracles.checked_run import CheckedRun
from oracles.prepared import function_named, prepare, source_module
from oracles.random_counting import SIGNATURE, counting_program
from oracles.source_ir import Counters, TooLong, Undefined, Values
from xdsl.ir import Block

from polyopt.ir.control_flow import ControlFlow
from polyopt.ir.scalar_evolution import Evolution

ARGUMENTS = ((5, 3, 4, 6), (0, 1, 0, -1), (-2, 4, 7, 2), (7, 7, 1, 0), (3, -3, 2, 5))
ADDRESS = 1 << 40


@pytest.mark.parametrize(
    "seed", [n if n < 15 else pytest.param(n, marks=pytest.mark.slow) for n in range(150)]
)
def test_expressions_are_the_values(seed: int):
    function = function_named(prepare(source_module(counting_program(seed))))
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


def test_a_wrong_expression_is_noticed():
    """The oracle itself: it does not accept another recurrence."""
    text = f"void f({SIGNATURE}) {{ for (int i = 0; i < n; i++) A[i] = 1; }}"
    function = function_named(prepare(source_module(text)))
    flow = ControlFlow(function.body)
    evolution = Evolution(flow)
    run = CheckedRun()
    run.run(flow, (3, 0, 0, 0, ADDRESS))
    (loop,) = flow.loops.top_level
    run.check(flow, evolution, loop.header)
    run.counters[loop] += 1
    with pytest.raises(AssertionError):
        run.check(flow, evolution, loop.header)
