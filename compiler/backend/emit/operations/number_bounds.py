"""Between which numbers a floating-point value lies, if it is a number at all.

    max(x, a), min(x, b)       however written: as operations, or `x < a ? a : x`
    sin x, cos x, tanh x       between -1 and 1
    integers as numbers        what their type holds
    sums, products, |x|        from their operands' ends, which are rounded as they are
    variables                  what is stored on each way to here, less what branches keep away:
                               `if (x < a) x = a;`

An end that is not known is infinite.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import inf, isnan

from xdsl.dialects import arith, cf, memref
from xdsl.dialects.builtin import FloatAttr, IntegerType
from xdsl.ir import Operation, SSAValue
from xdsl.utils.hints import isa

from polyopt.ir.branches import Edge, incoming

Bounds = tuple[float, float]

_ALL: Bounds = (-inf, inf)
_DEPTH = 12
"""Of expressions that are looked into."""

_LESS = frozenset((2, 3, 4, 5, 9, 10, 11, 12))
"""`ogt`, `oge`, `olt`, `ole` and the same with `u`, as xDSL counts them."""
_IS_LESS = frozenset((4, 5, 11, 12))
_WITHIN_ONE = frozenset(("math.sin", "math.cos", "math.tanh"))
_ACCESSES = (memref.LoadOp, memref.StoreOp)
_GREATER = ("arith.maximumf", "arith.maxnumf")
_SMALLER = ("arith.minimumf", "arith.minnumf")


def number_bounds(value: SSAValue, depth: int = _DEPTH) -> Bounds:
    """The least and the greatest that the value may be, where it is no NaN and nothing it is made
    of is."""
    op = value.owner
    if not isinstance(op, Operation) or not depth:
        return _ALL
    if isinstance(op, arith.ConstantOp):
        return _constant(op)
    if isinstance(op, memref.LoadOp):
        return _loaded(op, depth)
    if op.name in _WITHIN_ONE:
        return -1.0, 1.0
    if isinstance(op, (arith.SIToFPOp, arith.UIToFPOp)):
        return _of_type(op)
    operands = (op.lhs, op.rhs) if isinstance(op, arith.SelectOp) else tuple(op.operands)
    found = [number_bounds(one, depth - 1) for one in operands]
    if isinstance(op, arith.SelectOp):
        return _chosen(op, found)
    if op.name in _GREATER:
        return _greater(*found)
    if op.name in _SMALLER:
        return _smaller(*found)
    match op:
        case arith.AddfOp():
            return _hull((found[0][0] + found[1][0], found[0][1] + found[1][1]))
        case arith.SubfOp():
            return _hull((found[0][0] - found[1][1], found[0][1] - found[1][0]))
        case arith.MulfOp():
            return _hull(a * b for a in found[0] for b in found[1])
        case arith.NegfOp():
            return -found[0][1], -found[0][0]
        case _ if op.name == "math.absf":
            reach = max(abs(end) for end in found[0])
            return 0.0, reach
        case _:
            return _ALL


def _loaded(load: memref.LoadOp, depth: int) -> Bounds:
    """Of a variable that nothing but loads and stores knows."""
    variable = load.memref
    if load.indices or not isinstance(variable.owner, memref.AllocaOp):
        return _ALL
    if not all(isinstance(use.operation, _ACCESSES) for use in variable.uses):
        return _ALL
    return _before(load, variable, depth - 1)


def _before(op: Operation, variable: SSAValue, depth: int) -> Bounds:
    """What it holds in front of the operation."""
    before = op.prev_op
    while before is not None:
        if isinstance(before, memref.StoreOp) and before.memref is variable:
            return number_bounds(before.value, depth)
        before = before.prev_op
    block = op.parent
    edges = [] if block is None or not depth else incoming(block)
    found = [_along(edge, variable, depth - 1) for edge in edges]
    if not found:
        return _ALL
    return min(low for low, _ in found), max(high for _, high in found)


def _along(edge: Edge, variable: SSAValue, depth: int) -> Bounds:
    """What it holds where this edge is taken: of what it is compared with, the one side."""
    least, greatest = _before(edge.terminator, variable, depth)
    branch = edge.terminator
    if not isinstance(branch, cf.ConditionalBranchOp):
        return least, greatest
    compared = branch.cond.owner
    if not isinstance(compared, arith.CmpfOp) or compared.predicate.value.data not in _LESS:
        return least, greatest
    load = compared.lhs.owner
    if not isinstance(load, memref.LoadOp) or not _is_still(load, variable, branch):
        return least, greatest
    low, high = number_bounds(compared.rhs, depth)
    if (compared.predicate.value.data in _IS_LESS) == (edge.position == 0):
        return least, min(greatest, high)
    return max(least, low), greatest


def _is_still(load: memref.LoadOp, variable: SSAValue, branch: Operation) -> bool:
    """Was it loaded in the same block, and not stored since?"""
    if load.memref is not variable or load.parent is not branch.parent:
        return False
    after = load.next_op
    while after is not None and after is not branch:
        if isinstance(after, memref.StoreOp) and after.memref is variable:
            return False
        after = after.next_op
    return True


def _constant(op: arith.ConstantOp) -> Bounds:
    if not isa(op.value, FloatAttr):
        return _ALL
    number = op.value.value.data
    return _ALL if isnan(number) else (number, number)


def _of_type(op: arith.SIToFPOp | arith.UIToFPOp) -> Bounds:
    if not isa(op.input.type, IntegerType):
        return _ALL
    bits = op.input.type.width.data
    if isinstance(op, arith.UIToFPOp):
        return 0.0, float(1 << bits)
    return -float(1 << (bits - 1)), float(1 << (bits - 1))


def _chosen(op: arith.SelectOp, arms: list[Bounds]) -> Bounds:
    """The greater or the smaller of what is compared, or either arm."""
    compared = op.cond.owner
    either = min(low for low, _ in arms), max(high for _, high in arms)
    if not isinstance(compared, arith.CmpfOp) or compared.predicate.value.data not in _LESS:
        return either
    then, orelse = _same(compared.lhs), _same(compared.rhs)
    wanted = _same(op.lhs), _same(op.rhs)
    if wanted not in ((then, orelse), (orelse, then)):
        return either
    is_smaller = (wanted == (then, orelse)) == (compared.predicate.value.data in _IS_LESS)
    return _smaller(*arms) if is_smaller else _greater(*arms)


def _same(value: SSAValue) -> object:
    """Constants are one value wherever they stand."""
    op = value.owner
    return op.value if isinstance(op, arith.ConstantOp) else value


def _greater(one: Bounds, other: Bounds) -> Bounds:
    return max(one[0], other[0]), max(one[1], other[1])


def _smaller(one: Bounds, other: Bounds) -> Bounds:
    return min(one[0], other[0]), min(one[1], other[1])


def _hull(ends: Iterable[float]) -> Bounds:
    """Infinite where an end is none, as zero times infinity."""
    known = list(ends)
    if any(isnan(one) for one in known):
        return _ALL
    return min(known), max(known)
