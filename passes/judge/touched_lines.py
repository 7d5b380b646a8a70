"""The lines of memory that straight code touches: accesses that move alike are one reference.

Neighbours in a row share lines, so a group touches as many as its span has, and as many rows as it
has places in the other dimensions.
"""

from __future__ import annotations

from collections.abc import Sequence

from polyopt.passes.judge.loop_body import LoopBody
from polyopt.passes.judge.typical_access import TypicalAccess
from polyopt.poly.cost.distinct_lines import Reference
from polyopt.poly.cost.nest_cost import Touched


def touched_lines(body: LoopBody, line_bytes: int) -> tuple[Touched, ...]:
    """What moves alike, together."""
    alike: dict[tuple[object, ...], list[TypicalAccess]] = {}
    for access in body.accesses.values():
        if access.subscripts:
            key = (access.array, *(one.moves for one in access.subscripts))
            alike.setdefault(key, []).append(access)
    return tuple(_together(accesses, body, line_bytes) for accesses in alike.values())


def _together(accesses: Sequence[TypicalAccess], body: LoopBody, line_bytes: int) -> Touched:
    first = accesses[0]
    size, rank = first.element_bytes, len(first.subscripts)
    line = max(1, line_bytes // size)
    rows: list[tuple[int, ...]] = []
    inside: list[float] = []
    for dim, subscript in enumerate(first.subscripts):
        places = {one.subscripts[dim].number for one in accesses}
        span = max(places) - min(places)
        if dim == rank - 1:
            wide = max(one.lanes for one in accesses)
            count, distance = 1 + (span + wide - 1) // line, line
        else:
            count, distance = len(places), round(span / max(1, len(places) - 1))
        own = [int(subscript.by(k)) for k in range(body.depth + 1)]
        unrolled = [int(subscript.by(k + len(own))) for k in range(len(body.code.inner))]
        distances = [distance if k == dim and count > 1 else 0 for k in range(rank)]
        rows.append((*own, *unrolled, *distances))
        inside.append(float(count))
    is_write = any(one.is_write for one in accesses)
    reference = Reference(str(id(first.array)), tuple(rows), is_write, size)
    return Touched(reference, (*body.code.inner, *inside))
