"""Constants and names: the expressions that hold no other (C 6.4.4, 6.5.1)."""

from __future__ import annotations

from typing import NoReturn

from pycparser import c_ast

from polyopt.frontend.checking.checker import Checker, span_of
from polyopt.frontend.checking.openmp_regions import note_reference
from polyopt.frontend.language import c_types as ct
from polyopt.frontend.language.c_types import ArrayType, PointerType
from polyopt.frontend.language.literals import (
    BadLiteral,
    is_imaginary,
    parse_any_string,
    parse_character,
    parse_float,
    parse_integer,
    unknown_escapes,
)
from polyopt.frontend.messages.known_names import LIBRARY_NAMES, hint_for
from polyopt.frontend.tree.typed_tree import (
    ComplexConst,
    Expr,
    FloatConst,
    IntConst,
    StringConst,
    Symbol,
    Variable,
)
from polyopt.support.diagnostics import Span

_NAMES_OF_FUNCTION = {
    "__func__": "",
    "__FUNCTION__": "",
    "__PRETTY_FUNCTION__": "top level",
}
"""And what they are outside of functions."""


def read_constant(checker: Checker, node: c_ast.Constant) -> Expr:
    span = span_of(node)
    text: str = node.value
    if "\\" in text:
        for escape in unknown_escapes(text):
            message = f"unknown escape sequence '{escape}'"
            checker.warn("unknown-escape-sequence", message, node)
    try:
        if node.type == "string":
            data, unit = parse_any_string(text, checker.charset)
            element = checker.char if ct.is_plain_char(unit) else unit
            return StringConst(ArrayType(element, len(data) // unit.size), span, data)
        if node.type == "char":
            return _character(checker, text, span)
        if node.type == "bool":
            return IntConst(ct.BOOL, span, int(text == "true"))
        if node.type == "nullptr_t":
            return IntConst(PointerType(ct.VOID), span, 0)
        if "int" in node.type and text[0] != "'":
            value, type = parse_integer(text)
            return IntConst(type, span, value)
        if text[0] == "'":
            return _character(checker, text, span)
        number, float_type = parse_float(text)
        if is_imaginary(text):
            return ComplexConst(ct.COMPLEX_OF[float_type], span, 0.0, number)
        return FloatConst(float_type, span, number)
    except BadLiteral as error:
        checker.error(str(error), node)


def _character(checker: Checker, text: str, span: Span) -> IntConst:
    code, type = parse_character(text, signed=checker.char.signed, charset=checker.charset)
    return IntConst(type, span, code)


def read_name(checker: Checker, node: c_ast.ID) -> Expr:
    symbol = checker.scopes.find(node.name)
    if symbol is None:
        checker.check_lost(node.name)
    if symbol is None:
        if node.name in _NAMES_OF_FUNCTION:
            return _name_of_function(checker, node)
        unknown_name(checker, node, node.name, is_call=False)
    return refer(checker, symbol, span_of(node))


def _name_of_function(checker: Checker, node: c_ast.ID) -> StringConst:
    """The name of the function around (C 6.4.2.2); outside of all, what gcc says there."""
    if checker.function:
        name = checker.function.name
    else:
        message = f"'{node.name}' outside of functions names none"
        checker.warn("predefined-identifier-outside-function", message, node)
        name = _NAMES_OF_FUNCTION[node.name]
    data = name.encode(checker.charset, "replace") + b"\0"
    return StringConst(
        ArrayType(ct.qualified(checker.char, const=True), len(data)), span_of(node), data
    )


def refer(checker: Checker, symbol: Symbol, span: Span) -> Expr:
    symbol.is_used = symbol.is_used or symbol is not checker.function
    symbol.uses += 1
    note_reference(checker.regions, checker.scopes, symbol, span)
    if symbol.kind == "enumerator":
        return IntConst(symbol.type, span, symbol.value)
    if symbol.kind == "typedef":
        checker.error(f"'{symbol.name}' is a type, not a value", span)
    if symbol.kind in ("global", "function"):
        checker.externals.setdefault(symbol.ir_name, symbol)
    return Variable(symbol.type, span, symbol)


def unknown_name(checker: Checker, node: c_ast.Node, name: str, *, is_call: bool) -> NoReturn:
    what = "call of undeclared function" if is_call else "use of undeclared name"
    known = [*checker.scopes.visible_names(), *LIBRARY_NAMES]
    checker.error(f"{what} '{name}'", node, hint_for(name, known))
