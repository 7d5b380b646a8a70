"""Writes straight code of a loop once more, with integers of fewer bits.

Signs matter no longer where nothing is negative: what had them as wide values takes the operation
without. What comes from outside of the loop is made narrow there, once for all iterations.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import affine, arith
from xdsl.dialects.builtin import IntegerAttr, IntegerType
from xdsl.ir import Operation, SSAValue
from xdsl.utils.hints import isa

from polyopt.ir.control.equal_values import drop_unused
from polyopt.passes.loops.narrow.integer_width import IntegerUse, is_wide
from polyopt.passes.loops.value_ranges import DIVISIONS, RIGHT_SHIFTS, fits, width_of
from polyopt.support.record import entity

EXTENSIONS = (arith.ExtSIOp, arith.ExtUIOp)
_UNSIGNED = {2: 6, 3: 7, 4: 8, 5: 9}
"""`slt`, `sle`, `sgt` and `sge` as predicates of numbers without a sign."""
_WITHOUT_SIGN: dict[type[Operation], type[Operation]] = {
    arith.MaxSIOp: arith.MaxUIOp,
    arith.MinSIOp: arith.MinUIOp,
    arith.ShRSIOp: arith.ShRUIOp,
    arith.DivSIOp: arith.DivUIOp,
    arith.RemSIOp: arith.RemUIOp,
}


@entity
class NarrowWriter:
    loop: affine.ForOp
    width: int
    use: IntegerUse

    def rewrite(self, operations: list[Operation]) -> None:
        narrow: dict[SSAValue, SSAValue] = {}
        for op in operations:
            if not any(is_wide(one, self.width) for one in (*op.operands, *op.results)):
                continue
            new = self._instead(op, narrow)
            result = op.results[0]
            if is_wide(result, self.width):
                narrow[result] = new
            else:
                new.name_hint = new.name_hint or result.name_hint
                result.replace_all_uses_with(new)
        drop_unused(reversed(operations), lambda op: bool(op.results))

    def _instead(self, op: Operation, narrow: dict[SSAValue, SSAValue]) -> SSAValue:
        """A value of `width` bits for a wider result, or the same result from such operands."""
        type_ = IntegerType(self.width)
        if isinstance(op, arith.ConstantOp):
            return self._in_front(op, _constant(op, self.width))
        if isinstance(op, (*EXTENSIONS, arith.TruncIOp)):
            source, result = op.operands[0], op.results[0]
            low = self._low(source, narrow, op)
            have = width_of(low.type)
            wanted = min(width_of(result.type), self.width)
            if have == wanted:
                return low
            kind = arith.TruncIOp if have > wanted else type(op)
            return self._in_front(op, kind(low, IntegerType(wanted)))
        threshold = self.use.threshold(op, self.width)
        operands = [
            self._clamped(one, op.operands[1 - place], op)
            if place == threshold
            else self._low(one, narrow, op)
            for place, one in enumerate(op.operands)
        ]
        if isinstance(op, arith.CmpiOp):
            number = op.predicate.value.data
            if threshold is None and not self._have_signs(op.operands):
                number = _UNSIGNED.get(number, number)
            left, right = operands
            return self._in_front(op, arith.CmpiOp(left, right, number))
        kind = type(op)
        if isinstance(op, DIVISIONS) and min(self.use.range_of(o).low for o in op.operands) >= 0:
            kind = _WITHOUT_SIGN.get(kind, kind)
        is_signed = isinstance(op, arith.SelectOp) or self._have_signs(
            op.operands[:1] if isinstance(op, RIGHT_SHIFTS) else op.operands
        )
        if not is_signed and not (
            isinstance(op, RIGHT_SHIFTS) and self.use.is_low_part(op, self.width)
        ):
            kind = _WITHOUT_SIGN.get(kind, kind)
        properties = op.properties.copy()
        if "overflowFlags" in properties:
            properties["overflowFlags"] = arith.IntegerOverflowAttr("none")
        new = kind.create(operands=operands, result_types=[type_], properties=properties)
        return self._in_front(op, new)

    def _have_signs(self, values: Sequence[SSAValue]) -> bool:
        return all(fits(self.use.range_of(one), self.width, signed=True) for one in values)

    def _low(self, value: SSAValue, narrow: dict[SSAValue, SSAValue], op: Operation) -> SSAValue:
        if not is_wide(value, self.width) or value in narrow:
            return narrow.get(value, value)
        if isinstance(value.owner, arith.ConstantOp):
            narrow[value] = self._outside(_constant(value.owner, self.width), op)
        else:
            narrow[value] = self._outside(arith.TruncIOp(value, IntegerType(self.width)), op)
        return narrow[value]

    def _clamped(self, value: SSAValue, other: SSAValue, op: Operation) -> SSAValue:
        """At most one beyond what it is compared with."""
        here = self.use.ranges[other]
        for number, kind in ((here.high + 1, arith.MinSIOp), (here.low - 1, arith.MaxSIOp)):
            assert isa(value.type, IntegerType)
            end = self._outside(arith.ConstantOp(IntegerAttr(number, value.type)), op)
            value = self._outside(kind(value, end), op)
        return self._outside(arith.TruncIOp(value, IntegerType(self.width)), op)

    def _outside(self, new: Operation, op: Operation) -> SSAValue:
        """In front of the loop, once for all iterations."""
        new.location = op.location
        block = self.loop.parent
        assert block is not None
        block.insert_op_before(new, self.loop)
        return new.results[0]

    def _in_front(self, op: Operation, new: Operation) -> SSAValue:
        new.location = op.location
        assert op.parent is not None
        op.parent.insert_op_before(new, op)
        new.results[0].name_hint = op.results[0].name_hint
        return new.results[0]


def _constant(op: arith.ConstantOp, width: int) -> arith.ConstantOp:
    assert isa(op.value, IntegerAttr)
    number = op.value.value.data & ((1 << width) - 1)
    if number >= 1 << (width - 1):
        number -= 1 << width
    return arith.ConstantOp(IntegerAttr(number, IntegerType(width)))
