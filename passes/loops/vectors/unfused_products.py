"""Products that are not computed with the sums which wait for each other."""

from __future__ import annotations

from xdsl.dialects import affine, arith

from polyopt.dialects.loop_facts import restrict_rounding
from polyopt.ir.affine.affine_nest import AffineLoop
from polyopt.ir.affine.subscripts import stride_of, subscripts_of
from polyopt.ir.fast_math import may_reassociate


def keep_products_unfused(op: affine.ForOp) -> None:
    """Where each iteration adds a product, in order, to what the one before has left, the product
    is not to be computed with the sum: the sums are what the loop waits for, and an addition
    alone is done in two or three cycles, in four with a multiplication."""
    loop = AffineLoop(op)
    for store in op.body.block.ops:
        if not isinstance(store, affine.StoreOp) or stride_of(store, loop) != 0:
            continue
        if not isinstance(total := store.value.owner, (arith.AddfOp, arith.SubfOp)):
            continue
        if may_reassociate(total):
            continue
        for old, term in (total.operands, reversed(total.operands)):
            load, product = old.owner, term.owner
            if (
                isinstance(load, affine.LoadOp)
                and load.memref is store.memref
                and subscripts_of(load) == subscripts_of(store)
                and isinstance(product, arith.MulfOp)
                and product.parent is op.body.block
            ):
                restrict_rounding(product.attributes, "unfused")
