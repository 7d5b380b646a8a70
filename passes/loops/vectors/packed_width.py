"""Loops that store narrower elements than they compute take so many lanes that a vector is stored.

    for (i…) q[i] = (signed char)(x[i] * s);     8 lanes:  a vector of f32, 8 of 32 bytes stored
                                                 32 lanes: four vectors of f32, packed into one

Two vectors are packed by one instruction into one of elements half as wide; a vector alone takes as
many to become a half or a quarter, and each part is stored on its own (100,000 floats to bytes on a
Zen 4 with AVX2: 19.2 us by 8 lanes, 14.3 by 16 or 32; bytes scaled as floats: 92, 73 and 70 us).
AVX-512 narrows a vector by one instruction, whatever becomes of it: there it counts how much is
computed of narrower values, at most half as wide, for each of which a vector of the widest ones
leaves half a vector unused. What is live of a step has to stay in registers.

    q[i] = clamp((int)(((long)x[i] * m) >> s) + z);    8 lanes: 5.5 us, 16 lanes: 4.8

(65,536 of them on a Zen 5.)

So it does where nothing is stored but sums, of which some are wider than what decides on them:

    if (x[i] < a) n++; else if (x[i] > b) m++; else s += x[i];      a double s, 100,000 floats:
                                                       8 lanes: 36 us, 16 lanes: 24 (Golden Cove)
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from xdsl.dialects import affine, arith
from xdsl.ir import Operation, SSAValue

from polyopt.dialects.cmem import element_type
from polyopt.ir.expressions.shapes import element_bytes
from polyopt.passes.loops.vectors.vector_loop import VectorLoop
from polyopt.support.core_model import CORE
from polyopt.support.target import Target


def vectors_packed(found: VectorLoop, target: Target) -> int:
    """How many vectors of the widest values become one of the widest elements that are stored."""
    stored = [element_bytes(element_type(op.memref)) or 0 for op in found.stores]
    if not stored or 0 in stored:
        return 1
    if target.has_mask_registers and _saved(found) < CORE.rows.least_saved:
        return 1
    lanes, extent = target.lanes(found.element_bytes), found.loop.greatest_extent
    live = _most_live(found.operations, found.element_bytes)
    count = max(1, found.element_bytes // max(stored))
    if target.has_mask_registers:
        count = min(count, 2)
    while count > 1 and (
        count * live > target.vector_registers or (extent is not None and count * lanes > extent)
    ):
        count //= 2
    return count


def vectors_summed(found: VectorLoop, target: Target) -> int:
    """How many vectors of the widest values one of the others in a loop of sums stands beside."""
    stored = [one.store for one in found.accumulations]
    if not target.has_mask_registers or _saved(found) - len(stored) < CORE.rows.least_saved:
        return 1
    if any(map(partial(_compares_wide, half=found.element_bytes // 2), found.everything)):
        return 1
    sums = sum((element_bytes(one.value.type) or 0) / found.element_bytes for one in stored)
    lanes, extent = target.lanes(found.element_bytes), found.loop.greatest_extent
    live = CORE.rows.chains_of_many * sums + _most_live(found.everything, found.element_bytes)
    fits = 2 * live <= target.vector_registers
    return 2 if fits and (extent is None or 2 * lanes <= extent) else 1


def _compares_wide(op: Operation, half: int) -> bool:
    """Is a mask of the widest values made, which has to be put together of several then?"""
    compares = isinstance(op, arith.CmpfOp | arith.CmpiOp)
    return compares and (element_bytes(op.operands[0].type) or 0) > half


def _saved(found: VectorLoop) -> int:
    """The operations on values at most half as wide as the widest, less those that make such values
    of wider ones or wider ones of such. What is loaded is made wider as it is loaded."""
    half = found.element_bytes // 2
    saved = 0
    for op in found.everything:
        sizes = [element_bytes(one.type) or 0 for one in (*op.operands, *op.results)]
        if isinstance(op, affine.LoadOp) or not op.operands:
            continue
        if isinstance(op, affine.StoreOp):
            saved += (element_bytes(op.value.type) or 0) <= half
        elif max(sizes) <= half:
            saved += 1
        elif min(sizes) <= half and not isinstance(op.operands[0].owner, affine.LoadOp):
            saved -= 1
    return saved


def _most_live(operations: Sequence[Operation], widest: int) -> float:
    """Of the values that the operations hand to each other, how many vectors of `widest` bytes an
    element are needed at a time. What is loaded is loaded where it is used first."""
    last: dict[SSAValue, int] = {}
    first: dict[SSAValue, int] = {}
    for number, op in enumerate(operations):
        for operand in op.operands:
            last[operand] = number
            first.setdefault(operand, number)
    most = live = 0.0
    begins: dict[int, float] = {}
    ends: dict[int, float] = {}
    for number, op in enumerate(operations):
        for value in op.results:
            if value in last and op.operands:
                begin = first[value] if isinstance(op, affine.LoadOp) else number
                part = (element_bytes(value.type) or widest) / widest
                begins[begin] = begins.get(begin, 0) + part
                ends[last[value]] = ends.get(last[value], 0) + part
    for number in range(len(operations)):
        live += begins.get(number, 0)
        most = max(most, live)
        live -= ends.get(number, 0)
    return most
