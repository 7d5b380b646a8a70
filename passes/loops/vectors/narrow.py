"""affine-narrow: integers no wider than they need be, in innermost loops over narrow elements.

C computes in `int` what images and samples hold in bytes and shorts, and a vector has as many
lanes as its widest value lets it have. Of each value of a loop two things are asked:

    what it can be      an interval, from the elements that are loaded on (`value_range`)
    what is needed      its lowest bits, from those that are stored back: a sum, a difference or a
                        product hangs on as many of its operands' bits, a value shifted right on
                        as many more, and a comparison on all of them (`needed_bits`)

A value is held in w bits as its lowest w bits. That will do if no more are needed, or if the
interval fits, with a sign or without one. All of a loop's values become as narrow, or none. Numbers
from outside that are only compared with, thresholds, are brought near the interval in front of the
loop, which no comparison notices.

(W. H. Harrison, Compiler analysis of the value ranges for variables, IEEE Trans. Software Eng.
SE-3(3), 1977; M. Stephenson, J. Babb, S. Amarasinghe, Bitwidth analysis, PLDI 2000.)
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.context import Context
from xdsl.dialects import affine, arith
from xdsl.dialects.builtin import IntegerAttr, IntegerType, ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.utils.hints import isa

from polyopt.dialects.inside import operations_in
from polyopt.dialects.loop_facts import facts_of
from polyopt.ir.affine_nest import is_defined_inside
from polyopt.ir.effects import constant_integer, is_speculatable
from polyopt.passes.loops.replacement import tell
from polyopt.passes.loops.vectors.value_ranges import (
    DIVISIONS,
    MODULAR,
    RIGHT_SHIFTS,
    Range,
    fits,
    needed_bits,
    value_ranges,
    width_of,
)
from polyopt.support.record import entity, record

_WIDTHS = (8, 16, 32)
_SIGNED = (0, 1, 2, 3, 4, 5)
"""The predicates `eq`, `ne`, `slt`, `sle`, `sgt` and `sge`."""
_UNSIGNED = {2: 6, 3: 7, 4: 8, 5: 9}
"""`slt`, `sle`, `sgt` and `sge` as predicates of numbers without a sign."""
_WITHOUT_SIGN: dict[type[Operation], type[Operation]] = {
    arith.MaxSIOp: arith.MaxUIOp,
    arith.MinSIOp: arith.MinUIOp,
    arith.ShRSIOp: arith.ShRUIOp,
    arith.DivSIOp: arith.DivUIOp,
    arith.RemSIOp: arith.RemUIOp,
}
_EXTREMES = (arith.MaxSIOp, arith.MinSIOp, arith.MaxUIOp, arith.MinUIOp)
_EXTENSIONS = (arith.ExtSIOp, arith.ExtUIOp)
_KNOWN = (
    *(*MODULAR, *RIGHT_SHIFTS, *DIVISIONS, *_EXTREMES, *_EXTENSIONS),
    *(arith.ConstantOp, arith.CmpiOp, arith.SelectOp, arith.TruncIOp),
    *(affine.LoadOp, affine.StoreOp),
)


@record
class AffineNarrowPass(ModulePass):
    """Let innermost loops that load and store narrow integers compute with integers as narrow.

    Requires: nothing.
    Ensures: the same values are stored. A loop in which one value cannot be narrower stays as it
    is, and so does one whose elements are as wide as what is computed.

        %a = affine.load %A[%i] : memref<?xi8>        %a = affine.load %A[%i] : memref<?xi8>
        %b = affine.load %B[%i] : memref<?xi8>        %b = affine.load %B[%i] : memref<?xi8>
        %x = arith.extui %a : i8 to i32               %x = arith.extui %a : i8 to i16
        %y = arith.extui %b : i8 to i32          =>   %y = arith.extui %b : i8 to i16
        %s = arith.addi %x, %y : i32                  %s = arith.addi %x, %y : i16
        %h = arith.shrsi %s, %c1 : i32                %h = arith.shrsi %s, %c1 : i16
        %t = arith.trunci %h : i32 to i8              %t = arith.trunci %h : i16 to i8
    """

    name = "affine-narrow"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for loop in operations_in(op, affine.ForOp):
            if not loop.inits and not facts_of(loop).is_final:
                _narrow(loop)


def _narrow(loop: affine.ForOp) -> None:
    operations = [op for op in loop.body.block.ops if not isinstance(op, affine.YieldOp)]
    if not all(isinstance(op, _KNOWN) for op in operations):
        return
    accesses = [op for op in operations if isinstance(op, (affine.LoadOp, affine.StoreOp))]
    elements = [
        op.result.type if isinstance(op, affine.LoadOp) else op.value.type for op in accesses
    ]
    values = [value for op in operations for value in op.results]
    if not any(isinstance(op, affine.StoreOp) for op in accesses):
        return
    if not all(isinstance(one, IntegerType) for one in elements):
        return
    if not all(isinstance(one.type, IntegerType) for one in values):
        return
    widest_element = max(width_of(one) for one in elements)
    widest = max((width_of(one.type) for one in values), default=0)
    if widest <= widest_element:
        return
    _move_out_what_stays(loop)
    operations = [op for op in operations if op.parent is loop.body.block]
    ranges, needed = value_ranges(operations), needed_bits(operations)
    for width in _WIDTHS:
        if widest_element <= width < widest and all(
            _may_be(op, width, ranges, needed) for op in operations
        ):
            _Narrowed(loop, width, ranges, needed).rewrite(operations)
            tell("affine-narrow", loop, f"integers of {width} bits in place of {widest}")
            return


def _move_out_what_stays(loop: affine.ForOp) -> None:
    """What is computed of values from outside alone is computed there."""
    block = loop.parent
    assert block is not None
    for op in list(loop.body.block.ops):
        is_plain = isinstance(op, _KNOWN) and not isinstance(op, (affine.LoadOp, affine.StoreOp))
        if is_plain and is_speculatable(op) and not isinstance(op, arith.ConstantOp):
            if not any(is_defined_inside(one, loop) for one in op.operands):
                op.detach()
                block.insert_op_before(op, loop)


def _may_be(
    op: Operation, width: int, ranges: dict[SSAValue, Range], needed: dict[SSAValue, int]
) -> bool:
    """Do `width` bits of the operation's result and operands do?"""
    wide = [one for one in (*op.operands, *op.results) if _is_wide(one, width)]
    if _threshold(op, width, ranges) is not None:
        return True
    if not all(needed.get(one, 0) <= width or _fits(one, width, ranges) for one in wide):
        return False
    if isinstance(op, (arith.ShLIOp, *RIGHT_SHIFTS)) and wide:
        by = _range(op.operands[1], ranges)
        return 0 <= by.low and by.high < width and _may_shift(op, width, ranges, needed)
    if isinstance(op, DIVISIONS) and wide:
        least = [_range(one, ranges).low for one in op.operands]
        if least[1] <= 0 or (least[0] < 0 and isinstance(op, (arith.DivUIOp, arith.RemUIOp))):
            return False
    if isinstance(op, (arith.CmpiOp, *_EXTREMES, *DIVISIONS)) and wide:
        return _are_alike(op.operands, width, ranges)
    return True


