"""Values that LLVM takes over from one iteration to the next, too late for its vectors.

    for (x…) { … r[2*x] = (raw[2*x - 1] + raw[2*x + 1]) / 2; …  g[2*x + 1] = … raw[2*x + 1] …; }

What an iteration loads at last is loaded again by the next one at first: LLVM keeps it in a
register before it looks for vectors. What depends on the value has to wait then for the later load,
and a store in between cannot (colours of a mosaic of 16 bits: 134 us, in our vectors 44).
"""

from __future__ import annotations

from xdsl.dialects import affine

from polyopt.ir.affine.linear import Linear
from polyopt.ir.affine.subscripts import steps_of, subscripts_of
from polyopt.ir.dependents import has_dependent
from polyopt.passes.loops.vectors.vector_loop import VectorLoop


def is_taken_over_too_late(loop: VectorLoop) -> bool:
    written = {op.memref for op in loop.stores}
    order = {op: number for number, op in enumerate(loop.operations)}
    loads = [op for op in loop.loads if op in order and op.memref not in written]
    return any(
        order[load] < order[other]
        and _is_the_next_one(load, other, loop)
        and _is_stored_before(load, other, loop)
        for load in loads
        for other in loads
        if other.memref is load.memref
    )


def _is_the_next_one(load: affine.LoadOp, other: affine.LoadOp, loop: VectorLoop) -> bool:
    """Does `load` load in the next iteration what `other` loads in this one?"""
    here, there, steps = subscripts_of(load), subscripts_of(other), steps_of(load, loop.loop)
    if here is None or there is None or not steps or not any(steps):
        return False
    apart = [b - a for a, b in zip(here, there, strict=True)]
    return apart == [Linear.of(step) for step in steps]


def _is_stored_before(load: affine.LoadOp, other: affine.LoadOp, loop: VectorLoop) -> bool:
    """Is something stored that depends on `load`, before `other` is there?"""
    operations = loop.operations
    between = operations[operations.index(load) + 1 : operations.index(other)]
    return has_dependent([load.result], between, lambda op: isinstance(op, affine.StoreOp))
