"""Places in memory that lead a loop become variables in it.

    for (*i = 0; *i < n; ++*i) …          while (s->at < s->end) { … s->at++; }

What is in memory is data. A place that nothing else in the loop may touch is read once in front of
it, a variable in it, and written when the loop is left: where it has changed, or where it was
written before in any case, so that no write is there that C has not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.context import Context
from xdsl.dialects import arith, cf, func, memref
from xdsl.dialects.builtin import IndexType, IntegerAttr, MemRefType, ModuleOp
from xdsl.dialects.llvm import LLVMPointerType
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass

from polyopt.dialects import cmem
from polyopt.dialects.locations import span_of
from polyopt.ir.branches import Edge
from polyopt.ir.control.control_flow import ControlFlow
from polyopt.ir.control.loops import NaturalLoop
from polyopt.ir.evolution.scalar_evolution import Evolution
from polyopt.ir.functions import functions_near_loops
from polyopt.ir.insertion import insert_before
from polyopt.passes.prepare.branches.block_editing import insert_on_edges
from polyopt.passes.prepare.ssa_construction import find_variables, promote
from polyopt.passes.prepare.variables.leading_places import (
    Accesses,
    LeadingPlace,
    is_worth_a_look,
    leading_places,
)
from polyopt.support.record import record
from polyopt.support.remarks import remark


@record
class PromotePlacesPass(ModulePass):
    """What a loop reads and writes at a place that stays is a variable in it, where a branch, a
    subscript or an address depends on it.

    Requires: pointers are values (promote-scalars). Ensures: accesses in other loops, and of places
    that something else in the loop may touch, are as they were.

                                                        %first = memref.load %place[]
        cf.br ^head                                     cf.br ^head(%first)
      ^head:                                          ^head(%i: i32):
        %i = memref.load %place[]                       %0 = arith.cmpi slt, %i, %n
        %0 = arith.cmpi slt, %i, %n            ->       cf.cond_br %0, ^body, ^end
        cf.cond_br %0, ^body, ^end                    ^body: …
      ^body: …                                          cf.br ^head(%next)
        memref.store %next, %place[]                  ^end:
        cf.br ^head                                     memref.store %i, %place[]
    """

    name = "promote-places"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        is_strict = cmem.STRICT_ALIASING in op.attributes
        for function in functions_near_loops(op):
            _promote_in(function, is_strict)


def _promote_in(function: func.FuncOp, is_strict: bool) -> None:
    """One loop after the other: what is a variable of one may be what another one begins with."""
    changed = True
    while changed:
        changed = False
        flow = ControlFlow(function.body)
        pending = [loop for loop in flow.loops.top_level if is_worth_a_look(loop)]
        accesses = Accesses(Evolution(flow), is_strict=is_strict)
        while pending and not changed:
            loop = pending.pop()
            places = leading_places(flow, loop, accesses)
            if places:
                slots = [*_rewritten(function, loop, places)]
                variables = find_variables(ControlFlow(function.body))
                promote(ControlFlow(function.body), [variables[slot] for slot in slots])
                changed = True
            pending += filter(is_worth_a_look, loop.children)


def _rewritten(
    function: func.FuncOp, loop: NaturalLoop, places: Sequence[LeadingPlace]
) -> Iterator[SSAValue]:
    """The variables, of rank 0 and not yet values, after the loop uses them."""
    targets: dict[Block, list[Edge]] = {}
    for edge in loop.exits():
        targets.setdefault(edge.target, []).append(edge)
    front = insert_on_edges(loop.entries())
    behind = [insert_on_edges(edges) for edges in targets.values()]
    for place in places:
        yield _rewrite(function, place, front, behind)


def _rewrite(
    function: func.FuncOp, place: LeadingPlace, front: Block, behind: list[Block]
) -> SSAValue:
    op = place.references[0].op
    entry = function.body.blocks.first
    assert entry is not None
    assert entry.first_op is not None
    assert front.last_op is not None
    slot = _insert(memref.AllocaOp.get(place.type, shape=[]), entry.first_op, op)
    view = _view(place, front.last_op)
    first = place.before
    if first is None:
        first = _insert(memref.LoadOp.get(view, []), front.last_op, op)
    slot.name_hint = view.name_hint = place.base.name_hint
    first.name_hint = first.name_hint or slot.name_hint
    _insert(memref.StoreOp.get(first, slot, []), front.last_op, op)
    for one in place.references:
        _use(one.op, slot)
    for number, block in enumerate(behind):
        behind[number] = _write_back(place, slot, first, view, block)
    remark("applied", PromotePlacesPass.name, "a place in memory is a variable here", span_of(op))
    return slot


def _view(place: LeadingPlace, before: Operation) -> SSAValue:
    source = place.base
    op = place.references[0].op
    if place.offset:
        number = arith.ConstantOp(IntegerAttr(place.offset, IndexType()))
        source = _insert(cmem.OffsetOp(source, _insert(number, before, op), 1), before, op)
    return _insert(cmem.ViewOp(source, [], MemRefType(place.type, [])), before, op)


def _use(op: memref.LoadOp | memref.StoreOp, slot: SSAValue) -> None:
    block = op.parent
    assert block is not None
    if isinstance(op, memref.LoadOp):
        load = memref.LoadOp.get(slot, [])
        load.res.name_hint = op.res.name_hint
        op.res.replace_all_uses_with(_insert(load, op, op))
    else:
        _insert(memref.StoreOp.get(op.value, slot, []), op, op)
    block.erase_op(op)


def _write_back(
    place: LeadingPlace, slot: SSAValue, first: SSAValue, view: SSAValue, block: Block
) -> Block:
    """Gives the block in which the next place may be written."""
    op, branch = place.references[0].op, block.last_op
    assert isinstance(branch, cf.BranchOp)
    now = _insert(memref.LoadOp.get(slot, []), branch, op)
    if place.is_written:
        _insert(memref.StoreOp.get(now, view, []), branch, op)
        return block
    body = block.parent
    assert body is not None
    write, tail = Block(), Block()
    body.insert_block_after([write, tail], block)
    branch.detach()
    tail.add_op(branch)
    leave = cf.BranchOp(tail)
    leave.location = op.location
    write.add_op(leave)
    _insert(memref.StoreOp.get(now, view, []), leave, op)
    choose = cf.ConditionalBranchOp(_differ(now, first, block, op), write, [], tail, [])
    choose.location = op.location
    block.add_op(choose)
    return tail


def _differ(now: SSAValue, first: SSAValue, block: Block, like: Operation) -> SSAValue:
    operands: list[SSAValue] = []
    for value in (now, first):
        if isinstance(value.type, LLVMPointerType):
            number = cmem.PtrToIntOp(value)
            number.location = like.location
            block.add_op(number)
            value = number.results[0]
        operands.append(value)
    compare = arith.CmpiOp(operands[0], operands[1], "ne")
    compare.location = like.location
    block.add_op(compare)
    return compare.result


def _insert(op: Operation, before: Operation, like: Operation) -> SSAValue:
    """Gives the result, if there is one."""
    made = insert_before(op, before, like)
    return made[0] if made else like.operands[0]
