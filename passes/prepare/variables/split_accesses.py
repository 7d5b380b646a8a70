"""split-accesses: memory that is accessed as elements of two sizes is accessed as of the smaller.

    unsigned *w; unsigned char *b = (unsigned char *)w;
    for (i …) { b[4 * i] ^= key; sum += w[i]; }      w[i] is the bytes b[4*i] to b[4*i + 3]

A static control part has arrays of one type. An element of the larger size becomes the sum of its
parts, so that dependences are those between these, exactly.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.context import Context
from xdsl.dialects import arith, func, memref
from xdsl.dialects.builtin import (
    AnyFloat,
    IndexType,
    IntegerType,
    ModuleOp,
    UnitAttr,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.utils.hints import isa

from polyopt.dialects import cmem
from polyopt.dialects.cmem import element_type, memref_type
from polyopt.ir.control.cfg import enclosing_block
from polyopt.ir.control.control_flow import ControlFlow
from polyopt.ir.control.loops import NaturalLoop
from polyopt.ir.expressions.shapes import element_bytes
from polyopt.ir.functions import functions_near_loops
from polyopt.support.record import record

_Access = memref.LoadOp | memref.StoreOp


@record
class SplitAccessesPass(ModulePass):
    """Access objects as of elements of one size where one innermost loop accesses them as of
    several, each a multiple of the least, and writes some: elements are put together of their
    parts, the first the lowest, and taken apart to be stored. Where one has changed, the module no
    longer says that types tell memory apart; what the source does not do is marked (`cmem.part`),
    so that `poly-weigh` leaves it out.

    Requires: equal places are one value (clean-values), which views in one dimension start at.
    Ensures: loads and stores are of the same bits. What is only read stays as it is, for that is an
    array of each type to `detect-scops`; so do arrays of several dimensions.

        %b = cmem.view %a[] : memref<?xi8>         %0 = memref.load %b[2 * %i]
        %w = cmem.view %a[] : memref<?xi16>   =>   %1 = memref.load %b[2 * %i + 1]
        %x = memref.load %w[%i]                    %x = %0 + %1 * 256
    """

    name = "split-accesses"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in functions_near_loops(op):
            if _split(function):
                op.attributes.pop(cmem.STRICT_ALIASING, None)


def _split(function: func.FuncOp) -> bool:
    """Whether there was something to change."""
    views: dict[SSAValue, list[cmem.ViewOp]] = {}
    for op in function.body.walk():
        if isinstance(op, cmem.ViewOp) and _is_row(op):
            views.setdefault(op.operands[0], []).append(op)
    several = [there for there in views.values() if len({_size(view) for view in there}) > 1]
    if not several:
        return False
    flow = ControlFlow(function.body)
    is_changed = False
    for there in several:
        accesses = [one for view in there for one in _accesses(view)]
        by_loop: dict[NaturalLoop, list[_Access]] = {}
        for one in accesses:
            loop = flow.loops.innermost(enclosing_block(one))
            if loop is not None and not loop.children:
                by_loop.setdefault(loop, []).append(one)
        for found in by_loop.values():
            is_changed |= _in_one_size(found)
    return is_changed


def _in_one_size(accesses: Sequence[_Access]) -> bool:
    sizes = {_access_size(one) for one in accesses}
    least = min(sizes)
    if len(sizes) == 1 or any(size % least for size in sizes):
        return False
    if not any(isinstance(one, memref.StoreOp) for one in accesses):
        return False
    small = next(one for one in accesses if _access_size(one) == least).memref.owner
    assert isinstance(small, cmem.ViewOp)
    for one in accesses:
        if _access_size(one) > least:
            _put_together(one, small, _access_size(one) // least)
    return True


def _is_row(view: cmem.ViewOp) -> bool:
    """Of numbers: a pointer is not put together of parts, for then nobody knew where it points."""
    type = memref_type(view.result)
    return (
        type.get_num_dims() == 1
        and len(view.operands) == 1
        and element_bytes(type.element_type) in (1, 2, 4, 8)
        and isinstance(type.element_type, IntegerType | AnyFloat)
    )


def _accesses(view: cmem.ViewOp) -> Iterator[_Access]:
    for use in view.result.uses:
        if isinstance(use.operation, memref.LoadOp) or (
            isinstance(use.operation, memref.StoreOp) and use.index == 1
        ):
            yield use.operation


def _size(view: cmem.ViewOp) -> int:
    size = element_bytes(element_type(view.result))
    assert size is not None
    return size


def _access_size(access: _Access) -> int:
    size = element_bytes(element_type(access.memref))
    assert size is not None
    return size


def _put_together(access: _Access, small: cmem.ViewOp, count: int) -> None:
    """Of `count` parts through the view, which is made anew in front of what is accessed."""
    wide = access.memref.owner
    assert isinstance(wide, cmem.ViewOp)
    code = _Code(access)
    view = small.result
    if small is not wide and not _stands_before(small, access):
        view = code.add(small.clone()).results[0]
    places = code.places(access.indices[0], count)
    if isinstance(access, memref.LoadOp):
        parts = [code.bits(code.load(view, place)) for place in places]
        Rewriter.replace_op(access, [], [code.value(code.joined(parts), access.res.type)])
        return
    type = element_type(view)
    for part, place in zip(code.parts(code.bits(access.value), count), places, strict=True):
        code.add(memref.StoreOp.get(code.value(part, type), view, [place]))
    Rewriter.erase_op(access)


def _stands_before(view: cmem.ViewOp, access: _Access) -> bool:
    """In the first block of the function, from which all others are reached."""
    block = view.parent
    region = None if block is None else block.parent
    return (
        region is not None
        and region.blocks.first is block
        and (block is not access.parent or view.is_before_in_block(access))
    )


class _Code:
    """Written in front of an access, with its place in the source."""

    def __init__(self, access: _Access):
        self._access = access

    def add(self, op: Operation) -> Operation:
        op.location = self._access.location
        Rewriter.insert_op(op, InsertPoint.before(self._access))
        return op

    def places(self, index: SSAValue, count: int) -> list[SSAValue]:
        size = self._number(count, IndexType())
        first = self.add(arith.MuliOp(index, size)).results[0]
        rest = (self._number(k, IndexType()) for k in range(1, count))
        return [first, *(self.add(arith.AddiOp(first, one)).results[0] for one in rest)]

    def load(self, view: SSAValue, place: SSAValue) -> SSAValue:
        return self.add(memref.LoadOp.get(view, [place])).results[0]

    def bits(self, value: SSAValue) -> SSAValue:
        if not isinstance(value.type, AnyFloat):
            return value
        type = IntegerType(value.type.bitwidth)
        return self.add(arith.BitcastOp(value, type)).results[0]

    def value(self, bits: SSAValue, type: Attribute) -> SSAValue:
        return bits if bits.type == type else self.add(arith.BitcastOp(bits, type)).results[0]

    def joined(self, parts: Sequence[SSAValue]) -> SSAValue:
        narrow = _width(parts[0])
        type = IntegerType(narrow * len(parts))
        total = self.add(arith.ExtUIOp(parts[0], type)).results[0]
        for number, part in enumerate(parts[1:], 1):
            wide = self.add(arith.ExtUIOp(part, type)).results[0]
            by = self._number(number * narrow, type)
            joined = arith.OrIOp(total, self.add(arith.ShLIOp(wide, by)).results[0])
            joined.attributes[cmem.PART] = UnitAttr()
            total = self.add(joined).results[0]
        return total

    def parts(self, bits: SSAValue, count: int) -> list[SSAValue]:
        narrow = IntegerType(_width(bits) // count)
        found = list[SSAValue]()
        for number in range(count):
            by = self._number(number * (_width(bits) // count), bits.type)
            moved = self.add(arith.ShRUIOp(bits, by)).results[0] if number else bits
            part = arith.TruncIOp(moved, narrow)
            if number:
                part.attributes[cmem.PART] = UnitAttr()
            found.append(self.add(part).results[0])
        return found

    def _number(self, number: int, type: Attribute) -> SSAValue:
        width = None if isinstance(type, IndexType) else _bits_of(type)
        constant = (
            arith.ConstantOp.from_int_and_width(number, IndexType())
            if width is None
            else arith.ConstantOp.from_int_and_width(number, width)
        )
        return self.add(constant).results[0]


def _width(value: SSAValue) -> int:
    return _bits_of(value.type)


def _bits_of(type: Attribute) -> int:
    assert isa(type, IntegerType)
    return type.width.data
