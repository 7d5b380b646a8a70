"""Loops over the places of bits, which add up what is set in them.

    for (b = lo; b < hi; b++) c += x >> b & 1;          if (x & 1 << b) c += k;

The number x is the same in each iteration, and the places are known when it is compiled: each sum
is a count of the bits of x under a mask.
"""

from __future__ import annotations

from xdsl.dialects import arith, cf, memref
from xdsl.dialects.builtin import IntegerType, i1
from xdsl.ir import Block, BlockArgument, Operation, SSAValue
from xdsl.utils.hints import isa

from polyopt.ir.branches import Edge
from polyopt.ir.control.loops import NaturalLoop
from polyopt.ir.effects import bit_width, constant_integer, is_pure
from polyopt.ir.orders import predicate_of
from polyopt.passes.prepare.loop_forms.bit_changes import CASTS, EXTENSIONS, without
from polyopt.passes.prepare.loop_forms.bit_loops import Sum, is_variable, sum_of
from polyopt.support.record import record

_UP_TO, _THROUGH = ("slt", "ult", "ne"), ("sle", "ule")
_DOWN_BEHIND, _DOWN_TO = "sgt", "sge"


@record
class BitCount:
    """`sum` changes once for each place in which a bit of `source` is set."""

    source: SSAValue
    sum: Sum


@record
class PlaceLoop:
    """`place` is an argument of the header, which is left by `exit` when it is `last`. The places
    before it are the bits of `mask`."""

    loop: NaturalLoop
    place: BlockArgument
    mask: int
    last: int
    counts: tuple[BitCount, ...]
    exit: Edge


def find_place_loop(loop: NaturalLoop) -> PlaceLoop | None:
    """The loop as one over places of bits, of which nothing but counts is left behind."""
    exits, entries, backs = loop.exits(), loop.entries(), loop.back_edges()
    if loop.children or len(exits) != 1 or len(entries) != 1 or len(backs) != 1:
        return None
    (exit,), (entry,), (back,) = exits, entries, backs
    if exit.source is not loop.header or not isinstance(exit.terminator, cf.ConditionalBranchOp):
        return None
    body = _Body.of(loop, exit)
    if body is None:
        return None
    after = dict(zip(loop.header.args, back.values, strict=True))
    for place, start in zip(loop.header.args, entry.values, strict=True):
        places = _places(place, start, after[place], exit)
        if places is not None:
            counts = _Counts(body, place, len(places) + min(places[0], places[-1])).all(after)
            if counts is None:
                return None
            mask = sum(1 << one for one in places)
            last = 2 * places[-1] - places[-2] if len(places) > 1 else places[0] + 1
            return PlaceLoop(loop, place, mask, last, counts, exit)
    return None


def _places(place: BlockArgument, start: SSAValue, after: SSAValue, exit: Edge) -> range | None:
    """At least two, one behind the other."""
    branch = exit.terminator
    assert isinstance(branch, cf.ConditionalBranchOp)
    test, first, step = branch.cond.owner, constant_integer(start), _step(after, place)
    if not isinstance(test, arith.CmpiOp) or test.lhs is not place or exit.position != 1:
        return None
    bound, predicate = constant_integer(test.rhs), predicate_of(test)
    if first is None or bound is None or first < 0 or not -1 <= bound <= 64:
        return None
    if step == 1 and predicate in _UP_TO:
        found = range(first, bound)
    elif step == 1 and predicate in _THROUGH:
        found = range(first, bound + 1)
    elif step == -1 and predicate in (_DOWN_BEHIND, _DOWN_TO):
        found = range(first, bound if predicate == _DOWN_BEHIND else bound - 1, -1)
    else:
        return None
    return found if 2 <= len(found) <= 64 else None


def _step(after: SSAValue, place: BlockArgument) -> int | None:
    match after.owner:
        case arith.AddiOp() as op if op.lhs is place:
            return constant_integer(op.rhs)
        case arith.SubiOp() as op if op.lhs is place:
            number = constant_integer(op.rhs)
            return None if number is None else -number
        case _:
            return None


@record
class _Body:
    """The blocks of a loop behind its header: those that every iteration runs, and for those that
    stand under a condition the condition."""

    loop: NaturalLoop
    always: tuple[Block, ...]
    under: dict[Block, SSAValue]

    @staticmethod
    def of(loop: NaturalLoop, exit: Edge) -> _Body | None:
        """Blocks one behind the other; a condition decides on a block alone."""
        block = exit.terminator.successors[1 - exit.position]
        always, under = [loop.header], dict[Block, SSAValue]()
        while block is not loop.header:
            if block not in loop.blocks or block in always:
                return None
            always.append(block)
            match block.last_op:
                case cf.BranchOp() as branch:
                    block = branch.successor
                case cf.ConditionalBranchOp() as branch if not branch.operands[1:]:
                    inner, join = branch.then_block, branch.else_block
                    behind = inner.last_op
                    if not isinstance(behind, cf.BranchOp) or behind.successor is not join:
                        return None
                    if behind.operands or inner in under or inner is loop.header:
                        return None
                    under[inner] = branch.cond
                    block = join
                case _:
                    return None
        is_whole = len(loop.blocks) == len(always) + len(under)
        return _Body(loop, tuple(always), under) if is_whole else None


