"""What stands for the storage of a loop in a region that runs it in threads.

    int best, bins[]; view of bins     each thread: best of its own; the view made again, there

Variables of which each thread has its own are made anew; what only says where arrays are is
computed again, so that it says so in the region, too.
"""

from __future__ import annotations

from xdsl.ir import Operation, OpResult, SSAValue

from polyopt.dialects import cmem
from polyopt.ir.control.cfg import enclosing_block
from polyopt.passes.parallel.irregular.block_code import BlockCode
from polyopt.passes.parallel.irregular.irregular_loops import IrregularLoop


def own_storage(found: IrregularLoop, inside: BlockCode) -> dict[SSAValue, SSAValue]:
    """What stands for variables of which each thread has its own, and for views."""
    own: dict[SSAValue, SSAValue] = {}
    in_memory = [one.place for one in found.sums if not one.is_carried]
    for variable in (*found.private, *in_memory):
        assert isinstance(variable, OpResult)
        copy_into(inside, variable.op, own)
    bases = {one.base for one in found.bins}
    for op in views_of(found):
        if not leads_to(op, bases):
            copy_into(inside, op, own)
    return own


def views_of(found: IrregularLoop) -> list[Operation]:
    """What stands in front of the loop and says where its arrays are: made again in the region, it
    says so there, too. In the order in which it is computed."""
    ops: dict[Operation, None] = {}

    def visit(value: SSAValue) -> None:
        owner = value.owner
        is_outside = isinstance(owner, Operation) and enclosing_block(owner) not in found.loop
        if isinstance(owner, _PLACES) and is_outside and owner not in ops:
            for operand in owner.operands:
                visit(operand)
            ops[owner] = None

    for block in found.loop.blocks:
        for op in block.walk():
            for operand in op.operands:
                visit(operand)
    return list(ops)


_PLACES = (cmem.ViewOp, cmem.AddressOfOp, cmem.OffsetOp, cmem.AddressOp)


def leads_to(op: Operation, bases: set[SSAValue]) -> bool:
    """It is one of these objects, or a place in one."""
    if any(result in bases for result in op.results):
        return True
    owners = (one.owner for one in op.operands if one not in bases)
    return any(one in bases for one in op.operands) or any(
        isinstance(owner, _PLACES) and leads_to(owner, bases) for owner in owners
    )


def copy_into(code: BlockCode, op: Operation, own: dict[SSAValue, SSAValue]) -> None:
    copy = op.clone(own)
    code.block.add_op(copy)
    copy.location = op.location
    for old, new in zip(op.results, copy.results, strict=True):
        new.name_hint = old.name_hint
        own[old] = new
