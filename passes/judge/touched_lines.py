"""The lines of memory that straight code touches: accesses that move alike are one reference.

Neighbours in a row share lines, so a group touches as many as its span has, but none where there is
nothing of it: A[i][p] and A[i][q] are two, whatever lies between. It touches as many rows as it has
places in the other dimensions, and of vectors whose lanes are strided what each lane does. Loops
that have been unrolled are places in it: A[4*i + c], for all c, and A[4*i + 3] are one.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import prod

from xdsl.dialects.builtin import DYNAMIC_INDEX

from polyopt.dialects.cmem import memref_type
from polyopt.ir.expressions.shapes import is_row_major
from polyopt.passes.judge.index_values import Typical
from polyopt.passes.judge.loop_body import LoopBody
from polyopt.passes.judge.typical_access import TypicalAccess
from polyopt.poly.cost.distinct_lines import Reference
from polyopt.poly.cost.nest_cost import Touched


def touched_lines(body: LoopBody, line_bytes: int) -> tuple[Touched, ...]:
    """What moves alike, together."""
    alike: dict[tuple[object, ...], list[TypicalAccess]] = {}
    for access in body.accesses.values():
        if access.subscripts:
            outer = (tuple(map(one.by, range(body.depth + 1))) for one in access.subscripts)
            alike.setdefault((access.array, access.steps, *outer), []).append(access)
    return tuple(_together(accesses, body, line_bytes) for accesses in alike.values())


def _together(accesses: Sequence[TypicalAccess], body: LoopBody, line_bytes: int) -> Touched:
    first = max(accesses, key=lambda one: sum(len(by.moves) for by in one.subscripts))
    size, rank = first.element_bytes, len(first.subscripts)
    line = max(1, line_bytes // size)
    rows: list[tuple[int, ...]] = []
    inside: list[float] = []
    widest = max(one.lanes for one in accesses)
    for dim, subscript in enumerate(first.subscripts):
        beside = line + widest if dim == rank - 1 else 1
        places = _places([one.subscripts[dim] for one in accesses], subscript, body, beside)
        span = places[-1] - places[0]
        count, distance = float(len(places)), span / max(1, len(places) - 1)
        if dim == rank - 1:
            wide = 1 if first.steps else widest
            gaps = sum(min(line, there - here) for here, there in pairwise(places))
            count = 1 + (gaps + wide - 1) // line
            distance = max(line, span / max(1, count - 1))
        step = first.steps[dim] if first.steps else 0
        own = [int(subscript.by(k)) for k in range(body.depth + 1)]
        unrolled = [int(subscript.by(k + len(own))) for k in range(len(body.code.inner))]
        distances = [round(distance) if k == dim and count > 1 else 0 for k in range(rank)]
        rows.append((*own, *unrolled, step, *distances))
        inside.append(count)
    is_write = any(one.is_write for one in accesses)
    reference = Reference(str(id(first.array)), tuple(rows), is_write, size)
    lanes = float(widest) if first.steps else 1.0
    share = min(1.0, max(body.code.operations[one.op] for one in accesses))
    width = 1 if first.steps else widest
    loops = body.code.inner
    strides = _strides(first)
    return Touched(reference, (*loops, lanes, *inside), share, width, len(loops), strides)


def _strides(access: TypicalAccess) -> tuple[int, ...] | None:
    """Bytes from element to element in each dimension; the last one goes along all rows that are
    taken for one."""
    type_ = memref_type(access.array)
    shape = type_.get_shape()
    if not is_row_major(type_) or DYNAMIC_INDEX in shape[1:]:
        return None
    along = [prod(shape[k + 1 :]) for k in range(len(access.subscripts) - 1)]
    return (*(size * access.element_bytes for size in along), access.element_bytes)


def _places(
    subscripts: Sequence[Typical], first: Typical, body: LoopBody, beside: float
) -> list[float]:
    """Where one of them is while the loops stand still, but for what unrolled loops lead `first`
    to or `beside`: the rest of a row lies behind the vectors before it."""
    reach = sum(abs(step) * (trips - 1) / 2 for step, trips in _unrolled(first, body))
    places = {
        one.number
        for one in subscripts
        if not reach
        or any(step for step, _ in _unrolled(one, body))
        or abs(one.number - first.number) > reach + beside
    }
    return sorted(places)


def _unrolled(subscript: Typical, body: LoopBody) -> list[tuple[float, float]]:
    """How far the unrolled loops move it in an iteration, and how many of these they have."""
    inner = body.code.inner
    return [(subscript.by(k + body.depth + 1), inner[k]) for k in range(len(inner))]
