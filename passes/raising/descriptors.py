"""Memrefs whose descriptors a module builds itself, of pointers that its functions take.

Compilers of Fortran hand arrays on as pointers of LLVM, and say behind them what they point to:

    func.func @f(%p : !llvm.ptr) {                           func.func @f(%A : memref<8xf64>) {
      %0 = llvm.mlir.undef : !llvm.struct<(ptr, ptr, …)>  =>
      %1 = llvm.insertvalue %p, %0[0] …
      %A = unrealized_conversion_cast %5 : … to memref<8xf64>

MLIR reads of a descriptor only what the type leaves open, which is nothing but the second pointer
where sizes are fixed and the layout is none. Such a memref as an argument is that pointer, so that
whoever calls the function calls it as before.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from xdsl.dialects import arith, func, llvm
from xdsl.dialects.builtin import (
    IntegerAttr,
    MemRefType,
    ModuleOp,
    NoneAttr,
    UnrealizedConversionCastOp,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import Rewriter

from polyopt.dialects.shaped_types import is_memref
from polyopt.support.record import record

ALIGNED, OFFSET = (1,), (2,)
"""Where a descriptor has the pointer, and how far behind it the memref begins."""


@record
class _Described:
    """A memref, the pointer behind it, and what makes its descriptor, the last one first."""

    cast: UnrealizedConversionCastOp
    pointer: SSAValue
    chain: tuple[Operation, ...]
    type: MemRefType[Attribute]


def memrefs_of_descriptors(module: ModuleOp) -> None:
    """Make arguments of them, in functions that nobody in the module calls."""
    called = {op.callee.string_value() for op in module.walk() if isinstance(op, func.CallOp)}
    for function in [op for op in module.walk() if isinstance(op, func.FuncOp)]:
        if not function.body.blocks or function.sym_name.data in called:
            continue
        found = defaultdict[SSAValue, list[_Described]](list)
        for one in _described(function):
            found[one.pointer].append(one)
        for argument in function.body.blocks[0].args:
            if _is_only_that(argument, found[argument]):
                _become_argument(argument, found[argument])
        function.update_function_type()


def _described(function: func.FuncOp) -> Iterator[_Described]:
    for op in list(function.walk()):
        if isinstance(op, UnrealizedConversionCastOp) and len(op.operands) == len(op.results) == 1:
            type = op.results[0].type
            if not is_memref(type) or not type.has_static_shape():
                continue
            if not isinstance(type.layout, NoneAttr):
                continue
            chain, inserted = _descriptor(op.operands[0])
            offset, pointer = inserted.get(OFFSET), inserted.get(ALIGNED)
            if pointer is not None and offset is not None and _is_zero(offset):
                yield _Described(op, pointer, chain, type)


def _descriptor(value: SSAValue) -> tuple[tuple[Operation, ...], dict[tuple[int, ...], SSAValue]]:
    """The operations that make it, and what is where in it."""
    chain, inserted = list[Operation](), dict[tuple[int, ...], SSAValue]()
    while isinstance(op := value.owner, llvm.InsertValueOp):
        inserted.setdefault(tuple(op.position.get_values()), op.value)
        chain.append(op)
        value = op.container
    return tuple(chain), inserted


def _is_zero(value: SSAValue) -> bool:
    match value.owner:
        case (
            arith.ConstantOp(value=IntegerAttr() as number)
            | llvm.ConstantOp(value=IntegerAttr() as number)
        ):
            return number.value.data == 0
        case _:
            return False


def _is_only_that(argument: SSAValue, found: list[_Described]) -> bool:
    """Is the pointer nothing but memrefs of one type, and are the descriptors nothing else?"""
    if not found or any(one.type != found[0].type for one in found):
        return False
    makers = {op for one in found for op in _with_pointer(one)}
    users = makers | {one.cast for one in found}
    return all(use.operation in makers for use in argument.uses) and all(
        use.operation in users for op in makers for result in op.results for use in result.uses
    )


def _with_pointer(one: _Described) -> tuple[Operation, ...]:
    """What the pointer is in: other descriptors may have the beginning in common."""
    first = max(k for k, op in enumerate(one.chain) if one.pointer in op.operands)
    return one.chain[: first + 1]


def _become_argument(argument: SSAValue, found: list[_Described]) -> None:
    for one in found:
        one.cast.results[0].replace_all_uses_with(argument)
        Rewriter.erase_op(one.cast)
    for one in found:
        for op in one.chain:
            if op.parent is not None and not any(result.uses for result in op.results):
                Rewriter.erase_op(op)
    Rewriter.replace_value_with_new_type(argument, found[0].type)
