"""Copies of the arrays that a loop only updates, one for each part of it, and what comes of them.

Each part clears its copy (to what changes nothing where it is combined) and updates it; then the
copies are combined, in the order of the parts, slice by slice of the box around what the loop
touches. Where the box may have more than that, what would not change the array is left out: the
array may end inside the box, or be none at all.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from xdsl.dialects import affine, arith, memref, scf
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    AnyFloat,
    FixedBitwidthType,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    MemRefType,
    i64,
)
from xdsl.ir import Attribute, Block, Region, SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap
from xdsl.utils.hints import isa

from polyopt.dialects.cmem import memref_type
from polyopt.dialects.loop_facts import LoopFacts, restrict_rounding, set_facts
from polyopt.ir.affine.affine_nest import access_of
from polyopt.ir.affine.linear import Linear, map_of
from polyopt.passes.parallel.code import INDEX, Code, Index
from polyopt.passes.parallel.parts import Parts
from polyopt.passes.parallel.private_arrays import Combine, ElementRange, Private
from polyopt.passes.parallel.region import (
    close_loop,
    share_out,
)
from polyopt.support.record import record
from polyopt.support.target import LINE_BYTES

_OVERFLOW = "overflowFlags"


@record(eq=False)
class Copy:
    """`copies[part, …]` is the box of the array from `lowers` on, of these sizes."""

    private: Private
    copies: SSAValue
    lowers: tuple[Index, ...]
    sizes: tuple[Index, ...]

    @staticmethod
    def make(
        code: Code, private: Private, parts: SSAValue, iterations: tuple[Index, Index]
    ) -> Copy:
        """At the end of `code`, in front of the loop, whose `iterations` begin and end there."""
        lowers, sizes = list[Index](), list[Index]()
        for first, *others in zip(*private.boxes, strict=True):
            lower, upper = _first(code, first), _last(code, first)
            for other in dict.fromkeys(others):
                if other != first:
                    lower = code.least(lower, _first(code, other))
                    upper = code.greatest(upper, _last(code, other))
            lowers.append(lower)
            sizes.append(code.greatest(code.subtract(upper, lower), 0))
        if sizes and private.is_whole:
            sizes[0] = _if_any(code, iterations, sizes[0])
        element = memref_type(private.array).element_type
        line = LINE_BYTES // _bytes(element)
        extents: list[Index] = [*sizes] or [line]
        extents[-1] = code.multiply(code.quotient_up(extents[-1], line), line)
        type_ = MemRefType(element, [DYNAMIC_INDEX] * (len(extents) + 1))
        dynamic = [parts, *(code.index(extent) for extent in extents)]
        alloc = memref.AllocOp(dynamic, [], type_, IntegerAttr(LINE_BYTES, i64))
        alloc.memref.name_hint = "copies"
        return Copy(private, code.insert(alloc), tuple(lowers), tuple(sizes))

    def _loops(
        self, code: Code, first: Index, last: Index, body: Callable[[Code, list[SSAValue]], None]
    ) -> None:
        """For each element of the box, in dimension 0 from `first` to before `last`."""
        ranges = [(first, last), *((0, size) for size in self.sizes[1:])]
        blocks, indices = [code], list[SSAValue]()
        for _ in ranges:
            block = Block(arg_types=[INDEX])
            indices.append(block.args[0])
            blocks.append(Code(block, code.like))
        body(blocks[-1], indices)
        bound = AffineMapAttr(AffineMap(0, 1, (AffineExpr.symbol(0),)))
        for depth in range(len(ranges) - 1, -1, -1):
            inner, outer = blocks[depth + 1], blocks[depth]
            inner.block.add_op(affine.YieldOp.get())
            low, high = (outer.index(end) for end in ranges[depth])
            loop = affine.ForOp.from_region(
                [low], [high], (), (), bound, bound, Region(inner.block), 1
            )
            set_facts(loop, LoopFacts("parallel"))
            loop.location = code.like.location
            outer.block.add_op(loop)

    def clear(self, code: Code, part: SSAValue) -> None:
        """The part's copy is as if nothing had been updated."""
        attribute = _neutral(self.private.combine, memref_type(self.private.array).element_type)
        neutral = code.insert(arith.ConstantOp(attribute))
        if not self.sizes:
            _store(code, neutral, self.copies, [Linear.of(part), Linear()])
            return

        def clear(inner: Code, indices: list[SSAValue]) -> None:
            _store(inner, neutral, self.copies, [Linear.of(one) for one in (part, *indices)])

        self._loops(code, 0, self.sizes[0], clear)

    def take(self, part: SSAValue) -> None:
        """The loop's updates go to the part's copy."""
        for op in self.private.updates:
            if _OVERFLOW in op.properties:
                op.properties[_OVERFLOW] = arith.IntegerOverflowAttr("none")
        for op in self.private.accesses:
            access = access_of(op)
            assert access is not None
            assert access.subscripts is not None
            forms = [Linear.of(part)]
            for form, lower in zip(access.subscripts, self.lowers, strict=True):
                assert form is not None
                forms.append(form - (lower if isinstance(lower, int) else Linear.of(lower)))
            if not self.lowers:
                forms.append(Linear())
            map, operands = map_of(forms)
            block = op.parent
            assert block is not None
            if isinstance(op, affine.LoadOp):
                new = affine.LoadOp(self.copies, operands, map)
                block.insert_op_before(new, op)
                op.result.replace_all_uses_with(new.result)
            else:
                new = affine.StoreOp(op.value, self.copies, operands, map)
                block.insert_op_before(new, op)
            new.location = op.location
            op.detach()
            op.erase()

    def combine_slices(self, region: Code, parts: SSAValue) -> None:
        """Each thread adds up the copies in its slice of the box."""
        if not self.sizes:
            return
        slices = Parts(0, self.sizes[0], 1, parts, LINE_BYTES if len(self.sizes) == 1 else 1)
        inside, number = share_out(region, parts)
        first = slices.first(inside, number)
        last = slices.first(inside, inside.index(inside.add(number, 1)))
        block = Block(arg_types=[INDEX])
        each = Code(block, region.like)

        def combine(inner: Code, indices: list[SSAValue]) -> None:
            copy = [Linear.of(one) for one in (block.args[0], *indices)]
            element = [
                Linear.of(index) + (lower if isinstance(lower, int) else Linear.of(lower))
                for index, lower in zip(indices, self.lowers, strict=True)
            ]
            if self.private.is_whole:
                self._combine(inner, copy, element)
            else:
                self._combine_touched(inner, copy, element)

        self._loops(each, first, last, combine)
        _close_over(inside, each, parts)
        close_loop(inside)

    def finish(self, code: Code, parts: SSAValue) -> None:
        """What one thread does after the region."""
        if not self.sizes:
            block = Block(arg_types=[INDEX])
            each = Code(block, code.like)
            self._combine(each, [Linear.of(block.args[0]), Linear()], [])
            _close_over(code, each, parts)
        code.block.add_op(memref.DeallocOp.get(self.copies))

    def _combine(self, code: Code, copy: list[Linear], element: list[Linear]) -> None:
        array = self.private.array
        sofar = _load(code, array, element)
        more = _load(code, self.copies, copy)
        combined = self.private.combine.create(
            operands=[sofar, more],
            result_types=[sofar.type],
            properties=dict(self.private.updates[0].properties),
        )
        if isinstance(sofar.type, AnyFloat):
            # Else the order would be another one in vectors and in what is left over.
            restrict_rounding(combined.attributes, "in_order")
        _store(code, code.insert(combined), array, element)

    def _combine_touched(self, code: Code, copy: list[Linear], element: list[Linear]) -> None:
        """The same, where the copy has something that was not there from the start."""
        more = _load(code, self.copies, copy)
        type_ = memref_type(self.private.array).element_type
        neutral = code.insert(arith.ConstantOp(_neutral(self.private.combine, type_)))
        if isinstance(type_, IntegerType):
            differs = code.insert(arith.CmpiOp(more, neutral, "ne"))
        else:
            differs = code.insert(arith.CmpfOp(more, neutral, "une"))
        touched = Block()
        choice = scf.IfOp(differs, [], Region(touched))
        choice.location = code.like.location
        code.block.add_op(choice)
        self._combine(Code(touched, code.like), copy, element)
        touched.add_op(scf.YieldOp())


