"""Sums that were unrolled by hand: what one iteration adds, in several terms, to one element.

    s = s + x[i] * y[i] + x[i + 1] * y[i + 1]            (the reference BLAS's ddot is by five)

In order, the terms are those of as many iterations of a sum of one term; where additions may be
reassociated, also if they are added to each other first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.dialects import arith, memref
from xdsl.ir import Operation, SSAValue

from polyopt.ir.fast_math import may_reassociate
from polyopt.ir.objects.bases import are_disjoint, object_of
from polyopt.support.record import entity


@entity
class UnrolledSum:
    """`store` puts the sum of what `load` has taken from there and of `terms`, in order."""

    load: memref.LoadOp
    store: memref.StoreOp
    terms: list[SSAValue]

    def add_only(self, count: int) -> None:
        """Add the first `count` terms and no others."""
        block, total = self.store.parent, self.load.res
        assert block is not None
        last = self.store.value.owner
        assert isinstance(last, (arith.AddfOp, arith.AddiOp))
        for term in self.terms[:count]:
            if isinstance(last, arith.AddfOp):
                op: arith.AddfOp | arith.AddiOp = arith.AddfOp(total, term, flags=last.fastmath)
            else:
                op = arith.AddiOp(total, term)
            op.location = last.location
            block.insert_op_before(op, self.store)
            total = op.result
        self.store.operands[0] = total


def find_unrolled_sum(body: Sequence[Operation]) -> UnrolledSum | None:
    """Of a body whose only store is that of the sum; which element that is may change from one
    iteration to the next."""
    stores = [op for op in body if isinstance(op, memref.StoreOp)]
    if len(stores) != 1:
        return None
    (store,) = stores
    place = object_of(store.memref)
    loads = [op for op in body if isinstance(op, memref.LoadOp)]
    own = [one for one in loads if not are_disjoint(place, object_of(one.memref))]
    if len(own) != 1 or not _is_at(own[0], store) or not own[0].res.has_one_use():
        return None
    root = store.value.owner
    is_free = isinstance(root, arith.AddiOp) or (
        isinstance(root, arith.AddfOp) and may_reassociate(root)
    )
    leaves = list(_leaves(store.value, body, is_free=is_free))
    terms = [one for one in leaves if one is not own[0].res]
    if len(terms) + 1 != len(leaves) or len(terms) < 2:
        return None
    is_begun = leaves.index(own[0].res) < 2  # In either order a sum of two has the same bits.
    return UnrolledSum(own[0], store, terms) if is_begun or is_free else None


def _is_at(load: memref.LoadOp, store: memref.StoreOp) -> bool:
    return load.memref is store.memref and tuple(load.indices) == tuple(store.indices)


def _leaves(
    value: SSAValue, body: Sequence[Operation], *, is_free: bool, is_first: bool = True
) -> Iterator[SSAValue]:
    """What is added up. A term that is a sum itself is one term where sums keep their order."""
    op = value.owner
    if (
        not isinstance(op, (arith.AddfOp, arith.AddiOp))
        or op not in body
        or not value.has_one_use()
        or not (is_first or (is_free and (isinstance(op, arith.AddiOp) or may_reassociate(op))))
    ):
        yield value
        return
    yield from _leaves(op.lhs, body, is_free=is_free, is_first=is_first)
    yield from _leaves(op.rhs, body, is_free=is_free, is_first=False)
