"""Loops that go down through memory, and may as well go up.

    for (i = n - 1; i >= 0; i--) a[i] = b[i] + 1;    128 KB in 1.24 us instead of 1.76 (Zen 5)

In the source's order the lanes lie side by side backwards, and several vectors are taken in a step:
of a load that comes again some lines below the last time, the hardware does not foresee the next
one, as it does upward, or line by line (1.27 us).
"""

from __future__ import annotations

from xdsl.dialects import affine
from xdsl.ir import Block

from polyopt.ir.affine.linear import Linear
from polyopt.ir.affine.subscripts import stride_of
from polyopt.passes.loops.affine_builder import AffineBuilder
from polyopt.passes.loops.copies import Copier, CopyScope
from polyopt.passes.loops.replacement import replace_op
from polyopt.passes.loops.vectors.find_vector_loop import find_vector_loop
from polyopt.passes.loops.vectors.vector_loop import VectorLoop


def run_upward(op: affine.ForOp) -> affine.ForOp:
    """The loop from its last iteration to its first, in its place, if these are independent and
    each of its accesses that moves goes down, one by one among them; else itself."""
    found = find_vector_loop(op, is_strided=True)
    if found is None or not _goes_down(found):
        return op
    builder, loop = AffineBuilder(Block(), op), found.loop
    low, high = builder.range_of(op)
    with builder.loop([low], [high], step=1, name=loop.iv.name_hint, facts=loop.facts) as b:
        scope = CopyScope(forms={loop.iv: low + high - 1 - Linear.of(b.iv)})
        copier = Copier(builder.insert, op)
        for one in found.operations:
            copier.copy(one, scope)
    upward = builder.block.last_op
    assert isinstance(upward, affine.ForOp)
    replace_op(op, builder.block)
    return upward


def _goes_down(found: VectorLoop) -> bool:
    if found.accumulations or found.lookups or found.scans or found.loop.facts.is_final:
        return False
    strides = {stride_of(op, found.loop) for op in (*found.loads, *found.stores)}
    return -1 in strides and all(stride is not None and stride <= 0 for stride in strides)
