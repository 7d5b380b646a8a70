"""C's rules on types: promotions, common types, compatibility (C 6.2.7, 6.3.1)."""

from __future__ import annotations

from dataclasses import replace

from polyopt.frontend.language.c_types import (
    COMPLEX_OF,
    DOUBLE,
    INT,
    INT128,
    LLONG,
    LONG,
    UINT,
    UINT128,
    ULLONG,
    ULONG,
    UNSIGNED_OF,
    ArrayType,
    ComplexType,
    CType,
    FloatType,
    FunctionType,
    IntType,
    PointerType,
    RecordType,
    VariableLength,
    VoidType,
    unqualified,
)

_BY_RANK = {(t.rank, t.signed): t for t in (INT, UINT, LONG, ULONG, LLONG, ULLONG, INT128, UINT128)}


def promote(type: CType) -> CType:
    """The integer promotions; all types below int fit into it. An enumerated type becomes the
    basic type that it is compatible with."""
    if not isinstance(type, IntType):
        return unqualified(type)
    if type.rank < INT.rank:
        return INT
    return _BY_RANK[type.rank, type.signed]


def promote_argument(type: CType) -> CType:
    """The default argument promotions (C 6.5.2.2)."""
    return DOUBLE if isinstance(type, FloatType) and type.size < DOUBLE.size else promote(type)


def common_type(left: CType, right: CType) -> CType:
    """The usual arithmetic conversions (C 6.3.1.8)."""
    parts = [type.part if isinstance(type, ComplexType) else type for type in (left, right)]
    floats = [unqualified(type) for type in parts if isinstance(type, FloatType)]
    if floats:
        common = max(floats, key=lambda type: type.size)
        is_complex = isinstance(left, ComplexType) or isinstance(right, ComplexType)
        return COMPLEX_OF[common] if is_complex else common
    left, right = promote(left), promote(right)
    assert isinstance(left, IntType)
    assert isinstance(right, IntType)
    if left.signed == right.signed:
        return left if left.rank >= right.rank else right
    signed, unsigned = (left, right) if left.signed else (right, left)
    if unsigned.rank >= signed.rank:
        return unsigned
    return signed if signed.size > unsigned.size else UNSIGNED_OF[signed]


def are_compatible(left: CType, right: CType) -> bool:
    """Are the types compatible, qualifiers included (C 6.2.7)?"""
    qualifiers = (left.const, left.volatile, left.atomic)
    if qualifiers != (right.const, right.volatile, right.atomic):
        return False
    match left, right:
        case IntType(), IntType():
            same = left.name == right.name
            enum = left.name.startswith("enum") != right.name.startswith("enum")
            return same or (enum and (left.rank, left.signed) == (right.rank, right.signed))
        case FloatType(), FloatType():
            return left.size == right.size
        case ComplexType(part=left_part), ComplexType(part=right_part):
            return left_part.size == right_part.size
        case PointerType(), PointerType():
            return are_compatible(left.target, right.target)
        case ArrayType(), ArrayType():
            lengths = {left.length, right.length}
            same = len(lengths) == 1 or None in lengths
            variable = any(isinstance(length, VariableLength) for length in lengths)
            return (same or variable) and are_compatible(left.element, right.element)
        case FunctionType(), FunctionType():
            return _are_compatible_functions(left, right)
        case RecordType(), RecordType():
            return left.record is right.record
        case VoidType(), VoidType():
            return True
        case _:
            return False


def _are_compatible_functions(left: FunctionType, right: FunctionType) -> bool:
    if not are_compatible(unqualified(left.result), unqualified(right.result)):
        return False
    if not (left.prototyped and right.prototyped):
        return True
    return (
        left.variadic == right.variadic
        and len(left.parameters) == len(right.parameters)
        and all(
            _are_compatible_parameters(unqualified(a), unqualified(b))
            for a, b in zip(left.parameters, right.parameters, strict=True)
        )
    )


def _are_compatible_parameters(left: CType, right: CType) -> bool:
    """A transparent union is compatible with what its members are (as for gcc)."""
    if are_compatible(left, right):
        return True
    return _has_member(left, right) or _has_member(right, left)


def _has_member(union: CType, type: CType) -> bool:
    if not (isinstance(union, RecordType) and union.record.is_transparent):
        return False
    return any(are_compatible(unqualified(m.type), type) for m in union.record.members or ())


def composite(old: CType, new: CType) -> CType:
    """Of two compatible types, what both say together (C 6.2.7)."""
    match old, new:
        case ArrayType(), ArrayType():
            length = old.length if new.length is None else new.length
            return replace(new, length=length, element=composite(old.element, new.element))
        case FunctionType(), FunctionType():
            if old.prototyped == new.prototyped:
                return new if new.parameters else old if old.parameters else new
            return old if old.prototyped else new
        case _:
            return new
