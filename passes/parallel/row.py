"""A nest in threads by one of its inner loops: each thread runs its share of that loop's range."""

from __future__ import annotations

from xdsl.dialects import affine
from xdsl.dialects.builtin import AffineMapAttr
from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap

from polyopt.ir.linear import Linear, map_of
from polyopt.passes.parallel.code import Code, Index
from polyopt.passes.parallel.parts import Parts
from polyopt.passes.parallel.region import (
    close_loop,
    close_region,
    open_region,
    share_out,
    with_bounds,
)
from polyopt.passes.parallel.shape import Row


def write_row(code: Code, nest: affine.ForOp, row: Row, threads: SSAValue) -> None:
    """`nest` with `row.loop` between the bounds of a thread's part, at the end of `code`.

    for t { for r = t to n }   ->   for t { for r = max(t, first) to min(n, last) }"""
    lower = _only(code, row.lowers)
    upper = _only(code, row.uppers)
    parts = Parts(lower, upper, 1, threads)
    region = open_region(code, threads)
    inside, number = share_out(region, threads)
    first = inside.index(parts.first(inside, number))
    last = inside.index(parts.first(inside, inside.index(inside.add(number, 1))))
    loop = row.loop.op
    place, following = loop.parent, loop.next_op
    assert place is not None and following is not None
    lowers = _with(loop.lowerBoundMap.data, loop.lowerBoundOperands, first)
    uppers = _with(loop.upperBoundMap.data, loop.upperBoundOperands, last)
    place.insert_op_before(with_bounds(loop, lowers, uppers), following)
    nest.detach()
    inside.block.add_op(nest)
    close_loop(inside)
    close_region(region)


def _only(code: Code, forms: tuple[Linear, ...]) -> Index:
    (form,) = forms
    if not form.terms:
        return form.constant
    map, operands = map_of([form])
    (result,) = code.results(map.data, list(operands))
    return result


def _with(
    map: AffineMap, operands: tuple[SSAValue, ...], bound: SSAValue
) -> tuple[AffineMapAttr, list[SSAValue]]:
    """The bound that has one more choice."""
    symbol = AffineExpr.symbol(map.num_symbols)
    more = AffineMap(map.num_dims, map.num_symbols + 1, (*map.results, symbol))
    return AffineMapAttr(more), [*operands, bound]
