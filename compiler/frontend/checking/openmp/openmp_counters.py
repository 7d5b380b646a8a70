"""What a shared loop counts with: the number that it counts, and the variable of the program.

for (i = a; i < b; i += c)         the number is i
for (p = a; p < b; p += c)         the number is p - a: pointers are places from the first one on,
                                   which is kept in front of the loop
"""

from __future__ import annotations

from polyopt.frontend.checking.operands.check_conversions import convert
from polyopt.frontend.language import c_types as ct
from polyopt.frontend.language.c_types import CType
from polyopt.frontend.tree.openmp_tree import CountedLoop
from polyopt.frontend.tree.typed_statements import Declare, Evaluate, Statement
from polyopt.frontend.tree.typed_tree import (
    Assign,
    Expr,
    Load,
    PointerAdd,
    PointerDifference,
    Symbol,
    Variable,
)
from polyopt.support.diagnostics import Span


def number_of(loop: CountedLoop) -> Expr:
    """The number that the variable stands for."""
    here = load(loop.symbol)
    if loop.origin is None:
        return convert(here, loop.type)
    return PointerDifference(loop.type, here.span, here, loop.origin)


def value_at(loop: CountedLoop, number: Expr) -> Expr:
    """What the variable is where the loop is at a number."""
    if loop.origin is None:
        return number
    return PointerAdd(loop.origin.type, number.span, loop.origin, number)


def keep(front: list[Statement], name: str, value: Expr) -> Expr:
    """A variable with the value, made in front of the loop."""
    type: CType = ct.unqualified(value.type)
    symbol = Symbol(f".{name}", type, value.span, "local", is_defined=True)
    symbol.is_used = symbol.is_modified = True
    front += [Declare(value.span, symbol, None), assign(symbol, value, value.span)]
    return load(symbol)


def assign(symbol: Symbol, value: Expr, span: Span) -> Statement:
    type = ct.unqualified(symbol.type)
    return Evaluate(span, Assign(type, span, _place(symbol), convert(value, type)))


def load(symbol: Symbol) -> Expr:
    return Load(ct.unqualified(symbol.type), symbol.span, _place(symbol))


def _place(symbol: Symbol) -> Expr:
    return Variable(symbol.type, symbol.span, symbol)
