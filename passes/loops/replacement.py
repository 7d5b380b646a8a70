"""Puts what a builder has written in the place of an operation."""

from __future__ import annotations

from xdsl.dialects import affine
from xdsl.ir import Block, Operation

from polyopt.dialects.locations import span_of
from polyopt.dialects.pvec_transfers import WriteOp
from polyopt.support.remarks import remark


def replace_op(op: Operation, block: Block) -> None:
    """The operations of `block` take the place of `op`, of which nothing is used."""
    parent = op.parent
    assert parent is not None
    move_all(block, parent, op)
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


def tell(pass_name: str, op: affine.ForOp, what: str, lanes: int = 0) -> None:
    """At a store in the loop, or at the loop where none of them is at a place known here. `lanes`:
    so many iterations are done by one operation."""
    stores = (affine.StoreOp, WriteOp)
    store = next((inner for inner in op.walk() if isinstance(inner, stores)), op)
    numbers = (("lanes", lanes),) if lanes else ()
    remark("applied", pass_name, what, span_of(store), numbers=numbers)
