"""Copies and fillings of memory in loops, by calls of the C library, become loops over elements.

    for (i …) { memcpy(B[i], A[i], sizeof B[i]);  B[i][0] = 1; }

A call may do anything, so that a loop with one is part of no static control part. As loops they are
statements; LLVM knows a loop that copies, and makes a call of it again, where that is all it does.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.context import Context
from xdsl.dialects import arith, cf, func, memref
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    IndexType,
    IntegerAttr,
    MemRefType,
    ModuleOp,
    UnitAttr,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.passes import ModulePass

from polyopt.dialects import cmem
from polyopt.dialects.cmem import PROGRESS, memref_type
from polyopt.dialects.locations import span_of
from polyopt.ir.control.cfg import enclosing_block
from polyopt.ir.control.control_flow import ControlFlow
from polyopt.ir.control.loops import NaturalLoop
from polyopt.ir.effects import constant_integer, is_access, is_pure
from polyopt.ir.expressions.shapes import element_bytes
from polyopt.ir.functions import functions_near_loops
from polyopt.ir.objects.bases import are_disjoint, object_of
from polyopt.passes.prepare.variables.zeros import zero_of
from polyopt.support.core_model import CORE
from polyopt.support.record import record
from polyopt.support.remarks import remark

_CALLS = frozenset(("memcpy", "memmove", "memset"))


@record
class SpreadCopiesPass(ModulePass):
    """`memcpy`, `memset` and, of objects that do not overlap, `memmove` become loops where a loop
    around does nothing else that keeps it from being understood.

    Requires: pointers are values (promote-scalars). Ensures: where the type of the elements is not
    known from other accesses of the object, or the size is no number of them, the call stays. A
    call may copy objects of any type (C11 6.5p6): where it is not known that they are declared of
    that of the elements, accesses of different types may touch the same memory from then on.

        func.call @memset(%p, %zero, %size)      ->      for k in 0 .. %size / 8: %view[k] = 0.0
    """

    name = "spread-copies"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        functions = [one for one in op.ops if isinstance(one, func.FuncOp) and one.body.blocks]
        if any(one.sym_name.data in _CALLS for one in functions):
            return  # the program has its own
        types = _types_of_globals(op)
        for function in functions_near_loops(op):
            for filling in _spread_in(function):
                if not _is_of_its_type(filling, types):
                    op.attributes.pop(cmem.STRICT_ALIASING, None)


@record(eq=False)
class _Filling:
    """`count` elements of a type; `source` is None where all are zero."""

    call: func.CallOp
    target: SSAValue
    source: SSAValue | None
    element: Attribute
    count: _Count


@record
class _Count:
    """`factor` times a value of type i64, or `factor` alone."""

    factor: int
    value: SSAValue | None


def _spread_in(function: func.FuncOp) -> list[_Filling]:
    calls = [op for block in function.body.blocks for op in block.ops if _is_known(op)]
    if not calls:
        return []
    flow = ControlFlow(function.body)
    elements = _element_types(function)
    chosen: list[_Filling] = []
    for call in calls:
        block = call.parent
        assert isinstance(call, func.CallOp)
        if block is None or block not in flow.cfg:
            continue
        loop = flow.loops.innermost(block)
        if loop is None or not _is_plain(loop):
            continue
        filling = _understood(call, elements)
        if filling is None:
            continue
        is_always = all(flow.dominators.dominates(block, latch) for latch in loop.latches)
        if is_always or not _is_short(filling):
            chosen.append(filling)
    for filling in chosen:
        name = filling.call.callee.string_value()
        remark("applied", SpreadCopiesPass.name, f"{name} as a loop", span_of(filling.call))
        _spread(filling)
    return chosen


def _is_short(filling: _Filling) -> bool:
    """Are they so few bytes that the compiler behind us moves them by one or two instructions?
    Under a condition there would be little else to a loop over them (characters that are written
    as `&lt;` and the like: 0.85 of the time by the call)."""
    size = (element_bytes(filling.element) or 1) * filling.count.factor
    return filling.count.value is None and size <= CORE.code.moved_at_once


def _types_of_globals(module: ModuleOp) -> dict[str, set[Attribute]]:
    """As which the file accesses each."""
    found: dict[str, set[Attribute]] = {}
    for op in module.walk():
        if isinstance(op, memref.LoadOp | memref.StoreOp):
            base = object_of(op.memref).owner
            if isinstance(base, cmem.AddressOfOp):
                element = memref_type(op.memref).element_type
                found.setdefault(base.symbol.string_value(), set()).add(element)
    return found


def _is_of_its_type(filling: _Filling, globals: dict[str, set[Attribute]]) -> bool:
    for place in (filling.target, filling.source):
        match None if place is None else object_of(place).owner:
            case None:
                continue
            case memref.AllocaOp() as storage:
                types = {memref_type(storage.memref).element_type}
            case cmem.AddressOfOp() as address:
                types = globals.get(address.symbol.string_value(), set())
            case _:
                return False
        if types != {filling.element}:
            return False
    return True


def _is_known(op: Operation) -> bool:
    return (
        isinstance(op, func.CallOp)
        and op.callee.string_value() in _CALLS
        and len(op.arguments) == 3
    )


def _is_plain(loop: NaturalLoop) -> bool:
    return all(
        is_pure(op) or is_access(op) or _is_known(op) or op is block.last_op
        for block in loop.blocks
        for op in block.ops
    )


def _element_types(function: func.FuncOp) -> dict[SSAValue, set[Attribute]]:
    """The types as which each object is accessed, by its base."""
    found: dict[SSAValue, set[Attribute]] = {}
    for op in function.walk():
        if isinstance(op, memref.LoadOp | memref.StoreOp):
            type = memref_type(op.memref).element_type
            found.setdefault(object_of(op.memref), set()).add(type)
    return found


def _understood(call: func.CallOp, elements: dict[SSAValue, set[Attribute]]) -> _Filling | None:
    target, other, size = call.arguments
    is_copy = call.callee.string_value() != "memset"
    if not is_copy and constant_integer(other) != 0:
        return None
    if call.callee.string_value() == "memmove" and not are_disjoint(
        object_of(target), object_of(other)
    ):
        return None
    places = (target, other) if is_copy else (target,)
    types = {type for place in places for type in _types(place, elements)}
    if len(types) != 1:
        return None
    (element,) = types
    width = element_bytes(element)
    count = None if width is None or not zero_of(element) else _count(size, width)
    if count is None:
        return None
    return _Filling(call, target, other if is_copy else None, element, count)


def _types(place: SSAValue, elements: dict[SSAValue, set[Attribute]]) -> Iterator[Attribute]:
    """As which the object is accessed here, or was declared."""
    base = object_of(place)
    yield from elements.get(base, ())
    while isinstance(place.owner, cmem.OffsetOp):
        place = place.owner.base
    if isinstance(place.owner, cmem.AddressOp):
        yield memref_type(place.owner.memref).element_type


def _count(size: SSAValue, width: int) -> _Count | None:
    """How many elements of so many bytes the size is."""
    number = constant_integer(size)
    if number is not None:
        return _Count(number // width, None) if number >= 0 and number % width == 0 else None
    if isinstance(size.owner, arith.MuliOp):
        for value, factor in (size.owner.operands, reversed(tuple(size.owner.operands))):
            number = constant_integer(factor)
            if number is not None and number > 0 and number % width == 0:
                return _Count(number // width, value)
    return None


def _spread(filling: _Filling) -> None:
    call = filling.call
    block = enclosing_block(call)
    body = block.parent
    assert body is not None
    after = block.split_before(call)
    head, inside = Block(arg_types=[IndexType()]), Block()
    k = head.args[0]
    k.name_hint = "k"
    count = _code_of_count(filling.count, block)
    zero, one = (arith.ConstantOp(IntegerAttr(n, IndexType())) for n in (0, 1))
    view_type = MemRefType(filling.element, [DYNAMIC_INDEX])
    target = cmem.ViewOp(filling.target, [], view_type)
    block.add_ops([zero, one, target])
    if filling.source is None:
        value = zero_of(filling.element)
        block.add_ops(value)
        moved = value[-1].results[0]
    else:
        source = cmem.ViewOp(filling.source, [], view_type)
        block.add_op(source)
        load = memref.LoadOp.get(source, [k])
        inside.add_op(load)
        moved = load.res
    block.add_op(cf.BranchOp(head, zero))
    go_on = arith.CmpiOp(k, count, "slt")
    head.add_ops([go_on, cf.ConditionalBranchOp(go_on, inside, (), after, ())])
    step = arith.AddiOp(k, one, overflow=arith.IntegerOverflowAttr([arith.IntegerOverflowFlag.NSW]))
    back = cf.BranchOp(head, step)
    back.attributes[PROGRESS] = UnitAttr()
    inside.add_ops([memref.StoreOp.get(moved, target, [k]), step, back])
    body.insert_block_before([head, inside], after)
    for made in (*head.ops, *inside.ops):
        made.location = call.location
    for made in reversed(block.ops):
        if made is count.owner:
            break
        made.location = call.location
    for result in call.res:
        result.replace_all_uses_with(filling.target)
    after.erase_op(call)


def _code_of_count(count: _Count, block: Block) -> SSAValue:
    factor = arith.ConstantOp(IntegerAttr(count.factor, IndexType()))
    block.add_op(factor)
    if count.value is None:
        return factor.result
    value = arith.IndexCastOp(count.value, IndexType())
    product = arith.MuliOp(value, factor)
    block.add_ops([value, product])
    return product.result
