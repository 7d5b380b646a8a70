"""A perfect nest written anew with its loops in another order; whether it is legal is for others to
say."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack

from xdsl.dialects import affine
from xdsl.ir import Block, SSAValue

from polyopt.ir.affine.affine_nest import AffineLoop, AffineNest
from polyopt.ir.affine.linear import Linear
from polyopt.passes.loops.affine_builder import AffineBuilder


def nest_in_order(nest: AffineNest, loops: Sequence[AffineLoop]) -> affine.ForOp:
    """A copy, in no block, with the nest's loops in this order, outermost first: the bounds of each
    are over iterators of loops that stand outside of it in both."""
    builder = AffineBuilder(Block(), nest.loops[0].op)
    places: dict[SSAValue, Linear] = {}
    values: dict[SSAValue, SSAValue] = {}
    with ExitStack() as opened:
        for one in loops:
            assert one.lowers is not None
            assert one.uppers is not None
            lowers = [form.substitute(places) for form in one.lowers]
            uppers = [form.substitute(places) for form in one.uppers]
            facts, name = one.facts.of_unknown_order(), one.iv.name_hint
            loop = opened.enter_context(
                builder.loop(lowers, uppers, step=one.step, name=name, facts=facts)
            )
            places[one.iv], values[one.iv] = loop.index, loop.iv
        for op in nest.operations:
            builder.insert(op.clone(values))
    new = builder.block.first_op
    assert isinstance(new, affine.ForOp)
    new.detach()
    return new
