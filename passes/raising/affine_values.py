"""SSA values as affine expressions over iterators and values that do not change.

    n, iterators, constants, affine.apply            as they are
    a + b, a - b, a * 3, a << 2, a & 7               on index; on integers where they are nsw
    floordivsi, ceildivsi, shrsi                     by positive constants
    divsi, divui, remsi, remui, shrui                the same, where the dividend is not negative
    index_cast, extsi                                as what they convert
    extui, trunci                                    where the value's range keeps it as it is
    minsi, maxsi, affine.min                         of bounds: several results

Arithmetic on `index` is taken not to wrap, as `affine.apply` takes it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field

from xdsl.dialects import affine, arith, memref
from xdsl.dialects.arith import IntegerOverflowFlag
from xdsl.dialects.builtin import AffineMapAttr, IndexType, IntegerType
from xdsl.ir import Block, SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
)
from xdsl.rewriter import InsertPoint, Rewriter

from polyopt.ir.affine.affine_nest import is_iterator
from polyopt.ir.effects import bit_width, constant_integer
from polyopt.passes.lower.value_range import ANY, KnownRange
from polyopt.support.record import entity

INDEX = IndexType()


class NotAffineValue(Exception):
    """`value` is not an affine function of iterators and values that do not change: why, in the
    user's words, and what to do."""

    def __init__(self, value: SSAValue, cause: str, advice: str = ""):
        super().__init__(cause)
        self.value = value
        self.cause = cause
        self.advice = advice


IsFree = Callable[[SSAValue], bool]
"""Whether a value may stand for itself: it does not change where it is used."""


