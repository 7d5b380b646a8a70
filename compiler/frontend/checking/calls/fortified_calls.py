"""Calls that `_FORTIFY_SOURCE` has watched, as glibc's headers do for gcc and clang: what writes to
an object whose size the call tells is glibc's `__memcpy_chk` and its like, which end the program
where there is not enough room; so (from 2 on) does a format with `%n` that can be written to.

A call that is seen to fit, or of whose room nothing is known, stays what it is: more is known of
it. That our headers or the system's declare the function makes no difference, so that the macro
holds for both."""

from __future__ import annotations

from polyopt.frontend.checking.calls.builtin_library import COPIES, FORMATS, library_symbol
from polyopt.frontend.checking.calls.object_sizes import object_size
from polyopt.frontend.checking.checker import Checker
from polyopt.frontend.checking.operands.check_conversions import convert
from polyopt.frontend.checking.operands.check_names import refer
from polyopt.frontend.language import c_types as ct
from polyopt.frontend.language.c_types import FunctionType
from polyopt.frontend.language.library_functions import library_type
from polyopt.frontend.tree.constants import fold_integer
from polyopt.frontend.tree.typed_tree import (
    AddressOf,
    Call,
    Convert,
    Expr,
    IntConst,
    StringConst,
    Symbol,
    Variable,
)

_UNKNOWN = ct.ULONG.maximum
_BYTES = ("memcpy", "memmove", "mempcpy", "memset")
"""These may go on from one member of a struct to the next; what writes texts may not, from 2 on."""
_COUNT_OF = {**dict.fromkeys((*_BYTES, "strncpy", "stpncpy"), 2), "snprintf": 1, "vsnprintf": 1}
"""Which argument says how much is written at most."""


def fortified(checker: Checker, call: Expr) -> Expr:
    """The call, or that of the function that checks."""
    level = checker.options.fortify
    symbol = _function(checker, call)
    if symbol is None or not isinstance(call, Call):
        return call
    name, values = symbol.name, call.arguments
    room = _room(name, values, 1 if level > 1 and name not in _BYTES else 0)
    if name in COPIES:
        if room == _UNKNOWN or _fits(name, values, room):
            return call
        return _checked(checker, call, name, [*values, _size(call, room)])
    before = FORMATS[name]
    watched = level > 1 and not _is_plain_text(values[before])
    if not watched and (room == _UNKNOWN or _fits(name, values, room)):
        return call
    flag: Expr = IntConst(ct.INT, call.span, int(level > 1))
    added = [flag, _size(call, room)] if _has_room(name) else [flag]
    return _checked(checker, call, name, [*values[:before], *added, *values[before:]])


def _function(checker: Checker, call: Expr) -> Symbol | None:
    """The function of the library that is called, if there is one that checks what it does."""
    callee = call.callee if isinstance(call, Call) else None
    symbol = callee.symbol if isinstance(callee, Variable) else None
    if symbol is None or not (symbol.name in COPIES or symbol.name in FORMATS):
        return None
    is_ours = symbol.linkage != "external" or symbol.is_defined
    if is_ours or not checker.options.is_builtin(symbol.name):
        return None
    known = library_type(symbol.name, checker.char)
    type = symbol.type
    assert isinstance(known, FunctionType)
    if not isinstance(type, FunctionType) or len(type.parameters) != len(known.parameters):
        return None
    return symbol


def _has_room(name: str) -> bool:
    return name not in FORMATS or name.endswith(("sprintf", "snprintf"))


def _room(name: str, values: list[Expr], kind: int) -> int:
    return object_size(values[0], kind) if _has_room(name) else _UNKNOWN


def _fits(name: str, values: list[Expr], room: int) -> bool:
    if name in _COUNT_OF:
        count = fold_integer(values[_COUNT_OF[name]])
        return count is not None and count <= room
    text = _literal(values[1]) if name in ("strcpy", "stpcpy") else None
    return text is not None and len(text) <= room


def _is_plain_text(format: Expr) -> bool:
    """As of what calls `__builtin___printf_chk`."""
    text = _literal(format)
    return text is not None and b"$" not in text


def _literal(value: Expr) -> bytes | None:
    """The bytes of it, the zero at its end among them."""
    while isinstance(value, Convert) and isinstance(value.type, ct.PointerType):
        value = value.value
    place = value.place if isinstance(value, AddressOf) else None
    return place.data if isinstance(place, StringConst) else None


def _size(call: Expr, bytes: int) -> Expr:
    return IntConst(ct.ULONG, call.span, bytes)


def _checked(checker: Checker, call: Call, name: str, values: list[Expr]) -> Expr:
    symbol = library_symbol(checker, f"__{name}_chk", call.span)
    assert symbol is not None
    assert isinstance(symbol.type, FunctionType)
    parameters = symbol.type.parameters
    fixed = [convert(value, type) for value, type in zip(values, parameters, strict=False)]
    result = Call(
        symbol.type.result,
        call.span,
        refer(checker, symbol, call.span),
        [*fixed, *values[len(fixed) :]],
        len(parameters),
    )
    return convert(result, call.type)
