"""What attributes of functions call the types of C."""

from __future__ import annotations

from polyopt.frontend.language import c_types as ct
from polyopt.frontend.language.c_types import (
    ArrayType,
    ComplexType,
    CType,
    FloatType,
    IntType,
    PointerType,
    RecordType,
    VoidType,
)


def element_name(type: CType) -> str:
    """The name of an element type as `cmem.result` and `cmem.parameters` give it."""
    match type:
        case IntType() if type.is_bool:
            return "bool"
        case IntType(size=16):
            return "struct"  # Python has no such number
        case IntType(bits=bits, signed=signed):
            return f"{'i' if signed else 'u'}{bits}"
        case FloatType(size=size):
            return "f80" if size == ct.LDOUBLE.size else f"f{8 * size}"
        case PointerType():
            return "pointer"
        case VoidType():
            return "void"
        case ArrayType(element=element):
            return element_name(element)
        case ComplexType(part=part) if part.size < ct.LDOUBLE.size:
            return f"c{16 * part.size}"
        case RecordType() | ComplexType():
            return "struct"
        case _:
            return "function"
