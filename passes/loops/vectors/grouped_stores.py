"""Stores of one array in strides that fill a stretch of memory together, element by element."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import affine, memref
from xdsl.ir import Operation

from polyopt.ir.affine.affine_nest import AffineLoop
from polyopt.ir.affine.linear import Linear
from polyopt.ir.affine.subscripts import stride_of, subscripts_of
from polyopt.ir.objects.alias import may_overlap
from polyopt.support.core_model import CORE
from polyopt.support.record import record

_Access = affine.LoadOp | affine.StoreOp | memref.LoadOp


@record
class StoreGroups:
    """`operations` are those of an iteration in their order, `accesses` those among them that
    touch memory; `may_leave_out`: there are stores that leave out some elements of a vector."""

    loop: AffineLoop
    operations: Sequence[Operation]
    accesses: Sequence[_Access]
    may_leave_out: bool

    def groups_of(self, stores: Sequence[affine.StoreOp]) -> list[list[affine.StoreOp]]:
        """In the order of their places; those that may wait for the last of their group."""
        alike: dict[tuple[int, tuple[object, ...]], list[tuple[int, affine.StoreOp]]] = {}
        for op in stores:
            stride, subscripts = stride_of(op, self.loop), subscripts_of(op)
            if stride is not None and stride > 1 and subscripts and op.parent is self.loop.block:
                *outer, last = subscripts
                key = (op.memref, *outer, last - last.constant)
                alike.setdefault((stride, key), []).append((last.constant, op))
        found: list[list[affine.StoreOp]] = []
        for (stride, _), members in alike.items():
            places, own = zip(*sorted(members, key=lambda one: one[0]), strict=True)
            is_once = len(set(places)) == len(own) and places[-1] - places[0] < stride
            is_dense = len(own) == stride or (
                self.may_leave_out and len(own) * CORE.strided.near_stride >= stride
            )
            if is_once and is_dense and self._may_wait_for_each_other(own):
                found.append(list(own))
        return found

    def _may_wait_for_each_other(self, stores: Sequence[affine.StoreOp]) -> bool:
        """Until the last of them, does nothing else in their iteration touch what they store, but
        for loads of just that? Of other iterations nothing does: they are independent."""
        places = {op: place for place, op in enumerate(self.operations)}
        last = max(places[store] for store in stores)
        return all(
            _may_wait(store, [o for o in self.accesses if places[store] < places[o] < last])
            for store in stores
        )


def _may_wait(store: affine.StoreOp, meanwhile: Sequence[_Access]) -> bool:
    for other in meanwhile:
        if not may_overlap(store.memref, other.memref):
            continue
        if isinstance(other, memref.LoadOp) or other.memref is not store.memref:
            return False
        here, there = subscripts_of(store), subscripts_of(other)
        if here is None or there is None:
            return False
        difference = [b - a for a, b in zip(here, there, strict=True)]
        if any(not form.terms and form.constant for form in difference):
            continue
        is_same = all(form == Linear() for form in difference)
        if not (is_same and isinstance(other, affine.LoadOp)):
            return False
    return True
