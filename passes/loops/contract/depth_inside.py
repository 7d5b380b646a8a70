"""Contractions whose loop of depth stands around another one: the same with it innermost.

    for i, k, j: C[i][j] += A[i][k] * B[k][j]     =>     for i, j, k: …

Written so, a product runs along rows of memory; but in registers its results stay only while depth
runs inside. The law of contractions (`find_contraction.py`) permits any order of the loops: each
element sees its updates in the order of depth, and no other distance is negative in any loop.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack

from xdsl.dialects import affine
from xdsl.ir import Block, SSAValue

from polyopt.ir.affine.affine_nest import AffineLoop, perfect_nest
from polyopt.ir.affine.linear import Linear
from polyopt.passes.loops.affine_builder import AffineBuilder
from polyopt.passes.loops.contract.find_contraction import Contraction, find_contraction
from polyopt.passes.loops.registers.register_nest import moves_with
from polyopt.passes.loops.registers.tiled_nest import tiled_nest
from polyopt.support.target import Target


def with_depth_inside(contraction: Contraction, target: Target) -> Contraction | None:
    """The contraction in the new order, where its nest becomes tiles of registers then; None, and
    nothing is changed, where it does not, or this is its order."""
    loops, depth = contraction.nest.loops, contraction.depth
    inside = loops[loops.index(depth) + 1 :]
    if not inside or any(moves_with(one, depth) or moves_with(depth, one) for one in inside):
        return None
    root = contraction.root
    new = _in_order([*(loop for loop in loops if loop is not depth), depth], contraction)
    assert root.parent is not None
    root.parent.insert_op_before(new, root)
    found = find_contraction(perfect_nest(new)) if tiled_nest(new, target) is not None else None
    gone = new if found is None else root
    gone.detach()
    gone.erase()
    return found


def _in_order(loops: Sequence[AffineLoop], contraction: Contraction) -> affine.ForOp:
    builder = AffineBuilder(Block(), contraction.root)
    places: dict[SSAValue, Linear] = {}
    values: dict[SSAValue, SSAValue] = {}
    with ExitStack() as opened:
        for one in loops:
            assert one.lowers is not None
            assert one.uppers is not None
            lowers = [form.substitute(places) for form in one.lowers]
            uppers = [form.substitute(places) for form in one.uppers]
            facts, name = one.facts.of_unknown_order(), one.iv.name_hint
            loop = opened.enter_context(builder.loop(lowers, uppers, name=name, facts=facts))
            places[one.iv], values[one.iv] = loop.index, loop.iv
        for op in contraction.nest.operations:
            builder.insert(op.clone(values))
    new = builder.block.first_op
    assert isinstance(new, affine.ForOp)
    new.detach()
    return new
