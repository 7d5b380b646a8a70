"""Loops that were unrolled by hand are rolled again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

from xdsl.context import Context
from xdsl.dialects import arith, cf, memref
from xdsl.dialects.builtin import IntegerType, ModuleOp, UnitAttr
from xdsl.ir import Block, BlockArgument, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.utils.hints import isa

from polyopt.dialects.poly import WRITTEN_ANEW
from polyopt.ir.branches import Edge, incoming
from polyopt.ir.control.control_flow import ControlFlow
from polyopt.ir.control.loops import NaturalLoop
from polyopt.ir.effects import bit_width, constant_integer, is_pure
from polyopt.ir.evolution.scalar_evolution import Evolution
from polyopt.ir.functions import functions_near_loops
from polyopt.ir.objects.bases import are_disjoint, object_of
from polyopt.passes.prepare.loop_forms.same_later import SameLater, never_wraps
from polyopt.passes.prepare.loop_forms.unrolled_sums import UnrolledSum, find_unrolled_sum
from polyopt.support.record import entity, record

_MOST_ACCESSES = 256


@record
class RerollLoopsPass(ModulePass):
    """A body that does the same thing several times, each time for the next value of the counter,
    does it once, and the loop counts in smaller steps.

    What is done, and in which order, stays the same. All that is said of the loop as it was
    written then holds for one statement instead of several that keep each other from being
    vectors.

    Requires: counters are values (promote-scalars); each statement has its own loads (before
    clean-values). Ensures: nothing but such loops changes.

        for (i = 0; i < n; i += 3) {               for (i = 0; i < ceil(n / 3) * 3; i++)
          a[i] += s * b[i];                          a[i] += s * b[i];
          a[i + 1] += s * b[i + 1];          ->
          a[i + 2] += s * b[i + 2];
        }

    So does a body that adds several such terms to one element (`unrolled_sums.py`).
    """

    name = "reroll-loops"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in functions_near_loops(op):
            flow = ControlFlow(function.body)
            for loop in flow.loops.all_loops():
                counted = _counted(loop)
                if counted is not None and _reroll(counted, flow):
                    function.attributes[WRITTEN_ANEW] = UnitAttr()


@entity
class _Counted:
    """A loop whose body is one line of blocks, entered by one edge, and which goes on while its
    only variable, that grows by `step`, is less than `bound`."""

    loop: NaturalLoop
    counter: BlockArgument
    following: arith.AddiOp
    step: int
    entry: Edge
    bound: SSAValue
    comparison: arith.CmpiOp
    body: list[Operation]
    accesses: list[memref.LoadOp | memref.StoreOp] = field(
        default_factory=list[memref.LoadOp | memref.StoreOp]
    )


def _counted(loop: NaturalLoop) -> _Counted | None:
    header, entries, backs = loop.header, loop.entries(), loop.back_edges()
    last = header.last_op
    if loop.children or len(header.args) != 1 or not isinstance(last, cf.ConditionalBranchOp):
        return None
    if len(entries) != 1 or len(backs) != 1 or last.then_block not in loop:
        return None
    if last.else_block in loop or not all(_stays(op, loop) for op in header.ops if op is not last):
        return None
    (counter,), following, comparison = header.args, backs[0].values[0].owner, last.cond.owner
    if not isinstance(following, arith.AddiOp) or not isinstance(comparison, arith.CmpiOp):
        return None
    step = constant_integer(following.rhs) if following.lhs is counter else None
    is_counter = isa(counter.type, IntegerType) and counter.type.width.data in (32, 64)
    if step is None or step < 2 or not is_counter or comparison.lhs is not counter:
        return None
    if not never_wraps(following):
        return None
    body = _line(loop, last.then_block)
    if body is None:
        return None
    found = _Counted(loop, counter, following, step, entries[0], comparison.rhs, comparison, body)
    for op in body:
        if isinstance(op, memref.LoadOp | memref.StoreOp):
            found.accesses.append(op)
        elif not is_pure(op) and not isinstance(op, cf.BranchOp):
            return None
    return found if 0 < len(found.accesses) <= _MOST_ACCESSES else None


def _stays(op: Operation, loop: NaturalLoop) -> bool:
    """Does it give the same for the same counter whenever it is asked? So does a variable in memory
    that the loop does not touch."""
    if not isinstance(op, memref.LoadOp):
        return is_pure(op)
    place = object_of(op.memref)
    inside = (one for block in loop.blocks for one in block.ops)
    stores = (one.memref for one in inside if isinstance(one, memref.StoreOp))
    return not op.indices and all(are_disjoint(place, object_of(one)) for one in stores)


def _line(loop: NaturalLoop, first: Block) -> list[Operation] | None:
    """The operations of the body, if its blocks follow each other."""
    body: list[Operation] = []
    seen = {loop.header}
    block = first
    while block is not loop.header:
        last = block.last_op
        if block in seen or not isinstance(last, cf.BranchOp) or len(incoming(block)) != 1:
            return None
        if block.args:
            return None
        seen.add(block)
        body += block.ops
        block = last.successor
    return body if seen == set(loop.blocks) else None


def _reroll(counted: _Counted, flow: ControlFlow) -> bool:
    accesses, step = counted.accesses, counted.step
    summed = find_unrolled_sum(counted.body)
    if summed is not None and not _stays_in_place(summed, counted):
        return False
    if summed is not None:
        accesses = [op for op in accesses if op not in (summed.load, summed.store)]
    for turns in range(min(step, len(accesses)), 1, -1):
        if step % turns or len(accesses) % turns:
            continue
        if _is_repeated(counted, accesses, turns, [] if summed is None else summed.terms):
            bound = _bound(counted, Evolution(flow))
            if bound is None:
                return False
            _write(counted, turns, bound)
            kept: list[Operation] = list(accesses[: len(accesses) // turns])
            if summed is not None:
                summed.add_only(len(summed.terms) // turns)
                kept += [summed.load, summed.store]
            _keep(counted, kept)
            return True
    return False


def _stays_in_place(summed: UnrolledSum, counted: _Counted) -> bool:
    """Is it the same element in all iterations? By shape, as if its place were asked for again one
    iteration later: `a[i] += b[i] + b[i + 1]` leaves every other element alone."""

    def is_later(_first: SSAValue, _other: SSAValue, _turn: int) -> bool:
        return False

    same = SameLater(counted.loop, counted.counter, counted.step, is_later)
    return all(same.holds(one, one, 1) for one in summed.load.operands)


def _is_repeated(
    counted: _Counted,
    accesses: Sequence[memref.LoadOp | memref.StoreOp],
    turns: int,
    terms: Sequence[SSAValue],
) -> bool:
    """Whether the accesses are `turns` times the same, each time a count later, and so are the
    terms of a sum."""
    size, each = len(accesses) // turns, len(terms) // turns
    if each * turns != len(terms):
        return False
    place: dict[Operation, int] = {op: number for number, op in enumerate(accesses)}

    def is_later(first: SSAValue, other: SSAValue, turn: int) -> bool:
        one, two = first.owner, other.owner
        if not isinstance(one, memref.LoadOp) or not isinstance(two, memref.LoadOp):
            return False
        here, there = place.get(one), place.get(two)
        return here is not None and here < size and there == here + turn * size

    same = SameLater(counted.loop, counted.counter, counted.step // turns, is_later)
    for number in range(size, len(accesses)):
        turn, position = divmod(number, size)
        first, other = accesses[position], accesses[number]
        if type(first) is not type(other) or first.properties != other.properties:
            return False
        pairs = zip(first.operands, other.operands, strict=False)
        if len(first.operands) != len(other.operands):
            return False
        if not all(same.holds(a, b, turn) for a, b in pairs):
            return False
    later = range(each, len(terms))
    return all(same.holds(terms[at % each], terms[at], at // each) for at in later)


@record
class _Bound:
    """What the counter stays below: a number, or what `operations` compute."""

    value: int | SSAValue
    operations: tuple[Operation, ...] = ()


def _bound(counted: _Counted, evolution: Evolution) -> _Bound | None:
    """The end of the last iteration, behind the bound as it was: the first value of the counter
    that is not less than it.

    That is the bound plus `(start - bound) mod step`, which is computed where nothing of it can
    overflow. The sum cannot: it is what the loop as it was counted to.
    """
    start, bound, step = counted.entry.values[0], counted.bound, counted.step
    width = bit_width(start)
    predicate = arith.CMPI_COMPARISON_OPERATIONS[counted.comparison.predicate.value.data]
    first = evolution.signed(start, counted.entry.source).as_constant
    end = evolution.signed(bound, counted.loop.header).as_constant
    if first is not None and end is not None and predicate in ("slt", "sle"):
        end += predicate == "sle"
        last = end + (first - end) % step
        return _Bound(last) if last < 1 << (width - 1) else None
    found = _before(bound, counted.loop)
    if predicate != "slt" or found is None:
        return None
    bound, copies = found
    if step & (step - 1) == 0:
        mask = arith.ConstantOp.from_int_and_width(step - 1, width)
        apart = arith.SubiOp(start, bound)
        rest = arith.AndIOp(apart, mask)
        total = arith.AddiOp(bound, rest, overflow=_NSW)
        return _Bound(total.result, (*copies, mask, apart, rest, total))
    if first != 0:
        return None
    zero = arith.ConstantOp.from_int_and_width(0, width)
    by = arith.ConstantOp.from_int_and_width(step, width)
    length = arith.MaxSIOp(bound, zero)
    turns = arith.CeilDivSIOp(length, by)
    total = arith.MuliOp(turns, by, overflow=_NSW)
    return _Bound(total.result, (*copies, zero, by, length, turns, total))


def _before(bound: SSAValue, loop: NaturalLoop) -> tuple[SSAValue, tuple[Operation, ...]] | None:
    """The bound as it is in front of the loop, with what the header computes for it."""
    needed: list[Operation] = []
    pending = [bound]
    while pending:
        op = pending.pop().owner
        home = op.parent if isinstance(op, Operation) else op
        if home is None or home not in loop:
            continue
        if not isinstance(op, Operation):
            return None
        needed.append(op)
        pending += op.operands
    values: dict[SSAValue, SSAValue] = {}
    ordered = [op for op in loop.header.ops if op in needed]
    copies = tuple(op.clone(values) for op in ordered)
    return values.get(bound, bound), copies


_NSW = arith.IntegerOverflowAttr([arith.IntegerOverflowFlag.NSW])


def _write(counted: _Counted, turns: int, bound: _Bound) -> None:
    counter, comparison = counted.counter, counted.comparison
    entry = counted.entry.terminator
    home = entry.parent
    assert home is not None
    limit, width = bound.value, bit_width(counter)
    operations = list(bound.operations)
    if isinstance(limit, int):
        constant = arith.ConstantOp.from_int_and_width(limit, width)
        operations, limit = [constant], constant.result
    unit = arith.ConstantOp.from_int_and_width(counted.step // turns, width)
    for op in (*operations, unit):
        op.location = comparison.location
        home.insert_op_before(op, entry)
    less = arith.CmpiOp(counter, limit, "slt")
    less.location = comparison.location
    header = counted.loop.header
    header.insert_op_before(less, comparison)
    less.result.name_hint = comparison.result.name_hint
    comparison.result.replace_all_uses_with(less.result)
    header.erase_op(comparison)
    following = arith.AddiOp(counter, unit.result, overflow=_NSW)
    following.location = counted.following.location
    following.result.name_hint = counted.following.result.name_hint
    latch = counted.following.parent
    assert latch is not None
    latch.insert_op_before(following, counted.following)
    (back,) = counted.loop.back_edges()
    back.redirect(header, [following.result])


def _keep(counted: _Counted, kept: Sequence[Operation]) -> None:
    """All of the body goes that these, which are the first turn, do not need. They may need what
    the counter was to be next: of a turn, that is as far ahead as it was."""
    needed: set[Operation] = set(kept)
    pending = list(needed)
    while pending:
        for operand in pending.pop().operands:
            op = operand.owner
            if isinstance(op, Operation) and op not in needed:
                needed.add(op)
                pending.append(op)
    for op in reversed(counted.body):
        if op not in needed and not isinstance(op, cf.BranchOp):
            block = op.parent
            assert block is not None
            block.erase_op(op)
