"""The most that a nest can have to do, by the arrays that it works on.

    double a[][6][6]
    for i = k + 1 to n { for j = k + 1 to n { a[m][i][j] -= f * a[m][k][j] } }    at most 6 x 6

A loop goes no further along a dimension than that is declared, whatever its bounds say when it
runs. Where even that is too little for threads, nothing is asked when the nest runs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from xdsl.dialects import affine
from xdsl.ir import Block, SSAValue

from polyopt.dialects.cmem import memref_type
from polyopt.ir.affine.affine_nest import AffineLoop, accesses_in
from polyopt.passes.parallel.code import Code, Index
from polyopt.passes.parallel.traffic import at_memory_speed
from polyopt.passes.parallel.work import Work
from polyopt.support.record import entity


def most_cycles(loops: Sequence[affine.ForOp], lanes: int) -> float | None:
    """At most so many, of neighbours; None where nobody knows."""
    total = 0.0
    for loop in loops:
        work = _MostWork(Code(Block(), loop), loop, lanes)
        cycles, afar = work.of_loop(loop), at_memory_speed(work, None, loop)
        if isinstance(cycles, SSAValue) or isinstance(afar, SSAValue) or work.notes.has_guessed:
            return None
        total += max(cycles, afar)
    return total


@entity
class _MostWork(Work):
    """Every loop runs as often as its iterator has places in a row of the arrays."""

    def _bounds(
        self, loop: affine.ForOp, known: Mapping[SSAValue, Index]
    ) -> tuple[Index, Index] | None:
        spans = [*_by_numbers(AffineLoop(loop)), *_by_arrays(loop)]
        return (0, max(0, min(spans))) if spans else None


def _by_numbers(loop: AffineLoop) -> Iterator[int]:
    """Ends that are a number behind a beginning."""
    for upper in loop.uppers or ():
        for lower in loop.lowers or ():
            span = upper - lower
            if not span.terms:
                yield span.constant


def _by_arrays(loop: affine.ForOp) -> Iterator[int]:
    """How far the iterator can go along each dimension that it goes along."""
    iterator = loop.body.block.args[0]
    for access in accesses_in(loop):
        if access is None or not access.subscripts:
            continue
        for form, extent in zip(
            access.subscripts, memref_type(access.array).get_shape(), strict=True
        ):
            factor = 0 if form is None else form.coefficient(iterator)
            if factor and extent >= 0:
                yield -(-extent // abs(factor))
