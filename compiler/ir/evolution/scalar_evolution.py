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

from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, IntegerType, MemRefType
from xdsl.dialects.llvm import LLVMPointerType
from xdsl.ir import Block, BlockArgument, SSAValue

from polyopt.ir.branches import Edge, incoming
from polyopt.ir.control.cfg import defining_block
from polyopt.ir.control.control_flow import ControlFlow
from polyopt.ir.control.loops import NaturalLoop
from polyopt.ir.effects import bit_width, is_wide
from polyopt.ir.evolution.counted_range import last_in
from polyopt.ir.evolution.exact_floats import compared
from polyopt.ir.evolution.operation_values import address_value, integer_value
from polyopt.ir.evolution.recurrences import Recurrence, periodic
from polyopt.ir.evolution.tables import grows, tabulated
from polyopt.ir.evolution.trip_count import TripCount, trip_count
from polyopt.ir.expressions.integer_expr import Atom, Compare, Counter, Expr, Unknown, Wrapped
from polyopt.ir.expressions.integer_forms import replaced, wrapped
from polyopt.ir.expressions.unknown_values import leaf

_DEPTH_LIMIT = 50
"""How many operands deep a value is followed: some eleven calls each, also where what was found is
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
        self._unopened: dict[SSAValue, Expr] = {}
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
        return table if is_short else leaf(value, is_signed)

    def of_argument(self, value: BlockArgument, is_signed: bool) -> Expr:
        """A block's argument as it is seen in the block."""
        return self._of(value, is_signed)

    def repetitions(self, loop: NaturalLoop) -> int | None:
        """How often a loop of the region is repeated, where that is a number."""
        count = self.trip_count(loop) if self.is_inside(loop) else None
        return None if count is None or count.assumptions else count.taken.as_constant

    def if_nothing_wraps(self, value: SSAValue) -> Expr | None:
        """What a value from before the region is, which is an unknown only because it may wrap:
        in either reading, as if neither it nor what it is computed of did."""
        expr = self._unopened.get(value)
        return None if expr is None else replaced(expr, self._opened)

    def _opened(self, atom: Atom) -> Expr | None:
        if isinstance(atom, Wrapped):
            return atom.term
        return self.if_nothing_wraps(atom.value) if isinstance(atom, Unknown) else None

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
            return leaf(value, is_signed)
        self._depth += 1
        try:
            expr = self._compute(value, is_signed)
        finally:
            self._depth -= 1
        block = defining_block(value)
        if expr.weight > _WEIGHT_LIMIT:
            expr = leaf(value, is_signed)
        if not self.contains(block) and any(isinstance(a, Wrapped) for a in expr.all_atoms()):
            unknown = leaf(value, is_signed)
            if expr != unknown:
                self._unopened[value] = expr
            expr = unknown
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
            return address_value(value, owner, self)
        if is_wide(value.type) or not isinstance(value.type, IntegerType | IndexType):
            return leaf(value, True)
        return integer_value(value, owner, is_signed, self)

    # Block arguments

    def _of_argument(self, value: BlockArgument, block: Block, is_signed: bool) -> Expr:
        if block not in self.flow.cfg or not self.contains(block) or is_wide(value.type):
            return leaf(value, is_signed)
        edges = [edge for edge in incoming(block) if edge.source in self.flow.cfg]
        if not edges or not isinstance(value.type, IntegerType | IndexType | LLVMPointerType):
            return leaf(value, is_signed)
        loop = self.flow.loops.innermost(block)
        if loop is not None and loop.header is block:
            if not self.is_inside(loop):
                return leaf(value, is_signed)
            return self._of_header_argument(value, loop, is_signed)
        if not all(self.contains(edge.source) for edge in edges):
            return leaf(value, is_signed)
        return self._common(value, edges, is_signed) or leaf(value, is_signed)

    def _common(self, value: BlockArgument, edges: list[Edge], is_signed: bool) -> Expr | None:
        """The one expression that all edges pass, seen from behind them: one may leave loops. The
        first two that differ decide: many ways lead on from a `switch`."""
        common: Expr | None = None
        for edge in edges:
            passed = self._seen_from(edge.values[value.index], is_signed, edge.target)
            if common is None:
                common = passed
            elif passed != common:
                return None
        return common

    def _of_header_argument(self, value: BlockArgument, loop: NaturalLoop, is_signed: bool) -> Expr:
        unknown = leaf(value, is_signed)
        start = self._common(value, loop.entries(), is_signed)
        following = None if start is None else self._following(value, loop, is_signed)
        if start is None or following is None:
            return unknown
        recurrence = Recurrence(
            Unknown(value, is_signed),
            start,
            following,
            Counter(loop),
            lambda expr: self._is_constant_in(expr, loop),
        )
        solved = recurrence.solved()
        if solved is None:
            solved = self._permuted(value, following, loop, is_signed) or unknown
        if self._tells_growth:
            return solved
        self._something_grows = self._something_grows or grows(solved)
        is_told = solved != unknown and not grows(solved)
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
        that are not around `at` have been left, inner ones first, for how often these run may
        depend on the counters of outer ones."""
        expr = self._of(value, is_signed)
        loop = self.flow.loops.innermost(defining_block(value))
        left: dict[Atom, NaturalLoop] = {}
        while loop is not None and at not in loop:
            left[Counter(loop)] = loop
            loop = loop.parent
        if not left:
            return expr
        for counter, one in left.items():
            if counter not in expr.all_atoms():
                continue
            count = self.trip_count(one)
            if count is None or (count.assumptions and self._region is None):
                return leaf(value, is_signed)
            expr = replaced(expr, lambda atom, c=counter, n=count.taken: n if atom == c else None)
        return expr
