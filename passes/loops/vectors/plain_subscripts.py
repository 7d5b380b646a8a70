"""Quotients in subscripts that a loop does not change are values in front of it.

    for j: u[i][2 * j + i mod 2] = f(j)      =>      p = i mod 2, for j: u[i][2 * j + p] = f(j)

What is left is linear in the iterator: rows of a red-black sweep, of which each begins one element
to the left or right of the one before.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from xdsl.dialects import affine
from xdsl.dialects.builtin import AffineMapAttr
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
    AffineSymExpr,
)

from polyopt.ir.affine.affine_nest import is_defined_inside

_QUOTIENTS = (AffineBinaryOpKind.FloorDiv, AffineBinaryOpKind.CeilDiv, AffineBinaryOpKind.Mod)
_Access = affine.LoadOp | affine.StoreOp


def make_subscripts_plain(loop: affine.ForOp) -> None:
    """Ensures: the same elements are accessed; subscripts keep only those quotients that the loop
    changes."""
    known: dict[tuple[AffineExpr, tuple[SSAValue, ...]], SSAValue] = {}
    for op in loop.body.walk():
        if isinstance(op, _Access) and any(_quotients(one) for one in op.map.data.results):
            _make_plain(op, loop, known)


def _make_plain(
    op: _Access,
    loop: affine.ForOp,
    known: dict[tuple[AffineExpr, tuple[SSAValue, ...]], SSAValue],
) -> None:
    map_, operands = op.map.data, tuple(op.indices)
    new: dict[AffineExpr, SSAValue] = {}
    for quotient in [one for result in map_.results for one in _quotients(result)]:
        used: dict[AffineExpr, SSAValue] = dict(_used(quotient, map_, operands))
        if any(is_defined_inside(value, loop) for value in used.values()):
            return
        alone = _replaced(quotient, {one: AffineDimExpr(at) for at, one in enumerate(used)})
        values = tuple(used.values())
        if (alone, values) not in known:
            apply = affine.ApplyOp(values, AffineMapAttr(AffineMap(len(values), 0, (alone,))))
            apply.location = op.location
            block = loop.parent
            assert block is not None
            block.insert_op_before(apply, loop)
            known[alone, values] = apply.result
        new[quotient] = known[alone, values]
    places = {one: AffineDimExpr(map_.num_dims + at) for at, one in enumerate(new)}
    results = tuple(_replaced(one, places) for one in map_.results)
    dims, symbols = operands[: map_.num_dims], operands[map_.num_dims :]
    plain = AffineMap(map_.num_dims + len(new), map_.num_symbols, results)
    _replace(op, AffineMapAttr(plain), [*dims, *new.values(), *symbols])


def _replace(op: _Access, map_: AffineMapAttr, indices: list[SSAValue]) -> None:
    first = op.operands[: len(op.operands) - len(op.indices)]
    other: Operation = type(op).create(
        operands=[*first, *indices],
        properties={**op.properties, "map": map_},
        attributes=op.attributes,
        result_types=op.result_types,
    )
    other.location = op.location
    block = op.parent
    assert block is not None
    block.insert_op_before(other, op)
    for old, result in zip(op.results, other.results, strict=True):
        result.name_hint = old.name_hint
        old.replace_all_uses_with(result)
    block.erase_op(op)


def _quotients(expr: AffineExpr) -> list[AffineExpr]:
    """The outermost ones in it."""
    if not isinstance(expr, AffineBinaryOpExpr):
        return []
    if expr.kind in _QUOTIENTS:
        return [expr]
    return [*_quotients(expr.lhs), *_quotients(expr.rhs)]


def _used(
    expr: AffineExpr, map_: AffineMap, operands: tuple[SSAValue, ...]
) -> Iterator[tuple[AffineExpr, SSAValue]]:
    """The places of operands that it reads, with these."""
    if isinstance(expr, AffineDimExpr):
        yield expr, operands[expr.position]
    elif isinstance(expr, AffineSymExpr):
        yield expr, operands[map_.num_dims + expr.position]
    elif isinstance(expr, AffineBinaryOpExpr):
        yield from _used(expr.lhs, map_, operands)
        yield from _used(expr.rhs, map_, operands)


def _replaced(expr: AffineExpr, places: Mapping[AffineExpr, AffineExpr]) -> AffineExpr:
    if expr in places:
        return places[expr]
    if not isinstance(expr, AffineBinaryOpExpr):
        return expr
    left, right = _replaced(expr.lhs, places), _replaced(expr.rhs, places)
    return AffineBinaryOpExpr(expr.kind, left, right)
