"""Loops that go on where they were left one iteration of the loop around before.

    for (b = 0; b < n; b++)
        for (c = 0; c < 4; c++)
            d[16 * b + 4 * c] = f(s[16 * b + 4 * c])      // 4 * (4 * b + c)

Both count through one stretch of memory, so that they are one loop, of many iterations.
"""

from __future__ import annotations

from xdsl.dialects import memref

from polyopt.ir.control.loops import NaturalLoop
from polyopt.ir.evolution.scalar_evolution import Evolution
from polyopt.ir.expressions.integer_expr import Counter
from polyopt.ir.references.memory_references import reference


def goes_on(loop: NaturalLoop, evolution: Evolution) -> bool:
    """Is all that the loop around does this loop, does it store, and does each of its accesses move
    as far in one iteration around as in all of its own? Nothing else goes from one iteration to the
    next, in either."""
    around = loop.parent
    if around is None or around.children != [loop]:
        return False
    count = evolution.trip_count(loop)
    taken = None if count is None or count.assumptions else count.taken.as_constant
    if taken is None or any(len(one.header.args) > 1 for one in (loop, around)):
        return False
    accesses = [
        op
        for block in around.blocks
        for op in block.ops
        if isinstance(op, memref.LoadOp | memref.StoreOp)
    ]
    return any(isinstance(op, memref.StoreOp) for op in accesses) and all(
        _goes_on(op, loop, taken, evolution) for op in accesses
    )


def _goes_on(
    op: memref.LoadOp | memref.StoreOp, loop: NaturalLoop, taken: int, evolution: Evolution
) -> bool:
    found = reference(op, evolution) if op.parent in loop.blocks else None
    if found is None or found.place is None or loop.parent is None:
        return False
    inside = found.place.split(Counter(loop))
    around = found.place.split(Counter(loop.parent))
    if inside is None or around is None:
        return False
    step, turn = inside[1].as_constant, around[1].as_constant
    return bool(step) and turn == step * taken
