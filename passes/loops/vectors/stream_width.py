"""How wide the vectors are of a loop that waits for memory or the divider, or is waited for.

    for (i < 32000) a[i] = a[i] + b[i];        half a line at a time: 2.43 us, a line: 2.65 us

Where the caches give half lines faster (`Target.narrow_streams`; measured on Intel with AVX-512: 35
loops of TSVC-2 over arrays of 128 KB take 6 to 14 % longer by whole lines, s000 to vpvtv), vectors
as wide as a line gain only while what is computed, or loaded from the first level, takes longer
than the lines; not where a loop in front has just gone over the row. Where that is not known, they
are as wide as can be, and of loops that wait for their stores the first one ends where a line does
(`is_thin`). Where lanes are masked, they are as wide as can be. Where a line takes as long as two
halves, these pay if they are carried from step to step (`carried_halves.py`), and if a window of a
row is loaded (`windows.py`).

    for (i…) { for (k…) y += w[k] * x[i + k];  …  for (k…) w[k] += e * x[i + k]; }

There, too, single elements come late from a line that has just been stored as a whole: where a sum
in its own order reads next what the loop has stored, half lines are better (32 floats, strict: 42
ns by whole lines, 24 by halves), and cost nothing, since the sum takes many times as long.
"""

from __future__ import annotations

from collections.abc import Container
from math import prod

from xdsl.dialects import affine
from xdsl.ir import SSAValue

from polyopt.dialects.cmem import element_type
from polyopt.ir.affine.affine_nest import AffineLoop, ElementAccess
from polyopt.ir.affine.subscripts import stride_of, subscripts_of
from polyopt.ir.elementwise import has_lanes
from polyopt.ir.expressions.shapes import element_bytes
from polyopt.ir.fast_math import is_fused
from polyopt.ir.vector_calls import is_in_library
from polyopt.passes.loops.divider import DIVISIONS, waits_for_divider
from polyopt.passes.loops.interleave.halved_rest import runs_again
from polyopt.passes.loops.interleave.line_model import is_placed
from polyopt.passes.loops.vectors.carried_halves import carries_halves
from polyopt.passes.loops.vectors.find_vector_loop import find_vector_loop
from polyopt.passes.loops.vectors.packed_width import vectors_packed, vectors_summed
from polyopt.passes.loops.vectors.vector_loop import VectorLoop
from polyopt.passes.loops.vectors.windows import is_window
from polyopt.support.core_model import CORE
from polyopt.support.target import LANE_BYTES, Target


def lanes_for(found: VectorLoop, target: Target) -> int:
    """Of each vector of the loop: at least as many as bytes are looked up together."""
    lanes = target.lanes(found.element_bytes)
    is_line = target.vector_bits == 8 * target.line_bytes
    if _takes_records_apart(found):
        return lanes
    if waits_for_divider(found.everything, target):
        return lanes // 2
    if found.tables and not target.shuffles_bytes:
        return max(lanes, LANE_BYTES)
    if _stream(found) is not None:
        lanes *= vectors_packed(found, target)
    if _sums_wider(found, target):
        return lanes * vectors_summed(found, target)
    if is_line and target.halves_lines and (is_window(found) or _carries(found, target)):
        return lanes // 2
    if not is_line or not target.narrow_streams:
        return lanes
    is_half = _waits(found, target) or _is_read_singly(found)
    return lanes // 2 if is_half else lanes


def _takes_records_apart(found: VectorLoop) -> bool:
    """Does it load and store members of records of three or more? Lanes come from three vectors or
    more by shuffles then, of which half lines take more for as many lanes: a step of Euler's
    equations on records of three doubles takes 1.2 times as long by half lines."""
    accesses = (*found.loads, *found.stores)
    apart = {op for op in accesses if abs(stride_of(op, found.loop) or 0) > 2}
    return any(isinstance(op, affine.StoreOp) for op in apart) and 2 * len(apart) > len(accesses)


def _carries(found: VectorLoop, target: Target) -> bool:
    return carries_halves(found, _stream(found) or (), _computed(found), target)


def _is_read_singly(found: VectorLoop) -> bool:
    """Does the loop around go over the stored row again and again, and read it one by one?"""
    around = found.loop.op.parent_op()
    if not isinstance(around, affine.ForOp):
        return False
    outer = AffineLoop(around)
    stores = [op for op in found.stores if stride_of(op, found.loop) and not _moves_with(op, outer)]
    rows = {op.memref for op in stores}
    others = (op for op in around.body.block.ops if isinstance(op, affine.ForOp))
    return bool(rows) and any(
        _reads_along(other, rows) and find_vector_loop(other) is None
        for other in others
        if other is not found.loop.op
    )


def _reads_along(op: affine.ForOp, rows: Container[SSAValue]) -> bool:
    """Is it an innermost loop that loads element after element of one of the rows?"""
    loop = AffineLoop(op)
    return any(
        isinstance(inner, affine.LoadOp) and inner.memref in rows and stride_of(inner, loop)
        for inner in op.body.block.ops
    )


def _waits(found: VectorLoop, target: Target) -> bool:
    """Does it go once over more than the first level holds, element by element, and take no longer
    for the rest, by vectors of half a line, than for the lines?"""
    moving = [op for op in _stream(found) or () if not _is_at_hand(op, found.loop, target)]
    if not moving:
        return False
    trips = _instances(found.loop, moving)
    sizes = {op.memref: element_bytes(element_type(op.memref)) or 0 for op in moving}
    return trips * sum(sizes.values()) > target.l1_bytes and _busy(found) <= _lines(found, sizes)


