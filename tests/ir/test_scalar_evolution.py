"""What scalar evolution says of a value is what the value is, in every iteration of a run."""

from __future__ import annotations

import pytest
from oracles.expressions import Evaluation
from oracles.prepared import function_named, prepare, source_module
from oracles.random_counting import SIGNATURE, counting_program
from oracles.source_ir import Counters, SourceRun, TooLong, Undefined, Values
from xdsl.dialects.builtin import IndexType, IntegerType, i1
from xdsl.ir import Block, SSAValue

from polyopt.ir.control_flow import ControlFlow
from polyopt.ir.effects import bit_width
from polyopt.ir.scalar_evolution import Evolution

ARGUMENTS = ((5, 3, 4, 6), (0, 1, 0, -1), (-2, 4, 7, 2), (7, 7, 1, 0), (3, -3, 2, 5))
ADDRESS = 1 << 40


class CheckedRun(SourceRun):
    """Compares after each block what it computed, and what the loops left behind."""

    def check(self, flow: ControlFlow, evolution: Evolution, block: Block) -> None:
        evaluation = Evaluation(self._number, self.counters.__getitem__)
        values: list[SSAValue] = [*block.args, *(r for op in block.ops for r in op.results)]
        for loop in flow.loops.all_loops():
            if block not in loop and flow.dominators.dominates(loop.header, block):
                values.extend(loop.header.args)
        for value in values:
            if value.type == i1 or not isinstance(value.type, IntegerType | IndexType):
                continue
            signed, unsigned = evolution.signed(value, block), evolution.unsigned(value, block)
            assert evaluation.of(signed) == self._number(value, True), str(signed)
            assert evaluation.of(unsigned) == self._number(value, False), str(unsigned)

    def _number(self, value: SSAValue, is_signed: bool) -> int:
        number = self.values[value]
        if is_signed or not isinstance(value.type, IntegerType | IndexType):
            return number
        return number & ((1 << bit_width(value)) - 1)


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
