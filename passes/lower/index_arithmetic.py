"""Quasi-affine expressions as `arith` on index: exact for every sign, and no dearer than need be.

An expression is flattened to a linear form, a sum of values times constants plus a constant.
Division and modulo (by positive constants, to minus infinity) take out what divides evenly:

    (d*x + y) floordiv d  =  x + y floordiv d        (d*x + y) mod d  =  y mod d

and what remains is a shift or a mask for a power of two, a plain division where the dividend
cannot be negative, and else the exact form of three operations more. Signs come from ranges: a
loop's iterator is at least its lower bound.

Equal expressions of one block, or of the blocks around it, are emitted once. Nothing wraps: the
values are iterators and subscripts, which fit their type, so sums and products carry nsw.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable, Sequence
from contextlib import contextmanager
from dataclasses import field
from functools import partial, reduce
from math import gcd

from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, IntegerAttr
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineConstraintExpr,
    AffineConstraintKind,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
    AffineSet,
    AffineSymExpr,
)
from xdsl.utils.exceptions import PassFailedException

from polyopt.ir.affine.linear import Linear
from polyopt.ir.control.equal_values import Known
from polyopt.passes.lower.quotients import Quotients
from polyopt.passes.lower.value_range import ANY, KnownRange
from polyopt.support.record import entity

INDEX = IndexType()
NSW = arith.IntegerOverflowAttr([arith.IntegerOverflowFlag.NSW])

Make = Callable[[], Operation]


def _constant(value: int) -> Operation:
    return arith.ConstantOp(IntegerAttr(value, INDEX))


@entity
class IndexArithmetic:
    """Emits expressions before a chosen operation.

    `scope()` opens a nested block: what is emitted in it is forgotten when it is left.
    """

    anchor: Operation | None = None
    ranges: dict[SSAValue, KnownRange] = field(default_factory=dict[SSAValue, KnownRange])
    forms: dict[SSAValue, Linear] = field(default_factory=dict[SSAValue, Linear])
    """Of iterators that have one value, which it is."""
    _quotients: Quotients = field(default_factory=Quotients)
    _known: Known[SSAValue] = field(default_factory=Known[SSAValue])

    @contextmanager
    def scope(self) -> Generator[None]:
        outside, self._known = self._known, self._known.nested()
        try:
            yield
        finally:
            self._known = outside

    # Values

    def place(self, op: Operation) -> None:
        """Insert `op` at the anchor, which also lends it its location."""
        assert self.anchor is not None
        assert self.anchor.parent is not None
        op.location = self.anchor.location
        self.anchor.parent.insert_op_before(op, self.anchor)

    def insert(self, op: Operation) -> SSAValue:
        self.place(op)
        return op.results[0]

    def constant(self, value: int) -> SSAValue:
        return self._once(
            ("constant", value), KnownRange(value, value), lambda: _constant(value), f"c{value}"
        )

    def results(self, map: AffineMap, operands: Sequence[SSAValue]) -> list[SSAValue]:
        """The map's results at `operands`, dimensions before symbols."""
        forms = self.linear_results(map, operands)
        return [self.materialise(self.with_remainders(form)) for form in forms]

    def linear_results(self, map: AffineMap, operands: Sequence[SSAValue]) -> list[Linear]:
        return [self.linear(expr, operands, map.num_dims) for expr in map.results]

    def maximum(self, values: Sequence[SSAValue]) -> SSAValue:
        return self._chain(arith.MaxSIOp, values)

    def minimum(self, values: Sequence[SSAValue]) -> SSAValue:
        return self._chain(arith.MinSIOp, values)

    def range_of(self, value: SSAValue) -> KnownRange:
        return self.ranges.get(value, ANY)

    def condition(self, set: AffineSet, operands: Sequence[SSAValue]) -> SSAValue:
        """Whether the point `operands` lies in the set, as i1."""
        tests = [self._compare(test, operands, set.num_dims) for test in set.constraints]
        if not tests:
            return self.insert(arith.ConstantOp(IntegerAttr.from_bool(True)))
        return reduce(lambda left, right: self.insert(arith.AndIOp(left, right)), tests)

    def _compare(
        self, constraint: AffineConstraintExpr, operands: Sequence[SSAValue], num_dims: int
    ) -> SSAValue:
        """`lhs kind rhs`, each side a sum of positive multiples."""
        left = self.linear(constraint.lhs, operands, num_dims)
        right = self.linear(constraint.rhs, operands, num_dims)
        is_less = constraint.kind is AffineConstraintKind.le
        difference = right - left if is_less else left - right
        more = tuple((v, c) for v, c in difference.terms if c > 0)
        less = tuple((v, -c) for v, c in difference.terms if c < 0)
        constant = difference.constant
        if constraint.kind is AffineConstraintKind.eq:
            predicate = "eq"
        elif less and constant == -1:
            predicate, constant = "sgt", 0
        else:
            predicate = "sge"
        # The constant goes to the side where it is not negative; a lone side takes it whole.
        on_left = not more or (less and constant > 0)
        lhs = self.materialise(Linear(more, constant if on_left else 0))
        rhs = self.materialise(Linear(less, 0 if on_left else -constant))
        return self.insert(arith.CmpiOp(lhs, rhs, predicate))

    # Linear forms

    def linear(self, expr: AffineExpr, operands: Sequence[SSAValue], num_dims: int) -> Linear:
        match expr:
            case AffineConstantExpr():
                return Linear((), expr.value)
            case AffineDimExpr():
                return self._atom(operands[expr.position])
            case AffineSymExpr():
                return self._atom(operands[num_dims + expr.position])
            case AffineBinaryOpExpr():
                return self._binary(expr, operands, num_dims)
            case _:
                raise AssertionError(f"not an affine expression: {expr}")

    def _atom(self, value: SSAValue) -> Linear:
        owner = value.owner
        if isinstance(owner, arith.ConstantOp) and isinstance(owner.value, IntegerAttr):
            return Linear((), owner.value.value.data)
        return self.forms.get(value) or Linear.of(value)

    def with_remainders(self, form: Linear) -> Linear:
        """`x - d * floor(x / d)` is `x mod d`."""
        return self._quotients.with_remainders(form, self.modulo)

    def _binary(
        self, expr: AffineBinaryOpExpr, operands: Sequence[SSAValue], num_dims: int
    ) -> Linear:
        left = self.linear(expr.lhs, operands, num_dims)
        right = self.linear(expr.rhs, operands, num_dims)
        if expr.kind is AffineBinaryOpKind.Add:
            return left + right
        if expr.kind is AffineBinaryOpKind.Mul:
            return left * right.constant if left.terms else right * left.constant
        divisor = right.constant
        if right.terms or divisor <= 0:
            raise PassFailedException(f"division by something not a positive constant: {expr}")
        match expr.kind:
            case AffineBinaryOpKind.FloorDiv:
                return self.floor_divide(left, divisor)
            case AffineBinaryOpKind.CeilDiv:
                return self.floor_divide(left + (divisor - 1), divisor)
            case AffineBinaryOpKind.Mod:
                return self.modulo(left, divisor)

    def range(self, form: Linear) -> KnownRange:
        result = KnownRange(form.constant, form.constant)
        for value, factor in form.terms:
            result = result + self.range_of(value).scaled(factor)
        return result

    def floor_divide(self, form: Linear, divisor: int) -> Linear:
        """`floor(form / divisor)`."""
        even = Linear(
            tuple((v, c // divisor) for v, c in form.terms if c % divisor == 0),
            form.constant // divisor,
        )
        rest = Linear(
            tuple((v, c) for v, c in form.terms if c % divisor != 0), form.constant % divisor
        )
        common = gcd(divisor, *(c for _, c in rest.terms))
        if common > 1:
            rest = Linear(tuple((v, c // common) for v, c in rest.terms), rest.constant // common)
            divisor //= common
        bounds = self.range(rest)
        if bounds.low is not None and bounds.high is not None:
            low, high = bounds.low // divisor, bounds.high // divisor
            if low == high:
                return even + low
        return even + Linear.of(self._quotient(rest, divisor))

    def modulo(self, form: Linear, divisor: int) -> Linear:
        """`form - divisor * floor(form / divisor)`."""
        rest = Linear(
            tuple(
                (v, c if abs(c) < divisor else c % divisor)
                for v, c in form.terms
                if c % divisor != 0
            ),
            form.constant % divisor,
        )
        bounds = self.range(rest)
        if (
            bounds.low is not None
            and bounds.high is not None
            and bounds.low // divisor == bounds.high // divisor
        ):
            return rest + -divisor * (bounds.low // divisor)
        return Linear.of(self._remainder(rest, divisor))

    # Emission

    def materialise(self, form: Linear) -> SSAValue:
        if not form.terms:
            return self.constant(form.constant)
        if len(form.terms) == 1 and form.terms[0][1] == 1 and form.constant == 0:
            return form.terms[0][0]
        found = self._known.find(form)
        if found is not None:
            return found
        # A positive term first, so that no negation is needed where there is one.
        terms = sorted(form.terms, key=lambda term: term[1] < 0)
        result: SSAValue | None = None
        for value, factor in terms:
            if result is None:
                result = self._scaled(value, factor)
            elif factor < 0:
                scaled = self._scaled(value, -factor)
                result = self.insert(arith.SubiOp(result, scaled, overflow=NSW))
            else:
                scaled = self._scaled(value, factor)
                result = self.insert(arith.AddiOp(result, scaled, overflow=NSW))
        assert result is not None
        if form.constant:
            constant = self.constant(form.constant)
            result = self.insert(arith.AddiOp(result, constant, overflow=NSW))
        self._quotients.sums[result] = form
        return self._remember(form, result, self.range(form))

    def _scaled(self, value: SSAValue, factor: int) -> SSAValue:
        if factor == 1:
            return value
        if factor == -1:
            return self.insert(arith.SubiOp(self.constant(0), value, overflow=NSW))
        key = ("scaled", value, factor)
        return self._once(
            key,
            self.range_of(value).scaled(factor),
            lambda: arith.MuliOp(value, self.constant(factor), overflow=NSW),
        )

    def _quotient(self, form: Linear, divisor: int) -> SSAValue:
        bounds = self.range(form)
        known = KnownRange(
            None if bounds.low is None else bounds.low // divisor,
            None if bounds.high is None else bounds.high // divisor,
        )
        value = self.materialise(form)
        result = self._once(
            ("floordiv", value, divisor), known, lambda: self._divide(value, divisor)
        )
        self._quotients.divided[result] = form, divisor
        return result

    def _divide(self, value: SSAValue, divisor: int) -> Operation:
        if divisor & (divisor - 1) == 0:
            return arith.ShRSIOp(value, self.constant(divisor.bit_length() - 1))
        low = self.range_of(value).low
        if low is not None and low >= 0:
            return arith.DivSIOp(value, self.constant(divisor))
        # floor(x / d) = -1 - (-1 - x) / d for negative x, where the division truncates.
        zero, ones = self.constant(0), self.constant(-1)
        negative = self.insert(arith.CmpiOp(value, zero, "slt"))
        flipped = self.insert(arith.SubiOp(ones, value, overflow=NSW))
        dividend = self.insert(arith.SelectOp(negative, flipped, value))
        quotient = self.insert(arith.DivSIOp(dividend, self.constant(divisor)))
        back = self.insert(arith.SubiOp(ones, quotient, overflow=NSW))
        return arith.SelectOp(negative, back, quotient)

    def _remainder(self, form: Linear, divisor: int) -> SSAValue:
        value = self.materialise(form)
        return self._once(
            ("mod", value, divisor),
            KnownRange(0, divisor - 1),
            lambda: self._take_remainder(value, divisor),
        )

    def _take_remainder(self, value: SSAValue, divisor: int) -> Operation:
        if divisor & (divisor - 1) == 0:
            return arith.AndIOp(value, self.constant(divisor - 1))
        low = self.range_of(value).low
        modulus = self.constant(divisor)
        if low is not None and low >= 0:
            return arith.RemSIOp(value, modulus)
        remainder = self.insert(arith.RemSIOp(value, modulus))
        negative = self.insert(arith.CmpiOp(remainder, self.constant(0), "slt"))
        wrapped = self.insert(arith.AddiOp(remainder, modulus, overflow=NSW))
        return arith.SelectOp(negative, wrapped, remainder)

    def _chain(
        self,
        operation: type[arith.MaxSIOp] | type[arith.MinSIOp],
        values: Sequence[SSAValue],
    ) -> SSAValue:
        distinct = list(dict.fromkeys(values))
        result, is_maximum = distinct[0], operation is arith.MaxSIOp
        for value in distinct[1:]:
            less, more = (result, value) if is_maximum else (value, result)
            if self._is_at_most(less, more):
                result = value
                continue
            if self._is_at_most(more, less):
                continue
            known = self.range_of(result).joined(self.range_of(value), is_maximum)
            make = partial(operation, result, value)
            result = self._once((operation, result, value), known, make)
        return result

    def _is_at_most(self, value: SSAValue, other: SSAValue) -> bool:
        high, low = self.range_of(value).high, self.range_of(other).low
        return high is not None and low is not None and high <= low

    # One emission for each scope

    def _remember(self, key: Hashable, value: SSAValue, range: KnownRange) -> SSAValue:
        if range != ANY:
            self.ranges[value] = range
        return self._known.remember(key, value)

    def _once(
        self, key: Hashable, range: KnownRange, make: Make, hint: str | None = None
    ) -> SSAValue:
        found = self._known.find(key)
        if found is not None:
            return found
        value = self.insert(make())
        value.name_hint = hint
        return self._remember(key, value, range)
