"""What indices of loops can be, as far as their types and the bounds of loops say."""

from __future__ import annotations

from xdsl.dialects import affine, arith
from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Block, SSAValue
from xdsl.utils.hints import isa

from polyopt.ir.affine.affine_nest import AffineLoop
from polyopt.ir.affine.linear import Linear
from polyopt.passes.loops.value_ranges import ValueRange


def is_never_negative(form: Linear) -> bool:
    found = _range_of_form(form)
    return found is not None and found.low >= 0


def most_iterations(loop: AffineLoop) -> int | None:
    """What no run of the loop exceeds, whatever the loops around it are at."""
    lengths = [upper - lower for upper in loop.uppers or () for lower in loop.lowers or ()]
    known = [one.high for form in lengths if (one := _range_of_form(form)) is not None]
    return max(0, -(-min(known) // loop.step)) if known else None


def _range_of_form(form: Linear) -> ValueRange | None:
    low = high = form.constant
    for value, factor in form.terms:
        found = _range_of(value)
        if found is None:
            return None
        ends = factor * found.low, factor * found.high
        low, high = low + min(ends), high + max(ends)
    return ValueRange(low, high)


def _range_of(value: SSAValue) -> ValueRange | None:
    """Of an iterator, from the first of its iterations to the last, if there are any."""
    owner = value.owner
    if isinstance(owner, arith.IndexCastOp) and isa(owner.input.type, IntegerType):
        return ValueRange.of_bits(owner.input.type.width.data)
    if not isinstance(owner, Block) or owner.args[0] is not value:
        return None
    around = owner.parent_op()
    if not isinstance(around, affine.ForOp):
        return None
    loop = AffineLoop(around)
    lows = [one.low for form in loop.lowers or () if (one := _range_of_form(form))]
    highs = [one.high for form in loop.uppers or () if (one := _range_of_form(form))]
    return ValueRange(max(lows), min(highs) - 1) if lows and highs else None
