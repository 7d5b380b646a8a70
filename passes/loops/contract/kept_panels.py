"""Column panels that a loop around a contraction need not pack again.

    for r: { …; C[r, i, j] += A[r, i, k] * B[k, j]; … }

The panels of B are the same for each r where nothing in the loop writes B, and neither what is
packed nor the bounds of the contraction hang on anything that the loop makes. Then they belong to
the loop. Several blocks take turns in one buffer; where all of a panel is one block, only the first
iteration packs it.
"""

from __future__ import annotations

from xdsl.dialects import affine
from xdsl.ir import Operation, OpResult, SSAValue

from polyopt.ir.affine_nest import AffineLoop, accesses_in, is_defined_inside
from polyopt.ir.alias import may_overlap
from polyopt.passes.loops.contract.contraction import Contraction


def keeping_loop(contraction: Contraction) -> AffineLoop | None:
    """The loop that the contraction stands in, if its column panels are the same in all
    iterations; each of these runs the contraction."""
    around = contraction.root.parent_op()
    if not isinstance(around, affine.ForOp):
        return None
    loop = AffineLoop(around)
    if loop.lowers is None or len(loop.lowers) != 1:
        return None
    bounds = [
        value
        for inner in contraction.nest.loops
        for value in (*inner.op.lowerBoundOperands, *inner.op.upperBoundOperands)
    ]
    leaves = [*bounds, *(v for p in contraction.column_panels for v in _leaves(p, contraction))]
    if any(_is_made_by(loop, value, contraction) for value in leaves):
        return None
    loads = [op for p in contraction.column_panels for op in _loads(p, contraction)]
    for access in accesses_in(around):
        if access is None:
            return None
        if access.is_write and any(may_overlap(access.array, load.memref) for load in loads):
            return None
    return loop


def _is_made_by(loop: AffineLoop, value: SSAValue, contraction: Contraction) -> bool:
    """Outside of the contraction."""
    root = contraction.root
    return is_defined_inside(value, loop.op) and not is_defined_inside(value, root)


def _leaves(value: SSAValue, contraction: Contraction) -> list[SSAValue]:
    """What a value of the body is computed from, in the body and outside."""
    if not isinstance(value, OpResult) or not _is_inside(value.op, contraction):
        return [value]
    return [leaf for operand in value.op.operands for leaf in _leaves(operand, contraction)]


def _loads(value: SSAValue, contraction: Contraction) -> list[affine.LoadOp]:
    if not isinstance(value, OpResult) or not _is_inside(value.op, contraction):
        return []
    if isinstance(value.op, affine.LoadOp):
        return [value.op]
    return [load for operand in value.op.operands for load in _loads(operand, contraction)]


def _is_inside(op: Operation, contraction: Contraction) -> bool:
    return contraction.root.is_ancestor(op)
