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
