"""Integers that all iterations of a loop add to, and nothing else in it looks at.

    for (i = 1; i < n; i++) {
      long v = i; while (v != 1) { …; total += 1; }
    }
    =>  each thread: own = 0, its iterations with own, then, one thread at a time, total += own

Sums, products, bits and extremes of integers are the same in any order (2^n wraps around), so this
needs no permission. An update may stand on a condition, by a branch or as a choice between the sum
and what it was.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from xdsl.dialects import arith, memref, omp
from xdsl.dialects.builtin import IntegerType, LocationAttr
from xdsl.ir import Block, Operation, Region, SSAValue

from polyopt.dialects import ompx
from polyopt.dialects.cmem import memref_type
from polyopt.ir.cfg import enclosing_block
from polyopt.ir.elementwise import COMBINERS, neutral_of
from polyopt.ir.loops import NaturalLoop
from polyopt.support.record import record

REDUCTION = ".reduction"
"""The name of the critical region in which sums are put together."""


@record(eq=False)
class SharedSum:
    """`updates` are the operations of the loop that combine what is in the variable with
    something."""

    variable: SSAValue
    updates: tuple[Operation, ...]


def shared_sum(loop: NaturalLoop, variable: SSAValue) -> SharedSum | None:
    """A local variable of no dimension, of which all accesses are seen, if all that the loop does
    with it is to add to it."""
    if not isinstance(memref_type(variable).element_type, IntegerType):
        return None
    uses = [use.operation for use in variable.uses]
    inside = [op for op in uses if enclosing_block(op) in loop]
    blocks = {op.parent for op in inside if op.parent is not None}
    updates = [update for block in blocks for update in _updates(block, variable)]
    if None in updates or not updates:
        return None
    known = tuple(one for one in updates if one is not None)
    kinds = {COMBINERS[type(one)] for one in known}
    return SharedSum(variable, known) if len(kinds) == 1 else None


def _updates(block: Block, variable: SSAValue) -> Iterator[Operation | None]:
    """Load and store take turns, and each store is of what was loaded, combined with something;
    None for all others."""
    loaded: memref.LoadOp | None = None
    for op in block.ops:
        if isinstance(op, memref.LoadOp) and op.memref is variable:
            if loaded is not None:
                yield None
            loaded = op
        elif isinstance(op, memref.StoreOp) and op.memref is variable:
            yield None if loaded is None else _combining(loaded, op)
            loaded = None
    if loaded is not None:
        yield None


def _combining(load: memref.LoadOp, store: memref.StoreOp) -> Operation | None:
    """The operation between them, if there is nothing else that the values go to."""
    value, old = store.value, load.results[0]
    readers = {use.operation for use in old.uses}
    if isinstance(value.owner, arith.SelectOp) and value.has_one_use():
        choice = value.owner
        arms = [choice.lhs, choice.rhs]
        if old not in arms or choice.cond is old:
            return None
        arms.remove(old)
        readers.discard(choice)
        value = arms[0]
    combine = value.owner
    if not isinstance(combine, Operation) or type(combine) not in COMBINERS:
        return None
    is_first = combine.operands[0] is old
    is_own = is_first or (combine.operands[1] is old and not isinstance(combine, arith.SubiOp))
    is_all = readers == {combine} and list(combine.operands).count(old) == 1
    return combine if is_own and is_all and value.has_one_use() else None


def begin_sum(found: SharedSum, own: SSAValue, block: Block, location: LocationAttr) -> None:
    """A thread's own variable holds what changes nothing. What is added may overflow in parts where
    all of it does not: it wraps around."""
    for update in found.updates:
        _without_overflow(update)
    element = memref_type(own).element_type
    kind = COMBINERS[type(found.updates[0])]
    neutral = arith.ConstantOp(
        neutral_of(kind, element, is_finite=False)  # pyright: ignore[reportArgumentType]
    )
    _put(block, neutral, location)
    _put(block, memref.StoreOp.get(neutral.result, own, []), location)


def add_sum(found: SharedSum, own: SSAValue, block: Block, location: LocationAttr) -> None:
    """What the thread has comes to what there is, one thread at a time."""
    inside = Block()
    total, part = memref.LoadOp.get(found.variable, []), memref.LoadOp.get(own, [])
    kind = type(found.updates[0])
    kind = _ADDED.get(kind, kind)
    combine = kind.create(
        operands=[total.results[0], part.results[0]], result_types=[total.results[0].type]
    )
    _without_overflow(combine)
    store = memref.StoreOp.get(combine.results[0], found.variable, [])
    for op in (total, part, combine, store, omp.TerminatorOp()):
        _put(inside, op, location)
    _put(block, ompx.CriticalOp(REDUCTION, Region(inside)), location)


_ADDED: Mapping[type[Operation], type[Operation]] = {arith.SubiOp: arith.AddiOp}
"""What is taken away in parts is negative: the parts are added."""


def _without_overflow(combine: Operation) -> None:
    if isinstance(combine, arith.AddiOp | arith.SubiOp | arith.MuliOp):
        combine.properties["overflowFlags"] = arith.IntegerOverflowAttr("none")


def _put(block: Block, op: Operation, location: LocationAttr) -> None:
    op.location = location
    block.add_op(op)
