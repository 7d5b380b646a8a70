"""The last iteration in which something held: a variable that becomes the counter where it does.

    for (i = lo; i < n; i++) if (c(i)) last = i;

The counter rises, so the last one is the greatest: whichever order the iterations come in, `last`
is that, or what it was where there is none. What is stored may be computed from the counter, or be
the counter of a loop around; of the conditions none may ask for what an iteration hands on, as a
search for the best value does. A number that is stored is a flag, no place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import IntegerType
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue

from polyopt.ir.branches import Edge, outgoing
from polyopt.ir.control.loops import NaturalLoop
from polyopt.ir.effects import constant_integer, is_pure
from polyopt.ir.elementwise import COMBINERS
from polyopt.ir.idioms.records import variable_of
from polyopt.ir.idioms.updates import is_order_free
from polyopt.ir.orders import predicate_of
from polyopt.support.record import record

_MOST_COMPUTED = 64
_FROM_COUNTER = (
    arith.AddiOp,
    arith.SubiOp,
    arith.MuliOp,
    arith.ExtSIOp,
    arith.ExtUIOp,
    arith.TruncIOp,
    arith.IndexCastOp,
)


@record
class RisingCounter:
    """What a loop of two blocks counts with: it becomes `following` at the end of an iteration,
    which is more, as signed numbers or as unsigned ones, and does not wrap around."""

    value: BlockArgument
    following: arith.AddiOp
    is_signed: bool

    @property
    def step(self) -> arith.ConstantOp:
        op = self.following.rhs.owner
        assert isinstance(op, arith.ConstantOp)
        return op


@record
class LastPlace:
    """`load` and `store` are all that the loop has of the variable, `place` is stored where the
    selections that `store` stores do not choose what it was."""

    load: memref.LoadOp
    store: memref.StoreOp
    place: SSAValue


def the_only_edges(loop: NaturalLoop) -> tuple[Edge, Edge] | None:
    """The way in, and the way out, which the header takes, of a loop that has one of each and one
    block besides the header."""
    entries, exits, latches = loop.entries(), loop.exits(), loop.back_edges()
    if len(loop.blocks) != 2 or not len(entries) == len(exits) == len(latches) == 1:
        return None
    is_plain = exits[0].source is loop.header and latches[0].source is not loop.header
    return (entries[0], exits[0]) if is_plain else None


def rising_counter(loop: NaturalLoop) -> RisingCounter | None:
    """That of a loop with `the_only_edges`."""
    (latch,) = loop.back_edges()
    for value, following in zip(loop.header.args, latch.values, strict=True):
        op = following.owner
        if not isinstance(op, arith.AddiOp) or op.lhs is not value or op.parent is not latch.source:
            continue
        step = constant_integer(op.rhs)
        if not isinstance(op.rhs.owner, arith.ConstantOp) or not isinstance(
            value.type, IntegerType
        ):
            continue
        if step is None or step <= 0:
            continue
        if arith.IntegerOverflowFlag.NSW in op.overflow_flags.data:
            return RisingCounter(value, op, is_signed=True)
        if step == 1 and (order := _is_below(value, latch)) is not None:
            return RisingCounter(value, op, is_signed=order == "slt")
    return None


def _is_below(value: BlockArgument, latch: Edge) -> str | None:
    """By which comparison it is less than something in each iteration."""
    header = value.owner
    stay = next(edge for edge in outgoing(header) if edge.target is latch.source)
    condition = stay.terminator.operands[0].owner if stay.position == 0 else None
    order = predicate_of(condition)
    is_asked = isinstance(condition, arith.CmpiOp) and condition.lhs is value
    return order if is_asked and order in ("slt", "ult") else None


def last_places(loop: NaturalLoop, counter: RisingCounter) -> list[LastPlace]:
    """Those of a loop with `the_only_edges`; none where it hands on more than can be updated in any
    order, for which its iterations wait anyway, or places alone that LLVM finds as fast."""
    (latch,) = loop.back_edges()
    handed_on = zip(loop.header.args, latch.values, strict=True)
    if not all(old is counter.value or _is_free(new, (old,)) for old, new in handed_on):
        return []
    found: list[LastPlace] = []
    is_alone = len(loop.header.args) == 1
    for store in latch.source.ops:
        if isinstance(store, memref.StoreOp) and not store.indices:
            last = _last_place(store, loop, counter)
            if last is not None:
                found.append(last)
            elif not _is_free(store.value, _loaded(store)):
                return []
            is_alone = is_alone and last is not None and last.place is counter.value
    return [] if is_alone and _is_known_to_llvm(loop, counter) else found


def _is_known_to_llvm(loop: NaturalLoop, counter: RisingCounter) -> bool:
    """Does LLVM see a number that the counter never is, and keep lanes of places from it on?"""
    (entry,) = loop.entries()
    first = constant_integer(entry.values[counter.value.index])
    return counter.is_signed and first is not None and first >= 0


def _loaded(store: memref.StoreOp) -> list[SSAValue]:
    """What its block loads of the variable."""
    ops = [use.operation for use in store.memref.uses]
    return [op.res for op in ops if isinstance(op, memref.LoadOp) and op.parent is store.parent]


def _is_free(new: SSAValue, old: Sequence[SSAValue]) -> bool:
    """Is one of the old values updated, by what may come in any order?"""
    op = new.owner
    if not isinstance(op, Operation) or type(op) not in COMBINERS:
        return False
    return is_order_free(op) and any(operand in old for operand in op.operands)


def _last_place(
    store: memref.StoreOp, loop: NaturalLoop, counter: RisingCounter
) -> LastPlace | None:
    variable = variable_of(store.memref)
    if variable is None or isinstance(variable.memory, str):
        return None
    uses = [use.operation for use in variable.memory.uses]
    if not all(isinstance(op, memref.LoadOp) or _is_to(op, store.memref) for op in uses):
        return None
    inside = [op for op in uses if op is not store and op.parent is not None and op.parent in loop]
    if len(inside) != 1 or not isinstance(load := inside[0], memref.LoadOp):
        return None
    if load.parent is not store.parent or not load.is_before_in_block(store):
        return None
    chosen = list(_selections(store.value)) if store.value.has_one_use() else []
    arms = {arm for op in chosen for arm in (op.lhs, op.rhs)}
    places = arms - {op.result for op in chosen} - {load.res}
    if len(places) != 1 or load.res not in arms:
        return None
    if any(use.operation not in chosen for use in load.res.uses):
        return None
    (place,) = places
    if is_inside(place, loop) and counter.value not in sources_of(place, loop):
        return None
    if isinstance(place.owner, arith.ConstantOp):
        return None
    if not all(_asks_for_nothing_kept(op.cond, loop, counter) for op in chosen):
        return None
    return LastPlace(load, store, place)


def _is_to(op: Operation, memory: SSAValue) -> bool:
    return isinstance(op, memref.StoreOp) and op.memref is memory and op.value is not memory


def _selections(value: SSAValue) -> Iterator[arith.SelectOp]:
    """What chooses the value, and its arms where nothing else asks for them."""
    pending = [value]
    while pending:
        op = pending.pop().owner
        if isinstance(op, arith.SelectOp):
            yield op
            pending += [arm for arm in (op.lhs, op.rhs) if arm.has_one_use()]


def sources_of(place: SSAValue, loop: NaturalLoop) -> set[SSAValue]:
    """What the loop computes the place from, by plain arithmetic, and the operations' results in
    between; none where it does more than that."""
    seen: set[SSAValue] = set()
    pending = [place]
    while pending:
        value = pending.pop()
        if value in seen or not is_inside(value, loop) or constant_integer(value) is not None:
            continue
        seen.add(value)
        if isinstance(value, OpResult):
            if not isinstance(value.op, _FROM_COUNTER):
                return set()
            pending += value.op.operands
    others = {value for value in seen if isinstance(value, BlockArgument)}
    return seen if len(others) == 1 else set()


def is_inside(value: SSAValue, loop: NaturalLoop) -> bool:
    """Does the loop compute it, or hand it on?"""
    block = value.op.parent if isinstance(value, OpResult) else value.owner
    return block in loop.blocks


def _asks_for_nothing_kept(condition: SSAValue, loop: NaturalLoop, counter: RisingCounter) -> bool:
    """Is it computed from the counter, from elements and from what the loop does not change?"""
    seen: set[SSAValue] = set()
    pending = [condition]
    while pending:
        value = pending.pop()
        if value in seen or value is counter.value or not is_inside(value, loop):
            continue
        seen.add(value)
        if not isinstance(value, OpResult) or len(seen) > _MOST_COMPUTED:
            return False
        op = value.op
        if isinstance(op, memref.LoadOp):
            if not op.indices and _is_stored(op.memref, loop):
                return False
        elif not is_pure(op):
            return False
        pending += op.operands
    return True


def _is_stored(memory: SSAValue, loop: NaturalLoop) -> bool:
    """May the loop change what is there? A variable that is no local one may be stored through."""
    if not isinstance(memory.owner, memref.AllocaOp):
        return True
    return any(
        isinstance(use.operation, memref.StoreOp) and use.operation.parent in loop.blocks
        for use in memory.uses
    )
