"""What conditions, shapes and trip counts ask of a scalar evolution."""

from __future__ import annotations

from typing import Protocol

from xdsl.dialects import arith
from xdsl.ir import Block, SSAValue

from polyopt.ir.control.loops import NaturalLoop
from polyopt.ir.expressions.integer_expr import Compare, Expr


class Readings(Protocol):
    def signed(self, value: SSAValue, at: Block) -> Expr:
        """What a signed reader of the bits in `value` sees when control is in block `at`."""
        ...

    def unsigned(self, value: SSAValue, at: Block) -> Expr:
        """What an unsigned reader of the bits in `value` sees when control is in block `at`."""
        ...

    def compared(self, op: arith.CmpfOp) -> Compare | None:
        """A comparison of floating-point values that are quotients of integers."""
        ...

    def last(self, loop: NaturalLoop, at: Block) -> int | None:
        """What the counter of a loop is at most when control is in block `at` of it, where that
        is known as a number."""
        ...
