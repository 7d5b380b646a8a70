"""What loops compute from values that they do not change is computed before them: numbers only,
since these may be parameters of the loops around."""

from __future__ import annotations

from xdsl.dialects import affine, func, memref, scf
from xdsl.dialects.builtin import IndexType, IntegerType
from xdsl.ir import Operation, SSAValue

from polyopt.ir.effects import is_speculatable

LOOPS = affine.ForOp | affine.ParallelOp | scf.ForOp | scf.ParallelOp


def hoist_indices(function: func.FuncOp) -> None:
    """Move operations on integers and indices out of the loops that they do not depend on."""
    for op in list(function.walk()):
        if _is_number(op):
            _hoist(op)


def _is_number(op: Operation) -> bool:
    if not isinstance(op, memref.DimOp | affine.ApplyOp | affine.MinOp):
        if not op.name.startswith("arith.") or not is_speculatable(op):
            return False
    return all(isinstance(result.type, IndexType | IntegerType) for result in op.results)


def _hoist(op: Operation) -> None:
    """In the order of a walk: operands have been hoisted before."""
    loop = op.parent_op()
    while isinstance(loop, LOOPS) and op.parent in [region.block for region in loop.regions]:
        if any(_is_inside(operand, loop) for operand in op.operands):
            return
        op.detach()
        assert loop.parent is not None
        loop.parent.insert_op_before(op, loop)
        loop = op.parent_op()


def _is_inside(value: SSAValue, loop: Operation) -> bool:
    owner = value.owner
    op = owner if isinstance(owner, Operation) else owner.parent_op()
    if op is loop:
        return not isinstance(owner, Operation)
    while op is not None and op is not loop:
        op = op.parent_op()
    return op is loop
