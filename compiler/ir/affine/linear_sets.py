"""Linear forms as the maps and sets of one operation, and back.

An operation with iterators of its own (its block's arguments) takes all else that its maps and
sets use from outside, once: iterators are dimensions there, the others symbols.

    { 2*%i + %n - 1 >= 0 }, %i an iterator   ==   affine_set<(d0)[s0] : (d0 * 2 + s0 - 1 >= 0)>, %n
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain

from xdsl.dialects.builtin import AffineMapAttr, AffineSetAttr
from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap, AffineSet
from xdsl.ir.affine.affine_set import AffineConstraintExpr, AffineConstraintKind

from polyopt.ir.affine.linear import Linear, linear_of
from polyopt.ir.affine.linear import linear_expression as read
from polyopt.support.record import record


@record
class Symbols:
    """The values from outside that an operation's maps and sets use, in the order in which they
    were met."""

    values: Mapping[SSAValue, int]

    @staticmethod
    def of(*groups: Iterable[Linear], dims: Sequence[SSAValue] = ()) -> Symbols:
        """What all these forms use besides the iterators `dims`."""
        found: dict[SSAValue, int] = {}
        for form in chain(*groups):
            for value in form.values:
                if value not in dims:
                    found.setdefault(value, len(found))
        return Symbols(found)

    def map(self, forms: Sequence[Linear], dims: Sequence[SSAValue] = ()) -> AffineMapAttr:
        results = tuple(self._expression(form, dims) for form in forms)
        return AffineMapAttr(AffineMap(len(dims), len(self.values), results))

    def set(self, forms: Sequence[Linear], dims: Sequence[SSAValue] = ()) -> AffineSetAttr:
        """Where every form is at least zero."""
        zero = AffineExpr.constant(0)
        constraints = tuple(
            AffineConstraintExpr(AffineConstraintKind.ge, self._expression(form, dims), zero)
            for form in forms
        )
        return AffineSetAttr(AffineSet(len(dims), len(self.values), constraints))

    def _expression(self, form: Linear, dims: Sequence[SSAValue]) -> AffineExpr:
        total: AffineExpr | None = None
        for value, coefficient in form.terms:
            if value in dims:
                term = AffineExpr.dimension(dims.index(value)) * coefficient
            else:
                term = AffineExpr.symbol(self.values[value]) * coefficient
            total = term if total is None else total + term
        if total is None:
            return AffineExpr.constant(form.constant)
        return total + form.constant if form.constant else total


def forms_of_map(
    map: AffineMapAttr, dims: Sequence[SSAValue], symbols: Sequence[SSAValue]
) -> tuple[Linear, ...]:
    """The results of a linear map at these values."""
    return _forms(map.data.results, dims, symbols)


def forms_of_set(
    set: AffineSetAttr, dims: Sequence[SSAValue], symbols: Sequence[SSAValue]
) -> tuple[Linear, ...]:
    """What is at least zero just at the points of a linear set."""
    forms: list[Linear] = []
    for one in set.data.constraints:
        (form,) = _forms([one.lhs - one.rhs], dims, symbols)
        if one.kind is not AffineConstraintKind.le:
            forms.append(form)
        if one.kind is not AffineConstraintKind.ge:
            forms.append(-form)
    return tuple(forms)


def _forms(
    expressions: Sequence[AffineExpr], dims: Sequence[SSAValue], symbols: Sequence[SSAValue]
) -> tuple[Linear, ...]:
    leaves = [*(Linear.of(value) for value in dims), *(linear_of(value) for value in symbols)]
    found = [read(one, leaves, len(dims)) for one in expressions]
    return tuple(form for form in found if form is not None)
