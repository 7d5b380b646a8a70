"""Places in memory that lead a loop: counters behind pointers, in structs, in globals.

1. accesses of one place, a number of bytes behind a base that stays, of one integer or pointer
2. every other access goes elsewhere: by its base, its place, or by its type, where the program
   accesses memory as of one type only (C17 6.5, paragraph 7)
3. a branch, a subscript or an address depends on what is read there, and it is written
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from xdsl.dialects import memref
from xdsl.dialects.builtin import IndexType, IntegerType
from xdsl.dialects.llvm import LLVMPointerType
from xdsl.ir import Attribute, SSAValue
from xdsl.utils.hints import isa

from polyopt.ir.control.cfg import defining_block
from polyopt.ir.control.control_flow import ControlFlow
from polyopt.ir.control.loops import NaturalLoop
from polyopt.ir.effects import is_pure
from polyopt.ir.evolution.scalar_evolution import Evolution
from polyopt.ir.idioms.steering import steers
from polyopt.ir.objects.bases import are_disjoint, is_there
from polyopt.ir.references.memory_references import Reference, reference
from polyopt.support.record import record

_MOST_PLACES = 8
"""Of one loop."""

_RefersTo = Callable[[memref.LoadOp | memref.StoreOp], Reference | None]
_Disjoint = Callable[[SSAValue, SSAValue], bool]


@record
class LeadingPlace:
    """`before` is what the loop finds there, where that is known; `is_written`: that the place is
    written in front of the loop, or in each way out, so that it may be written behind it."""

    references: tuple[Reference, ...]
    before: SSAValue | None
    is_written: bool

    @property
    def base(self) -> SSAValue:
        return self.references[0].base

    @property
    def offset(self) -> int:
        assert self.references[0].place is not None
        return self.references[0].place.constant_term

    @property
    def type(self) -> Attribute:
        return self.references[0].type.element_type


class Accesses:
    """What accesses of a function refer to, and which of them never meet. Each is looked at once:
    loops lie in loops. With `is_strict` memory is accessed as of one type only."""

    def __init__(self, evolution: Evolution, *, is_strict: bool):
        def refer(op: memref.LoadOp | memref.StoreOp) -> Reference | None:
            return reference(op, evolution)

        self.refers_to: _RefersTo = cache(refer)
        self._disjoint: _Disjoint = cache(are_disjoint)
        self._is_strict = is_strict

    def are_apart(self, place: Reference, other: Reference) -> bool:
        if other.base is place.base and other.place is not None and place.place is not None:
            distance = (other.place - place.place).as_constant
            if distance is not None:
                return distance >= place.element_bytes or -distance >= other.element_bytes
        if self._disjoint(place.base, other.base):
            return True
        types = place.type.element_type, other.type.element_type
        return self._is_strict and types[0] != types[1] and not any(map(_is_character, types))


def leading_places(flow: ControlFlow, loop: NaturalLoop, accesses: Accesses) -> list[LeadingPlace]:
    """None where something in the loop is no access and not pure, or its address is not known."""
    ops: list[memref.LoadOp | memref.StoreOp] = []
    for block in loop.blocks:
        for op in block.ops:
            if isinstance(op, memref.LoadOp | memref.StoreOp):
                ops.append(op)
            elif op.regions or not (is_pure(op) or op.successors):
                return []
    references: list[Reference] = []
    for op in ops:
        found = accesses.refers_to(op)
        if found is None:
            return []
        references.append(found)
    written = {(one.base, one.type.element_type) for one in references if one.is_write}
    groups: dict[tuple[SSAValue, int, Attribute], list[Reference]] = {}
    for one in references:
        type = one.type.element_type
        if not _may_lead(type) or (one.base, type) not in written:
            continue
        if one.place is not None and (number := one.place.as_constant) is not None:
            groups.setdefault((one.base, number, type), []).append(one)
    chosen = [group for group in groups.values() if _leads(group, loop)][:_MOST_PLACES]
    result: list[LeadingPlace] = []
    for group in chosen:
        others = [one for one in references if all(one is not each for each in group)]
        if not all(accesses.are_apart(group[0], one) for one in others):
            continue
        before = _before(flow, loop, group[0], accesses)
        if before is not None or _is_there(flow, loop, group):
            ways_out = [edge.source for edge in loop.exits()]
            stores = [block for one in group if one.is_write and (block := one.op.parent)]
            is_written = before is not None or all(
                any(flow.dominators.dominates(store, end) for store in stores) for end in ways_out
            )
            result.append(LeadingPlace(tuple(group), before, is_written))
    return result


def _leads(group: Sequence[Reference], loop: NaturalLoop) -> bool:
    """It is changed in the loop, and decides where control or an access goes."""
    base = group[0].base
    if not isinstance(base.type, LLVMPointerType) or defining_block(base) in loop:
        return False
    if not any(one.is_write for one in group):
        return False
    return any(isinstance(one.op, memref.LoadOp) and steers(one.op.res) for one in group)


def _is_character(type: Attribute) -> bool:
    return isa(type, IntegerType) and type.width.data <= 8


def _is_there(flow: ControlFlow, loop: NaturalLoop, group: Sequence[Reference]) -> bool:
    """The place may be read whenever the loop is entered."""
    return is_there(group[0].base) or any(one.op.parent is loop.header for one in group)


def _before(
    flow: ControlFlow, loop: NaturalLoop, place: Reference, accesses: Accesses
) -> SSAValue | None:
    """What the block in front of the loop has written there."""
    entries = loop.entries()
    if len(entries) != 1 or entries[0].source not in flow.cfg:
        return None
    op = entries[0].terminator.prev_op
    while op is not None:
        if isinstance(op, memref.LoadOp | memref.StoreOp):
            other = accesses.refers_to(op)
            if other is None:
                return None
            is_same = other.base is place.base and other.place == place.place
            if is_same and other.type == place.type and isinstance(op, memref.StoreOp):
                return op.value
            if other.is_write and not accesses.are_apart(place, other):
                return None
        elif op.regions or not is_pure(op):
            return None
        op = op.prev_op
    return None


def is_worth_a_look(loop: NaturalLoop) -> bool:
    """An integer or pointer is written, and one of the same type steers."""
    ops = [op for block in loop.blocks for op in block.ops]
    written = {op.value.type for op in ops if isinstance(op, memref.StoreOp)}
    return any(
        isinstance(op, memref.LoadOp)
        and _may_lead(op.res.type)
        and op.res.type in written
        and steers(op.res)
        for op in ops
    )


def _may_lead(type: Attribute) -> bool:
    return isinstance(type, IntegerType | IndexType | LLVMPointerType)
