"""drop-prefetches: what a program fetches ahead along the counters of its loops is not.

The processor follows such accesses itself, and the loops are wanted in another order, in vectors or
in parts: who wrote them cannot know what will be needed soon. What data lead to (a bucket of a hash
table, the next of a list) nothing else fetches: that stays.
"""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects import func, memref
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, BlockArgument, Operation, SSAValue
from xdsl.passes import ModulePass

from polyopt.dialects import cmem
from polyopt.dialects.shaped_types import is_memref
from polyopt.ir.branches import incoming
from polyopt.ir.control.cfg import enclosing_block
from polyopt.ir.control.control_flow import ControlFlow
from polyopt.ir.control.loops import NaturalLoop
from polyopt.ir.effects import is_pure
from polyopt.support.record import record


@record
class DropPrefetchesPass(ModulePass):
    """Erase each `cmem.prefetch` in a loop whose address depends on nothing that is loaded from
    changing places there, or called, nor on which way a branch went.

    Requires: nothing. Ensures: the program means the same.

        ^body(%i : index):                            ^body(%i : index):
          %p = cmem.offset %a, %i stride 8     ->       %q = memref.load %table[%i]
          cmem.prefetch %p term 3                       cmem.prefetch %q term 3
          %q = memref.load %table[%i]
          cmem.prefetch %q term 3
    """

    name = "drop-prefetches"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in op.walk():
            if isinstance(function, func.FuncOp) and function.body.blocks:
                _drop_in(function)


def _drop_in(function: func.FuncOp) -> None:
    found = [op for op in function.walk() if isinstance(op, cmem.PrefetchOp)]
    if not found:
        return
    loops = ControlFlow(function.body).loops
    for op in found:
        loop = loops.innermost(enclosing_block(op))
        if loop is not None and not _is_led_by_data(op.address, loop):
            op.detach()
            op.erase()


def _is_led_by_data(address: SSAValue, loop: NaturalLoop) -> bool:
    waiting, seen = [address], {address}
    while waiting:
        sources = _sources(waiting.pop(), loop)
        if sources is None:
            return True
        waiting += sources - seen
        seen |= sources
    return False


def _sources(value: SSAValue, loop: NaturalLoop) -> set[SSAValue] | None:
    """What the value is computed from in the loop; None where data have their part in it."""
    owner = value.owner
    if _block_of(value) not in loop:
        return set()
    if isinstance(value, BlockArgument):
        edges = incoming(value.block)
        return _only({edge.values[value.index] for edge in edges if edge.source in loop})
    assert isinstance(owner, Operation)
    if isinstance(owner, memref.LoadOp):
        if _is_variable(owner.memref):
            return _only(_stored(owner.memref, loop))
        return set() if _is_steady(owner, loop) else None
    return set(owner.operands) if is_pure(owner) else None


def _only(values: set[SSAValue]) -> set[SSAValue] | None:
    return values if len(values) <= 1 else None


def _block_of(value: SSAValue) -> Block:
    return value.owner if isinstance(value.owner, Block) else enclosing_block(value.owner)


def _is_variable(array: SSAValue) -> bool:
    """A scalar of the function that is loaded and stored, and nothing else."""
    if not (is_memref(array.type) and array.type.get_num_dims() == 0):
        return False
    return isinstance(array.owner, memref.AllocaOp) and all(
        isinstance(use.operation, memref.LoadOp)
        or (isinstance(use.operation, memref.StoreOp) and use.operation.memref is array)
        for use in array.uses
    )


def _stored(variable: SSAValue, loop: NaturalLoop) -> set[SSAValue]:
    """What the loop stores in it."""
    users = [use.operation for use in variable.uses]
    stores = [one for one in users if isinstance(one, memref.StoreOp)]
    return {one.value for one in stores if enclosing_block(one) in loop}


def _is_steady(load: memref.LoadOp, loop: NaturalLoop) -> bool:
    """Whether it is of one place as long as the loop runs: where a row begins, say."""
    waiting = list(load.operands)
    seen = set(waiting)
    while waiting:
        value = waiting.pop()
        if _block_of(value) not in loop:
            continue
        owner = value.owner
        if isinstance(owner, memref.LoadOp) and _is_variable(owner.memref):
            if _stored(owner.memref, loop):
                return False
            continue
        if isinstance(owner, Block) or not (isinstance(owner, memref.LoadOp) or is_pure(owner)):
            return False
        waiting += set(owner.operands) - seen
        seen.update(waiting)
    return True
