"""Which global objects are one number or address each, by how they are accessed.

    static long seed = 42;   … seed = (seed * 3877 + 29573) % 139968;

C's objects are written as bytes. Of an object that nobody else sees LLVM finds out what values it
may have if it is written as of the type that it is always loaded and stored as (interprocedural
constant propagation comes before what takes arrays apart): here that it is never negative, so that
the remainder takes fewer operations. What an object means does not depend on the type.
"""

from __future__ import annotations

import struct

from xdsl.dialects.builtin import Float32Type, Float64Type, ModuleOp
from xdsl.dialects.llvm import LLVMPointerType
from xdsl.ir import Attribute

from polyopt.backend.emit.llvm_types import byte_size, float_literal, is_integer, llvm_type
from polyopt.dialects import cmem
from polyopt.dialects.inside import operations_in


def scalar_objects(module: ModuleOp) -> dict[str, Attribute]:
    """The one type that each such object is looked at as, by name."""
    objects = {
        op.sym_name.data: op
        for op in module.ops
        if isinstance(op, cmem.GlobalOp) and _may_be_scalar(op)
    }
    types: dict[str, set[Attribute]] = {}
    for op in operations_in(module, cmem.AddressOfOp) if objects else ():
        name = op.symbol.string_value()
        if name in objects:
            types.setdefault(name, set()).update(_views(op))
    return {
        name: element
        for name, (element, *others) in ((name, tuple(all)) for name, all in types.items() if all)
        if not others and _fills(element, objects[name])
    }


def scalar_value(op: cmem.GlobalOp, element: Attribute) -> tuple[str, str] | None:
    """Its type, and what it holds at first; None where that is written as bytes only."""
    data = op.initial_bytes()
    type = llvm_type(element)
    if data is None or not any(data):
        return type, "zeroinitializer"
    if is_integer(element):
        return type, str(int.from_bytes(data, "little", signed=True))
    if isinstance(element, LLVMPointerType):
        return None
    (number,) = struct.unpack("<f" if isinstance(element, Float32Type) else "<d", data)
    return (type, float_literal(number, element)) if number == number else None


def _may_be_scalar(op: cmem.GlobalOp) -> bool:
    is_plain = op.constant is None and op.declaration is None and op.relocations is None
    is_own = op.linkage.data == "internal" and cmem.THREAD_LOCAL not in op.attributes
    return is_plain and is_own and op.size.value.data in (1, 2, 4, 8)


def _fills(element: Attribute, op: cmem.GlobalOp) -> bool:
    size = op.size.value.data
    if is_integer(element):
        return element.width.data == 8 * size
    is_known = isinstance(element, (Float32Type, Float64Type, LLVMPointerType))
    return is_known and byte_size(element) == size


def _views(address: cmem.AddressOfOp) -> set[Attribute]:
    """The types as which one of them is seen there."""
    views = (use.operation for use in address.result.uses)
    return {
        one.result.type.element_type
        for one in views
        if isinstance(one, cmem.ViewOp) and not one.result.type.get_num_dims()
    }
