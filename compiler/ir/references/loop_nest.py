"""Loops, each in the one before, and what is known of them."""

from __future__ import annotations

from collections.abc import Callable

from polyopt.ir.control.cfg import enclosing_block
from polyopt.ir.control.control_flow import ControlFlow
from polyopt.ir.control.loops import NaturalLoop
from polyopt.ir.evolution.ranges import Ranges
from polyopt.ir.expressions.integer_expr import Expr
from polyopt.ir.references.memory_references import Reference
from polyopt.support.record import record


@record
class NaturalNest:
    """`loops`, outermost first; `is_fixed`: an expression is the same in all iterations of the
    first."""

    loops: tuple[NaturalLoop, ...]
    flow: ControlFlow
    ranges: Ranges
    is_fixed: Callable[[Expr], bool]

    def around(self, one: Reference) -> list[NaturalLoop]:
        """The loops around an access from the first one on."""
        found = list[NaturalLoop]()
        loop = self.flow.loops.innermost(enclosing_block(one.op))
        while loop is not None and self.loops[0].encloses(loop):
            found.append(loop)
            loop = loop.parent
        return found[::-1]
