"""A pipeline whose rows update elements besides that do not go forward along the steps.

    for i { for j { a[i][j] = f(a[i-1][j], a[i][j-1]);  y[i + j] += a[i][j] } }

Rows keep in step as in any pipeline; what they add up goes to copies, one for each lane, which are
combined when all rows are done. As many lanes as threads are asked for, and row k is in lane
k mod lanes:

    rounds of `lanes` rows         for base = 0 to rows step lanes {
    shared out in turns, no wait     wsloop nowait (lane) = 0 to min(lanes, rows - base) { … } }

so that a lane is one member's, however few the runtime gives: a member has the lanes that are its
own number modulo their size. Each member's rows are in increasing order, which is all that keeps a
pipeline from waiting forever; and sums depend on the number of lanes, not on that of members.
"""

from __future__ import annotations

from xdsl.dialects import affine, scf
from xdsl.ir import Block, SSAValue

from polyopt.dialects import team
from polyopt.passes.parallel.code import INDEX, Code
from polyopt.passes.parallel.copies import Copy
from polyopt.passes.parallel.pipeline import Rows
from polyopt.passes.parallel.private_arrays import Privates
from polyopt.passes.parallel.region import close_loop, close_region, open_region, share_out
from polyopt.passes.parallel.work import Work
from polyopt.support.record import record


@record
class Lanes:
    """So many copies, for so many threads at most."""

    count: SSAValue
    threads: SSAValue


def write_summing_pipeline(
    code: Code,
    loop: affine.ForOp,
    steps: affine.ForOp,
    sums: Privates,
    work: Work,
    lanes: Lanes,
) -> None:
    """`loop` with `steps` in it, row by row on copies of the sums, at the end of `code`."""
    rows = Rows.count_them(code, loop, steps, work, lanes.threads)
    copies = [Copy.make(code, array, lanes.count, (0, rows.count)) for array in sums.arrays]
    region = open_region(code, lanes.threads)
    clearing, number = share_out(region, lanes.count)
    for copy in copies:
        copy.clear(clearing, number)
    close_loop(clearing)
    body = Block(arg_types=[INDEX])
    round_ = Code(body, code.like)
    base = body.args[0]
    left = round_.subtract(rows.count, base)
    here = round_.index(round_.least(lanes.count, left))
    inside, lane = share_out(round_, here, in_turns=True, nowait=True)
    for copy in copies:
        copy.take(lane)
    rows.write_one(inside, inside.index(inside.add(base, lane)))
    close_loop(inside)
    body.add_op(scf.YieldOp())
    region.block.add_op(scf.ForOp(region.index(0), rows.count, lanes.count, [], body))
    region.block.add_op(team.BarrierOp())
    for copy in copies:
        copy.combine_slices(region, lanes.count)
    close_region(region)
    for copy in copies:
        copy.finish(code, lanes.count)
    rows.close(code)
