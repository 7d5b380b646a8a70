"""The source's own accesses, of what `split-accesses` has made of them: one for each element.

    a = load b[4 i]; … ; d = load b[4 i + 3]                  a = load b[4 i]
    x = ext a | ext b << 8 | ext c << 16 | ext d << 24   =>   x = ext a

It is not what the program does: as many elements are loaded and stored as it does, each at the
place of its first part, so that what they cost may be told.
"""

from __future__ import annotations

from xdsl.dialects import affine, memref
from xdsl.ir import Block, Operation
from xdsl.rewriter import Rewriter

from polyopt.dialects.cmem import PART
from polyopt.ir.effects import is_pure

_Loads = affine.LoadOp | memref.LoadOp
_Stores = affine.StoreOp | memref.StoreOp


def forget_parts(block: Block) -> None:
    """Leave the first part of each element in what stands in the block."""
    marked = [op for op in block.walk() if PART in op.attributes]
    for op in marked:
        if len(op.operands) == 2:
            Rewriter.replace_op(op, [], [op.operands[0]])
            continue
        for use in list(op.results[0].uses):
            if isinstance(use.operation, _Stores):
                Rewriter.erase_op(use.operation)
    if marked:
        _erase_unused(block)


def _erase_unused(block: Block) -> None:
    for op in reversed(list(block.walk())):
        if _is_unused(op):
            Rewriter.erase_op(op)


def _is_unused(op: Operation) -> bool:
    goes = (is_pure(op) and not op.regions) or isinstance(op, _Loads)
    return goes and bool(op.results) and all(result.first_use is None for result in op.results)
