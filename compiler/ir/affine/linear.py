"""Linear forms over SSA values: `sum coefficient * value + constant`.

What affine maps say about positions of operands, a linear form says about the operands
themselves, so that forms from different maps add, substitute and compare. Subscripts and loop
bounds are read into linear forms, reasoned about, and written back as maps. A quotient stands
only at the top of a bound, and only where a transformation counts tiles.

    affine_map<(d0)[s0] -> (d0 * 2 + s0 - 1)>(%i)[%n]   ==   2*%i + %n - 1
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from math import gcd

from xdsl.dialects import affine, arith
from xdsl.dialects.builtin import AffineMapAttr, IndexType, IntegerAttr
from xdsl.ir import SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
    AffineSymExpr,
)

from polyopt.support.record import record


@record
class Linear:
    """`terms` holds each value once, with a coefficient that is not zero."""

    terms: tuple[tuple[SSAValue, int], ...] = ()
    constant: int = 0

    @staticmethod
    def of(value: SSAValue | int) -> Linear:
        return Linear((), value) if isinstance(value, int) else Linear(((value, 1),))

    @staticmethod
    def from_terms(terms: Iterable[tuple[SSAValue, int]], constant: int = 0) -> Linear:
        total: dict[SSAValue, int] = {}
        for value, coefficient in terms:
            total[value] = total.get(value, 0) + coefficient
        return Linear(tuple((v, c) for v, c in total.items() if c), constant)

    @cached_property
    def coefficients(self) -> Mapping[SSAValue, int]:
        return dict(self.terms)

    @property
    def values(self) -> tuple[SSAValue, ...]:
        return tuple(value for value, _ in self.terms)

    def coefficient(self, value: SSAValue) -> int:
        return self.coefficients.get(value, 0)

    def uses(self, values: Iterable[SSAValue]) -> bool:
        return any(value in self.coefficients for value in values)

    def __add__(self, other: Linear | int) -> Linear:
        if isinstance(other, int):
            return Linear(self.terms, self.constant + other)
        return Linear.from_terms((*self.terms, *other.terms), self.constant + other.constant)

    def __sub__(self, other: Linear | int) -> Linear:
        return self + (-other)

    def __neg__(self) -> Linear:
        return self * -1

    def __mul__(self, factor: int) -> Linear:
        if not factor:
            return Linear()
        return Linear(tuple((v, c * factor) for v, c in self.terms), self.constant * factor)

    def substitute(self, replacement: Mapping[SSAValue, Linear]) -> Linear:
        """Every value in `replacement` gives way to its form, all at once."""
        if not self.uses(replacement):
            return self
        result = Linear((), self.constant)
        for value, coefficient in self.terms:
            result = result + replacement.get(value, Linear.of(value)) * coefficient
        return result

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Linear)
            and self.constant == other.constant
            and self.coefficients == other.coefficients
        )

    def __hash__(self) -> int:
        return hash((self.constant, frozenset(self.terms)))


@record
class Quotient:
    """`floor(form / divisor)`, or the ceiling where `is_ceiling`; divisor > 0."""

    form: Linear
    divisor: int
    is_ceiling: bool = False


Form = Linear | Quotient


def ceiling(form: Linear, divisor: int) -> Form:
    """`form / divisor`, rounded up."""
    if not form.terms:
        return Linear((), -(-form.constant // divisor))
    return Quotient(form, divisor, is_ceiling=True) if divisor != 1 else form


def floor(form: Linear, divisor: int) -> Form:
    """The same, rounded down."""
    if not form.terms:
        return Linear((), form.constant // divisor)
    return Quotient(form, divisor) if divisor != 1 else form


def linear_of(value: SSAValue) -> Linear:
    """The linear form of an index value: through constants and linear `affine.apply`, as far as
    they go; any other value is its own form."""
    owner = value.owner
    if isinstance(owner, arith.ConstantOp) and isinstance(owner.value, IntegerAttr):
        return Linear((), owner.value.value.data)
    if isinstance(owner, affine.ApplyOp):
        forms = linear_forms(owner.map.data, owner.mapOperands)
        if forms is not None:
            return forms[0]
    return Linear.of(value)


def linear_forms(affine_map: AffineMap, operands: Sequence[SSAValue]) -> tuple[Linear, ...] | None:
    """The map's results at these operands; None where one divides, but for what is a multiple of
    the divisor and a number."""
    leaves = [linear_of(operand) for operand in operands]
    forms: list[Linear] = []
    for result in affine_map.results:
        form = linear_expression(result, leaves, affine_map.num_dims)
        if form is None:
            return None
        forms.append(form)
    return tuple(forms)


def linear_expression(expr: AffineExpr, leaves: Sequence[Linear], num_dims: int) -> Linear | None:
    """The expression at these operands; None where it divides, but for what is a multiple of the
    divisor and a number."""
    if isinstance(expr, AffineConstantExpr):
        return Linear((), expr.value)
    if isinstance(expr, AffineDimExpr):
        return leaves[expr.position]
    if isinstance(expr, AffineSymExpr):
        return leaves[num_dims + expr.position]
    assert isinstance(expr, AffineBinaryOpExpr)
    left = linear_expression(expr.lhs, leaves, num_dims)
    right = linear_expression(expr.rhs, leaves, num_dims)
    if left is None or right is None:
        return None
    if expr.kind is AffineBinaryOpKind.Add:
        return left + right
    if expr.kind is AffineBinaryOpKind.Mul:
        if not right.terms:
            return left * right.constant
        if not left.terms:
            return right * left.constant
    divisor = right.constant
    if right.terms or not divisor or any(factor % divisor for _, factor in left.terms):
        return None
    folded = _fold(expr.kind, left.constant, divisor)
    if expr.kind is AffineBinaryOpKind.Mod:
        return Linear((), folded)
    return Linear(tuple((value, factor // divisor) for value, factor in left.terms), folded)


def _fold(kind: AffineBinaryOpKind, left: int, right: int) -> int:
    if kind is AffineBinaryOpKind.FloorDiv:
        return left // right
    if kind is AffineBinaryOpKind.CeilDiv:
        return -(-left // right)
    assert kind is AffineBinaryOpKind.Mod
    return left % right


def map_of(forms: Sequence[Form]) -> tuple[AffineMapAttr, list[SSAValue]]:
    """The map and its operands whose results are `forms`: the inverse of `linear_forms`."""
    position: dict[SSAValue, int] = {}
    results: list[AffineExpr] = []
    for form in forms:
        linear = form if isinstance(form, Linear) else form.form
        expr = _expression(linear, position)
        if isinstance(form, Quotient):
            expr = expr.ceil_div(form.divisor) if form.is_ceiling else expr // form.divisor
        results.append(expr)
    return AffineMapAttr(AffineMap(len(position), 0, tuple(results))), list(position)


def _expression(form: Linear, position: dict[SSAValue, int]) -> AffineExpr:
    expr: AffineExpr | None = None
    for value, coefficient in form.terms:
        assert isinstance(value.type, IndexType)
        term = AffineExpr.dimension(position.setdefault(value, len(position))) * coefficient
        expr = term if expr is None else expr + term
    if expr is None:
        return AffineExpr.constant(form.constant)
    return expr + form.constant if form.constant else expr


def is_never_zero(form: Linear) -> bool:
    """Whatever the values are, for which integers stand: no multiple of what divides all factors
    makes up for the constant. 2 k + 1 is not zero, so x[t % 2] is never x[1 - t % 2]."""
    factors = [factor for _, factor in form.terms]
    return form.constant != 0 and (not factors or form.constant % gcd(*factors) != 0)


def greatest_distance(lowers: Iterable[Linear], uppers: Iterable[Linear]) -> int | None:
    """A constant that min(uppers) - max(lowers) does not exceed, if two of them show one."""
    uppers = list(uppers)
    apart = [upper - lower for lower in lowers for upper in uppers]
    return min((form.constant for form in apart if not form.terms), default=None)
