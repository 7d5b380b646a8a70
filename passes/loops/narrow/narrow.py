"""affine-narrow: integers no wider than they need be, in innermost loops over narrow elements.

C computes in `int` what images and samples hold in bytes and shorts, and a vector has as many
lanes as its widest value lets it have. Of each value of a loop two things are asked:

    what it can be      an interval, from the elements that are loaded on (`value_range`)
    what is needed      its lowest bits, from those that are stored back: a sum, a difference or a
                        product depends on as many of its operands' bits, a value shifted right on
                        as many more, and a comparison on all of them (`needed_bits`)

All of a loop's values become as narrow, or none (`integer_width`).

(W. H. Harrison, Compiler analysis of the value ranges for variables, IEEE Trans. Software Eng.
SE-3(3), 1977; M. Stephenson, J. Babb, S. Amarasinghe, Bitwidth analysis, PLDI 2000.)
"""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects import affine, arith, math, memref, scf
from xdsl.dialects.builtin import IntegerType, ModuleOp, i8
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from polyopt.dialects.inside import operations_in
from polyopt.dialects.loop_facts import facts_of
from polyopt.dialects.pvec_accesses import is_table
from polyopt.ir.affine.affine_nest import is_defined_inside
from polyopt.ir.control.equal_values import drop_unused
from polyopt.ir.effects import is_speculatable
from polyopt.passes.loops.narrow.integer_width import EXTREMES, IntegerUse
from polyopt.passes.loops.narrow.narrow_writer import EXTENSIONS, NarrowWriter
from polyopt.passes.loops.narrow.shifted_comparisons import compare_what_is_moved
from polyopt.passes.loops.replacement import tell
from polyopt.passes.loops.selections import with_selections
from polyopt.passes.loops.value_ranges import (
    DIVISIONS,
    MODULAR,
    RIGHT_SHIFTS,
    value_ranges,
    width_of,
)
from polyopt.support.record import record

_WIDTHS = (8, 16, 32)
_KNOWN = (
    *(*MODULAR, *RIGHT_SHIFTS, *DIVISIONS, *EXTREMES, *EXTENSIONS),
    *(arith.ConstantOp, arith.CmpiOp, arith.SelectOp, arith.TruncIOp),
    *(affine.LoadOp, affine.StoreOp, math.CtPopOp),
)


@record
class AffineNarrowPass(ModulePass):
    """Let innermost loops that load and store narrow integers compute with integers as narrow.

    Requires: nothing.
    Ensures: the same values are stored. A loop in which one value cannot be narrower stays as it
    is, and so does one whose elements are as wide as what is computed. Conditionals of a loop that
    carries nothing may have become selections.

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
                if not _without_branches(loop):
                    _narrow(loop)


def _without_branches(loop: affine.ForOp) -> bool:
    """Had it conditionals? As selections, which its vectors would have of them, they are narrow."""
    if not any(isinstance(op, scf.IfOp) for op in loop.body.block.ops):
        return False
    if facts_of(loop).is_parallel and (copy := with_selections(loop)) is not None:
        useless = loop if _narrow(copy) else copy
        useless.detach()
        useless.erase()
    return True


def _narrow(loop: affine.ForOp) -> bool:
    """Is it narrower now?"""
    operations = _operations(loop)
    if not all(isinstance(op, _KNOWN) for op in operations):
        return False
    accesses = [op for op in operations if isinstance(op, (affine.LoadOp, affine.StoreOp))]
    elements = [
        op.result.type if isinstance(op, affine.LoadOp) else op.value.type for op in accesses
    ]
    values = [value for op in operations for value in op.results]
    if not any(isinstance(op, affine.StoreOp) for op in accesses):
        return False
    if not all(isinstance(one, IntegerType) for one in elements):
        return False
    if not all(isinstance(one.type, IntegerType) for one in values):
        return False
    widest_element = max(width_of(one) for one in elements)
    widest = max((width_of(one.type) for one in values), default=0)
    if widest <= widest_element:
        return False
    _move_out_what_stays(loop)
    operations = [op for op in operations if op.parent is loop.body.block]
    compare_what_is_moved(operations, value_ranges(operations))
    operations = _without_unused(loop)
    use = IntegerUse.of(operations)
    for width in _WIDTHS:
        if widest_element <= width < widest and all(use.may_be(op, width) for op in operations):
            NarrowWriter(loop, width, use).rewrite(operations)
            tell("affine-narrow", loop, f"integers of {width} bits in place of {widest}")
            return True
    return False


def _without_unused(loop: affine.ForOp) -> list[Operation]:
    """The operations of the body, when those that nobody uses any more are gone."""
    body = [op for op in loop.body.block.ops if not isinstance(op, affine.YieldOp)]
    drop_unused(reversed(body), lambda op: bool(op.results) and is_speculatable(op))
    return _operations(loop)


def _operations(loop: affine.ForOp) -> list[Operation]:
    """Those that compute, load and store, but for bytes that bytes look up in a table: whatever is
    done to them stays what it is."""
    body = [op for op in loop.body.block.ops if not isinstance(op, affine.YieldOp)]
    return [op for op in body if not _looks_up(op)]


def _looks_up(op: Operation) -> bool:
    match op:
        case memref.LoadOp():
            return is_table(op.memref.type)
        case arith.IndexCastOp(input=byte):
            is_place = isinstance(byte.owner, arith.ExtUIOp) and byte.owner.input.type == i8
        case arith.ExtUIOp(input=byte):
            is_place = byte.type == i8
        case _:
            return False
    return is_place and all(_looks_up(use.operation) for use in op.results[0].uses)


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
