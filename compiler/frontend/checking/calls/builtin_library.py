"""Functions of the library that the compiler knows: `__builtin_memcpy` is memcpy.

`__builtin___memcpy_chk` is glibc's function that ends the program where more is written than there
is room. Where it can be seen that this does not happen, or nothing is known of the room, it is
memcpy, of which more is known."""

from __future__ import annotations

from pycparser import c_ast

from polyopt.frontend.checking.calls.builtin_reader import Arguments, Reader
from polyopt.frontend.checking.calls.check_arguments import call_symbol
from polyopt.frontend.checking.checker import INLINE, Checker, span_of
from polyopt.frontend.language import c_types as ct
from polyopt.frontend.language.library_functions import library_type, never_returns
from polyopt.frontend.tree.constants import fold_integer
from polyopt.frontend.tree.typed_tree import Expr, Symbol
from polyopt.support.diagnostics import Span


def library_symbol(checker: Checker, name: str, at: c_ast.Node | Span) -> Symbol | None:
    """The function of the library that this name is known for; it is declared. In a function of
    this name that is only there to be inlined (`gnu_inline`) it is the one that is not."""
    known = checker.scopes.stack[0].names.get(name)
    if known is not None and known is checker.function and known.ir_name.endswith(INLINE):
        return Symbol(name, known.type, known.span, "function", "external", name)
    if known is not None:
        return known if known.kind == "function" else None
    type = library_type(name, checker.char)
    if type is None:
        return None
    span = at if isinstance(at, Span) else span_of(at)
    symbol = Symbol(name, type, span, "function", "external", name)
    symbol.is_noreturn = never_returns(name)
    checker.scopes.stack[0].names[name] = symbol
    return symbol


def _copy(name: str) -> tuple[Reader, int]:
    """`__builtin___memcpy_chk(to, from, count, room)`; what copies a text has no count."""
    count_is_all = name.startswith(("mem", "strncpy", "stpncpy"))
    fewest = 4 if count_is_all or name == "strncat" else 3

    def read(checker: Checker, node: c_ast.FuncCall, arguments: Arguments) -> Expr:
        room, count = _number(checker, arguments[-1]), arguments[-2]
        fits = room == _UNKNOWN
        if count_is_all and room is not None and isinstance(count, c_ast.Constant):
            written = _number(checker, count)
            fits = written is not None and written <= room
        if fits:
            return _call(checker, node, name, arguments[:-1])
        return _call(checker, node, f"__{name}_chk", arguments)

    return read, fewest


def _formatted(name: str, before: int) -> tuple[Reader, int]:
    """`__builtin___sprintf_chk(to, flag, room, format, ...)`; a flag asks for checks of the format,
    which a literal passes, and what prints has no room."""
    has_room = name.endswith(("sprintf", "snprintf"))
    count = 2 if has_room else 1

    def read(checker: Checker, node: c_ast.FuncCall, arguments: Arguments) -> Expr:
        flag, *room = arguments[before : before + count]
        rest = arguments[before + count :]
        is_plain = _is_plain_text(rest[0]) if rest else False
        is_safe = is_plain or _number(checker, flag) == 0
        if is_safe and all(_number(checker, one) == _UNKNOWN for one in room):
            return _call(checker, node, name, arguments[:before] + rest)
        return _call(checker, node, f"__{name}_chk", arguments)

    return read, before + count


def _is_plain_text(format: c_ast.Node) -> bool:
    """A literal may say `%n`, since nobody has written it over; of `%2$d` the order is checked."""
    return (
        isinstance(format, c_ast.Constant) and format.type == "string" and "$" not in format.value
    )


def _call(checker: Checker, node: c_ast.FuncCall, name: str, arguments: Arguments) -> Expr:
    symbol = library_symbol(checker, name, node)
    assert symbol is not None
    return call_symbol(checker, node, symbol, arguments)


def _number(checker: Checker, argument: c_ast.Node) -> int | None:
    return fold_integer(checker.expressions.value(argument))


_UNKNOWN = ct.ULONG.maximum
"""The room where nothing is known of it."""

COPIES = "memcpy memmove memset mempcpy strcpy strcat strncpy strncat stpcpy stpncpy".split()
FORMATS = {
    "sprintf": 1,
    "snprintf": 2,
    "vsprintf": 1,
    "vsnprintf": 2,
    "printf": 0,
    "fprintf": 1,
    "vprintf": 0,
    "vfprintf": 1,
}
READERS: dict[str, tuple[Reader, int]] = {
    **{f"__{name}_chk": _copy(name) for name in COPIES},
    **{f"__{name}_chk": _formatted(name, before) for name, before in FORMATS.items()},
}
