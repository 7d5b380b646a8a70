"""What index values are in a typical iteration: a number, and how it moves with the loops around.

Loops are looked at in the middle: with n from 0 to 8 outside and m from n + 1 to 8 inside, n is 4
and m is 6, moving by one for each iteration of its own loop and by one for each of the other. What
is not known is taken to be what all sizes are (`AssumedSizes`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from math import floor

from xdsl.dialects import affine, arith
from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineConstraintKind,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
    AffineSet,
    AffineSymExpr,
)

from polyopt.dialects import cmem
from polyopt.support.core_model import CORE
from polyopt.support.record import entity, record

Moves = tuple[tuple[int, float], ...]


@record
class Typical:
    """`moves`: by how much an iteration of the loop at each depth changes the number, where it
    does."""

    number: float
    moves: Moves = ()

    def by(self, depth: int) -> float:
        return next((step for loop, step in self.moves if loop == depth), 0.0)

    def __add__(self, other: Typical) -> Typical:
        if not other.moves:
            return Typical(self.number + other.number, self.moves)
        total = dict(self.moves)
        for loop, step in other.moves:
            total[loop] = total.get(loop, 0.0) + step
        moves = tuple(sorted((loop, step) for loop, step in total.items() if step))
        return Typical(self.number + other.number, moves)

    def __mul__(self, factor: float) -> Typical:
        return Typical(self.number * factor, tuple((k, step * factor) for k, step in self.moves))


@entity
class IndexValues:
    """`known` are the iterators of the loops around and the parameters."""

    known: dict[SSAValue, Typical] = field(default_factory=dict[SSAValue, Typical])

    def of(self, value: SSAValue) -> Typical:
        if value not in self.known:
            self.known[value] = self._computed(value)
        return self.known[value]

    def _computed(self, value: SSAValue) -> Typical:
        match value.owner:
            case arith.ConstantOp(value=IntegerAttr() as number):
                return Typical(number.value.data)
            case affine.ApplyOp() as op:
                return self.results(op.map.data, op.mapOperands)[0]
            case affine.MinOp() as op:
                return min(self.results(op.map.data, op.arguments), key=_number)
            case arith.AddiOp() as op:
                return self.of(op.lhs) + self.of(op.rhs)
            case arith.SubiOp() as op:
                return self.of(op.lhs) + self.of(op.rhs) * -1
            case arith.MuliOp() as op:
                left, right = self.of(op.lhs), self.of(op.rhs)
                return right * left.number if right.moves else left * right.number
            case arith.MinSIOp() | arith.MinUIOp() as op:
                return min(self.of(op.lhs), self.of(op.rhs), key=_number)
            case arith.MaxSIOp() | arith.MaxUIOp() as op:
                return max(self.of(op.lhs), self.of(op.rhs), key=_number)
            case arith.IndexCastOp() as op if op.input in self.known:
                return self.known[op.input]
            case _:
                return Typical(CORE.assumed.extent)

    def results(self, map_: AffineMap, operands: Sequence[SSAValue]) -> list[Typical]:
        values = [self.of(operand) for operand in operands]
        return [_evaluated(one, values, map_.num_dims) for one in map_.results]

    def holds(self, condition: AffineSet, operands: Sequence[SSAValue]) -> bool:
        """In a typical iteration, in which no two loops are at the same number: with j in a loop in
        that of i, over the same range, i == j is seldom, and of the halves i > j is taken."""
        values = [self.of(operand) for operand in operands]
        for constraint in condition.constraints:
            left = _evaluated(constraint.lhs, values, condition.num_dims)
            right = _evaluated(constraint.rhs, values, condition.num_dims)
            left, right = _off_diagonal(left + right * -1.0), 0.0
            match constraint.kind:
                case AffineConstraintKind.ge:
                    is_met = left >= right
                case AffineConstraintKind.le:
                    is_met = left <= right
                case AffineConstraintKind.eq:
                    is_met = left == right
            if not is_met:
                return False
        return True

    def truth(self, value: SSAValue) -> bool | None:
        """Of a comparison of such values; None where it is of others."""
        match value.owner:
            case arith.CmpiOp() as op:
                if not (self._is_known(op.lhs) and self._is_known(op.rhs)):
                    return None
                difference = _off_diagonal(self.of(op.lhs) + self.of(op.rhs) * -1.0)
                return _compared(op.predicate.value.data, difference, 0.0)
            case arith.AndIOp() as op:
                both = self.truth(op.lhs), self.truth(op.rhs)
                return False if False in both else None if None in both else True
            case arith.OrIOp() as op:
                both = self.truth(op.lhs), self.truth(op.rhs)
                return True if True in both else None if None in both else False
            case _:
                return None

    def _is_known(self, value: SSAValue) -> bool:
        """Whether it is computed from what is known and from constants, addresses left out: two
        arrays that are expected to be somewhere are not expected to be at one place."""
        pending = [value]
        while pending:
            current = pending.pop()
            if _is_address(current):
                return False
            if current in self.known or isinstance(current.owner, arith.ConstantOp):
                continue
            if not isinstance(current.owner, _COMPUTED):
                return False
            pending += current.owner.operands
        return True


_COMPUTED = (
    affine.ApplyOp,
    affine.MinOp,
    arith.AddiOp,
    arith.SubiOp,
    arith.MuliOp,
    arith.MinSIOp,
    arith.MinUIOp,
    arith.MaxSIOp,
    arith.MaxUIOp,
)


def _is_address(value: SSAValue) -> bool:
    while isinstance(value.owner, arith.IndexCastOp):
        value = value.owner.input
    return isinstance(value.owner, cmem.PtrToIntOp)


def _number(value: Typical) -> float:
    return value.number


def _compared(predicate: int, left: float, right: float) -> bool:
    """By arith's number of the predicate, signed or not."""
    name = ("eq", "ne", "lt", "le", "gt", "ge", "lt", "le", "gt", "ge")[predicate]
    answers: Mapping[str, bool] = {
        "eq": left == right,
        "ne": left != right,
        "lt": left < right,
        "le": left <= right,
        "gt": left > right,
        "ge": left >= right,
    }
    return answers[name]


def _off_diagonal(form: Typical) -> float:
    """The form where the counter of each loop is as many behind the middle as there are loops
    around, if it says how counters lie to each other, and they would be side by side."""
    if len(form.moves) < 2 or abs(form.number) > 1:
        return form.number
    return form.number - sum(loop * step for loop, step in form.moves)


def _evaluated(expr: AffineExpr, values: Sequence[Typical], dims: int) -> Typical:
    if isinstance(expr, AffineConstantExpr):
        return Typical(expr.value)
    if isinstance(expr, AffineDimExpr):
        return values[expr.position]
    if isinstance(expr, AffineSymExpr):
        return values[dims + expr.position]
    assert isinstance(expr, AffineBinaryOpExpr)
    left, right = _evaluated(expr.lhs, values, dims), _evaluated(expr.rhs, values, dims)
    match expr.kind:
        case AffineBinaryOpKind.Add:
            return left + right
        case AffineBinaryOpKind.Mul:
            return right * left.number if right.moves else left * right.number
        case AffineBinaryOpKind.FloorDiv:
            return Typical(floor(left.number / right.number), (left * (1 / right.number)).moves)
        case AffineBinaryOpKind.CeilDiv:
            return Typical(-floor(-left.number / right.number), (left * (1 / right.number)).moves)
        case AffineBinaryOpKind.Mod:
            return Typical(left.number % right.number, left.moves)
