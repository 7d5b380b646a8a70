"""Finds the forms of what is computed in turns (`turn_forms.py`), from the components on up to what
they are read from: no rewriter, no costs.

Operands that may change places do so where that makes them more like the first component's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from itertools import permutations

from xdsl.dialects import arith, vector
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, VectorType
from xdsl.dialects.utils import FastMathFlag
from xdsl.ir import Operation, SSAValue

from polyopt.dialects.pvec import ConvertOp, SelectOp
from polyopt.dialects.pvec_lanes import lanes_of
from polyopt.ir.fast_math import permits
from polyopt.passes.loops.transfers.turn_forms import (
    Blended,
    Form,
    Key,
    Lanewise,
    Loaded,
    Signed,
    Spread,
    Turning,
    TurnRow,
    Uniform,
    Woven,
    operands_of,
)
from polyopt.support.record import entity

_SUMS = (arith.AddfOp, arith.AddiOp)
_DIFFERENCES = (arith.SubfOp, arith.SubiOp)
_COMMUTATIVE = (
    arith.AddfOp,
    arith.MulfOp,
    arith.AddiOp,
    arith.MuliOp,
    arith.AndIOp,
    arith.OrIOp,
    arith.XOrIOp,
    arith.MaxSIOp,
    arith.MinSIOp,
    arith.MaxUIOp,
    arith.MinUIOp,
)
_PAIRS = ({arith.AddfOp, arith.SubfOp}, {arith.AddiOp, arith.SubiOp})
_PLAIN = ("arith.", "math.")
_MOST_NESTED = 3
"""So deep are operands looked into that may change places."""


@entity
class Planner:
    """`rows` says of reads which component of which row they are."""

    rows: Mapping[SSAValue, tuple[TurnRow, int]]
    forms: dict[Key, Form] = field(default_factory=dict[Key, Form])

    def plan(self, values: Sequence[SSAValue]) -> Key:
        """The key of these components; its form, and those of all that it depends on, are known."""
        key = Key(tuple(values), (False,) * len(values))
        pending = [key]
        while pending:
            one = pending.pop()
            if one not in self.forms:
                self.forms[one] = self._form(one)
                pending += operands_of(self.forms[one])
        return key

    def reached(self, roots: Iterable[Key]) -> Iterator[tuple[Key, Form]]:
        """Each key that these depend on, once."""
        pending, seen = list(roots), set[Key]()
        while pending:
            key = pending.pop()
            if key not in seen:
                seen.add(key)
                yield key, self.forms[key]
                pending += operands_of(self.forms[key])

    def _form(self, key: Key) -> Form:
        known = key.known
        if all(is_uniform(one) for one in known):
            return Uniform()
        if any(key.negated):
            return self._with_signs(key)
        if (loaded := self._loaded(key)) is not None:
            return loaded
        if len(known) > 1 and len(set(known)) == 1:
            return Spread(known[0])
        alike = self._alike(key)
        if len(alike) == 1:
            return self._lanewise(key) or Woven()
        if len(alike) == 2:
            return self._turning(key) or self._partly_negated(key) or self._blended(key, alike)
        return Woven()

    def _with_signs(self, key: Key) -> Form:
        """A product has the sign of a factor that does not change."""
        product = self._lanewise(key.plain) if all(map(_is_product, key.known)) else None
        if product is not None:
            for number, operand in enumerate(product.operands):
                if all(is_uniform(one) for one in operand.known):
                    factors = list(product.operands)
                    factors[number] = Key(operand.values, key.negated)
                    return Lanewise(product.like, tuple(factors))
        return Signed(key.plain, key.negated)

    def _partly_negated(self, key: Key) -> Signed | None:
        owners = [None if one is None else one.owner for one in key.values]
        flags = tuple(isinstance(one, arith.NegfOp) for one in owners)
        if not any(flags):
            return None
        values = [
            one.operand if isinstance(one, arith.NegfOp) else value
            for one, value in zip(owners, key.values, strict=True)
        ]
        return Signed(Key(tuple(values), (False,) * len(flags)), flags)

    def _loaded(self, key: Key) -> Loaded | None:
        """Where any value will do, a component is in its place."""
        found = [None if one is None else self.rows.get(one) for one in key.values]
        rows = {one[0] for one in found if one is not None}
        if len(rows) != 1 or sum(one is not None for one in found) != len(key.known):
            return None
        (row,) = rows
        order = [place if one is None else one[1] for place, one in enumerate(found)]
        return Loaded(row, tuple(order))

    def _alike(self, key: Key) -> list[tuple[bool, ...]]:
        """Which components are the same operation, those that come first in front."""
        kinds: dict[object, list[bool]] = {}
        for place, one in enumerate(key.values):
            if one is not None:
                flags = kinds.setdefault(self._kind(one), [False] * len(key.values))
                flags[place] = True
        return [tuple(flags) for flags in kinds.values()]

    def _kind(self, value: SSAValue) -> object:
        if value in self.rows:
            return self.rows[value][0]
        if is_uniform(value):
            return None
        return _kind(value.owner) if isinstance(value.owner, Operation) else value

    def _lanewise(self, key: Key) -> Lanewise | None:
        owners = [None if one is None else one.owner for one in key.values]
        ops = [one for one in owners if isinstance(one, Operation)]
        if len(ops) != len(key.known) or not all(is_lanewise(one) for one in ops):
            return None
        if len({_kind(one) for one in ops}) != 1:
            return None
        return Lanewise(ops[0], self._arranged(owners))

    def _turning(self, key: Key) -> Turning | None:
        owners = [None if one is None else one.owner for one in key.values]
        plus = next((one for one in owners if isinstance(one, _SUMS)), None)
        minus = next((one for one in owners if isinstance(one, _DIFFERENCES)), None)
        if plus is None or minus is None or None in owners:
            return None
        if {type(one) for one in owners} not in _PAIRS or not _is_permitted_alike(plus, minus):
            return None
        flags = tuple(isinstance(one, _DIFFERENCES) for one in owners)
        left, right = self._arranged(owners)
        signed = Key(right.values, flags)
        if isinstance(plus, arith.AddfOp) and isinstance(self._form(signed), Uniform | Lanewise):
            return Turning(minus, plus, (left, signed), flags, True)
        is_one = isinstance(plus, arith.AddfOp) and all(map(_is_fused_product, left.known))
        return Turning(minus, plus, (left, right), flags, is_one)

    def _blended(self, key: Key, alike: Sequence[tuple[bool, ...]]) -> Form:
        flags = alike[1]
        none = (False,) * len(flags)
        parts = (
            tuple(None if own is flag else one for one, flag in zip(key.values, flags, strict=True))
            for own in (True, False)
        )
        first, second = (Key(part, none) for part in parts)
        return Blended(first, second, flags)

    def _arranged(self, owners: Sequence[object]) -> tuple[Key, ...]:
        """The operands of all components, place by place; of those that may change places, in the
        order in which they are most like the first component's."""
        known = [one for one in owners if isinstance(one, Operation)]
        first = next((one for one in known if not isinstance(one, _COMMUTATIVE)), known[0])
        columns: list[Sequence[SSAValue | None]] = []
        for one in owners:
            if not isinstance(one, Operation):
                columns.append([None] * len(first.operands))
            elif one is first or not isinstance(one, _COMMUTATIVE):
                columns.append(list(one.operands))
            else:
                columns.append(self._like(list(first.operands), list(one.operands)))
        none = (False,) * len(owners)
        return tuple(Key(values, none) for values in zip(*columns, strict=True))

    def _like(self, first: Sequence[SSAValue], operands: Sequence[SSAValue]) -> Sequence[SSAValue]:
        def likeness(order: Sequence[SSAValue]) -> float:
            pairs = zip(first, order, strict=True)
            return sum(self._likeness(a, b, _MOST_NESTED) for a, b in pairs)

        return max((list(order) for order in permutations(operands)), key=likeness)

    def _likeness(self, one: SSAValue, other: SSAValue, depth: int) -> float:
        if is_uniform(one) or is_uniform(other):
            return 4.0 if is_uniform(one) and is_uniform(other) else 0.0
        if one in self.rows or other in self.rows:
            mine, its = self.rows.get(one), self.rows.get(other)
            if mine is None or its is None or mine[0] != its[0]:
                return 0.0
            return 4.0 if mine[1] < its[1] else 3.0
        if one is other:
            return 3.0
        op, its_op = one.owner, other.owner
        if not isinstance(op, Operation) or not isinstance(its_op, Operation):
            return 0.0
        is_same = _kind(op) == _kind(its_op) or {type(op), type(its_op)} in _PAIRS
        if not is_same or not is_lanewise(op) or not depth:
            return 1.0 if is_same else 0.0
        orders = permutations(its_op.operands) if len(its_op.operands) == 2 else [its_op.operands]
        inner = (
            sum(self._likeness(a, b, depth - 1) for a, b in zip(op.operands, order, strict=True))
            for order in orders
        )
        return 1.0 + max(inner) / (2 * len(op.operands))


