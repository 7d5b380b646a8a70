"""Is a row to begin with a vector under a mask, so that its stores are aligned?

Where vectors are as wide as a line, each one that is not aligned lies across two lines. Aligned
stores bring with them what is read at the same place in rows that lie whole lines apart: of those
an array's type shows how many there are, or a guess has to do. Thin loops wait for their stores
(`stream_width.is_thin`).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import OpResult, SSAValue

from polyopt.dialects.cmem import memref_type
from polyopt.dialects.pvec_transfers import ReadOp, WriteOp
from polyopt.ir.affine.linear import Linear, linear_forms
from polyopt.ir.expressions.shapes import element_bytes
from polyopt.ir.objects.alias import underlying_object
from polyopt.passes.loops.interleave.masked_loop import MaskedLoop
from polyopt.support.core_model import CORE
from polyopt.support.target import LINE_BYTES


def pays_to_align(loop: MaskedLoop, transfers: Sequence[ReadOp | WriteOp]) -> bool:
    """`transfers` are those of elements side by side, one that writes first. What is summed up on
    the way is not to be rounded as the address of an array has it."""
    if loop.yielded or not transfers or not isinstance(first := transfers[0], WriteOp):
        return False
    size = element_bytes(memref_type(first.memref).element_type)
    if size is None or size * loop.lanes != LINE_BYTES:
        return False
    reads = [op for op in transfers if isinstance(op, ReadOp) and _is_beside(op, first, loop)]
    saved = CORE.nests.split_stores - 1 if loop.is_thin else CORE.carried.split_store
    saved += sum(_aligned_part(op.memref, loop.lanes) for op in reads) / CORE.nests.loads
    extent = loop.greatest_extent
    steps = CORE.carried.assumed if extent is None else extent / loop.lanes
    return saved * steps > CORE.carried.aligned_start


def is_placed(array: SSAValue) -> bool:
    """Does it begin where the compiler has put it, at a line?"""
    under = underlying_object(array)
    return isinstance(under, str | OpResult)


def _is_beside(read: ReadOp, write: WriteOp, loop: MaskedLoop) -> bool:
    """At the same place of its row, but for whole vectors?"""
    here, there = _last(read), _last(write)
    if here is None or there is None:
        return False
    apart = here - there
    return not apart.terms and apart.constant % loop.lanes == 0


def _last(op: ReadOp | WriteOp) -> Linear | None:
    forms = linear_forms(op.map.data, op.indices)
    return forms[-1] if forms else None


def _aligned_part(array: SSAValue, lanes: int) -> float:
    """How many of an array's rows begin where a line does, if one does."""
    extent = memref_type(array).get_shape()[-1]
    return CORE.carried.aligned_rows if extent == DYNAMIC_INDEX else gcd(extent, lanes) / lanes
