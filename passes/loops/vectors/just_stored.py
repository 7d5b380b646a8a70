"""Rows of a sum at whose end, or beginning, lies what the loop around has just stored alone.

    for i:  for j = 0 to i:  x[i] -= L[i, j] * x[j]       triangular solves: x[i - 1] is the last
            x[i] /= L[i, i]                               element of row i, and was stored just now

A core hands what is stored to a load of the same element, but to no vector that holds it beside
others: such a vector waits until all is in memory. So the iterations next to that end run one after
the other, behind the vectors, the one that waits longest as the last one.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from xdsl.dialects import affine
from xdsl.ir import SSAValue

from polyopt.ir.affine.affine_nest import AffineLoop, enclosing_loops
from polyopt.ir.affine.linear import Linear
from polyopt.ir.affine.subscripts import stride_of, subscripts_of
from polyopt.passes.loops.vectors.vector_loop import VectorLoop

End = Literal["low", "high"]


def end_just_stored(loop: VectorLoop) -> End | None:
    """The end of the row at which an iteration loads what the iteration before of the loop around
    has stored alone, if there is one and the row is a sum, whose order is free."""
    loops = enclosing_loops(loop.loop.op)
    if not loops or not loop.accumulations or loop.gathers or loop.stores:
        return None
    around = loops[-1]
    meetings = [
        (load, store)
        for load in loop.loads
        for store in _stores_around(loop, around)
        if load.memref is store.memref
    ]

    def is_met(at: Linear) -> bool:
        return any(_meet(load, at, store, loop, around) for load, store in meetings)

    if any(is_met(upper - 1) for upper in loop.loop.uppers or ()):
        return "high"
    return "low" if any(map(is_met, loop.loop.lowers or ())) else None


def _meet(
    load: affine.LoadOp, at: Linear, store: affine.StoreOp, loop: VectorLoop, around: AffineLoop
) -> bool:
    """Does the load, at the place `at` of its row, touch what the store has one iteration of the
    loop around before?"""
    loaded, stored = subscripts_of(load), subscripts_of(store)
    if loaded is None or stored is None or abs(stride_of(load, loop.loop) or 0) != 1:
        return False
    before: dict[SSAValue, Linear] = {around.iv: Linear.of(around.iv) - around.step}
    here = [form.substitute({loop.loop.iv: at}) for form in loaded]
    return here == [form.substitute(before) for form in stored]


def _stores_around(loop: VectorLoop, around: AffineLoop) -> Iterator[affine.StoreOp]:
    """What an iteration of the loop around stores one by one: in its own body, or as a sum."""
    yield from (one.store for one in loop.accumulations)
    yield from stores_of(around)


def stores_of(around: AffineLoop) -> Iterator[affine.StoreOp]:
    """What an iteration of the loop stores one by one in its own body, in no loop inside it."""
    for op in around.op.walk():
        if isinstance(op, affine.StoreOp) and enclosing_loops(op)[-1] == around:
            yield op