class _Counts:
    """What changes in a body, as counts of bits; `end` is behind the highest place."""

    def __init__(self, body: _Body, place: BlockArgument, end: int):
        self._body = body
        self._loop = body.loop
        self._place = place
        self._end = end
        accesses = [
            op
            for block in (*body.always, *body.under)
            for op in block.ops
            if isinstance(op, memref.LoadOp | memref.StoreOp)
        ]
        self._stores = [op for op in accesses if isinstance(op, memref.StoreOp)]
        self._loads = [op for op in accesses if isinstance(op, memref.LoadOp)]

    def all(self, after: dict[BlockArgument, SSAValue]) -> tuple[BitCount, ...] | None:
        """None where anything else changes, or is used outside."""
        found = list[BitCount]()
        for argument, following in after.items():
            if argument is self._place or following is argument:
                continue
            one = self._always(argument, argument, following)
            if one is None:
                return None
            found.append(one)
        for store in self._stores:
            one = self._in_memory(store)
            if one is None:
                return None
            found.append(one)
        return tuple(found) if found and self._changes_nothing_else() else None

    def _in_memory(self, store: memref.StoreOp) -> BitCount | None:
        loads = [op for op in self._loads if op.memref is store.memref]
        stores = [op for op in self._stores if op.memref is store.memref]
        if len(loads) != 1 or len(stores) != 1 or not is_variable(store.memref):
            return None
        place, block = (loads[0], store), store.parent
        if block is None or loads[0].parent is not block:
            return None
        if block not in self._body.under:
            return self._always(place, loads[0].res, store.value)
        source = self._source_of_test(self._body.under[block])
        found = sum_of(self._loop, place, loads[0].res, store.value, lambda _: False)
        return None if found is None or source is None else BitCount(source, found)

    def _always(
        self,
        place: BlockArgument | tuple[memref.LoadOp, memref.StoreOp],
        value: SSAValue,
        following: SSAValue,
    ) -> BitCount | None:
        source: SSAValue | None = None

        def is_bit(step: SSAValue) -> bool:
            nonlocal source
            source = self._source_of_bit(step)
            return source is not None

        found = sum_of(self._loop, place, value, following, is_bit)
        return BitCount(source, found) if found is not None and source is not None else None

    def _source_of_bit(self, value: SSAValue) -> SSAValue | None:
        """x where the value is bit number `place` of x, zero or one."""
        while isinstance(value.owner, CASTS) and value.owner.operands[0].type != i1:
            value = value.owner.operands[0]
        match value.owner:
            case arith.AndIOp() as op:
                for shifted, one in ((op.lhs, op.rhs), (op.rhs, op.lhs)):
                    if constant_integer(one) == 1:
                        return self._source_of_shifted(without(shifted, *CASTS))
                return None
            case arith.RemUIOp() as op if constant_integer(op.rhs) == 2:
                return self._source_of_shifted(without(op.lhs, *CASTS))
            case arith.ExtUIOp() as op:
                return self._source_of_test(op.operands[0])
            case _:
                return None

    def _source_of_shifted(self, value: SSAValue) -> SSAValue | None:
        op = value.owner
        if not isinstance(op, arith.ShRUIOp | arith.ShRSIOp):
            return None
        return self._source(op.lhs) if self._is_place(op.rhs) else None

    def _source_of_test(self, condition: SSAValue) -> SSAValue | None:
        """x where the condition is that bit number `place` of x is set."""
        op = condition.owner
        if not isinstance(op, arith.CmpiOp):
            return None
        test = predicate_of(op), constant_integer(op.rhs)
        if test == ("eq", 1):
            return self._source_of_bit(op.lhs)
        if test != ("ne", 0):
            return None
        masked = without(op.lhs, *EXTENSIONS).owner
        if isinstance(masked, arith.AndIOp):
            for source, bit in ((masked.lhs, masked.rhs), (masked.rhs, masked.lhs)):
                if self._is_one_there(bit):
                    return self._source(source)
        return self._source_of_bit(op.lhs)

    def _is_one_there(self, value: SSAValue) -> bool:
        """1 << place, all of whose bits are there."""
        op = value.owner
        return (
            isinstance(op, arith.ShLIOp)
            and constant_integer(op.lhs) == 1
            and self._is_place(op.rhs)
            and self._end <= bit_width(value)
        )

    def _is_place(self, value: SSAValue) -> bool:
        return without(value, *CASTS) is self._place

    def _source(self, value: SSAValue) -> SSAValue | None:
        if not isa(value.type, IntegerType) or self._end > bit_width(value):
            return None
        return value if self._is_same(value) else None

    def _is_same(self, value: SSAValue) -> bool:
        """In each iteration, and computed in each."""
        op = value.owner
        if isinstance(op, Block):
            return op not in self._loop.blocks
        if op.parent not in self._loop.blocks:
            return True
        if op.parent in self._body.under or not all(map(self._is_same, op.operands)):
            return False
        if isinstance(op, memref.LoadOp):
            return all(is_variable(store.memref) for store in self._stores) and not any(
                store.memref is op.memref for store in self._stores
            )
        return is_pure(op)

    def _changes_nothing_else(self) -> bool:
        header = self._loop.header
        if any(isinstance(op, memref.LoadOp | memref.StoreOp) for op in header.ops):
            return False
        return all(
            self._leaves_nothing(op)
            for block in (*self._body.always, *self._body.under)
            for op in block.ops
            if op is not block.last_op
        ) and all(is_pure(op) for op in header.ops if op is not header.last_op)

    def _leaves_nothing(self, op: Operation) -> bool:
        if isinstance(op, memref.StoreOp):
            return True
        if not isinstance(op, memref.LoadOp) and not is_pure(op):
            return False
        return op.parent is self._loop.header or all(
            use.operation.parent in self._loop.blocks for one in op.results for use in one.uses
        )
