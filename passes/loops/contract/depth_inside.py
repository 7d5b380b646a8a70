"""Contractions whose loop of depth stands around another one: the same with it innermost.

    for i, k, j: C[i][j] += A[i][k] * B[k][j]     =>     for i, j, k: …

Written so, a product runs along rows of memory; but in registers its results stay only while depth
runs inside. The law of contractions (`find_contraction.py`) permits any order of the loops: each
element sees its updates in the order of depth, and no other distance is negative in any loop.
"""

from __future__ import annotations

from polyopt.ir.affine.affine_nest import perfect_nest
from polyopt.passes.loops.contract.find_contraction import Contraction, find_contraction
from polyopt.passes.loops.registers.register_nest import moves_with
from polyopt.passes.loops.registers.tiled_nest import tiled_nest
from polyopt.passes.loops.reordered_nest import nest_in_order
from polyopt.support.target import Target


def with_depth_inside(contraction: Contraction, target: Target) -> Contraction | None:
    """The contraction in the new order, where its nest becomes tiles of registers then; None, and
    nothing is changed, where it does not, or this is its order."""
    loops, depth = contraction.nest.loops, contraction.depth
    inside = loops[loops.index(depth) + 1 :]
    if not inside or any(moves_with(one, depth) or moves_with(depth, one) for one in inside):
        return None
    root = contraction.root
    new = nest_in_order(contraction.nest, [*(one for one in loops if one is not depth), depth])
    assert root.parent is not None
    root.parent.insert_op_before(new, root)
    found = find_contraction(perfect_nest(new)) if tiled_nest(new, target) is not None else None
    gone = new if found is None else root
    gone.detach()
    gone.erase()
    return found
