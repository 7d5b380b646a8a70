"""The values of constant expressions (C 6.6): integers, floating-point numbers, addresses.

Arithmetic is that of the target: integers wrap to their type, `float` rounds to single
precision, division truncates.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from polyopt.frontend.language.arithmetic import extended_result, float_result, integer_result
from polyopt.frontend.language.c_types import (
    FLOAT,
    LDOUBLE,
    POINTER_SIZE,
    ArrayType,
    FloatType,
    FunctionType,
    IntType,
    PointerType,
    is_variable_length,
    size_of,
)
from polyopt.frontend.language.extended import (
    Number,
    as_double,
    as_single,
    extended,
    is_exact,
)
from polyopt.frontend.language.literals import round_to_float
from polyopt.frontend.tree.typed_tree import (
    AddressOf,
    Binary,
    Comma,
    Compare,
    CompoundLiteral,
    Conditional,
    Convert,
    Dereference,
    Expr,
    FloatConst,
    IntConst,
    Load,
    Logical,
    MemberOf,
    PointerAdd,
    PointerDifference,
    StringConst,
    Subscript,
    Symbol,
    Unary,
    Variable,
    alternatives,
    left_chain,
)
from polyopt.support.record import record

if TYPE_CHECKING:
    from fractions import Fraction


@record
class Address:
    """The address of an object with static storage, plus bytes. `base` None is an absolute
    address; a string is an unnamed array."""

    base: Symbol | StringConst | None
    offset: int


Constant: TypeAlias = "int | float | Fraction | Address"
"""What an integer expression folds to is an int, or the address that it was converted from."""

_COMPARISONS: dict[str, Callable[[int | Number, int | Number], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
}


def fold_integer(expr: Expr) -> int | None:
    """The value of an integer constant expression, None for any other."""
    value = fold(expr) if isinstance(expr.type, IntType) else None
    return value if isinstance(value, int) else None


def fold(expr: Expr) -> Constant | None:
    """The value that the expression has at compile time; None if it is not constant."""
    match expr:
        case IntConst(value=value):
            return Address(None, value) if isinstance(expr.type, PointerType) else value
        case FloatConst(value=value):
            return value
        case Convert(value=inner):
            return _fold_conversion(inner, expr)
        case Load(place=Variable(symbol=symbol)):
            return symbol.constant
        case Load(place=Subscript() | Dereference() as place):
            return _fold_element(place)
        case Unary():
            return _fold_unary(expr)
        case Binary():
            return _fold_binary(expr)
        case Compare(operator=op, left=left, right=right):
            return _fold_comparison(op, fold(left), fold(right))
        case Logical():
            return _fold_logical(expr)
        case Conditional(condition=condition, if_true=if_true, if_false=if_false):
            chosen = truth(fold(condition))
            return None if chosen is None else fold(if_true if chosen else if_false)
        case PointerAdd(pointer=pointer, index=index, negative=negative):
            assert isinstance(expr.type, PointerType)
            step = fold_integer(index)
            base = fold(pointer)
            if step is None or not isinstance(base, Address):
                return None
            return _displaced(base, expr.type, -step if negative else step)
        case PointerDifference(left=left, right=right):
            return _fold_difference(left, right)
        case AddressOf(place=place):
            return _fold_place(place)
        case Comma() | _:
            return None


def _fold_difference(left: Expr, right: Expr) -> int | None:
    """The number of elements between two places in one object."""
    start, end = fold(right), fold(left)
    if not isinstance(start, Address) or not isinstance(end, Address):
        return None
    assert isinstance(left.type, PointerType)
    if start.base is not end.base or is_variable_length(left.type.target):
        return None
    return (end.offset - start.offset) // size_of(left.type.target)


def truth(value: Constant | None) -> bool | None:
    """Does a constant compare unequal to zero? The address of an object does."""
    if value is None:
        return None
    if isinstance(value, Address):
        if isinstance(value.base, Symbol) and "weak" in value.base.marks:
            return None  # the linker may find nobody of that name
        return value.base is not None or value.offset != 0
    return value != 0


def _displaced(base: Address, type: PointerType, step: int) -> Address | None:
    if is_variable_length(type.target):
        return None
    return Address(base.base, base.offset + step * size_of(type.target))


def _fold_conversion(inner: Expr, expr: Convert) -> Constant | None:
    value = fold(inner)
    if value is None:
        return None
    match expr.type:
        case IntType() as to:
            if to.is_bool:
                return int(bool(truth(value)))
            if isinstance(value, float) or is_exact(value):
                return _truncated(value, to)
            if isinstance(value, Address):
                if value.base is None:
                    return to.wrap(value.offset)
                return value if to.size == POINTER_SIZE else None
            assert isinstance(value, int)
            return to.wrap(value)
        case FloatType() as type:
            return None if isinstance(value, Address) else round_number(value, type)
        case PointerType():
            return Address(None, value) if isinstance(value, int) else value
        case _:
            return None


def round_number(value: int | Number, type: FloatType) -> Number:
    """The nearest number of the type."""
    if type.size == LDOUBLE.size:
        return extended(value)
    if type.size == FLOAT.size:
        return round_to_float(value) if isinstance(value, float) else as_single(value)
    return as_double(value)


def _truncated(value: Number, to: IntType) -> int:
    """What a constant becomes that the type cannot hold C leaves open: the nearest value that it
    holds, as for gcc and clang, and 0 for NaN."""
    if isinstance(value, float) and not math.isfinite(value):
        return 0 if math.isnan(value) else to.maximum if value > 0 else to.minimum
    return min(max(int(value), to.minimum), to.maximum)


def _fold_unary(expr: Unary) -> Constant | None:
    value = fold(expr.operand)
    if expr.operator == "!":
        known = truth(value)
        return None if known is None else int(not known)
    if isinstance(value, float) or is_exact(value):
        return -value if expr.operator == "-" else None
    if not isinstance(value, int) or not isinstance(expr.type, IntType):
        return None
    return expr.type.wrap(-value if expr.operator == "-" else ~value)


def _fold_binary(expr: Binary) -> Constant | None:
    chain = left_chain(expr)
    value = fold(chain[0].left)
    for one in chain:
        value = _folded(one, value, fold(one.right))
    return value


def _folded(expr: Binary, left: Constant | None, right: Constant | None) -> Constant | None:
    if isinstance(left, Address) and isinstance(right, int) and expr.operator in ("+", "-"):
        return Address(left.base, left.offset + (right if expr.operator == "+" else -right))
    if isinstance(left, int) and isinstance(right, int):
        assert isinstance(expr.type, IntType)
        value = integer_result(expr.operator, left, right, expr.type)
        return None if value is None else expr.type.wrap(value)
    if not isinstance(expr.type, IntType | FloatType):
        return None
    if isinstance(left, Address) or isinstance(right, Address) or left is None or right is None:
        return None
    if expr.type.size == LDOUBLE.size:
        return extended_result(expr.operator, left, right)
    if isinstance(left, float) and isinstance(right, float):
        value = float_result(expr.operator, left, right)
        single = isinstance(expr.type, FloatType) and expr.type.size == FLOAT.size
        return round_to_float(value) if single else value
    return None


def _fold_comparison(op: str, left: Constant | None, right: Constant | None) -> int | None:
    if isinstance(left, Address) and isinstance(right, Address):
        if left.base is not right.base:
            return _fold_null_question(op, left, right)
        left, right = left.offset, right.offset
    if left is None or right is None or isinstance(left, Address) or isinstance(right, Address):
        return None
    return int(_COMPARISONS[op](left, right))


def _fold_null_question(op: str, left: Address, right: Address) -> int | None:
    """Is an address null? What else two objects' addresses are to each other says the linker."""
    asked = left if right == Address(None, 0) else right if left == Address(None, 0) else None
    known = truth(asked)
    return None if known is None or op not in ("==", "!=") else int(known == (op == "!="))


