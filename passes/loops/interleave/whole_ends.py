"""What whole vectors leave of a row, where the machine has no masks for its elements, or slow ones.

AVX2 has masked loads and stores of elements of 4 and 8 bytes; of others each lane would be a branch
of its own, and some cores take that long to store under a mask (`Target.slow_masked_stores`; Zen 3:
18 cycles, of 7 lanes out of 8 in parts 1.4). A row of `lanes` iterations and more ends in a vector
that is whole, and runs some of them for a second time:

    for v in whole vectors: S(v)                         S must do the same twice (`runs_twice`):
    if (some are left)      S(stop - lanes)              it reads nothing that it writes

What is accumulated takes of that vector what is left only. Rows that are shorter, and rests of
what may not run twice, go in vectors of half as many lanes, of a quarter, … (`halved_rest.py`), or
one by one.
"""

from __future__ import annotations

from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Operation, SSAValue

from polyopt.dialects.cmem import memref_type
from polyopt.dialects.pvec_transfers import ReadOp, WriteOp
from polyopt.ir.expressions.shapes import element_bytes
from polyopt.ir.objects.alias import may_overlap
from polyopt.passes.loops.copies import Copier, CopyScope
from polyopt.passes.loops.interleave.halved_rest import has_fewer_lanes, may_be_halved
from polyopt.passes.loops.interleave.masked_loop import MaskedLoop
from polyopt.passes.loops.interleave.partial_values import partial_values
from polyopt.support.core_model import CORE
from polyopt.support.record import entity
from polyopt.support.target import Target


def ends_whole(source: MaskedLoop, target: Target, *, is_streamed: bool = False) -> bool:
    """Is this the form for the row? All of its masks are one, and there is a way to do without. Of
    what goes past the cache it takes a first vector that is on no line, and may run twice."""
    if target.has_mask_registers:
        return False
    if not any(map(_is_narrow, source.operations)) and not _spares_stores(source, target):
        return False
    if len({(one.low, one.high) for one in source.masks}) != 1:
        return False
    if is_streamed and (source.yielded or not runs_twice(source)):
        return False
    if source.yielded:
        return runs_twice(source) and partial_values(source) is not None
    return runs_twice(source) or has_fewer_lanes(source)


def _spares_stores(source: MaskedLoop, target: Target) -> bool:
    """Are there masked stores, which take longer than the same step once more, or than steps of
    ever fewer lanes, of which there may be copies?"""
    is_free = runs_twice(source) and not source.yielded
    return stores_slowly(source, target) and (is_free or may_be_halved(source))


def stores_slowly(source: MaskedLoop, target: Target) -> bool:
    """Would stores under a mask take about as long as one of each lane?"""
    stores = (op for op in source.operations if isinstance(op, WriteOp))
    return target.slow_masked_stores and any(op.mask is not None for op in stores)


def runs_twice(source: MaskedLoop) -> bool:
    """Whether iterations that have run may run once more, and change nothing."""
    written = [op.memref for op in source.operations if isinstance(op, WriteOp)]
    read: list[SSAValue] = []
    for op in source.operations:
        if isinstance(op, WriteOp):
            continue
        if op.name.endswith(("store", "scatter")):
            return False
        read += [one for one in op.operands if isinstance(one.type, MemRefType)]
    return not any(may_overlap(one, other) for one in written for other in read)


def _is_narrow(op: Operation) -> bool:
    if not isinstance(op, (ReadOp, WriteOp)) or op.mask is None:
        return False
    size = element_bytes(memref_type(op.memref).element_type)
    return size is not None and size not in CORE.strided.masked_bytes


@entity
class LastLanes(Copier):
    """Copies of a step whose masks say what is left: what is read and written is so in all lanes,
    what is chosen by a mask is not."""

    own: frozenset[SSAValue] = frozenset()

    def _mask(self, mask: SSAValue | None, scope: CopyScope) -> SSAValue | None:
        return None if mask in self.own else super()._mask(mask, scope)
