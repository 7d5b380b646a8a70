"""How small and how great an integer is in a block: what counts from a number to a number, and
else what its type holds.

    for (i = 0; i < 16; i++)   { … 3 * i + 1 … }      from 1 to 46
"""

from __future__ import annotations

from xdsl.ir import Block, SSAValue

from polyopt.ir.control.control_flow import ControlFlow
from polyopt.ir.control.loops import NaturalLoop
from polyopt.ir.effects import bit_width
from polyopt.ir.evolution.trip_count import stays_at
from polyopt.ir.expressions.integer_expr import Counter
from polyopt.ir.expressions.readings import Readings


def range_of(
    value: SSAValue, readings: Readings, at: Block, signed: bool = True
) -> tuple[int, int]:
    """The least and the greatest number that a reader of the bits may see in the block."""
    bits = bit_width(value)
    every = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if signed else (0, (1 << bits) - 1)
    term = readings.signed(value, at) if signed else readings.unsigned(value, at)
    least = greatest = term.constant_term
    for monomial, factor in term.terms.items():
        if not monomial:
            continue
        atom = monomial[0]
        last = readings.last(atom.loop, at) if isinstance(atom, Counter) else None
        if last is None or len(monomial) > 1:
            return every
        least += min(0, factor * last)
        greatest += max(0, factor * last)
    return least, greatest


def last_in(loop: NaturalLoop, at: Block, flow: ControlFlow, readings: Readings) -> int | None:
    """What the counter of a loop with a number of iterations is at most in the block."""
    if at not in loop:
        return None
    last: int | None = None
    for edge in loop.exits():
        count = stays_at(edge, loop, flow, readings)
        number = None if count is None or count.assumptions else count.taken.as_constant
        if number is not None:
            is_behind = flow.dominators.strictly_dominates(edge.source, at)
            number = max(0, number - 1 if is_behind else number)
            last = number if last is None else min(last, number)
    return last