def _first(code: Code, range_: ElementRange) -> Index:
    first, *others = (_value(code, end) for end in range_.lowers)
    for other in others:
        first = code.greatest(first, other)
    return first


def _last(code: Code, range_: ElementRange) -> Index:
    """Behind it."""
    last, *others = (_value(code, end) for end in range_.uppers)
    for other in others:
        last = code.least(last, other)
    return last


def _if_any(code: Code, iterations: tuple[Index, Index], size: Index) -> Index:
    """The size, where there are iterations."""
    first, end = iterations
    if isinstance(first, int) and isinstance(end, int):
        return size if first < end else 0
    test = arith.CmpiOp(code.index(first), code.index(end), "slt")
    return code.select(code.insert(test), size, 0)


def _close_over(code: Code, body: Code, parts: SSAValue) -> None:
    """The loop over all copies with this body."""
    body.block.add_op(affine.YieldOp.get())
    bound = AffineMapAttr(AffineMap(0, 1, (AffineExpr.symbol(0),)))
    loop = affine.ForOp.from_region(
        [code.index(0)], [parts], (), (), bound, bound, Region(body.block), 1
    )
    loop.location = code.like.location
    code.block.add_op(loop)


def _load(code: Code, array: SSAValue, forms: list[Linear]) -> SSAValue:
    map, operands = map_of(forms)
    return code.insert(affine.LoadOp(array, operands, map))


def _store(code: Code, value: SSAValue, array: SSAValue, forms: list[Linear]) -> None:
    map, operands = map_of(forms)
    store = affine.StoreOp(value, array, operands, map)
    store.location = code.like.location
    code.block.add_op(store)


def _value(code: Code, form: Linear) -> Index:
    if not form.terms:
        return form.constant
    map, operands = map_of([form])
    return code.results(map.data, list(operands))[0]


def _bytes(element: Attribute) -> int:
    assert isinstance(element, FixedBitwidthType)
    return element.size


def _neutral(combine: Combine, element: Attribute) -> IntegerAttr | FloatAttr:
    """What changes nothing where it is combined."""
    if isa(element, IntegerType):
        return IntegerAttr(_neutral_integer(combine, element.width.data), element)
    assert isa(element, AnyFloat)
    if combine is arith.MulfOp:
        return FloatAttr(1.0, element)
    if combine in (arith.MaximumfOp, arith.MaxnumfOp):
        return FloatAttr(-math.inf, element)
    is_least = combine in (arith.MinimumfOp, arith.MinnumfOp)
    return FloatAttr(math.inf if is_least else 0.0, element)


def _neutral_integer(combine: Combine, width: int) -> int:
    if combine is arith.MuliOp:
        return 1
    if combine in (arith.AndIOp, arith.MinUIOp):
        return -1
    if combine is arith.MaxSIOp:
        return -(1 << (width - 1))
    return (1 << (width - 1)) - 1 if combine is arith.MinSIOp else 0
