"""Copies of loop bodies at given iterations.

A copy has its own maps: where an iterator goes into a subscript or a bound, its linear form is
put into the map; where it is used as a value, it is computed in front.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field

from xdsl.dialects import affine, arith
from xdsl.dialects.builtin import IndexType, IntegerAttr
from xdsl.ir import Operation, SSAValue

from polyopt.ir.linear import Linear, linear_forms, map_of
from polyopt.passes.loops.unroll.full_tiles import FullRange
from polyopt.support.record import entity

_Mapped = affine.LoadOp | affine.StoreOp | affine.VectorLoadOp | affine.VectorStoreOp
_INDICES = {
    affine.LoadOp: 1,
    affine.VectorLoadOp: 1,
    affine.StoreOp: 2,
    affine.VectorStoreOp: 2,
}
"""Where the operands of the map begin."""


def unroll(loop: affine.ForOp, ranges: Mapping[affine.ForOp, FullRange]) -> None:
    """Put a copy of the body for each iteration in the place of `loop`, whose range, like those
    of the loops in it that `ranges` names, is as given."""
    copier = _Copier(loop, ranges)
    results = copier.loop(loop, _Scope())
    for old, new in zip(loop.results, results, strict=True):
        old.replace_all_uses_with(new)
    block = loop.parent
    assert block is not None
    block.erase_op(loop)


@entity
class _Scope:
    """What the values of the original are in one copy: other values, or linear forms."""

    values: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])
    forms: dict[SSAValue, Linear] = field(default_factory=dict[SSAValue, Linear])

    def inner(self) -> _Scope:
        return _Scope(dict(self.values), dict(self.forms))

    def form(self, original: Linear) -> Linear:
        """A form over the original's values as one over the copy's."""
        replacement = {value: Linear.of(new) for value, new in self.values.items()}
        return original.substitute(replacement | self.forms)


@entity
class _Copier:
    """Everything is inserted before `anchor`."""

    anchor: Operation
    ranges: Mapping[affine.ForOp, FullRange]

    def insert(self, op: Operation) -> None:
        assert self.anchor.parent is not None
        self.anchor.parent.insert_op_before(op, self.anchor)

    def loop(self, loop: affine.ForOp, scope: _Scope) -> list[SSAValue]:
        """The copies of all iterations; what the last one yields."""
        full = self.ranges[loop]
        iterator, *arguments = loop.body.block.args
        carried = [self.value(value, scope) for value in loop.inits]
        for iteration in range(full.count):
            here = scope.inner()
            here.forms[iterator] = scope.form(full.at(iteration))
            here.values.update(zip(arguments, carried, strict=True))
            carried = self.body(loop, here)
        return carried

    def body(self, loop: affine.ForOp, scope: _Scope) -> list[SSAValue]:
        for op in loop.body.block.ops:
            if isinstance(op, affine.YieldOp):
                return [self.value(value, scope) for value in op.arguments]
            if isinstance(op, affine.ForOp) and op in self.ranges:
                scope.values.update(zip(op.results, self.loop(op, scope), strict=True))
            elif not self.is_form(op, scope):
                self.insert(self.copy(op, scope))
        return []

    def is_form(self, op: Operation, scope: _Scope) -> bool:
        """A linear `affine.apply` is kept as a form and computed only where it is needed."""
        if not isinstance(op, affine.ApplyOp):
            return False
        forms = linear_forms(op.map.data, op.mapOperands)
        if forms is None:
            return False
        scope.forms[op.result] = scope.form(forms[0])
        return True

    def copy(self, op: Operation, scope: _Scope) -> Operation:
        new = self.copy_access(op, scope) if isinstance(op, _Mapped) else None
        if new is None:
            for used in _operands_in(op):
                if used in scope.forms:
                    scope.values[used] = self.value(used, scope)
            new = op.clone(scope.values)
        for old, result in zip(op.results, new.results, strict=True):
            result.name_hint = old.name_hint
        scope.values.update(zip(op.results, new.results, strict=True))
        return new

    def copy_access(self, op: _Mapped, scope: _Scope) -> Operation | None:
        """The access with the iterators' forms in its map; None if its map is not linear."""
        forms = linear_forms(op.map.data, op.indices)
        if forms is None:
            return None
        subscripts, operands = map_of([scope.form(form) for form in forms])
        first = [self.value(value, scope) for value in op.operands[: _INDICES[type(op)]]]
        return type(op).create(
            operands=[*first, *operands],
            properties={**op.properties, "map": subscripts},
            attributes=op.attributes,
            result_types=op.result_types,
            location=op.location,
        )

    def value(self, original: SSAValue, scope: _Scope) -> SSAValue:
        form = scope.forms.get(original)
        if form is None:
            return scope.values.get(original, original)
        new = value_of(form)
        if isinstance(new, SSAValue):
            return new
        new.location = self.anchor.location
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


def _operands_in(op: Operation) -> Sequence[SSAValue]:
    if not op.regions:
        return op.operands
    return [operand for inner in op.walk() for operand in inner.operands]