def _is_at_hand(access: ElementAccess, loop: AffineLoop, target: Target) -> bool:
    """Is it along a row that the first level holds, of an array that what stands in front of the
    loop, in the same turn of the one around, has just gone over?"""
    row = _extent(loop) * (element_bytes(element_type(access.memref)) or 0)
    if not isinstance(loop.op.parent_op(), affine.ForOp):
        return False
    if not 0 < row <= CORE.rows.held_of_l1 * target.l1_bytes:
        return False
    before = loop.op.prev_op
    while before is not None:
        if any(access.memref in one.operands for one in before.walk()):
            return True
        before = before.prev_op
    return False


def is_thin(found: VectorLoop, target: Target) -> bool:
    """Of a loop over rows of unknown length, in an array from elsewhere: do stores across two lines
    take longer than the rest of it? Then it pays to find out where lines begin, and to take several
    in a step (2 * x[i] of 1000 doubles, at 16 bytes of a line: 63 ns; lines as they lie 137, half
    lines from there on 160). Rows that are changed over and over are short as a rule, and wait for
    each other."""
    moving = _stream(found)
    is_line = target.vector_bits == 8 * target.line_bytes
    if not target.narrow_streams or not is_line or not moving or _instances(found.loop, moving):
        return False
    if all(is_placed(op.memref) for op in found.stores) or _is_changed_again(found):
        return False
    if any(isinstance(op, DIVISIONS) for op in found.operations):
        return False
    core, loads, stores = CORE.nests, len(found.loads), len(found.stores)
    computed = _computed(found) - sum(map(is_fused, found.operations))
    others = max(loads / core.loads, computed / core.arithmetic)
    return others < stores * core.split_stores


def _is_changed_again(found: VectorLoop) -> bool:
    loaded = {op.memref for op in found.loads}
    return runs_again(found.loop.op) and any(op.memref in loaded for op in found.stores)


def _stream(found: VectorLoop) -> list[ElementAccess] | None:
    """The accesses that move, of a loop that only goes over elements side by side."""
    if found.accumulations or found.lookups or found.scans or found.streamed is not None:
        return None
    if len(found.everything) != len(found.operations):
        return None
    strides = {op: stride_of(op, found.loop) for op in (*found.loads, *found.stores)}
    if any(stride not in (-1, 0, 1) for stride in strides.values()):
        return None
    return [op for op, stride in strides.items() if stride]


def _sums_wider(found: VectorLoop, target: Target) -> bool:
    """Does the loop go over elements side by side for nothing but sums, some of which are wider
    than all that decides on them?"""
    if not found.accumulations or found.stores or found.lookups or found.scans or found.kept:
        return False
    is_row = all(stride_of(op, found.loop) in (-1, 0, 1) for op in found.loads)
    return is_row and vectors_summed(found, target) > 1


def _instances(loop: AffineLoop, moving: list[ElementAccess]) -> int:
    """How many elements each of the accesses goes over, in loops that leave none of them where it
    was; 0 where that is not known."""
    extents = [_extent(loop)]
    around = loop.op.parent_op()
    while isinstance(around, affine.ForOp):
        outer = AffineLoop(around)
        if not all(_moves_with(op, outer) for op in moving):
            break
        extents.append(_extent(outer) or 1)
        around = around.parent_op()
    return prod(extents)


def _extent(loop: AffineLoop) -> int:
    """The number of iterations, if the bounds are numbers, else 0."""
    if loop.lowers is None or loop.uppers is None or len(loop.lowers) + len(loop.uppers) != 2:
        return 0
    distance = loop.uppers[0] - loop.lowers[0]
    return 0 if distance.terms else max(0, -(-distance.constant // loop.step))


def _moves_with(op: ElementAccess, loop: AffineLoop) -> bool:
    return any(form.coefficient(loop.iv) for form in subscripts_of(op) or ())


def _busy(found: VectorLoop) -> float:
    """The cycles for as many iterations as a line has elements, in two vectors."""
    core = CORE.nests
    loads, stores = len(found.loads) / core.loads, len(found.stores) / core.stores
    return 2 * max(loads, stores, _computed(found) / core.arithmetic)


def _computed(found: VectorLoop) -> int:
    """The operations of an iteration on what it loads."""
    computed = sum(1 for op in found.operations if op.operands and has_lanes(op))
    return computed + round(CORE.nests.call) * any(map(is_in_library, found.operations))


def _lines(found: VectorLoop, sizes: dict[SSAValue, int]) -> float:
    """The cycles until the lines are there that so many iterations go over."""
    core = CORE.nests
    stored = {op.memref for op in found.stores}
    widest = found.element_bytes
    costs = [core.written if array in stored else 1.0 for array in sizes]
    parts = [size / widest for size in sizes.values()]
    return core.l1_line * sum(cost * part for cost, part in zip(costs, parts, strict=True))


def vectors_in_a_step(found: VectorLoop, target: Target) -> int:
    """Of a sum several whole vectors, each with a sum of its own. Elements that are looked up take
    longer to come than a sum to wait for; of calls two are enough. Of what does little several, of
    which less is counted."""
    if is_thin(found, target):
        return CORE.rows.short_steps
    if not found.accumulations or found.gathers:
        return 1
    calls = any(map(is_in_library, found.operations))
    is_wide = calls or _sums_wider(found, target)
    return CORE.rows.chains_of_many if is_wide else CORE.rows.chains
