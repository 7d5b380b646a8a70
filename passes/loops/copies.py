"""Copies of operations at other iterations.

A copy has its own maps: where an iterator goes into a subscript or a bound, its linear form is
put into the map; where it is used as a value, it is computed in front.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field

from xdsl.dialects import affine, arith
from xdsl.dialects.builtin import (
    I1,
    AffineMapAttr,
    DenseIntOrFPElementsAttr,
    IndexType,
    IntegerAttr,
    VectorType,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.hints import isa

from polyopt.dialects import pvec
from polyopt.dialects.pvec_transfers import ReadOp, WriteOp
from polyopt.ir.affine.linear import Linear, linear_forms, map_of
from polyopt.support.record import entity

_Mapped = affine.LoadOp | affine.StoreOp | affine.VectorLoadOp | affine.VectorStoreOp
_INDICES = {
    affine.LoadOp: 1,
    affine.VectorLoadOp: 1,
    affine.StoreOp: 2,
    affine.VectorStoreOp: 2,
}
"""Where the operands of the map begin."""


@entity
class CopyScope:
    """What the values of the original are in one copy: other values, or linear forms. Vectors of
    `whole`, masks of the original, are set in all lanes."""

    values: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])
    forms: dict[SSAValue, Linear] = field(default_factory=dict[SSAValue, Linear])
    whole: frozenset[SSAValue] = frozenset()

    def inner(self) -> CopyScope:
        return CopyScope(dict(self.values), dict(self.forms), self.whole)

    def form(self, original: Linear) -> Linear:
        """A form over the original's values as one over the copy's."""
        replacement = {
            value: self.forms[value] if value in self.forms else Linear.of(self.values[value])
            for value in original.values
            if value in self.forms or value in self.values
        }
        return original.substitute(replacement)


@entity
class Copier:
    """Gives each operation of a copy to `insert`; what is computed for it has the place of `like`
    in the source."""

    insert: Callable[[Operation], object]
    like: Operation

    def copy(self, op: Operation, scope: CopyScope) -> None:
        """What there is of `op` in the copy; a linear `affine.apply` is kept as a form, and
        computed only where it is needed."""
        if self._is_form(op, scope) or self._is_unmasked(op, scope):
            return
        new = self._at_its_place(op, scope)
        if new is None:
            for used in _operands_in(op):
                if used in scope.forms or used in scope.whole:
                    scope.values[used] = self.value(used, scope)
            new = op.clone(scope.values)
        new = self.shaped(new)
        for old, result in zip(op.results, new.results, strict=True):
            result.name_hint = old.name_hint
        scope.values.update(zip(op.results, new.results, strict=True))
        self.insert(new)
        new.location = op.location

    def shaped(self, op: Operation) -> Operation:
        """The copy, or what takes its place: that of a kind of copiers whose types are others."""
        return op

    def _is_form(self, op: Operation, scope: CopyScope) -> bool:
        if not isinstance(op, affine.ApplyOp):
            return False
        forms = linear_forms(op.map.data, op.mapOperands)
        if forms is None:
            return False
        scope.forms[op.result] = scope.form(forms[0])
        return True

    def _is_unmasked(self, op: Operation, scope: CopyScope) -> bool:
        """Is its result one of its operands where lanes are all set?"""
        if isinstance(op, pvec.SelectOp) and op.mask in scope.whole:
            scope.values[op.result] = self.value(op.then, scope)
            return True
        if isinstance(op, arith.AndIOp):
            for mask, other in (op.operands, reversed(op.operands)):
                if mask in scope.whole:
                    scope.values[op.result] = self.value(other, scope)
                    return True
        return False

    def _at_its_place(self, op: Operation, scope: CopyScope) -> Operation | None:
        """The access with the iterators' forms in its map; None if it has no map, or none that is
        linear."""
        if isinstance(op, _Mapped):
            place = self._place(op, scope)
            if place is None:
                return None
            first = [self.value(value, scope) for value in op.operands[: _INDICES[type(op)]]]
            return type(op).create(
                operands=[*first, *place[1]],
                properties={**op.properties, "map": place[0]},
                attributes=op.attributes,
                result_types=op.result_types,
            )
        if isinstance(op, affine.MinOp):
            forms = linear_forms(op.map.data, op.arguments)
            if forms is None:
                return None
            map, operands = map_of([scope.form(form) for form in forms])
            return affine.MinOp(operands, map)
        if isinstance(op, pvec.GatherOp):
            indices = [self.value(one, scope) for one in op.indices]
            mask, array = self._mask(op.mask, scope), self.value(op.memref, scope)
            return pvec.GatherOp(array, indices, mask, op.result.type)
        if not isinstance(op, (ReadOp, WriteOp)) or (place := self._place(op, scope)) is None:
            return None
        array, mask = self.value(op.memref, scope), self._mask(op.mask, scope)
        if isinstance(op, ReadOp):
            return ReadOp(array, place, op.distances, op.result.type, mask, op.within)
        stored, past = self.value(op.value, scope), op.nontemporal is not None
        return WriteOp(stored, array, place, op.distances, mask, nontemporal=past)

    def _mask(self, mask: SSAValue | None, scope: CopyScope) -> SSAValue | None:
        return None if mask is None or mask in scope.whole else self.value(mask, scope)

    def _place(
        self, op: _Mapped | ReadOp | WriteOp, scope: CopyScope
    ) -> tuple[AffineMapAttr, list[SSAValue]] | None:
        forms = linear_forms(op.map.data, op.indices)
        return None if forms is None else map_of([scope.form(form) for form in forms])

    def value(self, original: SSAValue, scope: CopyScope) -> SSAValue:
        form = scope.forms.get(original)
        if form is None and original not in scope.whole:
            return scope.values.get(original, original)
        new = self.shaped(all_lanes(original.type)) if form is None else value_of(form)
        if isinstance(new, SSAValue):
            return new
        new.location = self.like.location
        self.insert(new)
        return new.results[0]


def value_of(form: Linear) -> SSAValue | Operation:
    """The value that `form` is, or the operation that computes it."""
    if not form.terms:
        return arith.ConstantOp(IntegerAttr(form.constant, IndexType()))
    if form == Linear.of(form.values[0]):
        return form.values[0]
    map, operands = map_of([form])
    return affine.ApplyOp(operands, map)


def all_lanes(type_: Attribute) -> Operation:
    """A mask with all lanes set."""
    assert isa(type_, VectorType[I1])
    ones = [1] * type_.get_shape()[0]
    return arith.ConstantOp(DenseIntOrFPElementsAttr.from_list(type_, ones))


def _operands_in(op: Operation) -> Sequence[SSAValue]:
    if not op.regions:
        return op.operands
    return [operand for inner in op.walk() for operand in inner.operands]
