"""What one iteration has loaded and the next one loads again, which LLVM takes over.

It does so before it looks for vectors. What depends on such a value has to be put off, in a loop
over vectors, until the other load has been done, and stores are not: there are no vectors then.

    u[j] = un[j] - vn[j]; v[j] = vn[j] - vn[j + 1]           a cavity flow: 0.8 of the time in lanes
    y[i] = sum over k of c[k] * x[i - 2 * k - 1]; e[i] = x[i] + y[i]         a filter: 0.2 of it
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product

from xdsl.dialects import memref
from xdsl.ir import Operation, SSAValue

from polyopt.ir.objects.alias import underlying_object
from polyopt.passes.judge.index_values import Moves
from polyopt.passes.judge.loop_body import LoopBody
from polyopt.passes.judge.typical_access import TypicalAccess

Element = tuple[tuple[float, Moves], ...]


def is_taken_over_too_late(load: TypicalAccess, body: LoopBody) -> bool:
    """Whether it loads what another load of the iteration before has loaded, behind a store of
    what depends on it."""
    other = _next_one(load, body)
    if other is None:
        return False
    order = body.order
    return _stores_dependent(load, body.operations[order[load.op] + 1 : order[other.op]], body)


def is_local(access: TypicalAccess) -> bool:
    """Of an array whose elements may be values."""
    thing = underlying_object(access.array)
    return isinstance(thing, SSAValue) and isinstance(thing.owner, memref.AllocaOp)


def _next_one(load: TypicalAccess, body: LoopBody) -> TypicalAccess | None:
    """The first load of what `load` loads one iteration later, of an array that nothing is
    written to."""
    if load.is_write or load.array in body.written or not body.moves(load):
        return None
    alike = body.by_array[load.array]
    if len(alike) == 1:
        return None
    later = set(_elements(load, body, 1))
    others = (one for one in alike if one is not load)
    meeting = (one for one in others if not later.isdisjoint(_elements(one, body)))
    return min(meeting, key=lambda one: body.order[one.op], default=None)


def _elements(access: TypicalAccess, body: LoopBody, later: int = 0) -> Iterator[Element]:
    """All that it touches in the loops that have been unrolled, so many iterations later."""
    here = body.depth + 1
    own = [k for k in body.code.within.get(access.op, ()) if any(access.by(here + k))]
    ranges = [range(int(body.code.inner[k])) for k in own]
    for iteration in product(*ranges):
        yield tuple(
            (
                subscript.number
                + later * subscript.by(body.depth)
                + sum(
                    subscript.by(here + k) * (at - (len(steps) - 1) // 2)
                    for k, at, steps in zip(own, iteration, ranges, strict=True)
                ),
                tuple(move for move in subscript.moves if move[0] < here),
            )
            for subscript in access.subscripts
        )


def _stores_dependent(load: TypicalAccess, operations: Iterable[Operation], body: LoopBody) -> bool:
    """Does one of them store, to memory, what depends on what was loaded? Variables are values."""
    depending: set[SSAValue] = set(load.op.results)
    for op in operations:
        access = body.accesses.get(op)
        if access is not None and access.is_write:
            if access.stored in depending:
                if access.subscripts and not is_local(access):
                    return True
                depending.add(access.array)
        elif not depending.isdisjoint(op.operands):
            depending.update(op.results)
    return False
