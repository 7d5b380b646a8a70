"""Where the lanes of a vector are: index values that a loop computes, as integers in lanes."""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr, IntegerType
from xdsl.ir import SSAValue

from polyopt.ir.affine.affine_nest import AffineLoop
from polyopt.ir.affine.linear import Linear, linear_of
from polyopt.ir.affine.subscripts import is_known
from polyopt.passes.loops.affine_builder import AffineBuilder
from polyopt.passes.loops.elementwise import Evaluator
from polyopt.passes.loops.value_ranges import width_of
from polyopt.passes.loops.vectors.vector_loop import INDEX_OPERATIONS, shift_of
from polyopt.support.record import record

IteratorValues = dict[SSAValue, Linear]
"""What stands for the old iterators."""


@record
class LanePlaces:
    """In `lanes` iterations of the loop from `at` on; `evaluator` has all other values."""

    builder: AffineBuilder
    loop: AffineLoop
    lanes: int
    at: IteratorValues
    evaluator: Evaluator

    def number(self, index: SSAValue, type_: IntegerType) -> SSAValue:
        """An index of an access; as long as it was where that is no longer."""
        owner = index.owner
        if isinstance(owner, arith.IndexCastOp) and width_of(owner.input.type) <= type_.width.data:
            return self.evaluator.value(owner.input)
        return self._of_type(index, type_)

    def moving(self, index: SSAValue, type_: IntegerType) -> SSAValue:
        """What moves with the iterator."""
        form = linear_of(index)
        step = form.coefficient(self.loop.iv)
        return self.builder.numbers(form.substitute(self.at), step, self.lanes, type_)

    def _of_type(self, index: SSAValue, type_: IntegerType) -> SSAValue:
        owner, b = index.owner, self.builder
        if is_known(linear_of(index), self.loop):
            return self.moving(index, type_)
        if isinstance(owner, arith.IndexCastOp):
            return self.evaluator.resized(owner.input, type_)
        assert isinstance(owner, (*INDEX_OPERATIONS, arith.FloorDivSIOp))
        left = self._of_type(owner.lhs, type_)
        if isinstance(owner, arith.FloorDivSIOp):
            bits = arith.ConstantOp(IntegerAttr(shift_of(owner) or 0, type_))
            by = b.broadcast(b.insert(bits).result, self.lanes)
            return b.insert(arith.ShRSIOp(left, by)).result
        return b.insert(type(owner)(left, self._of_type(owner.rhs, type_))).result
