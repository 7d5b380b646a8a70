"""Sizes that few iterations can be run for are known to be small.

    double A[8][8];
    for (i = 0; i < n; i++) for (j = 0; j < n; j++) A[i][j] = 0;

A subscript beyond its dimension is an error of the program (C11 6.5.6p8), which gcc, too, takes for
the end of a loop: what such loops run for is `n` up to 8. The SCoP is given `min(n, 8)` in its
place, and knows that it is at most 8.
"""

from __future__ import annotations

import islpy as isl
from xdsl.dialects import arith
from xdsl.ir import Block, SSAValue

from polyopt.dialects.cmem import memref_type
from polyopt.dialects.poly import ScopOp
from polyopt.dialects.poly_sets import SetAttr
from polyopt.dialects.poly_view import read_scop
from polyopt.passes.scop.expression_code import ExpressionCode
from polyopt.poly.changes.declared import declared_limits
from polyopt.poly.isl.numbers import val
from polyopt.support.core_model import CORE


def limit_sizes(op: ScopOp, code: ExpressionCode) -> None:
    """Sizes by which the SCoP would leave small arrays are limited, by code in front of it."""
    if not any(
        0 < size <= CORE.code.short for one in op.arrays for size in memref_type(one).get_shape()
    ):
        return
    scop = read_scop(op)
    context = scop.context
    names = [one.data for one in op.param_names]
    counters = [name for name, value in zip(names, op.params, strict=True) if _counts(value)]
    limits = declared_limits(scop, CORE.code.short, counters)
    for name, most in limits.items():
        place = names.index(name)
        value = op.params[place]
        at = context.find_dim_by_name(isl.dim_type.param, name)
        context = context.upper_bound_val(isl.dim_type.param, at, val(most))
        op.operands[place] = least = code.add(arith.MinSIOp(value, code.constant(most)))
        least.name_hint = value.name_hint
    if limits:
        op.context = SetAttr.of(context)


def _counts(value: SSAValue) -> bool:
    """Whether a loop around the SCoP changes it, as its counter: it is no size."""
    while isinstance(value.owner, (arith.IndexCastOp, arith.ExtSIOp, arith.ExtUIOp)):
        value = value.owner.input
    block = value.owner
    return isinstance(block, Block) and block.prev_block is not None
