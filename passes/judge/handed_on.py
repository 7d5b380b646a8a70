"""What code waits for that other code has just stored.

Rows at whose end, or beginning, lies what the loop around has stored one iteration before.

    for i:  for j = 0 to i:  s -= L[i][j] * x[j]
            x[i] = s / L[i][i]

A vector that holds it beside others waits until it is in memory. LLVM's vectors begin where the row
does, and leave the last iterations over to one after the other, unless they fill a vector.
"""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.dialects import vector

from polyopt.passes.judge.loop_body import LoopBody
from polyopt.passes.judge.typical_access import TypicalAccess


def share_of_rows_awaited(
    body: LoopBody, stores: Iterable[TypicalAccess], trips: float, lanes: int
) -> float:
    """The part of the rows in which a vector of LLVM's waits for what `stores` have left, those of
    the loop around that are made one by one; all rows are taken to be as the typical one."""
    if trips < lanes or body.depth < 1:
        return 0.0
    alone = [one for one in stores if one.lanes == 1]
    middle = (trips - 1) // 2
    ends = ((-middle, 1.0), (trips - 1 - middle, 1.0 / lanes))
    return max(
        (
            share
            for load in body.accesses.values()
            if not load.is_write and body.step(load) == 1
            for store in alone
            if store.array is load.array
            for iterations, share in ends
            if _is_left_there(load, iterations, store, body.depth)
        ),
        default=0.0,
    )


def _is_left_there(
    load: TypicalAccess, iterations: float, store: TypicalAccess, depth: int
) -> bool:
    """Does the load touch, so many iterations later, what the store has one iteration of the loop
    around before?"""
    return len(load.subscripts) == len(store.subscripts) and all(
        here.number + here.by(depth) * iterations == there.number - there.by(depth - 1)
        for here, there in zip(load.subscripts, store.subscripts, strict=True)
    )


def waits_for_parts(body: LoopBody) -> bool:
    """Whether straight code loads parts of a vector that it has stored under a mask: what is not
    stored as a whole is not handed on, but waited for until it is in memory.

        for k < 3: s[k] = o[k] - v[k];  u = s[0] * p[0] + s[1] * p[1] + s[2] * p[2]
    """
    masked = [one for one in body.accesses.values() if isinstance(one.op, vector.MaskedStoreOp)]
    return any(
        load.array is store.array
        and body.order[store.op] < body.order[load.op]
        and _is_part(load, store)
        for store in masked
        for load in body.accesses.values()
        if not load.is_write
    )


def _is_part(load: TypicalAccess, store: TypicalAccess) -> bool:
    """Does it lie in the vector, and is it not as long?"""
    *rows, last = zip(load.subscripts, store.subscripts, strict=True)
    here, there = last
    return (
        load.lanes != store.lanes
        and all(one == other for one, other in rows)
        and here.moves == there.moves
        and 0 <= here.number - there.number < store.lanes
    )