def _fold_logical(expr: Logical) -> int | None:
    decides = expr.operator == "||"
    for one in alternatives(expr):
        known = truth(fold(one))
        if known is None:
            return None
        if known == decides:
            return int(known)
    return int(not decides)


def _fold_element(place: Expr) -> int | None:
    """A character of a string literal, as gcc and clang have it."""
    address = _fold_place(place)
    if address is None or not isinstance(address.base, StringConst):
        return None
    string, type = address.base, place.type
    if not isinstance(type, IntType) or not isinstance(string.type, ArrayType):
        return None
    start, end = address.offset, address.offset + type.size
    if size_of(string.type.element) != type.size or start < 0 or end > len(string.data):
        return None
    return int.from_bytes(string.data[start:end], "little", signed=type.signed)


def _fold_place(place: Expr) -> Address | None:
    """The address of an lvalue whose place is known at link time."""
    match place:
        case Variable(symbol=symbol):
            return Address(symbol, 0) if symbol.kind in ("global", "function") else None
        case CompoundLiteral(symbol=symbol):
            return Address(symbol, 0) if symbol.kind == "global" else None
        case StringConst():
            return Address(place, 0)
        case Dereference(pointer=pointer):
            value = fold(pointer)
            return value if isinstance(value, Address) else None
        case MemberOf(base=base, member=member):
            address = _fold_place(base)
            return address and Address(address.base, address.offset + member.offset)
        case Subscript(base=base, index=index):
            is_pointer = isinstance(base.type, PointerType)
            address = fold(base) if is_pointer else _fold_place(base)
            step = fold_integer(index)
            if step is None or not isinstance(address, Address):
                return None
            return _displaced(address, PointerType(place.type), step)
        case Load(place=inner) if isinstance(inner.type, FunctionType):
            return _fold_place(inner)
        case _:
            return None
