"""Puts what a builder has written in the place of a loop."""

from __future__ import annotations

from xdsl.dialects import affine
from xdsl.ir import Block, Operation

from polyopt.dialects.locations import span_of
from polyopt.dialects.pvec_transfers import WriteOp
from polyopt.support.remarks import remark


def replace_loop(op: affine.ForOp, block: Block) -> None:
    """The operations of `block` take the place of `op`."""
    parent = op.parent
    assert parent is not None
    for new in list(block.ops):
        new.detach()
        parent.insert_op_before(new, op)
    op.detach()
    op.erase()


def move_all(block: Block, parent: Block, anchor: Operation | None) -> None:
    """All operations of `block` before `anchor`, or to the end."""
    for op in list(block.ops):
        op.detach()
        if anchor is None:
            parent.add_op(op)
        else:
            parent.insert_op_before(op, anchor)


def tell(pass_name: str, op: affine.ForOp, what: str) -> None:
    stores = (affine.StoreOp, WriteOp)
    store = next(inner for inner in op.walk() if isinstance(inner, stores))
    remark("applied", pass_name, what, span_of(store))
