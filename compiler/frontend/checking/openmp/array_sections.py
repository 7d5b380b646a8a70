"""Array sections, `a[start:count][…]`, as the elements that they name (OpenMP 5.0, 2.1.5).

    a[2:5]    elements 2 to 6        a[3:]    to the end of the array
    a[:5]     from 0                 a[i]     one

A pointer's section says how long it is.
"""

from __future__ import annotations

from pcpp.parser import LexToken

from polyopt.frontend.checking.checker import Checker
from polyopt.frontend.checking.openmp.openmp_expressions import parse_words
from polyopt.frontend.checking.operands.check_conversions import convert
from polyopt.frontend.language import c_types as ct
from polyopt.frontend.language.c_types import (
    ArrayType,
    CType,
    PointerType,
)
from polyopt.frontend.parsing.openmp_pragmas import place_of
from polyopt.frontend.parsing.openmp_syntax import split_at
from polyopt.frontend.tree.typed_tree import (
    Binary,
    Expr,
    IntConst,
    SizeOf,
    Symbol,
)
from polyopt.support.diagnostics import Span
from polyopt.support.record import entity


@entity
class Section:
    """Elements `start` to `start + count - 1` of one dimension."""

    start: Expr
    count: Expr


def read_sections(
    checker: Checker, symbol: Symbol, words: list[LexToken], span: Span
) -> list[Section]:
    """One for each dimension that is named."""
    sections: list[Section] = []
    type = symbol.type
    while words:
        end = next((i for i in range(len(words)) if _depth(words[: i + 1]) == 0), len(words))
        if words[0].value != "[" or end == len(words):
            checker.error(f"expected a section behind '{symbol.name}': [start:length]", span)
        parts = split_at(words[1:end], ":")
        extent = extent_of(type, span)
        if len(parts) > 2 or (len(parts) == 1 and not parts[0]):
            checker.error("expected a section: [start:length]", place_of(words[0]))
        start: Expr = IntConst(ct.LONG, span, 0)
        if parts[0]:
            start = _long(checker, parts[0])
        if len(parts) == 1:
            count: Expr = IntConst(ct.LONG, span, 1)
        elif parts[1]:
            count = _long(checker, parts[1])
        elif extent is None:
            checker.error(f"this section of '{symbol.name}' needs a length", place_of(words[0]))
        else:
            count = Binary(ct.LONG, span, "-", extent, start)
        sections.append(Section(start, count))
        if not isinstance(type, ArrayType | PointerType):
            checker.error(f"'{symbol.name}' has no so many dimensions", span)
        type = type.element if isinstance(type, ArrayType) else type.target
        words = words[end + 1 :]
    return sections


def _depth(words: list[LexToken]) -> int:
    return sum((word.value in "([{") - (word.value in ")]}") for word in words)


def _long(checker: Checker, words: list[LexToken]) -> Expr:
    value = checker.expressions.value(parse_words(checker, words))
    if not ct.is_integer(value.type):
        checker.error(f"a value of type '{value.type}' is no integer", value.span)
    return convert(value, ct.LONG)


def extent_of(type: CType, span: Span) -> Expr | None:
    """How many elements an array has."""
    if not isinstance(type, ArrayType):
        return None
    if isinstance(type.length, int):
        return IntConst(ct.LONG, span, type.length)
    sizes = [
        convert(
            SizeOf(ct.ULONG, span, measured)
            if ct.is_variable_length(measured)
            else IntConst(ct.ULONG, span, ct.size_of(measured)),
            ct.LONG,
        )
        for measured in (type, type.element)
    ]
    return Binary(ct.LONG, span, "/", *sizes)
