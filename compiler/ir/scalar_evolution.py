"""Scalar evolution: how integers and pointers change from iteration to iteration.

R. van Engelen's and S. Pop's idea as it is used in LLVM and GCC (S. Pop, A. Cohen, G.-A. Silber:
"Induction Variable Analysis with Delayed Abstractions", HiPEAC 2005): a value's expression is
found by following operands; the argument of a loop's header is solved as a recurrence when the
value of the back edge is itself plus something that does not change in the loop.

    signed `+ - *` with nsw         exact: C does not define the overflow
    arithmetic that may wrap        `Wrapped`, exact modulo 2**bits; proved away by who uses it
    pointers                        addresses in bytes; C keeps them inside their object

An evolution is relative to a region: loops outside it do not count, their variables are
`Unknown`; so is what is computed in a way that has no expression.
"""

from __future__ import annotations

from collections.abc import Collection

from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import IndexType, IntegerType, MemRefType
from xdsl.dialects.llvm import LLVMPointerType
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue

from polyopt.dialects import cmem
from polyopt.ir.branches import Edge, incoming
from polyopt.ir.cfg import defining_block, enclosing_block
from polyopt.ir.conditions import condition_of
from polyopt.ir.control_flow import ControlFlow
from polyopt.ir.counted_range import last_in
from polyopt.ir.effects import bit_width, constant_integer
from polyopt.ir.exact_floats import compared, truncated
from polyopt.ir.integer_conditions import condition_flags
from polyopt.ir.integer_expr import ZERO, Atom, Compare, Counter, Expr, Unknown, Wrapped
from polyopt.ir.integer_forms import choice, extremum, floor, quotient, replaced, wrapped
from polyopt.ir.loops import NaturalLoop
from polyopt.ir.masks import is_sum, masked
from polyopt.ir.recurrences import Recurrence, periodic
from polyopt.ir.shapes import byte_offset
from polyopt.ir.tables import grows, tabulated
from polyopt.ir.trip_count import TripCount, trip_count

_DEPTH_LIMIT = 50
"""How many operands deep a value is followed: some nine calls each, also where what was found is
taken apart again, and Python ends at a thousand. What is deeper is unknown."""
_WEIGHT_LIMIT = 1000
"""What has more atoms is unknown. A choice names its operand in the condition and in both results:
fifty such in a row would be an expression of 2^50 atoms, to whoever walks through it."""
_LONGEST_PERIOD = 4
"""Of variables that are passed around."""
_Key = tuple[SSAValue, bool]
"""A value and whether it is read as signed."""


