"""hoist-buffers: buffers are allocated before the loops around them, neighbours in one piece.

What holds one value of one iteration at a time is a variable instead (`iteration_values.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from xdsl.context import Context
from xdsl.dialects import affine, arith, memref
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    FixedBitwidthType,
    IndexType,
    IntegerAttr,
    MemRefType,
    ModuleOp,
    i8,
    i64,
)
from xdsl.ir import Block, Operation, OpResult, SSAValue
from xdsl.passes import ModulePass

from polyopt.dialects import cmem
from polyopt.dialects.inside import operations_in
from polyopt.ir.effects import is_speculatable
from polyopt.ir.insertion import insert_before
from polyopt.support.record import record
from polyopt.support.target import LINE_BYTES


@record
class HoistBuffersPass(ModulePass):
    """Allocate once what a loop would allocate and free in each iteration.

    A C library gives the pages of a large buffer back to the system when it is freed, and takes
    new ones for the next: for a product of 160 x 160 that costs as much as the product.

    Requires: no loop around an allocation runs its iterations at the same time.
    Ensures: what an iteration finds in a buffer it has not written is as undefined as before. A
    buffer's size may be computed, and is at least zero, where the loop has no iteration. What holds
    one value of one iteration at a time is a variable (`iteration_values.py`). Only
    `affine.for` and `affine.if` are left, and only where the sizes are known outside of them.

        affine.for %i … {                        %b = memref.alloc(%n)
          %b = memref.alloc(%n)        =>        affine.for %i … { use(%b) }
          use(%b)                                memref.dealloc %b
          memref.dealloc %b }

        %a = memref.alloc(%n)                    %s = memref.alloc(%bytes) : memref<?xi8>
        %b = memref.alloc(%m)          =>        %p = memref.view %s[0][%n]
        use(%a, %b)                              %q = memref.view %s[%end_of_a][%m]
        memref.dealloc %a, memref.dealloc %b     %a, %b = cmem.distinct_objects %p, %q
                                                 use(%a, %b), memref.dealloc %s
    """

    name = "hoist-buffers"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        allocs = operations_in(op, memref.AllocOp)
        if not allocs:
            return  # What code without loops does not need is not loaded for it.
        from polyopt.passes.loops.memory.iteration_values import iteration_values, make_variables

        for inner in allocs:
            if found := iteration_values(inner):
                make_variables(inner, found)
        buffers = [
            buffer
            for inner in operations_in(op, memref.AllocOp)
            if (buffer := _buffer(inner)) is not None
        ]
        for buffer in buffers:
            _hoist(buffer)
        for group in _groups(buffers):
            _merge(group)


@record
class _Buffer:
    alloc: memref.AllocOp
    dealloc: memref.DeallocOp


def _buffer(op: memref.AllocOp) -> _Buffer | None:
    """An allocation that is freed once, in its own block."""
    frees = [use.operation for use in op.memref.uses]
    frees = [free for free in frees if isinstance(free, memref.DeallocOp)]
    if len(frees) != 1 or frees[0].parent is not op.parent:
        return None
    return _Buffer(op, frees[0])


def _hoist(buffer: _Buffer) -> None:
    alloc = buffer.alloc
    around = alloc.parent_op()
    outermost: Operation | None = None
    while isinstance(around, (affine.ForOp, affine.IfOp)):
        if not all(_is_known_outside(size, around) for size in alloc.operands):
            break
        if isinstance(around, affine.ForOp):
            outermost = around
        around = around.parent_op()
    if outermost is None:
        return
    block = outermost.parent
    assert block is not None
    for size in alloc.operands:
        _move_before(size, outermost)
    alloc.detach()
    block.insert_op_before(alloc, outermost)
    buffer.dealloc.detach()
    block.insert_op_after(buffer.dealloc, outermost)
    zero = arith.ConstantOp(IntegerAttr(0, IndexType()))
    sizes = [arith.MaxSIOp(size, zero.result) for size in alloc.dynamic_sizes]
    for op in (zero, *sizes) if sizes else ():
        insert_before(op, alloc)
    for number, size in enumerate(sizes):
        alloc.operands[number] = size.result


def _is_known_outside(value: SSAValue, around: Operation) -> bool:
    """Is the value there, or could it be computed, before `around`?"""
    if not around.is_ancestor(value.owner if isinstance(value.owner, Operation) else _op(value)):
        return True
    if not isinstance(value, OpResult) or value.op is around:
        return False
    return _is_arithmetic(value.op) and all(
        _is_known_outside(operand, around) for operand in value.op.operands
    )


def _is_arithmetic(op: Operation) -> bool:
    """May the operation run at any time, and in vain?"""
    if isinstance(op, (affine.ApplyOp, affine.MinOp)):
        return True
    return op.name.startswith("arith.") and is_speculatable(op)


def _op(argument: SSAValue) -> Operation:
    """The operation around a block's argument."""
    assert isinstance(argument.owner, Block)
    around = argument.owner.parent_op()
    assert around is not None
    return around