def is_uniform(value: SSAValue) -> bool:
    """Is it the same in all lanes, as far as is seen?"""
    op = value.owner
    if isinstance(op, vector.BroadcastOp):
        return True
    if not isinstance(op, arith.ConstantOp) or not isinstance(op.value, DenseIntOrFPElementsAttr):
        return False
    return len(set(op.value.get_values())) == 1


def is_lanewise(op: Operation) -> bool:
    """Does each lane of the result depend on those of the operands alone, all of them vectors?"""
    if op.regions or len(op.results) != 1 or not op.operands:
        return False
    if not (op.name.startswith(_PLAIN) or isinstance(op, ConvertOp | SelectOp)):
        return False
    return all(_has_lanes(one) for one in (*op.operands, *op.results))


def _has_lanes(value: SSAValue) -> bool:
    return isinstance(value.type, VectorType) and lanes_of(value) > 1


def _is_fused_product(value: SSAValue) -> bool:
    """One that is rounded with the sum that it goes into, where the machine can."""
    op = value.owner
    return isinstance(op, arith.MulfOp) and permits(op, FastMathFlag.ALLOW_CONTRACT)


def _is_permitted_alike(one: Operation, other: Operation) -> bool:
    """The same of both: how they round, and what is known not to happen."""
    return one.properties == other.properties and one.attributes == other.attributes


def _is_product(value: SSAValue) -> bool:
    return isinstance(value.owner, arith.MulfOp)


def _kind(op: Operation) -> object:
    """What two operations share that are one on longer vectors."""
    properties = tuple(sorted((name, one) for name, one in op.properties.items()))
    attributes = tuple(sorted((name, one) for name, one in op.attributes.items()))
    types = tuple(one.type for one in (*op.operands, *op.results))
    return op.name, properties, attributes, types
