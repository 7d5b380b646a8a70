"""Neighbouring loops in parts, one for each thread or as many as are asked for.

for i = 0 to n { … }     =>     share: for i = first to last { … }
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import affine
from xdsl.ir import SSAValue

from polyopt.passes.parallel.code import Amount, Code, Index
from polyopt.passes.parallel.evenness import depends_on
from polyopt.passes.parallel.iteration_private import Own, free_copies, own_copies
from polyopt.passes.parallel.last_iteration import add_last, share_but_last
from polyopt.passes.parallel.parts import Parts, parts_of_equal_work
from polyopt.passes.parallel.region import (
    add_share,
    close_loop,
    close_region,
    open_region,
    share_out,
)
from polyopt.passes.parallel.slices import grain_of
from polyopt.passes.parallel.work import Work
from polyopt.support.record import record


@record(eq=False)
class Neighbours:
    """Neighbouring loops, what is computed in front of them, and the threads that they get. `pays`:
    whether there is enough to do, where the number of threads does not say so; `parts`: how many
    parts they are cut into, None: one for each thread."""

    loops: Sequence[affine.ForOp]
    code: Code
    work: Work
    threads: SSAValue
    pays: SSAValue | None = None
    parts: int | None = None


def count_parts(place: Neighbours) -> SSAValue:
    return place.threads if place.parts is None else place.code.index(place.parts)


def parts_of(place: Neighbours) -> Parts:
    code, loop = place.code, place.loops[0]
    lower, upper = place.work.bounds(loop)
    step = loop.step.value.data
    grain = grain_of(place.loops) if step == 1 else 1
    even = Parts(lower, upper, step, count_parts(place), grain)
    if not any(depends_on(loop) for loop in place.loops):
        return even

    def cycles(code: Code, iterator: Index) -> Amount:
        total: Amount = 1.0
        for one in place.loops:
            work = Work(code, one, place.work.lanes)
            total = code.sum(total, work.of_iteration(one, iterator))
        return total

    return parts_of_equal_work(code, even, cycles)


def write_doall(place: Neighbours, own: Own) -> None:
    parts = parts_of(place)
    region = open_region(place.code, place.threads)
    last = place.loops[0].clone() if own.kept else None
    copies = own_copies(region, own, place.loops)
    inside, number = share_out(region, place.threads)
    share = parts.share(inside, number)
    others = share if last is None else share_but_last(inside, share)
    for loop in place.loops:
        add_share(inside, loop, others)
    if last is not None:
        add_last(inside, last, share)
    close_loop(inside)
    free_copies(region, copies)
    close_region(region)
    parts.close(place.code)
