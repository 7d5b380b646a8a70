"""Products whose columns are shared out, as their rows take different times.

Threads that share rows pack columns together, block by block, and meet at each block: parts of rows
that are equal in all are not in each of them.

    for i { for j { for k < i { C[i, j] += A[i, k] * B[k, j] } } }   j is shared out
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import affine
from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType
from xdsl.ir import Attribute
from xdsl.utils.hints import isa

from polyopt.dialects.loop_facts import facts_of
from polyopt.ir.affine.affine_nest import AffineLoop, accesses_in, perfect_nest
from polyopt.ir.affine.linear import greatest_distance
from polyopt.passes.parallel.evenness import depends_on
from polyopt.passes.parallel.shape import LoopRow, find_row, is_of_contraction, moves
from polyopt.poly.loops.loop_tree import THREADS
from polyopt.support.core_model import CORE


def find_level_columns(rows: affine.ForOp) -> LoopRow | None:
    """Of a doall contraction whose rows are more or less to do, columns of which each is as much as
    any other. Of a few columns not all threads would get any: there are to be many, as far as
    bounds or arrays say."""
    if THREADS in facts_of(rows).marks or not depends_on(rows):
        return None
    if not is_of_contraction(rows) or not _is_product(perfect_nest(rows).loops):
        return None
    row = find_row(rows)
    if row is None or any(moves(one, rows) for one in row.loops):
        return None
    return row if all(_is_long(one) for one in row.loops) else None


def _is_product(loops: Sequence[AffineLoop]) -> bool:
    """Over rows, columns and what is summed up, at least: of a matrix and a vector there are no
    columns that have loops inside."""
    match loops:
        case [_, _, _, *_]:
            return True
        case _:
            return False


def _is_long(columns: AffineLoop) -> bool:
    """Whether there are columns for many threads: no fewer than that, or arrays that may have so
    many in a row."""
    length = greatest_distance(columns.lowers or (), columns.uppers or ())
    if length is not None:
        return length >= CORE.threads.columns
    sizes = [
        size
        for access in accesses_in(columns.op)
        if access is not None and isa(type := access.array.type, MemRefType[Attribute])
        for form, size in zip(access.subscripts or (), type.get_shape(), strict=False)
        if size != DYNAMIC_INDEX and form is not None and form.coefficient(columns.iv)
    ]
    return min(sizes, default=0) >= CORE.threads.columns
