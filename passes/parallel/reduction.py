"""A loop whose iterations all update the same elements, in threads: each updates a copy.

    for i { for j { y[j] += A[i][j] * x[i] } }

    every part:  copy = 0 for the box of y that the loop touches; the part's iterations on the copy
    then, slice by slice of the box:  y[j] = y[j] + copy_0[j] + copy_1[j] + …

All threads take part in adding up, each for some elements, so that it takes no longer with more
threads. Copies are added in the order of the parts: the result depends on the number of threads, on
nothing else.
"""

from __future__ import annotations

from xdsl.dialects import affine
from xdsl.ir import SSAValue

from polyopt.passes.parallel.code import Code
from polyopt.passes.parallel.copies import Copy
from polyopt.passes.parallel.parts import Parts
from polyopt.passes.parallel.private_arrays import Privates
from polyopt.passes.parallel.region import (
    add_share,
    close_loop,
    close_region,
    open_region,
    share_out,
)


def write_reduction(
    code: Code, loop: affine.ForOp, privates: Privates, parts: Parts, threads: SSAValue
) -> None:
    """`loop` on copies of the arrays, one for each part, then their sum, at the end of `code`."""
    ends = (parts.lower, parts.upper)
    copies = [Copy.make(code, array, parts.count, ends) for array in privates.arrays]
    region = open_region(code, threads)
    inside, number = share_out(region, parts.count)
    for copy in copies:
        copy.clear(inside, number)
        copy.take(number)
    add_share(inside, loop, parts.share(inside, number))
    close_loop(inside)
    for copy in copies:
        copy.combine_slices(region, parts.count)
    close_region(region)
    for copy in copies:
        copy.finish(code, parts.count)
    parts.close(code)
