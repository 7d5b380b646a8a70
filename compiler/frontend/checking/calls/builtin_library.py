"""Builtin functions that are the library's: `__builtin_memcpy` is memcpy, and so is
`__builtin___memcpy_chk`, without its last argument."""

from __future__ import annotations

from pycparser import c_ast

from polyopt.frontend.checking.calls.builtin_reader import Arguments, Reader
from polyopt.frontend.checking.calls.check_arguments import call_symbol
from polyopt.frontend.checking.checker import Checker, span_of
from polyopt.frontend.language.library_functions import library_type, never_returns
from polyopt.frontend.tree.typed_tree import Expr, Symbol


def library_symbol(checker: Checker, name: str, node: c_ast.Node) -> Symbol | None:
    """The function of the library that this name is known for; it is declared."""
    known = checker.scopes.stack[0].names.get(name)
    if known is not None:
        return known if known.kind == "function" else None
    type = library_type(name, checker.char)
    if type is None:
        return None
    symbol = Symbol(name, type, span_of(node), "function", "external", name)
    symbol.is_noreturn = never_returns(name)
    checker.scopes.stack[0].names[name] = symbol
    return symbol


def _library(name: str, dropped: int = 0) -> tuple[Reader, int]:
    """The library's function; `dropped`: so many arguments at the end are for its checks."""

    def read(checker: Checker, node: c_ast.FuncCall, arguments: Arguments) -> Expr:
        symbol = library_symbol(checker, name, node)
        assert symbol is not None
        kept = arguments[: len(arguments) - dropped] if dropped else arguments
        return call_symbol(checker, node, symbol, kept)

    return read, dropped


def _formatted(name: str, before: int) -> tuple[Reader, int]:
    """`__builtin___sprintf_chk(s, flag, size, format, ...)`: two or one behind the first."""
    count = 1 if name.startswith(("printf", "vprintf", "fprintf", "vfprintf")) else 2

    def read(checker: Checker, node: c_ast.FuncCall, arguments: Arguments) -> Expr:
        symbol = library_symbol(checker, name, node)
        assert symbol is not None
        kept = arguments[:before] + arguments[before + count :]
        return call_symbol(checker, node, symbol, kept)

    return read, before + count


_COPIES = "memcpy memmove memset mempcpy strcpy strcat strncpy strncat stpcpy stpncpy".split()
_FORMATS = {
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
    **{f"__{name}_chk": _library(name, 1) for name in _COPIES},
    **{f"__{name}_chk": _formatted(name, before) for name, before in _FORMATS.items()},
}
