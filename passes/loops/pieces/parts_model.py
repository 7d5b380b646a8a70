"""What a serial loop costs as it is, and with what it does beside its recurrences in vectors.

as it is        max(the longest recurrence, all operations / how many begin in a cycle)
in parts        the same of what stays, and of each piece in lanes its operations, each of which
                takes a vector, and those that hand values on
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from xdsl.dialects import affine, arith, math
from xdsl.dialects.builtin import FixedBitwidthType
from xdsl.ir import Operation, SSAValue

from polyopt.ir.affine.affine_dependence import dependences_below
from polyopt.ir.affine.affine_nest import AffineLoop
from polyopt.passes.loops.pieces.call_pieces import Pieces, graph_of
from polyopt.passes.loops.pieces.piece_writer import is_handed_on
from polyopt.passes.loops.pieces.recurrence_parts import Parts, is_free, ways_apart
from polyopt.passes.loops.vectors.find_vector_loop import find_scan_loop
from polyopt.passes.loops.vectors.scan_model import latency_of
from polyopt.support.core_model import CORE
from polyopt.support.record import record
from polyopt.support.target import Target


@record
class Cut:
    """How a loop is cut, in strips of so many iterations, and what one of these takes then."""

    pieces: Pieces
    strip: int
    cycles: float


def find_cut(op: affine.ForOp, target: Target, strip: int) -> Cut | None:
    """The best way to cut the loop; None where it may not be, or is not worth it. All of a loop
    that is hardly longer than a strip is one."""
    loop, model = AffineLoop(op), CORE.parts
    extent = loop.greatest_extent
    if extent is not None and extent <= 2 * strip:
        strip = extent
    if strip < model.least or not _may_be_cut(loop):
        return None
    dependences = dependences_below(op)
    if not dependences.is_complete or find_scan_loop(op) is not None:
        return None
    ways = [
        (cycles_apart(one, strip, target), number, one)
        for number, one in enumerate(ways_apart(graph_of(op.body.block, dependences), loop))
        if _can_be_kept(one.pieces)
    ]
    if not ways:
        return None
    cycles, _, best = min(ways, key=lambda way: way[:2])
    return Cut(best.pieces, strip, cycles) if cycles <= model.gain * cycles_alone(best) else None


def _may_be_cut(loop: AffineLoop) -> bool:
    if loop.op.inits or loop.step != 1 or loop.facts.is_final:
        return False
    if loop.facts.carried not in (None, "serial", "pipeline"):
        return False
    body = list(loop.block.ops)
    return len(body) <= CORE.parts.body and not any(one.regions for one in body)


def _can_be_kept(pieces: Pieces) -> bool:
    values = pieces.handed_on()
    return len(values) <= CORE.parts.buffers and all(is_handed_on(one.type) for one in values)


def cycles_alone(parts: Parts) -> float:
    """Of an iteration of the loop as it is."""
    return _serial(parts, parts.pieces.number, 0)


def cycles_apart(parts: Parts, extent: int, target: Target) -> float:
    """Of an iteration among `extent` of the loop in pieces."""
    pieces, cycles = parts.pieces, 0.0
    handed = pieces.handed_on()
    for piece, for_lanes in enumerate(pieces.for_lanes):
        done = pieces.operations(piece)
        left = sum(pieces.number[value.op] == piece for value in handed)
        values = set(handed)
        taken = len({one for op in done for one in op.operands if one in values} - _made(done))
        if for_lanes:
            cycles += _in_lanes(done, left + taken, extent, target)
        else:
            cycles += _serial(parts, done, left + taken)
    return cycles


def _made(done: Sequence[Operation]) -> set[SSAValue]:
    return {one for op in done for one in op.results}


def _serial(parts: Parts, operations: Iterable[Operation], moved: int) -> float:
    done = list(operations)
    divided = CORE.parts.divided * sum(map(_divides, done))
    longest = max(map(_longest, parts.recurrences))
    return max(longest, divided, (sum(map(_counts, done)) + moved) / CORE.parts.issue)


def _in_lanes(done: Sequence[Operation], moved: int, extent: int, target: Target) -> float:
    lanes = target.lanes(max(map(_bytes, done)))
    vectors = -(-extent // lanes)
    divided = CORE.parts.divided * sum(map(_divides, done)) * CORE.parts.divided_lanes * lanes
    each = max(divided, (sum(map(_counts, done)) + moved) / CORE.parts.per_cycle)
    return (CORE.parts.start + vectors * each) / extent


def _counts(op: Operation) -> bool:
    """Does the core begin an operation for it?"""
    return not (isinstance(op, arith.ConstantOp) or is_free(op))


def _divides(op: Operation) -> bool:
    return isinstance(op, arith.DivfOp | math.SqrtOp)


def _bytes(op: Operation) -> int:
    types = [one.type for one in (*op.operands, *op.results)]
    return max((one.size for one in types if isinstance(one, FixedBitwidthType)), default=1)


def _longest(recurrence: Sequence[Operation]) -> float:
    """The longest way from what an iteration loads of others to what it stores for them."""
    since: dict[SSAValue, float] = {}
    longest = 0.0
    for op in recurrence:
        known = [since[operand] for operand in op.operands if operand in since]
        if isinstance(op, affine.LoadOp):
            since[op.result] = 0.0
        elif known and not op.results:
            longest = max(longest, *known)
        elif known:
            since |= {one: max(known) + latency_of(op) for one in op.results}
    return longest
