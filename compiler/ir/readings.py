"""What conditions, shapes and trip counts ask of a scalar evolution."""

from __future__ import annotations

from typing import Protocol

from xdsl.ir import Block, SSAValue

from polyopt.ir.integer_expr import Expr


class Readings(Protocol):
    def signed(self, value: SSAValue, at: Block) -> Expr:
        """What a signed reader of the bits in `value` sees when control is in block `at`."""
        ...

    def unsigned(self, value: SSAValue, at: Block) -> Expr:
        """What an unsigned reader of the bits in `value` sees when control is in block `at`."""
        ...
