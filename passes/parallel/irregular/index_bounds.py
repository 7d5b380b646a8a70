"""Between which numbers a subscript is that data choose.

    h[pixel[i]]            unsigned char: 0 to 255
    h[key[i] & 63]         0 to 63
    h[key[i] % m]          1 - m to m - 1; of an unsigned key 0 to m - 1
    if (0 <= b && b < m)
      h[b]                 0 to m - 1: it was asked before, around it
    h[k * 256 + digit]     what the loop inside counts, times 256, and the rest

The ends are the same in all iterations. What an operation cannot be less or more than is asked of
the operations in turn; what its type cannot hold is no bound where the type is wide.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Operation, SSAValue

from polyopt.ir.control.cfg import enclosing_block
from polyopt.ir.effects import bit_width, constant_integer
from polyopt.ir.expressions.integer_expr import (
    ONE,
    ZERO,
    Atom,
    Counter,
    Expr,
    Monomial,
    Unknown,
    Wrapped,
)
from polyopt.ir.expressions.integer_forms import exact_quotient, extremum
from polyopt.ir.expressions.shapes import strides
from polyopt.ir.references.loop_view import LoopView
from polyopt.ir.references.memory_references import Reference
from polyopt.passes.parallel.irregular.asked_around import asked_ends
from polyopt.support.core_model import CORE
from polyopt.support.index_width import INDEX_BITS
from polyopt.support.record import record

_Asks = Callable[[SSAValue, bool], "Bounds | None"]


_MOST_OPERATIONS = 16
"""That are gone through in a row."""


@record
class Bounds:
    """`least <= value <= most`."""

    least: Expr
    most: Expr

    def __add__(self, other: Bounds) -> Bounds:
        return Bounds(self.least + other.least, self.most + other.most)

    def times(self, factor: int) -> Bounds:
        ends = (self.least * factor, self.most * factor)
        return Bounds(*(ends if factor > 0 else ends[::-1]))

    def __or__(self, other: Bounds) -> Bounds:
        """Of what is in one of the two."""
        least = extremum(False, (self.least, other.least))
        return Bounds(least, extremum(True, (self.most, other.most)))


def ends_of(places: Sequence[Bounds]) -> tuple[Expr, Expr]:
    """The first of all, and the last one."""
    least = extremum(False, (one.least for one in places))
    return least, extremum(True, (one.most for one in places))


def place_bounds(one: Reference, view: LoopView) -> Bounds | None:
    """Between which elements from the base on it is. C lets us rely on subscripts staying inside of
    the dimensions that are declared."""
    steps = strides(one.shape)
    start = exact_quotient(one.offset, one.element_bytes)
    if steps is None or start is None:
        return None
    total = bounds_of(start, one.op, view)
    parts = zip(one.op.indices, one.indices, steps, one.shape, strict=True)
    for value, index, step, extent in parts:
        found = bounds_of_value(value, True, one.op, view) or bounds_of(index, one.op, view)
        if found is None and extent is not None and view.is_fixed(extent):
            found = Bounds(ZERO, extent - ONE)
        number = step.as_constant
        if total is None or found is None:
            return None
        if number is not None:
            total += found.times(number) if number else Bounds(ZERO, ZERO)
        elif found.least.as_constant == 0 and view.is_fixed(step):
            # A row is not shorter than nothing.
            total += Bounds(ZERO, found.most * step)
        else:
            return None
    return total


def bounds_of(expr: Expr, at: Operation, view: LoopView) -> Bounds | None:
    """Of an expression over what the loop counts and reads, wherever `at` runs in it."""
    total = Bounds(ZERO, ZERO)
    for monomial, factor in expr.terms.items():
        found = _of_product(monomial, at, view)
        if found is None:
            return None
        total += found.times(factor)
    return total


def _of_product(monomial: Monomial, at: Operation, view: LoopView) -> Bounds | None:
    whole = Expr({monomial: 1})
    if view.is_fixed(whole):
        return Bounds(whole, whole)
    changing = [atom for atom in monomial if not view.is_fixed(Expr.of(atom))]
    if len(monomial) > 1:
        return _scaled(changing, whole, at, view)
    return _of_atom(changing[0], at, view)


def _scaled(changing: list[Atom], whole: Expr, at: Operation, view: LoopView) -> Bounds | None:
    """What is at least 0, times what is the same in all iterations, whose sign is not known."""
    parts = whole.split(changing[0]) if len(changing) == 1 else None
    found = None if parts is None else _of_atom(changing[0], at, view)
    if parts is None or found is None or not view.is_fixed(parts[1]):
        return None
    ends = (found.least * parts[1], found.most * parts[1])
    return Bounds(extremum(False, ends), extremum(True, ends))


def _of_atom(atom: Atom, at: Operation, view: LoopView) -> Bounds | None:
    match atom:
        case Unknown(value, is_signed):
            return bounds_of_value(value, is_signed, at, view)
        case Wrapped(term, bits, is_signed):
            inner = bounds_of(term, at, view)
            if inner is not None and _holds(inner, *atom.range):
                return inner
            return _of_bits(bits, is_signed) if bits <= CORE.threads.bin_bits else None
        case Counter(loop):
            count = view.evolution.trip_count(loop)
        case _:
            return None
    if count is None or count.assumptions or not view.is_fixed(count.taken):
        return None
    return Bounds(ZERO, extremum(True, (ZERO, count.taken - _is_past(atom, at, view))))


def _is_past(counter: Counter, at: Operation, view: LoopView) -> int:
    """1 where the loop goes on, so that it has not counted all."""
    loop = counter.loop
    exits = loop.exits()
    block = enclosing_block(at)
    is_header = len(exits) == 1 and exits[0].source is loop.header
    return 1 if is_header and block is not loop.header and block in loop else 0


def bounds_of_value(
    value: SSAValue, is_signed: bool, at: Operation, view: LoopView, depth: int = _MOST_OPERATIONS
) -> Bounds | None:
    """Of a value, as it is read."""
    found = _by_operation(value, is_signed, at, view, depth) or _by_type(value, is_signed)
    least, most = asked_ends(value, is_signed, at, view)
    if found is None:
        return None if least is None or most is None else Bounds(least, most)
    # What was asked is the nearer end, as far as that can be told.
    if least is not None and not _is_more(found.least, least):
        found = Bounds(least, found.most)
    if most is not None and not _is_more(most, found.most):
        found = Bounds(found.least, most)
    return found


def _is_more(one: Expr, other: Expr) -> bool:
    difference = (one - other).as_constant
    return difference is not None and difference > 0


def _by_type(value: SSAValue, is_signed: bool) -> Bounds | None:
    if not isinstance(value.type, IntegerType) or bit_width(value) > CORE.threads.bin_bits:
        return None
    return _of_bits(bit_width(value), is_signed)


def _of_bits(bits: int, is_signed: bool) -> Bounds:
    low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if is_signed else (0, (1 << bits) - 1)
    return Bounds(Expr.constant(low), Expr.constant(high))


def _holds(bounds: Bounds, low: int, high: int) -> bool:
    least, most = bounds.least.as_constant, bounds.most.as_constant
    return least is not None and most is not None and low <= least and most <= high


def _by_operation(
    value: SSAValue, is_signed: bool, at: Operation, view: LoopView, depth: int
) -> Bounds | None:
    op = value.owner
    if not isinstance(op, Operation) or depth == 0:
        return None

    def of(operand: SSAValue, signed: bool) -> Bounds | None:
        return bounds_of_value(operand, signed, at, view, depth - 1)

    match op:
        case arith.ExtUIOp():
            return of(op.input, False)
        case arith.ExtSIOp():
            return _read(of(op.input, True), is_signed)
        case arith.IndexCastOp():
            is_kept = bit_width(op.input) <= bit_width(value)
            return _read(of(op.input, True), is_signed) if is_kept else None
        case arith.AndIOp():
            masks = [constant_integer(one) for one in op.operands]
            mask = next((one for one in masks if one is not None and one >= 0), None)
            return None if mask is None else Bounds(ZERO, Expr.constant(mask))
        case arith.ShRUIOp():
            shift = constant_integer(op.rhs)
            width = bit_width(value)
            if shift is None or not 0 < shift < width:
                return None
            inner = of(op.lhs, False)
            most = None if inner is None else inner.most.as_constant
            most = (1 << width) - 1 if most is None else most
            return Bounds(ZERO, Expr.constant(most >> shift))
        case arith.RemUIOp() | arith.RemSIOp():
            return _read(_of_remainder(op, is_signed, view, of), is_signed)
        case arith.SelectOp():
            one, other = of(op.lhs, is_signed), of(op.rhs, is_signed)
            return None if one is None or other is None else one | other
        case _:
            known = view.evolution.signed(value, enclosing_block(op))
            is_same = not is_signed or known == Expr.of(Unknown(value))
            return None if is_same else bounds_of(known, at, view)


def _read(found: Bounds | None, is_signed: bool) -> Bounds | None:
    """Of a number with a sign, as it is read: below 0 it is another one without."""
    if found is None or is_signed:
        return found
    least = found.least.as_constant
    return found if least is not None and least >= 0 else None


def _of_remainder(
    op: arith.RemUIOp | arith.RemSIOp, is_signed: bool, view: LoopView, of: _Asks
) -> Bounds | None:
    at, width = enclosing_block(op), bit_width(op.results[0])
    if isinstance(op, arith.RemUIOp):
        divisor = view.evolution.unsigned(op.rhs, at)
        number = divisor.as_constant
        # Read with a sign, what is great is below 0; of 64 bits nothing is as great.
        fits = not is_signed or width == INDEX_BITS
        fits = fits or (number is not None and number <= 1 << (width - 1))
        return Bounds(ZERO, divisor - 1) if fits and view.is_fixed(divisor) else None
    divisor = view.evolution.signed(op.rhs, at)
    if not view.is_fixed(divisor):
        return None
    most = extremum(True, (divisor, -divisor)) - 1
    dividend = of(op.lhs, True)
    least = None if dividend is None else dividend.least.as_constant
    return Bounds(-most if least is None or least < 0 else ZERO, most)
