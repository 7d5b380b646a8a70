"""Copies of one number's bytes in loops become a load and a store.

    uint32_t u;  memcpy(&u, &x[i], 4);        u = the bits of x[i]

That is how C asks for the bits of a number (C11 6.5p6). A call may do anything, so that a loop with
one is part of no static control part. One of the two places is a variable, of which all bytes are
copied; the other one is a variable, or an element, of as many. What is copied is accessed as of the
type that its pointer says; a call may copy what is of any.
"""

from __future__ import annotations

from xdsl.dialects import arith, func, memref
from xdsl.dialects.llvm import LLVMPointerType
from xdsl.ir import Attribute, Operation, SSAValue

from polyopt.dialects import cmem
from polyopt.dialects.cmem import memref_type
from polyopt.ir.control.control_flow import ControlFlow
from polyopt.ir.effects import constant_integer
from polyopt.ir.expressions.shapes import element_bytes
from polyopt.passes.prepare.values.parts_of_values import has_bits
from polyopt.support.record import record

COPIES = frozenset(("memcpy", "memmove"))


@record(eq=False)
class _Copy:
    """`call` copies a number from one place to the other."""

    call: func.CallOp
    target: cmem.AddressOp
    source: cmem.AddressOp


def copy_values(function: func.FuncOp) -> tuple[bool, bool]:
    """Whether there were such copies, and whether all of them are of variables alone, which are of
    the types that they were declared of."""
    found = [one for one in map(_number_copied, function.body.walk()) if one is not None]
    if not found:
        return False, True
    loops = ControlFlow(function.body).loops
    found = [one for one in found if (b := one.call.parent) and loops.innermost(b) is not None]
    for one in found:
        _access(one)
    both = (place for one in found for place in (one.target, one.source))
    return bool(found), all(map(_is_variable, both))


def _number_copied(op: Operation) -> _Copy | None:
    if not isinstance(op, func.CallOp) or op.callee.string_value() not in COPIES:
        return None
    if len(op.arguments) != 3:
        return None
    target, source = (one.owner for one in op.arguments[:2])
    if not isinstance(target, cmem.AddressOp) or not isinstance(source, cmem.AddressOp):
        return None
    size = constant_integer(op.arguments[2])
    types = [_element(one) for one in (target, source)]
    if size is None or not all(_is_number(one) and element_bytes(one) == size for one in types):
        return None
    return _Copy(op, target, source) if _is_variable(target) or _is_variable(source) else None


def _element(place: cmem.AddressOp) -> Attribute:
    return memref_type(place.memref).element_type


def _is_number(type: Attribute) -> bool:
    return has_bits(type) and not isinstance(type, LLVMPointerType)


def _is_variable(place: cmem.AddressOp) -> bool:
    return isinstance(place.memref.owner, memref.AllocaOp) and not place.indices


def _access(copy: _Copy) -> None:
    load = memref.LoadOp.get(copy.source.memref, copy.source.indices)
    made: list[Operation] = [load]
    value: SSAValue = load.res
    type = _element(copy.target)
    if value.type != type:
        bits = arith.BitcastOp(value, type)
        made.append(bits)
        value = bits.result
    made.append(memref.StoreOp.get(value, copy.target.memref, copy.target.indices))
    block = copy.call.parent
    assert block is not None
    for op in made:
        op.location = copy.call.location
        block.insert_op_before(op, copy.call)
    for result in copy.call.res:
        result.replace_all_uses_with(copy.target.result)
    block.erase_op(copy.call)
