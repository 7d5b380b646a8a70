"""Index and floating-point arithmetic in front of an operation, folded where it is constant.

What has to be known before a region forks (trip counts, how much work there is, where a thread's
part starts) is computed by ordinary operations; a number that is known is a Python number until
somebody needs it as a value.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import affine, arith, math
from xdsl.dialects.builtin import (
    AffineMapAttr,
    FloatAttr,
    IndexType,
    IntegerAttr,
    f64,
    i64,
)
from xdsl.ir import Block, Operation, SSAValue
from xdsl.ir.affine import (
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
    AffineSymExpr,
)

from polyopt.ir.effects import constant_integer
from polyopt.support.record import entity

INDEX = IndexType()

Index = int | SSAValue
Amount = float | SSAValue
"""Of type f64 where it is a value."""


def known(value: SSAValue) -> Index:
    """The number, where the value is a constant."""
    number = constant_integer(value)
    return value if number is None else number


@entity
class Code:
    """Appends to `block`; what it makes has the location of `like`."""

    block: Block
    like: Operation

    def insert(self, op: Operation) -> SSAValue:
        op.location = self.like.location
        self.block.add_op(op)
        return op.results[0]

    # Indices

    def index(self, value: Index) -> SSAValue:
        if isinstance(value, int):
            return self.insert(arith.ConstantOp(IntegerAttr(value, INDEX)))
        return value

    def add(self, a: Index, b: Index) -> Index:
        if isinstance(a, int) and isinstance(b, int):
            return a + b
        if a == 0 or b == 0:
            return b if isinstance(a, int) and not a else a
        return self.insert(arith.AddiOp(self.index(a), self.index(b)))

    def subtract(self, a: Index, b: Index) -> Index:
        if isinstance(a, int) and isinstance(b, int):
            return a - b
        if isinstance(b, int) and not b:
            return a
        return self.insert(arith.SubiOp(self.index(a), self.index(b)))

    def multiply(self, a: Index, b: Index) -> Index:
        if isinstance(a, int) and isinstance(b, int):
            return a * b
        if isinstance(a, int) and a == 1:
            return b
        if isinstance(b, int) and b == 1:
            return a
        return self.insert(arith.MuliOp(self.index(a), self.index(b)))

    def quotient(self, a: Index, b: Index) -> Index:
        """Of numbers that are not negative, b > 0, rounded down."""
        if isinstance(a, int) and isinstance(b, int):
            return a // b
        if isinstance(b, int) and b == 1:
            return a
        return self.insert(arith.DivUIOp(self.index(a), self.index(b)))

    def quotient_up(self, a: Index, b: Index) -> Index:
        """The same, rounded up."""
        if isinstance(b, int) and b == 1:
            return a
        return self.quotient(self.add(a, self.subtract(b, 1)), b)

    def rounded_down(self, a: Index, b: int) -> Index:
        """The next multiple of b, a power of two, that is not greater."""
        if isinstance(a, int):
            return a & -b
        return self.insert(arith.AndIOp(a, self.index(-b)))

    def least(self, a: Index, b: Index) -> Index:
        if isinstance(a, int) and isinstance(b, int):
            return min(a, b)
        return self.insert(arith.MinSIOp(self.index(a), self.index(b)))

    def greatest(self, a: Index, b: Index) -> Index:
        if isinstance(a, int) and isinstance(b, int):
            return max(a, b)
        return self.insert(arith.MaxSIOp(self.index(a), self.index(b)))

    def equal(self, a: Index, b: Index) -> SSAValue:
        return self.insert(arith.CmpiOp(self.index(a), self.index(b), "eq"))

    def select(self, test: SSAValue, then: Index, orelse: Index) -> SSAValue:
        return self.insert(arith.SelectOp(test, self.index(then), self.index(orelse)))

    def results(self, map: AffineMap, operands: Sequence[Index]) -> list[Index]:
        """Each result of the map at these operands."""
        dims, symbols = operands[: map.num_dims], operands[map.num_dims :]
        if all(isinstance(operand, int) for operand in operands):
            known = [operand for operand in dims if isinstance(operand, int)]
            names = [operand for operand in symbols if isinstance(operand, int)]
            return list(map.eval(known, names))
        return [self._result(map, result, operands) for result in map.results]

    def _result(self, map: AffineMap, result: AffineExpr, operands: Sequence[Index]) -> Index:
        match result:
            case AffineDimExpr(position):
                return operands[position]
            case AffineSymExpr(position):
                return operands[map.num_dims + position]
            case AffineConstantExpr(value):
                return value
            case _:
                values = [self.index(operand) for operand in operands]
                one = AffineMapAttr(AffineMap(map.num_dims, map.num_symbols, (result,)))
                return self.insert(affine.ApplyOp(values, one))

    # Amounts

    def amount(self, value: Amount) -> SSAValue:
        if isinstance(value, SSAValue):
            return value
        return self.insert(arith.ConstantOp(FloatAttr(float(value), f64)))

    def as_amount(self, value: Index) -> Amount:
        if isinstance(value, int):
            return float(value)
        return self.insert(arith.SIToFPOp(self.insert(arith.IndexCastOp(value, i64)), f64))

    def as_index(self, value: Amount) -> Index:
        """Rounded to zero."""
        if not isinstance(value, SSAValue):
            return int(value)
        return self.insert(arith.IndexCastOp(self.insert(arith.FPToSIOp(value, i64)), INDEX))

    def sum(self, a: Amount, b: Amount) -> Amount:
        if isinstance(a, float) and isinstance(b, float):
            return a + b
        if a == 0.0 or b == 0.0:
            return b if isinstance(a, float) and not a else a
        return self.insert(arith.AddfOp(self.amount(a), self.amount(b)))

    def product(self, a: Amount, b: Amount) -> Amount:
        if isinstance(a, float) and isinstance(b, float):
            return a * b
        if isinstance(a, float) and a in (0.0, 1.0):
            return b if a else a
        if isinstance(b, float) and b in (0.0, 1.0):
            return a if b else b
        return self.insert(arith.MulfOp(self.amount(a), self.amount(b)))

    def difference(self, a: Amount, b: Amount) -> Amount:
        if isinstance(a, float) and isinstance(b, float):
            return a - b
        return self.insert(arith.SubfOp(self.amount(a), self.amount(b)))

    def ratio(self, a: Amount, b: Amount) -> Amount:
        if isinstance(a, float) and isinstance(b, float):
            return a / b
        return self.insert(arith.DivfOp(self.amount(a), self.amount(b)))

    def at_least(self, value: Amount, least: float) -> Amount:
        if not isinstance(value, SSAValue):
            return max(value, least)
        return self.insert(arith.MaximumfOp(value, self.amount(least)))

    def at_most(self, value: Amount, most: float) -> Amount:
        if not isinstance(value, SSAValue):
            return min(value, most)
        return self.insert(arith.MinimumfOp(value, self.amount(most)))

    def greatest_of(self, a: Amount, b: Amount) -> Amount:
        if not isinstance(a, SSAValue):
            return self.at_least(b, a) if a > 0.0 else b
        return self.insert(arith.MaximumfOp(a, self.amount(b)))

    def where_less(self, a: Amount, b: Amount, then: Amount, orelse: Amount) -> Amount:
        """`then` where a < b, else `orelse`."""
        if not isinstance(a, SSAValue) and not isinstance(b, SSAValue):
            return then if a < b else orelse
        test = self.insert(arith.CmpfOp(self.amount(a), self.amount(b), "olt"))
        return self.insert(arith.SelectOp(test, self.amount(then), self.amount(orelse)))

    def root(self, value: Amount) -> Amount:
        if not isinstance(value, SSAValue):
            return float(value**0.5)
        return self.insert(math.SqrtOp(value))

    def exceeds(self, value: SSAValue, limit: float) -> SSAValue:
        """Whether it does; asked of the index, where it is some index times a number."""
        index, factor = _times(value)
        if index is not None and limit >= 0:
            most = self.index(int(limit // factor))
            return self.insert(arith.CmpiOp(index, most, "sgt"))
        return self.insert(arith.CmpfOp(value, self.amount(limit), "ogt"))


def _times(value: SSAValue) -> tuple[SSAValue | None, float]:
    """The index and the number that is above zero whose product it is, as `as_amount` and `product`
    write that; an index that is taken to be zero at least is as good as what it is without."""
    factor = 1.0
    while isinstance(value.owner, arith.MulfOp):
        times = value.owner
        number = _number(times.rhs)
        if number <= 0:
            return None, factor
        factor *= number
        value = times.lhs
    match value.owner:
        case arith.SIToFPOp(input=SSAValue(owner=arith.IndexCastOp(input=index))):
            pass
        case _:
            return None, factor
    bounded = index.owner
    if isinstance(bounded, arith.MaxSIOp) and known(bounded.rhs) == 0:
        return bounded.lhs, factor
    return index, factor


def _number(value: SSAValue) -> float:
    """Zero, where it is none."""
    match value.owner:
        case arith.ConstantOp(value=FloatAttr(value=number)):
            return number.data
        case _:
            return 0.0
