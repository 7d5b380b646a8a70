"""Windows along a row, cut off at its ends: unrolled where they are whole.

    for c {                                            for c in the middle {
      s[c] = 0                                           s[c] = 0
      for d = max(c - 2, 0) to min(c + 3, n)     =>      s[c] += x[c - 2] … s[c] += x[c + 2]
        s[c] += x[d]                                     y[c] = f(s[c])
      y[c] = f(s[c])                                   }
    }                                                  and as before in front of it and behind it

The loop along the row is the innermost one then, and runs in vectors: each iteration for itself, in
the order in which it was. (Normalisation over five neighbouring channels of 64: 247 us by loops of
five, 27 so.)
"""

from __future__ import annotations

from xdsl.dialects import affine
from xdsl.dialects.builtin import ModuleOp

from polyopt.dialects.inside import operations_in
from polyopt.dialects.loop_facts import facts_of, set_facts
from polyopt.ir.affine.affine_nest import AffineLoop
from polyopt.ir.affine.subscripts import stride_of
from polyopt.passes.loops.unroll.full_tiles import UNROLL, find_full_tile
from polyopt.support.core_model import CORE


def mark_windows(module: ModuleOp) -> None:
    """Mark for unrolling all inner loops of those along such rows."""
    for row in list(operations_in(module, affine.ForOp)):
        inside = [op for op in row.body.walk() if isinstance(op, affine.ForOp)]
        if inside and _is_row(row) and all(_is_window(one, row) for one in inside):
            for window in inside:
                set_facts(window, facts_of(window).with_marks(UNROLL))


def _is_row(row: affine.ForOp) -> bool:
    """Is it long, does it carry nothing, and does it store element by element?"""
    loop = AffineLoop(row)
    extent = loop.greatest_extent
    if row.inits or loop.step != 1 or facts_of(row).carried != "parallel":
        return False
    if extent is not None and extent < CORE.code.window_row:
        return False
    stores = [op for op in row.body.walk() if isinstance(op, affine.StoreOp)]
    return all(stride_of(op, loop) == 1 for op in stores)


def _is_window(window: affine.ForOp, row: affine.ForOp) -> bool:
    """Does it go along with the row, over few elements, and fewer at the ends only?"""
    if window.parent_op() is not row or window.inits or facts_of(window).marks:
        return False
    tile, iterator = find_full_tile(window), row.body.block.args[0]
    if tile is None or not tile.conditions:
        return False
    if any(abs(form.coefficient(iterator)) != 1 for form in tile.conditions):
        return False
    full = tile.ranges[window]
    operations = [op for op in window.body.block.ops if not isinstance(op, affine.YieldOp)]
    if full.first.coefficient(iterator) != 1 or full.count > CORE.code.window_iterations:
        return False
    if full.count * len(operations) > CORE.code.window or any(op.regions for op in operations):
        return False
    accesses = [op for op in operations if isinstance(op, (affine.LoadOp, affine.StoreOp))]
    return all(_stride(op, window, row) in (0, 1) for op in accesses)


def _stride(
    access: affine.LoadOp | affine.StoreOp, window: affine.ForOp, row: affine.ForOp
) -> int | None:
    """From one iteration of the row to the next, at the same place in the window."""
    along, across = (stride_of(access, AffineLoop(loop)) for loop in (row, window))
    return None if along is None or across is None else along + across
