"""A test in front of a SCoP: whether its parameters are among those that something pays for."""

from __future__ import annotations

import islpy as isl
from xdsl.ir import Block, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from polyopt.dialects.poly import ScopOp
from polyopt.passes.codegen.loop_builder import Site, truth
from polyopt.poly.loops.subscripts import condition_of


def asked_in_front(op: ScopOp, wanted: isl.Set) -> SSAValue:
    """Whether the parameters of `op` are among the `wanted` ones."""
    parameters = dict(zip((name.data for name in op.param_names), op.params, strict=True))
    front = Block()
    test = truth(condition_of(wanted), Site(front, parameters, frozenset(op.params)))
    for one in front.walk():
        one.location = op.location
    Rewriter.inline_block(front, InsertPoint.before(op))
    return test
