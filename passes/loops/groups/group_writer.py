"""Writes a loop over masked vectors as one whose sums are of groups of lanes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field, replace
from functools import reduce
from typing import cast

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, IntegerType, VectorType, i1
from xdsl.ir import Operation, SSAValue

from polyopt.dialects import pvec
from polyopt.dialects.cmem import element_type
from polyopt.dialects.pvec_group_sums import (
    HALF,
    SIGNED,
    GroupDistanceOp,
    GroupDotOp,
)
from polyopt.dialects.pvec_transfers import ReadOp
from polyopt.ir.affine.linear import Linear, linear_forms, map_of
from polyopt.passes.loops.affine_builder import AffineBuilder
from polyopt.passes.loops.groups.group_factors import (
    BothConditions,
    Chosen,
    ChosenCondition,
    Combined,
    Comparison,
    Condition,
    CountedBits,
    Factor,
    Number,
    ReadElement,
    byte_kinds,
    one_sign,
)
from polyopt.passes.loops.groups.group_terms import ByteDistance, Product, Term
from polyopt.passes.loops.interleave.masked_loop import MaskedLoop
from polyopt.support.record import entity, record

_WITHOUT_SIGNS: dict[type[Operation], type[arith.MaxUIOp | arith.MinUIOp | arith.ShRUIOp]] = {
    arith.MaxSIOp: arith.MaxUIOp,
    arith.MinSIOp: arith.MinUIOp,
    arith.ShRSIOp: arith.ShRUIOp,
}


@record
class GroupPlan:
    """Vectors of `lanes` elements of `bits` bits, and accumulators that are as wide; `interleave`
    whole vectors are to run in one step."""

    bits: int
    lanes: int
    interleave: int

    def sums(self, old: SSAValue) -> VectorType[IntegerType]:
        """What stands for an accumulator."""
        element = cast("VectorType[IntegerType]", old.type).element_type
        return VectorType(element, [self.lanes * self.bits // element.width.data])


@entity
class GroupSumWriter:
    builder: AffineBuilder
    source: MaskedLoop
    terms: Sequence[Sequence[Term]]
    plan: GroupPlan

    def write(self) -> tuple[SSAValue, ...]:
        """What stands for the loop's results."""
        b, loop, plan = self.builder, self.source.loop, self.plan
        zeros = [b.zero(plan.sums(one)) for one in loop.op.inits]
        facts = replace(loop.facts, interleave=plan.interleave)
        with b.loop(
            [self.source.low],
            [self.source.high],
            step=plan.lanes,
            carried=zeros,
            name=loop.iv.name_hint,
            facts=facts,
        ) as opened:
            mask = b.lanes_between(Linear(), self.source.high - opened.index, plan.lanes)
            step = _Step(b, loop.iv, opened.index, mask, plan)
            both = zip(self.terms, opened.carried, strict=True)
            opened.yielded = tuple(reduce(step.sum, terms, old) for terms, old in both)
        return opened.results


