"""Do vectors of half a line pay where a row is read at many places, some half a line apart?

    for (k…) x[k] = u[k] + r * (u[k + 3] + r * (u[k + 2] + r * u[k + 1]) + …)      (u: doubles)

On cores that take twice as long for a line as for half of one (`Target.halves_lines`), both widths
compute and load as much in a cycle, and load as slowly across two lines. But a vector that lies
half a line behind another one is what that one was a step before, as it is: half lines are carried
from step to step where lines have to be loaded again, or put together of two (`carry_model.py`).
"""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.dialects import affine, arith

from polyopt.ir.affine.affine_nest import ElementAccess
from polyopt.ir.affine.linear import Linear
from polyopt.ir.affine.subscripts import stride_of, subscripts_of
from polyopt.ir.fast_math import is_fused
from polyopt.passes.loops.vectors.vector_loop import VectorLoop
from polyopt.passes.loops.vectors.windows import places_in_rows
from polyopt.support.core_model import CORE
from polyopt.support.target import Target


def carries_halves(
    found: VectorLoop, moving: Iterable[ElementAccess], computed: int, target: Target
) -> bool:
    """`moving` are the accesses that go along rows, `computed` the operations of an iteration."""
    if not target.halves_lines or any(stride_of(op, found.loop) == -1 for op in moving):
        return False
    stores = [op for op in moving if isinstance(op, affine.StoreOp)]
    if not stores:
        return False
    lanes = target.lanes(found.element_bytes)
    rows = places_in_rows(op for op in moving if isinstance(op, affine.LoadOp))
    written = {op.memref for op in stores}
    begins = _last(stores[0])
    loads = saved = carried = 0.0
    for (array, place), offsets in rows.items():
        start = place[-1] - (begins - begins.constant)
        for offset in offsets:
            is_aligned = not start.terms and (offset - begins.constant) % lanes == 0
            cycles = 1.0 if is_aligned else 1.0 + CORE.carried.split_line
            loads += cycles
            if array not in written and offset + lanes // 2 in offsets:
                saved += cycles
                carried += 1
    busy = max(_busy(found, computed), CORE.carried.line_store * len(stores))
    gained = max(loads, busy) - max(loads - saved, busy)
    steps = (found.loop.greatest_extent or lanes * CORE.carried.assumed) / lanes
    return gained * steps > CORE.carried.start * carried > 0


def _busy(found: VectorLoop, computed: int) -> float:
    """Cycles of a line: one for each product, with the sum that takes it up, and beside them one
    for each of the other sums."""
    fused = sum(map(is_fused, found.operations))
    products = sum(isinstance(op, arith.MulfOp) for op in found.operations)
    sums = sum(isinstance(op, arith.AddfOp | arith.SubfOp) for op in found.operations) - fused
    return max(products, sums, (computed - fused) / 2)


def _last(op: affine.StoreOp) -> Linear:
    """The last of its subscripts."""
    forms = subscripts_of(op)
    return forms[-1] if forms else Linear()