@entity
class AffineReader:
    """Reads values; `operands` are those that the expressions are over, as dimensions."""

    is_free: IsFree = lambda _: True
    operands: list[SSAValue] = field(default_factory=list[SSAValue])

    def map(self, results: Sequence[AffineExpr]) -> AffineMapAttr:
        """Over `operands`: iterators of loops are its dimensions, all else its symbols."""
        counts = [is_iterator(value) for value in self.operands]
        dims, symbols = counts.count(True), counts.count(False)
        places: list[AffineExpr] = []
        seen = [0, 0]
        for one in counts:
            make = AffineExpr.dimension if one else AffineExpr.symbol
            places.append(make(seen[one]))
            seen[one] += 1
        placed = [expr.replace_dims_and_symbols(places, []) for expr in results]
        pairs = sorted(zip(counts, self.operands, strict=True), key=lambda pair: not pair[0])
        self.operands = [value for _, value in pairs]
        return AffineMapAttr(AffineMap(dims, symbols, tuple(placed)))

    def lower_bounds(self, value: SSAValue) -> list[AffineExpr]:
        """Expressions whose maximum is `value`."""
        owner = value.owner
        if isinstance(owner, arith.MaxSIOp):
            return [*self.lower_bounds(owner.lhs), *self.lower_bounds(owner.rhs)]
        return [self.expression(value)]

    def upper_bounds(self, value: SSAValue) -> list[AffineExpr]:
        """Expressions whose minimum is `value`."""
        match value.owner:
            case arith.MinSIOp() as owner:
                return [*self.upper_bounds(owner.lhs), *self.upper_bounds(owner.rhs)]
            case affine.MinOp() as owner:
                return self._mapped(owner.map.data, owner.arguments)
            case _:
                return [self.expression(value)]

    def expression(self, value: SSAValue) -> AffineExpr:
        """`value` over `operands`; raises NotAffine."""
        number = constant_integer(value)
        if number is not None:
            return AffineExpr.constant(number)
        found = None if isinstance(value.owner, Block) else self._computed(value)
        return self._operand(value) if found is None else found

    def _operand(self, value: SSAValue) -> AffineExpr:
        if not (is_iterator(value) or self.is_free(value)):
            raise self._refusal(value)
        value = as_index(value)
        if value not in self.operands:
            self.operands.append(value)
        return AffineExpr.dimension(self.operands.index(value))

    def _mapped(self, map: AffineMap, operands: Sequence[SSAValue]) -> list[AffineExpr]:
        read = [self.expression(operand) for operand in operands]
        dims, symbols = read[: map.num_dims], read[map.num_dims :]
        return [one.replace_dims_and_symbols(dims, symbols) for one in map.results]

    def _computed(self, value: SSAValue) -> AffineExpr | None:
        """What computes `value`, None where that is no affine arithmetic that cannot wrap."""
        match value.owner:
            case affine.ApplyOp() as op:
                return self._mapped(op.map.data, op.mapOperands)[0]
            case arith.AddiOp() | arith.SubiOp() | arith.MuliOp() | arith.ShLIOp() as op:
                return self._linear(op) if _is_exact(op) else None
            case arith.IndexCastOp() | arith.ExtSIOp() as op:
                wide = bit_width(op.result) >= bit_width(op.input)
                return self.expression(op.input) if wide or self._fits(op.input, value) else None
            case arith.ExtUIOp() as op:
                wide = bit_width(op.result) >= bit_width(op.input)
                inner = self._non_negative(op.input)
                return inner if wide or self._fits(op.input, value) else None
            case arith.TruncIOp() as op:
                return self.expression(op.input) if self._fits(op.input, value) else None
            case _:
                return self._divided(value)

    def _linear(
        self, op: arith.AddiOp | arith.SubiOp | arith.MuliOp | arith.ShLIOp
    ) -> AffineExpr | None:
        if isinstance(op, arith.ShLIOp):
            distance = constant_integer(op.rhs)
            if distance is None or not 0 <= distance < 62:
                return None
            return self.expression(op.lhs) * (1 << distance)
        if isinstance(op, arith.MuliOp):
            for factor, other in ((op.lhs, op.rhs), (op.rhs, op.lhs)):
                number = constant_integer(factor)
                if number is not None:
                    return self.expression(other) * number
            return None
        right = self.expression(op.rhs)
        return self.expression(op.lhs) + (right if isinstance(op, arith.AddiOp) else right * -1)

    def _divided(self, value: SSAValue) -> AffineExpr | None:
        op = value.owner
        if not isinstance(
            op,
            arith.FloorDivSIOp
            | arith.CeilDivSIOp
            | arith.DivSIOp
            | arith.DivUIOp
            | arith.RemSIOp
            | arith.RemUIOp
            | arith.ShRSIOp
            | arith.ShRUIOp
            | arith.AndIOp,
        ):
            return None
        number = constant_integer(op.rhs)
        if number is None:
            return None
        match op:
            case arith.AndIOp():
                is_mask = number >= 0 and number & (number + 1) == 0
                return self.expression(op.lhs) % (number + 1) if is_mask else None
            case arith.ShRSIOp() | arith.ShRUIOp():
                if not 0 <= number < 62:
                    return None
                signed = isinstance(op, arith.ShRSIOp)
                shifted = self.expression(op.lhs) if signed else self._non_negative(op.lhs)
                return None if shifted is None else shifted // (1 << number)
            case _ if number <= 0:
                return None
            case arith.FloorDivSIOp():
                return self.expression(op.lhs) // number
            case arith.CeilDivSIOp():
                return self.expression(op.lhs).ceil_div(number)
            case _:
                dividend = self._non_negative(op.lhs)
                if dividend is None:
                    return None
                is_rest = isinstance(op, arith.RemSIOp | arith.RemUIOp)
                return dividend % number if is_rest else dividend // number

    # What is known of sizes

    def _non_negative(self, value: SSAValue) -> AffineExpr | None:
        form = self.expression(value)
        low = self._range(form).low
        return form if low is not None and low >= 0 else None

    def _fits(self, value: SSAValue, narrow: SSAValue) -> bool:
        known = self._range(self.expression(value))
        limit = 1 << (bit_width(narrow) - 1)
        low, high = known.low, known.high
        return low is not None and high is not None and -limit <= low and high < limit

    def _range(self, form: AffineExpr) -> KnownRange:
        return _range_of(form, [_value_range(value) for value in self.operands])

    def _refusal(self, value: SSAValue) -> NotAffineValue:
        return NotAffineValue(value, *why_not(value))


def as_index(value: SSAValue) -> SSAValue:
    """The value as index: itself, or a conversion right behind its definition."""
    if isinstance(value.type, IndexType):
        return value
    owner = value.owner
    block = owner if isinstance(owner, Block) else owner.parent
    for use in value.uses:
        cast = use.operation
        is_cast = isinstance(cast, arith.IndexCastOp) and isinstance(cast.result.type, IndexType)
        if is_cast and cast.parent is block:
            return cast.results[0]
    new = arith.IndexCastOp(value, INDEX)
    new.result.name_hint = value.name_hint
    if isinstance(owner, Block):
        Rewriter.insert_op(new, InsertPoint.at_start(owner))
        around = owner.parent_op()
        if around is not None:
            new.location = around.location
    else:
        Rewriter.insert_op(new, InsertPoint.after(owner))
        new.location = owner.location
    return new.result