@entity
class _Step:
    """`old`: the iterator of the source, which is `here` now."""

    builder: AffineBuilder
    old: SSAValue
    here: Linear
    mask: SSAValue
    plan: GroupPlan
    known: dict[ReadOp, SSAValue] = field(default_factory=dict[ReadOp, SSAValue])

    def sum(self, acc: SSAValue, term: Term) -> SSAValue:
        insert = self.builder.insert
        if isinstance(term, Product):
            lhs, rhs = term.lhs, term.rhs
            values = self._wanted(self._value(lhs)), self._value(rhs)
            kinds = self._kinds(lhs, rhs)
            dot = GroupDotOp((kinds[0], values[0]), (kinds[1], values[1]), acc)
            return insert(dot).sum
        lhs = self._from_least(term.lhs, term)
        rhs = self._numbers(0) if term.rhs is None else self._from_least(term.rhs, term)
        return insert(GroupDistanceOp(lhs, rhs, acc)).sum

    def _from_least(self, one: Factor, term: ByteDistance) -> SSAValue:
        """Bytes without signs that are as far apart."""
        value = self._value(one)
        if term.is_signed:
            value = self.builder.insert(arith.XOrIOp(value, self._numbers(-128))).result
        return self._wanted(value)

    def _kinds(self, lhs: Factor, rhs: Factor) -> tuple[str, str]:
        """Of bytes, two different ones where there are such: these take one operation."""
        if self.plan.bits == HALF:
            return SIGNED, SIGNED
        ways = [(one, other) for one in byte_kinds(lhs) for other in byte_kinds(rhs)]
        return next((way for way in ways if way[0] != way[1]), ways[0])

    def _wanted(self, value: SSAValue) -> SSAValue:
        """Zero in lanes that are not set, whatever is read there."""
        zeros = self.builder.zero(value.type)
        return self.builder.insert(pvec.SelectOp(self.mask, value, zeros)).result

    def _value(self, factor: Factor) -> SSAValue:
        """As `bits` bits of it."""
        if isinstance(factor, Number):
            return self._numbers(factor.value)
        if isinstance(factor, ReadElement):
            return self._element(factor)
        if isinstance(factor, CountedBits):
            return self.builder.insert(math.CtPopOp(self._value(factor.whole))).result
        if isinstance(factor, Chosen):
            mask = self._mask(factor.condition)
            then, orelse = self._value(factor.then), self._value(factor.orelse)
            return self.builder.insert(pvec.SelectOp(mask, then, orelse)).result
        lhs, rhs = self._value(factor.lhs), self._value(factor.rhs)
        return self.builder.insert(self._operation(factor)(lhs, rhs)).results[0]

    def _operation(self, factor: Combined) -> Callable[[SSAValue, SSAValue], Operation]:
        if self._has_sign(factor.lhs, factor.rhs):
            return type(factor.op)
        return _WITHOUT_SIGNS.get(type(factor.op), type(factor.op))

    def _has_sign(self, lhs: Factor, rhs: Factor) -> bool:
        return self.plan.bits == HALF or bool(one_sign(lhs, rhs, self.plan.bits))

    def _mask(self, condition: Condition | bool) -> SSAValue:
        insert = self.builder.insert
        match condition:
            case bool():
                type_ = VectorType(i1, [self.plan.lanes])
                every = DenseIntOrFPElementsAttr.from_list(type_, [condition])
                return insert(arith.ConstantOp(every)).result
            case BothConditions(op, lhs, rhs):
                return insert(type(op)(self._mask(lhs), self._mask(rhs))).result
            case ChosenCondition(chooser, then, orelse):
                both = self._mask(then), self._mask(orelse)
                return insert(pvec.SelectOp(self._mask(chooser), *both)).result
            case Comparison(predicate, lhs, rhs, wraps):
                if not condition.is_equality:
                    predicate = (
                        f"{'s' if self._has_sign(lhs, rhs) and not wraps else 'u'}{predicate}"
                    )
                return insert(pvec.CmpiOp(predicate, self._value(lhs), self._value(rhs))).mask

    def _element(self, one: ReadElement) -> SSAValue:
        value = self.known.get(one.read) or self._read(one.read)
        self.known[one.read] = value
        if one.bits == self.plan.bits:
            return value
        wider = IntegerType(self.plan.bits)
        return self.builder.insert(pvec.ConvertOp(one.kind, value, wider)).result

    def _read(self, op: ReadOp) -> SSAValue:
        forms = linear_forms(op.map.data, op.indices)
        assert forms is not None
        place = map_of([form.substitute({self.old: self.here}) for form in forms])
        type_ = VectorType(element_type(op.memref), [self.plan.lanes])
        new = ReadOp(op.memref, place, op.distances, type_, self.mask, op.within)
        return self.builder.insert(new).results[0]

    def _numbers(self, number: int) -> SSAValue:
        type_ = VectorType(IntegerType(self.plan.bits), [self.plan.lanes])
        values = DenseIntOrFPElementsAttr.from_list(type_, [number])
        return self.builder.insert(arith.ConstantOp(values)).result
