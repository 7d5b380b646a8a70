"""A run of source IR that compares what scalar evolution says of each value with the value."""

from __future__ import annotations

from oracles.expressions import Evaluation
from oracles.source_ir import SourceRun
from xdsl.dialects.builtin import IndexType, IntegerType, i1
from xdsl.ir import Block, SSAValue

from polyopt.ir.control.control_flow import ControlFlow
from polyopt.ir.effects import bit_width
from polyopt.ir.evolution.scalar_evolution import Evolution
from polyopt.ir.expressions.expression_text import text


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
            assert evaluation.of(signed) == self._number(value, True), text(signed)
            assert evaluation.of(unsigned) == self._number(value, False), text(unsigned)

    def _number(self, value: SSAValue, is_signed: bool) -> int:
        number = self.values[value]
        if is_signed or not isinstance(value.type, IntegerType | IndexType):
            return number
        return number & ((1 << bit_width(value)) - 1)