class Evolution:
    """Expressions of values in the loops of a region; `region` None is the whole function.
    In a region loops are taken to end without wrapping (`Domains.finite`), which is seen to
    before any of its code runs; so what holds behind a loop is said as if they did.
    `tells_growth`: expressions may have atoms for what grows, which have no code; not in regions,
    where nothing else is said."""

    def __init__(
        self,
        flow: ControlFlow,
        region: Collection[Block] | None = None,
        *,
        tells_growth: bool | None = None,
    ):
        self.flow = flow
        self._region = region
        self._known: dict[_Key, Expr] = {}
        self._trail: list[tuple[_Key, Expr | None]] = []
        self._trip_counts: dict[NaturalLoop, TripCount | None] = {}
        self._bounded = set[NaturalLoop]()
        self._depth = 0
        self._tells_growth = region is None if tells_growth is None else tells_growth
        self._something_grows = False
        self._growing: Evolution | None = None

    # What can be asked

    def signed(self, value: SSAValue, at: Block) -> Expr:
        """What a signed reader of the bits in `value` sees when control is in block `at`."""
        return self._seen_from(value, True, at)

    def unsigned(self, value: SSAValue, at: Block) -> Expr:
        """What an unsigned reader of the bits in `value` sees when control is in block `at`."""
        return self._seen_from(value, False, at)

    def address(self, value: SSAValue, at: Block) -> Expr:
        """The address in a pointer, or that of the first element of a memref, in bytes."""
        return self._seen_from(value, True, at)

    def compared(self, op: arith.CmpfOp) -> Compare | None:
        """A comparison of floating-point values that are quotients of integers."""
        return compared(op, self)

    def last(self, loop: NaturalLoop, at: Block) -> int | None:
        """What the counter of a loop is at most when control is in block `at` of it, where that
        is known as a number. It is not while it is asked for: a comparison of floating-point
        values asks how great these are."""
        if loop in self._bounded:
            return None
        self._bounded.add(loop)
        try:
            return last_in(loop, at, self.flow, self)
        finally:
            self._bounded.remove(loop)

    def trip_count(self, loop: NaturalLoop) -> TripCount | None:
        """How often the back edge is taken before the loop is left; None if not understood."""
        if loop not in self._trip_counts:
            self._trip_counts[loop] = None
            wraps = self._region is None
            self._trip_counts[loop] = trip_count(loop, self.flow, self, wraps=wraps)
        return self._trip_counts[loop]

    def _in_tables(self, value: BlockArgument, is_signed: bool) -> Expr:
        """What grows, as a region that is to be a static control part can use it: by a table, or
        as an unknown, for there is no code for how it grows."""
        if self._growing is None:
            self._growing = Evolution(self.flow, self._region, tells_growth=True)
        growing = self._growing
        table = tabulated(growing.of_argument(value, is_signed), growing.repetitions)
        is_short = table.weight <= _WEIGHT_LIMIT and not grows(table)
        return table if is_short else _leaf(value, is_signed)

    def of_argument(self, value: BlockArgument, is_signed: bool) -> Expr:
        """A block's argument as it is seen in the block."""
        return self._of(value, is_signed)

    def repetitions(self, loop: NaturalLoop) -> int | None:
        """How often a loop of the region is repeated, where that is a number."""
        count = self.trip_count(loop) if self.is_inside(loop) else None
        return None if count is None or count.assumptions else count.taken.as_constant

    def contains(self, block: Block) -> bool:
        return self._region is None or block in self._region

    def is_inside(self, loop: NaturalLoop) -> bool:
        """The whole loop is in the region."""
        return self.contains(loop.header) and all(map(self.contains, loop.latches))

    # Values

    def _of(self, value: SSAValue, is_signed: bool) -> Expr:
        """The expression in the block that defines `value`. Addresses have one reading."""
        is_signed = is_signed or isinstance(value.type, LLVMPointerType | MemRefType)
        key = (value, is_signed)
        known = self._known.get(key)
        if known is not None:
            return known
        if self._depth > _DEPTH_LIMIT:
            return _leaf(value, is_signed)
        self._depth += 1
        try:
            expr = self._compute(value, is_signed)
        finally:
            self._depth -= 1
        block = defining_block(value)
        if expr.weight > _WEIGHT_LIMIT:
            expr = _leaf(value, is_signed)
        if not self.contains(block) and any(isinstance(a, Wrapped) for a in expr.all_atoms()):
            expr = _leaf(value, is_signed)
        self._remember(key, expr)
        return expr

    def _remember(self, key: _Key, expr: Expr) -> None:
        self._trail.append((key, self._known.get(key)))
        self._known[key] = expr

    def _forget_since(self, mark: int) -> None:
        """Undo what was remembered since the trail had length `mark`."""
        for key, before in reversed(self._trail[mark:]):
            if before is None:
                del self._known[key]
            else:
                self._known[key] = before
        del self._trail[mark:]

    def _compute(self, value: SSAValue, is_signed: bool) -> Expr:
        owner = value.owner
        if isinstance(owner, Block):
            assert isinstance(value, BlockArgument)
            return self._of_argument(value, owner, is_signed)
        if isinstance(value.type, LLVMPointerType | MemRefType):
            return self._of_address(value, owner)
        if not isinstance(value.type, IntegerType | IndexType):
            return _leaf(value, True)
        return self._of_integer(value, owner, is_signed)

    def _of_integer(self, value: SSAValue, op: Operation, is_signed: bool) -> Expr:
        bits = bit_width(value)
        if bits == 1 and not isinstance(op, arith.ConstantOp):
            return self._of_truth(value, is_signed)
        block = enclosing_block(op)

        def read(operand: SSAValue, signed: bool = is_signed) -> Expr:
            return self._seen_from(operand, signed, block)

        def modular(term: Expr) -> Expr:
            return wrapped(term, bits, is_signed)

        match op:
            case arith.ConstantOp():
                number = constant_integer(value)
                if number is None:
                    return _leaf(value, is_signed)
                return modular(Expr.constant(number))
            case arith.AddiOp() | arith.SubiOp() | arith.MuliOp():
                return self._of_arithmetic(op, block, is_signed, bits)
            case arith.ShLIOp():
                shift = constant_integer(op.rhs)
                if shift is None or not 0 <= shift < bits - 1:
                    return _leaf(value, is_signed)
                exact = _flag(op, "nsw")
                product = read(op.lhs, exact or is_signed) * (1 << shift)
                return product if exact and is_signed else modular(product)
            case arith.ShRSIOp() | arith.ShRUIOp():
                shift = constant_integer(op.rhs)
                if shift is None or not 0 <= shift < bits - 1:
                    return _leaf(value, is_signed)
                signed = isinstance(op, arith.ShRSIOp)
                return _converted(floor(read(op.lhs, signed), 1 << shift), bits, signed, is_signed)
            case arith.DivSIOp() | arith.RemSIOp() | arith.FloorDivSIOp() | arith.CeilDivSIOp():
                divisor = read(op.rhs, True).as_constant
                if divisor is None or divisor in (0, -1):
                    return _leaf(value, is_signed)
                result = _signed_division(op, read(op.lhs, True), divisor)
                return _converted(result, bits, True, is_signed)
            case arith.DivUIOp() | arith.RemUIOp():
                divisor = constant_integer(op.rhs)
                if divisor is None or divisor <= 0:
                    return _leaf(value, is_signed)
                term = read(op.lhs, False)
                result = floor(term, divisor)
                if isinstance(op, arith.RemUIOp):
                    result = term - result * divisor
                return _converted(result, bits, False, is_signed)
            case arith.AndIOp() | arith.OrIOp() | arith.XOrIOp():
                mask = constant_integer(op.rhs)
                result = None if mask is None else masked(op, read(op.lhs), mask, bits, is_signed)
                if result is None and is_sum(op, self):
                    total = read(op.lhs) + read(op.rhs)
                    return _leaf(value, is_signed) if _is_data(total) else total
                return _leaf(value, is_signed) if result is None else result
            case arith.MinSIOp() | arith.MaxSIOp():
                is_max = isinstance(op, arith.MaxSIOp)
                result = extremum(is_max, [read(op.lhs, True), read(op.rhs, True)])
                return _converted(result, bits, True, is_signed)
            case arith.MinUIOp() | arith.MaxUIOp():
                is_max = isinstance(op, arith.MaxUIOp)
                result = extremum(is_max, [read(op.lhs, False), read(op.rhs, False)])
                return _converted(result, bits, False, is_signed)
            case arith.SelectOp():
                then, orelse = read(op.lhs), read(op.rhs)
                if then == orelse:
                    return then
                condition = condition_of(op.cond, self)
                if any(condition_flags(condition)):
                    return _leaf(value, is_signed)
                return choice(condition, then, orelse)
            case arith.ExtSIOp():
                return _converted(read(op.input, True), bits, True, is_signed)
            case arith.ExtUIOp():
                return read(op.input, False)
            case arith.TruncIOp():
                return modular(read(op.input, True))
            case arith.IndexCastOp():
                term = read(op.input, True)
                if bit_width(op.input) <= bits:
                    return _converted(term, bits, True, is_signed)
                return modular(term)
            case arith.FPToSIOp() | arith.FPToUIOp():
                result = truncated(op, self)
                return (
                    _leaf(value, is_signed)
                    if result is None
                    else (_converted(result, bits, isinstance(op, arith.FPToSIOp), is_signed))
                )
            case cmem.PtrToIntOp():
                return read(op.source)
            case _:
                return _leaf(value, is_signed)

    def _of_truth(self, value: SSAValue, is_signed: bool) -> Expr:
        condition = condition_of(value, self)
        if any(condition_flags(condition)):
            return _leaf(value, is_signed)
        return choice(condition, Expr.constant(-1 if is_signed else 1), ZERO)

    def _of_arithmetic(
        self,
        op: arith.AddiOp | arith.SubiOp | arith.MuliOp,
        block: Block,
        is_signed: bool,
        bits: int,
    ) -> Expr:
        exact_signed, exact_unsigned = _flag(op, "nsw"), _flag(op, "nuw")
        signed = exact_signed or (is_signed and not exact_unsigned)
        left, right = (self._seen_from(operand, signed, block) for operand in (op.lhs, op.rhs))
        if not signed and (number := constant_integer(op.rhs)) is not None and not exact_unsigned:
            right = Expr.constant(number)
        match op:
            case arith.AddiOp():
                result = left + right
            case arith.SubiOp():
                result = left - right
            case _:
                result = left * right
        if signed == is_signed and (exact_signed if signed else exact_unsigned):
            return result
        return wrapped(result, bits, is_signed)

    def _of_address(self, value: SSAValue, op: Operation) -> Expr:
        block = enclosing_block(op)
        match op:
            case cmem.ViewOp():
                return self.address(op.source, block)
            case cmem.OffsetOp():
                index = self.signed(op.index, block)
                return self.address(op.base, block) + index * op.stride.value.data
            case cmem.AddressOp():
                offset = byte_offset(
                    op.memref, [self.signed(i, block) for i in op.indices], self, block
                )
                if offset is None:
                    return _leaf(value, True)
                return self.address(op.memref, block) + offset
            case cmem.IntToPtrOp():
                return self.signed(op.source, block)
            case cmem.DistinctObjectsOp():
                return self.address(op.memrefs[_position(value)], block)
            case memref.CastOp():
                return self.address(op.source, block)
            case _:
                return _leaf(value, True)

    # Block arguments

    def _of_argument(self, value: BlockArgument, block: Block, is_signed: bool) -> Expr:
        if block not in self.flow.cfg or not self.contains(block):
            return _leaf(value, is_signed)
        edges = [edge for edge in incoming(block) if edge.source in self.flow.cfg]
        if not edges or not isinstance(value.type, IntegerType | IndexType | LLVMPointerType):
            return _leaf(value, is_signed)
        loop = self.flow.loops.innermost(block)
        if loop is not None and loop.header is block:
            if not self.is_inside(loop):
                return _leaf(value, is_signed)
            return self._of_header_argument(value, loop, is_signed)
        if not all(self.contains(edge.source) for edge in edges):
            return _leaf(value, is_signed)
        return self._common(value, edges, is_signed) or _leaf(value, is_signed)

    def _common(self, value: BlockArgument, edges: list[Edge], is_signed: bool) -> Expr | None:
        """The one expression that all edges pass."""
        passed = {
            self._seen_from(v, is_signed, edge.source)
            for edge in edges
            for v in (edge.values[value.index],)
        }
        return passed.pop() if len(passed) == 1 else None

    def _of_header_argument(self, value: BlockArgument, loop: NaturalLoop, is_signed: bool) -> Expr:
        leaf = _leaf(value, is_signed)
        start = self._common(value, loop.entries(), is_signed)
        following = None if start is None else self._following(value, loop, is_signed)
        if start is None or following is None:
            return leaf
        recurrence = Recurrence(
            Unknown(value, is_signed),
            start,
            following,
            Counter(loop),
            lambda expr: self._is_constant_in(expr, loop),
        )
        solved = recurrence.solved()
        if solved is None:
            solved = self._permuted(value, following, loop, is_signed) or leaf
        if self._tells_growth:
            return solved
        self._something_grows = self._something_grows or grows(solved)
        is_told = solved != leaf and not grows(solved)
        return (
            self._in_tables(value, is_signed) if self._something_grows and not is_told else solved
        )

    def _following(self, value: BlockArgument, loop: NaturalLoop, is_signed: bool) -> Expr | None:
        """What the next iteration has for a header argument, over the argument as an unknown."""
        mark, count = len(self._trail), len(self._trip_counts)
        itself = Unknown(value, is_signed)
        self._remember((value, is_signed), Expr.of(itself))
        if not isinstance(value.type, LLVMPointerType):
            other = wrapped(Expr.of(itself), bit_width(value), not is_signed)
            self._remember((value, not is_signed), other)
        following = self._common(value, loop.back_edges(), is_signed)
        self._forget_since(mark)
        while len(self._trip_counts) > count:
            self._trip_counts.popitem()
        return following

    def _permuted(
        self, value: BlockArgument, following: Expr, loop: NaturalLoop, is_signed: bool
    ) -> Expr | None:
        """Arguments that each iteration passes around among themselves: their first values take
        turns."""
        values: list[Expr] = []
        current, after = value, following
        while len(values) < _LONGEST_PERIOD:
            start = self._common(current, loop.entries(), is_signed)
            if start is None:
                return None
            values.append(start)
            other = after.as_atom
            if not isinstance(other, Unknown) or other.is_signed != is_signed:
                return None
            if other.value is value:
                return periodic(values, Expr.of(Counter(loop)))
            if not isinstance(other.value, BlockArgument) or other.value.owner is not loop.header:
                return None
            current = other.value
            passed = self._following(current, loop, is_signed)
            if passed is None:
                return None
            after = passed
        return None

    def _is_constant_in(self, expr: Expr, loop: NaturalLoop) -> bool:
        """The expression has the same value in each iteration of the loop."""
        for atom in expr.all_atoms():
            if isinstance(atom, Unknown) and defining_block(atom.value) in loop:
                return False
            if isinstance(atom, Counter) and loop.encloses(atom.loop):
                return False
        return True

    # Places

    def _seen_from(self, value: SSAValue, is_signed: bool, at: Block) -> Expr:
        """The expression of a value as it is seen from block `at`: the loops around the value
        that are not around `at` have been left."""
        expr = self._of(value, is_signed)
        loop = self.flow.loops.innermost(defining_block(value))
        left: dict[Atom, NaturalLoop] = {}
        while loop is not None and at not in loop:
            left[Counter(loop)] = loop
            loop = loop.parent
        if not left:
            return expr
        for counter in [atom for atom in expr.all_atoms() if atom in left]:
            count = self.trip_count(left[counter])
            if count is None or (count.assumptions and self._region is None):
                return _leaf(value, is_signed)
            expr = replaced(expr, lambda atom, c=counter, n=count.taken: n if atom == c else None)
        return expr


