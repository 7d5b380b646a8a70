"""Computes the values of a loop body again, as scalars or lane by lane.

An evaluator holds what is already computed for one place (one k, one row, one vector), so that a
value shared by several users is computed once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerType, VectorType
from xdsl.ir import Attribute, Operation, OpResult, SSAValue

from polyopt.dialects import pvec
from polyopt.dialects.loop_facts import restrict_rounding
from polyopt.ir.elementwise import on_others
from polyopt.passes.loops.affine_builder import AffineBuilder
from polyopt.passes.loops.value_ranges import width_of
from polyopt.support.record import entity

Leaf = Callable[[SSAValue], SSAValue | None]
"""What stands for a value here, if it is not to be computed from its operation."""


@entity
class Evaluator:
    """`lanes` is None for scalars. `leaf` is asked first, for every value; a value from outside
    the nest is taken as it is, and spread over the lanes. `in_order`: nobody after us may write
    floating-point operations in another order."""

    builder: AffineBuilder
    lanes: int | None
    root: Operation
    leaf: Leaf
    in_order: bool = False
    known: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])

    def value(self, value: SSAValue) -> SSAValue:
        found = self.known.get(value)
        if found is None:
            found = self.known[value] = self._compute(value)
        return found

    def _compute(self, value: SSAValue) -> SSAValue:
        replaced = self.leaf(value)
        if replaced is not None:
            return replaced
        if not isinstance(value, OpResult) or not self.root.is_ancestor(value.op):
            return self._spread(value)
        if isinstance(value.op, arith.ConstantOp):
            return self._spread(self.builder.insert(value.op.clone()).result)
        operands = [self.value(operand) for operand in value.op.operands]
        if self.lanes is not None and isinstance(value.op, _BY_LANES):
            made = _by_lanes(value.op, operands)
            made.location = value.op.location
            return self.builder.insert(made).results[0]
        types = [self.type_of(result.type) for result in value.op.results]
        copy = on_others(value.op, operands, types)
        if self.in_order and "fastmath" in copy.properties:
            restrict_rounding(copy.attributes, "in_order")
        return self.builder.insert(copy).results[value.index]

    def resized(self, value: SSAValue, type_: IntegerType) -> SSAValue:
        """An integer in lanes that are as wide as this type: extended by its sign, or cut."""
        found, own = self.value(value), width_of(value.type)
        if own == type_.width.data:
            return found
        cast = "extsi" if own < type_.width.data else "trunci"
        return self.builder.insert(pvec.ConvertOp(cast, found, type_)).result

    def type_of(self, element: Attribute) -> Attribute:
        return element if self.lanes is None else VectorType(element, [self.lanes])

    def _spread(self, scalar: SSAValue) -> SSAValue:
        return scalar if self.lanes is None else self.builder.broadcast(scalar, self.lanes)


_CONVERSIONS = (
    arith.ExtSIOp,
    arith.ExtUIOp,
    arith.TruncIOp,
    arith.SIToFPOp,
    arith.UIToFPOp,
    arith.FPToSIOp,
    arith.FPToUIOp,
)
_BY_LANES = (arith.CmpiOp, arith.CmpfOp, arith.SelectOp, *_CONVERSIONS)
"""xDSL's `arith` has these for scalars only."""


def _by_lanes(op: Operation, lanes: list[SSAValue]) -> Operation:
    if isinstance(op, _CONVERSIONS):
        return pvec.ConvertOp(op.name.removeprefix("arith."), lanes[0], op.result.type)
    if isinstance(op, arith.SelectOp):
        return pvec.SelectOp(*lanes)
    assert isinstance(op, (arith.CmpiOp, arith.CmpfOp))
    left, right = lanes
    number = op.predicate.value.data
    if isinstance(op, arith.CmpiOp):
        return pvec.CmpiOp(arith.CMPI_COMPARISON_OPERATIONS[number], left, right)
    return pvec.CmpfOp(arith.CMPF_COMPARISON_OPERATIONS[number], left, right)