def _is_exact(op: arith.AddiOp | arith.SubiOp | arith.MuliOp | arith.ShLIOp) -> bool:
    is_index = isinstance(op.result.type, IndexType)
    return is_index or IntegerOverflowFlag.NSW in op.overflow_flags.data


def _value_range(value: SSAValue) -> KnownRange:
    owner = value.owner
    if isinstance(owner, memref.DimOp):
        return KnownRange(0, None)
    if isinstance(owner, arith.IndexCastOp) and isinstance(owner.input.type, IntegerType):
        half = 1 << (bit_width(owner.input) - 1)
        return KnownRange(-half, half - 1)
    if not is_iterator(value):
        return ANY
    assert isinstance(owner, Block)
    loop = owner.parent_op()
    assert isinstance(loop, affine.ForOp)
    below = _map_ranges(loop.lowerBoundMap.data, loop.lowerBoundOperands)
    above = _map_ranges(loop.upperBoundMap.data, loop.upperBoundOperands)
    lows = [one.low for one in below if one.low is not None]
    highs = [one.high - 1 for one in above if one.high is not None]
    return KnownRange(max(lows, default=None), min(highs, default=None))


def _map_ranges(map: AffineMap, operands: Sequence[SSAValue]) -> list[KnownRange]:
    ranges = [_value_range(operand) for operand in operands]
    dims = [AffineExpr.dimension(k) for k in range(len(operands))]
    split = map.num_dims
    forms = [one.replace_dims_and_symbols(dims[:split], dims[split:]) for one in map.results]
    return [_range_of(form, ranges) for form in forms]


def _range_of(form: AffineExpr, ranges: Sequence[KnownRange]) -> KnownRange:
    match form:
        case AffineConstantExpr():
            return KnownRange(form.value, form.value)
        case AffineDimExpr():
            return ranges[form.position]
        case AffineBinaryOpExpr():
            left, right = _range_of(form.lhs, ranges), _range_of(form.rhs, ranges)
            if form.kind is AffineBinaryOpKind.Add:
                return left + right
            number = right.low
            if number is None or right.high != number:
                return ANY
            match form.kind:
                case AffineBinaryOpKind.Mul:
                    return left.scaled(number) if number else KnownRange(0, 0)
                case AffineBinaryOpKind.Mod:
                    return KnownRange(0, number - 1)
                case AffineBinaryOpKind.FloorDiv:
                    low = None if left.low is None else left.low // number
                    return KnownRange(low, None if left.high is None else left.high // number)
                case _:
                    low = None if left.low is None else -(-left.low // number)
                    return KnownRange(low, None if left.high is None else -(-left.high // number))
        case _:
            return ANY


def why_not(value: SSAValue) -> tuple[str, str]:
    """Why a value that changes is not affine, and what to do."""
    owner = value.owner
    name = f"'{value.name_hint}'" if value.name_hint else "it"
    if isinstance(owner, Block):
        return f"{name} changes from one iteration to the next, and is no iterator", ""
    match owner:
        case affine.LoadOp() | memref.LoadOp():
            array = owner.memref.name_hint
            source = f"'{array}'" if array else "memory"
            return f"{name} is loaded from {source}", ""
        case arith.MuliOp() if isinstance(value.type, IndexType):
            advice = "an array of more dimensions has one subscript for each loop"
            return f"{name} is a product of two values that both may change", advice
        case arith.AddiOp() | arith.SubiOp() | arith.MuliOp() | arith.ShLIOp():
            advice = f"index arithmetic does not wrap, nor does {owner.name} overflow<nsw>"
            return f"{name} is computed by {owner.name} of {value.type}, which may wrap", advice
        case arith.TruncIOp() | arith.ExtUIOp():
            return f"{name} is converted by {owner.name}, which may change it", ""
        case arith.DivSIOp() | arith.DivUIOp() | arith.RemSIOp() | arith.RemUIOp():
            return (
                f"{name} is computed by {owner.name}, whose operands may be negative or change",
                "arith.floordivsi rounds as affine maps do",
            )
        case _:
            return f"{name} is computed by {owner.name}", ""