def _is_data(term: Expr) -> bool:
    """Whether it is put together from what memory holds: it is one number then, not many."""
    return any(
        isinstance(atom, Unknown) and isinstance(atom.value.owner, memref.LoadOp)
        for atom in term.all_atoms()
    )


def _leaf(value: SSAValue, is_signed: bool) -> Expr:
    """The value as an unknown. There is one unknown for each value, signed unless it is only
    read as unsigned; an index, an i64 and an address are signed."""
    natural = is_naturally_signed(value)
    leaf = Expr.of(Unknown(value, natural))
    if natural == is_signed or not isinstance(value.type, IntegerType | IndexType):
        return leaf
    return wrapped(leaf, bit_width(value), is_signed)


_UNSIGNED_READERS = (
    arith.ExtUIOp,
    arith.DivUIOp,
    arith.RemUIOp,
    arith.ShRUIOp,
    arith.MinUIOp,
    arith.MaxUIOp,
    arith.UIToFPOp,
)
_SIGNED_READERS = (
    arith.ExtSIOp,
    arith.IndexCastOp,
    arith.SIToFPOp,
    arith.DivSIOp,
    arith.RemSIOp,
    arith.ShRSIOp,
    arith.MinSIOp,
    arith.MaxSIOp,
)
_UNSIGNED_PREDICATES = range(6, 10)