def _threshold(op: Operation, width: int, ranges: dict[SSAValue, Range]) -> int | None:
    """Which operand of a comparison is from outside, if the other one's interval leaves room for
    it on both sides."""
    if not isinstance(op, arith.CmpiOp) or op.predicate.value.data not in _SIGNED:
        return None
    for place, (one, other) in enumerate((op.operands, tuple(reversed(op.operands)))):
        here = ranges.get(other)
        is_outside = one not in ranges and constant_integer(one) is None and _is_wide(one, width)
        if is_outside and here is not None:
            if fits(Range(here.low - 1, here.high + 1), width, signed=True):
                return place
    return None


def _may_shift(
    op: Operation, width: int, ranges: dict[SSAValue, Range], needed: dict[SSAValue, int]
) -> bool:
    if isinstance(op, arith.ShLIOp) or _is_low_part(op, width, needed):
        return True
    shifted = op.operands[0]
    if isinstance(op, arith.ShRUIOp) and _range(shifted, ranges).low < 0:
        return False
    return _fits(shifted, width, ranges)


def _is_wide(value: SSAValue, width: int) -> bool:
    type_ = value.type
    return isa(type_, IntegerType) and type_.width.data > width


def _range(value: SSAValue, ranges: dict[SSAValue, Range]) -> Range:
    number = constant_integer(value)
    if number is not None:
        return Range(number, number)
    return ranges.get(value) or Range.of_bits(width_of(value.type))


