"""affine.apply and affine.min, which may stand between operations of other dialects: their maps as
LLVM arithmetic. Loops, branches and accesses of affine are lowered by `affine-to-scf`."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import affine
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
    AffineSymExpr,
)

from polyopt.backend.emit.errors import unsupported
from polyopt.backend.emit.function import FunctionEmitter
from polyopt.backend.emit.registry import EmitterTable


def emit_apply(f: FunctionEmitter, op: affine.ApplyOp) -> None:
    (result,) = _results(f, op, op.map.data, f.registers(op.mapOperands))
    f.bind(op.result, result)


def emit_min(f: FunctionEmitter, op: affine.MinOp) -> None:
    least, *others = _results(f, op, op.map.data, f.registers(op.arguments))
    for other in others:
        is_less = f.temp(f"icmp slt i64 {least}, {other}")
        least = f.temp(f"select i1 {is_less}, i64 {least}, i64 {other}")
    f.bind(op.result, least)


def _results(
    f: FunctionEmitter, op: affine.ApplyOp | affine.MinOp, map: AffineMap, operands: Sequence[str]
) -> list[str]:
    if any(_divisor(one) <= 0 for expr in map.results for one in expr.post_order()):
        raise unsupported(op, "it divides by something that is no positive constant")
    return [_value(f, expr, operands, map.num_dims) for expr in map.results]


def _divisor(expr: AffineExpr) -> int:
    """What `expr` divides by, 1 where it does not, 0 where that is not known."""
    linear = (AffineBinaryOpKind.Add, AffineBinaryOpKind.Mul)
    if not isinstance(expr, AffineBinaryOpExpr) or expr.kind in linear:
        return 1
    return expr.rhs.value if isinstance(expr.rhs, AffineConstantExpr) else 0


def _value(f: FunctionEmitter, expr: AffineExpr, operands: Sequence[str], dims: int) -> str:
    match expr:
        case AffineConstantExpr():
            return str(expr.value)
        case AffineDimExpr():
            return operands[expr.position]
        case AffineSymExpr():
            return operands[dims + expr.position]
        case AffineBinaryOpExpr():
            left = _value(f, expr.lhs, operands, dims)
            right = _value(f, expr.rhs, operands, dims)
            return _combined(f, expr.kind, left, right)
        case _:
            raise AssertionError(f"not an affine expression: {expr}")


def _combined(f: FunctionEmitter, kind: AffineBinaryOpKind, left: str, right: str) -> str:
    match kind:
        case AffineBinaryOpKind.Add:
            return f.temp(f"add nsw i64 {left}, {right}")
        case AffineBinaryOpKind.Mul:
            return f.temp(f"mul nsw i64 {left}, {right}")
        case AffineBinaryOpKind.Mod:
            return _modulo(f, left, right)
        case AffineBinaryOpKind.FloorDiv:
            return _floor(f, left, right)
        case AffineBinaryOpKind.CeilDiv:
            return f.temp(f"sub nsw i64 0, {_floor(f, f.temp(f'sub nsw i64 0, {left}'), right)}")


def _modulo(f: FunctionEmitter, left: str, right: str) -> str:
    rest = f.temp(f"srem i64 {left}, {right}")
    above = f.temp(f"add nsw i64 {rest}, {right}")
    is_negative = f.temp(f"icmp slt i64 {rest}, 0")
    return f.temp(f"select i1 {is_negative}, i64 {above}, i64 {rest}")


def _floor(f: FunctionEmitter, left: str, right: str) -> str:
    """The quotient towards zero, less one where a negative rest was dropped."""
    quotient = f.temp(f"sdiv i64 {left}, {right}")
    rest = f.temp(f"srem i64 {left}, {right}")
    is_negative = f.temp(f"icmp slt i64 {rest}, 0")
    below = f.temp(f"sub nsw i64 {quotient}, 1")
    return f.temp(f"select i1 {is_negative}, i64 {below}, i64 {quotient}")


EMITTERS: EmitterTable = {
    affine.ApplyOp: emit_apply,
    affine.MinOp: emit_min,
}