def is_naturally_signed(value: SSAValue) -> bool:
    """Whether its uses read it as signed, or nothing tells."""
    if not isinstance(value.type, IntegerType) or bit_width(value) >= 64:
        return True
    unsigned = False
    for use in value.uses:
        user = use.operation
        if isinstance(user, _UNSIGNED_READERS):
            unsigned = True
        elif isinstance(user, arith.CmpiOp):
            predicate = user.predicate.value.data
            if predicate in _UNSIGNED_PREDICATES:
                unsigned = True
            elif predicate > 1:
                return True
        elif isinstance(user, _SIGNED_READERS):
            return True
    return not unsigned


def _flag(op: arith.AddiOp | arith.SubiOp | arith.MuliOp | arith.ShLIOp, name: str) -> bool:
    return any(flag.value == name for flag in op.overflow_flags.data)


def _position(value: SSAValue) -> int:
    assert isinstance(value, OpResult)
    return value.index


def _converted(expr: Expr, bits: int, has: bool, wanted: bool) -> Expr:
    """An exact expression of the `has` (signed or not) reading, read as `wanted`."""
    return expr if has == wanted else wrapped(expr, bits, wanted)


def _signed_division(op: Operation, term: Expr, divisor: int) -> Expr:
    size = abs(divisor)
    sign = 1 if divisor > 0 else -1
    match op:
        case arith.FloorDivSIOp():
            return floor(term * sign, size)
        case arith.CeilDivSIOp():
            return -floor(term * -sign, size)
        case arith.RemSIOp():
            return term - quotient(term, size) * size
        case _:
            return quotient(term, size) * sign