def _move_before(value: SSAValue, place: Operation) -> None:
    if not isinstance(value, OpResult) or not place.is_ancestor(value.op):
        return
    for operand in value.op.operands:
        _move_before(operand, place)
    assert place.parent is not None
    value.op.detach()
    place.parent.insert_op_before(value.op, place)


def _groups(buffers: Sequence[_Buffer]) -> Iterator[list[_Buffer]]:
    """Buffers of one block that nothing happens between, neither at the start nor at the end."""
    rest = [buffer for buffer in buffers if _element_bytes(buffer) is not None]
    while rest:
        first, *rest = rest
        group = [first]
        starts = _run(first.alloc, lambda op: op.next_op, memref.AllocOp)
        ends = _run(first.dealloc, lambda op: op.next_op, memref.DeallocOp)
        ends |= _run(first.dealloc, lambda op: op.prev_op, memref.DeallocOp)
        group += [other for other in rest if other.alloc in starts and other.dealloc in ends]
        rest = [other for other in rest if other not in group]
        if len(group) > 1:
            yield group


def _run(
    start: Operation, step: Callable[[Operation], Operation | None], kind: type[Operation]
) -> set[Operation]:
    """The operations of this kind from here on, with nothing but arithmetic between them."""
    found: set[Operation] = set()
    op: Operation | None = start
    while op is not None and (isinstance(op, kind) or _is_arithmetic(op)):
        if isinstance(op, kind):
            found.add(op)
        op = step(op)
    return found


def _element_bytes(buffer: _Buffer) -> int | None:
    type_ = buffer.alloc.memref.type
    assert isinstance(type_, MemRefType)
    element = type_.element_type
    return element.size if isinstance(element, FixedBitwidthType) else None


def _merge(group: Sequence[_Buffer]) -> None:
    last = max(group, key=lambda buffer: _position(buffer.alloc)).alloc
    writer = _Writer(last)
    shifts: list[SSAValue] = []
    total = writer.constant(0)
    for buffer in group:
        shifts.append(total)
        total = writer.aligned(writer.sum(total, writer.bytes(buffer)))
    whole = memref.AllocOp(
        [total], [], MemRefType(i8, [DYNAMIC_INDEX]), IntegerAttr(LINE_BYTES, i64)
    )
    whole.memref.name_hint = "buffers"
    writer.insert(whole)
    views: list[SSAValue] = []
    for buffer, shift in zip(group, shifts, strict=True):
        type_ = buffer.alloc.memref.type
        assert isinstance(type_, MemRefType)
        view = memref.ViewOp(whole.memref, shift, list(buffer.alloc.dynamic_sizes), type_)
        writer.insert(view)
        views.append(view.result)
    apart = cmem.DistinctObjectsOp(views)
    writer.insert(apart)
    for buffer, view, result in zip(group, views, apart.results, strict=True):
        view.name_hint = result.name_hint = buffer.alloc.memref.name_hint
        buffer.alloc.memref.replace_all_uses_with(result)
    free = memref.DeallocOp.get(whole.memref)
    insert_before(free, group[0].dealloc)
    for buffer in group:
        buffer.dealloc.detach()
        buffer.dealloc.erase()
        buffer.alloc.detach()
        buffer.alloc.erase()


def _position(op: Operation) -> int:
    assert op.parent is not None
    return op.parent.get_operation_index(op)


@record
class _Writer:
    """Computes sizes before `place`."""

    place: Operation

    def insert(self, op: Operation) -> None:
        insert_before(op, self.place)

    def constant(self, number: int) -> SSAValue:
        op = arith.ConstantOp(IntegerAttr(number, IndexType()))
        self.insert(op)
        return op.result

    def sum(self, a: SSAValue, b: SSAValue) -> SSAValue:
        op = arith.AddiOp(a, b)
        self.insert(op)
        return op.result

    def bytes(self, buffer: _Buffer) -> SSAValue:
        size = _element_bytes(buffer)
        assert size is not None
        type_ = buffer.alloc.memref.type
        assert isinstance(type_, MemRefType)
        for extent in type_.get_shape():
            size *= 1 if extent == DYNAMIC_INDEX else extent
        product = self.constant(size)
        for dynamic in buffer.alloc.dynamic_sizes:
            op = arith.MuliOp(product, dynamic)
            self.insert(op)
            product = op.result
        return product

    def aligned(self, size: SSAValue) -> SSAValue:
        """The next multiple of the alignment."""
        rounded = arith.AndIOp(
            self.sum(size, self.constant(LINE_BYTES - 1)), self.constant(-LINE_BYTES)
        )
        self.insert(rounded)
        return rounded.result