def _fits(value: SSAValue, width: int, ranges: dict[SSAValue, Range]) -> bool:
    here = _range(value, ranges)
    return fits(here, width, signed=True) or fits(here, width, signed=False)


def _are_alike(values: Sequence[SSAValue], width: int, ranges: dict[SSAValue, Range]) -> bool:
    return any(
        all(fits(_range(one, ranges), width, signed=signed) for one in values)
        for signed in (True, False)
    )


def _is_low_part(op: Operation, width: int, needed: dict[SSAValue, int]) -> bool:
    """Are the bits that are needed of a shifted value among the lowest ones of the operand?"""
    return needed.get(op.operands[0], 0) <= width


@entity
class _Narrowed:
    loop: affine.ForOp
    width: int
    ranges: dict[SSAValue, Range]
    needed: dict[SSAValue, int]

    def rewrite(self, operations: list[Operation]) -> None:
        narrow: dict[SSAValue, SSAValue] = {}
        for op in operations:
            if not any(_is_wide(one, self.width) for one in (*op.operands, *op.results)):
                continue
            new = self._instead(op, narrow)
            result = op.results[0]
            if _is_wide(result, self.width):
                narrow[result] = new
            else:
                new.name_hint = new.name_hint or result.name_hint
                result.replace_all_uses_with(new)
        for op in reversed(operations):
            if op.results and not any(True for _ in op.results[0].uses):
                op.detach()
                op.erase()

    def _instead(self, op: Operation, narrow: dict[SSAValue, SSAValue]) -> SSAValue:
        """A value of `width` bits for a wider result, or the same result from such operands."""
        type_ = IntegerType(self.width)
        if isinstance(op, arith.ConstantOp):
            return self._in_front(op, _constant(op, self.width))
        if isinstance(op, (*_EXTENSIONS, arith.TruncIOp)):
            source, result = op.operands[0], op.results[0]
            low = self._low(source, narrow, op)
            have = width_of(low.type)
            wanted = min(width_of(result.type), self.width)
            if have == wanted:
                return low
            kind = arith.TruncIOp if have > wanted else type(op)
            return self._in_front(op, kind(low, IntegerType(wanted)))
        threshold = _threshold(op, self.width, self.ranges)
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
        if isinstance(op, DIVISIONS) and min(_range(o, self.ranges).low for o in op.operands) >= 0:
            kind = _WITHOUT_SIGN.get(kind, kind)
        is_signed = isinstance(op, arith.SelectOp) or self._have_signs(
            op.operands[:1] if isinstance(op, RIGHT_SHIFTS) else op.operands
        )
        if not is_signed and not (
            isinstance(op, RIGHT_SHIFTS) and _is_low_part(op, self.width, self.needed)
        ):
            kind = _WITHOUT_SIGN.get(kind, kind)
        properties = op.properties.copy()
        if "overflowFlags" in properties:
            properties["overflowFlags"] = arith.IntegerOverflowAttr("none")
        new = kind.create(operands=operands, result_types=[type_], properties=properties)
        return self._in_front(op, new)

    def _have_signs(self, values: Sequence[SSAValue]) -> bool:
        return all(fits(_range(one, self.ranges), self.width, signed=True) for one in values)

    def _low(self, value: SSAValue, narrow: dict[SSAValue, SSAValue], op: Operation) -> SSAValue:
        if not _is_wide(value, self.width) or value in narrow:
            return narrow.get(value, value)
        if isinstance(value.owner, arith.ConstantOp):
            narrow[value] = self._outside(_constant(value.owner, self.width), op)
        else:
            narrow[value] = self._outside(arith.TruncIOp(value, IntegerType(self.width)), op)
        return narrow[value]

    def _clamped(self, value: SSAValue, other: SSAValue, op: Operation) -> SSAValue:
        """At most one beyond what it is compared with."""
        here = self.ranges[other]
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
