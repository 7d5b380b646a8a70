"""What a thread's copy begins with, and how copies become one (OpenMP 5.0, 2.19.5).

Both are written as statements, so that every type and operator of C's has one way down. An array is
combined element by element, a section of one likewise.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from copy import copy

from pcpp.parser import LexToken

from polyopt.frontend.checking.checker import Checker
from polyopt.frontend.checking.openmp.array_sections import Section, extent_of
from polyopt.frontend.checking.openmp.openmp_expressions import parse_words
from polyopt.frontend.checking.operands.check_conversions import convert, decay
from polyopt.frontend.checking.operands.check_places import subscript
from polyopt.frontend.language import c_types as ct
from polyopt.frontend.language.c_types import (
    ArrayType,
    ComplexType,
    CType,
    FloatType,
    IntType,
)
from polyopt.frontend.language.conversions import are_compatible
from polyopt.frontend.tree.openmp_tree import DeclaredReduction, Reduction, Rename, ZeroFill
from polyopt.frontend.tree.typed_statements import Block, Evaluate, LoopStatement, Statement
from polyopt.frontend.tree.typed_tree import (
    Assign,
    Binary,
    Compare,
    Conditional,
    Expr,
    FloatConst,
    IntConst,
    Load,
    Logical,
    Symbol,
    Variable,
)
from polyopt.support.diagnostics import Span

INTEGRAL = frozenset("& | ^".split())


_COMPLEX = frozenset("+ - *".split())


LOGICAL = frozenset("&& ||".split())


def index_symbol(name: str, span: Span) -> Symbol:
    return Symbol(name, ct.LONG, span, "local", is_defined=True, is_used=True, is_modified=True)


def place_of_symbol(symbol: Symbol) -> Expr:
    return Variable(symbol.type, symbol.span, symbol)


def value_of(symbol: Symbol) -> Expr:
    return Load(symbol.type, symbol.span, place_of_symbol(symbol))


class ReductionWriter:
    """Writes the statements for one variable."""

    def __init__(self, checker: Checker, operator: str, reduction: Reduction, span: Span):
        self.checker = checker
        self.operator = operator
        self.reduction = reduction
        self.span = span

    def over(
        self, sections: list[Section], make: Callable[..., Statement], *places: Expr
    ) -> Statement:
        """`make` for each element of the places."""
        type = places[0].type
        if not sections and not isinstance(type, ArrayType):
            return make(*places)
        if sections:
            section, *sections = sections
        else:
            extent = extent_of(type, self.span)
            assert extent is not None
            section = Section(IntConst(ct.LONG, self.span, 0), extent)
        counter = index_symbol(".element", self.span)
        number = value_of(counter)
        index = Binary(ct.LONG, self.span, "+", section.start, number)
        elements = [subscript(self.checker, place, index, self.span) for place in places]
        zero, one = (IntConst(ct.LONG, self.span, value) for value in (0, 1))
        place = place_of_symbol(counter)
        following = Binary(ct.LONG, self.span, "+", number, one)
        loop = LoopStatement(
            self.span,
            Compare(ct.INT, self.span, "<", number, section.count),
            Assign(ct.LONG, self.span, place, following),
            self.over(sections, make, *elements),
        )
        start = Evaluate(self.span, Assign(ct.LONG, self.span, place, zero))
        return Block(self.span, [start, loop])

    def initial(self, inner: Expr) -> Statement:
        declared = self._declared(inner.type)
        if declared is not None:
            return self._declared_initial(declared, inner)
        self._check_type(inner.type)
        value = convert(self._neutral(inner.type), inner.type)
        return Evaluate(self.span, Assign(ct.unqualified(inner.type), self.span, inner, value))

    def combine(self, inner: Expr, outer: Expr) -> Statement:
        declared = self._declared(inner.type)
        if declared is not None:
            names = {"omp_out": outer, "omp_in": inner}
            return self._statement(declared.combiner, names)
        type = ct.unqualified(outer.type)
        left, right = decay(outer), decay(inner)
        value: Expr
        if self.operator in LOGICAL:
            value = Logical(ct.INT, self.span, self.operator, left, right)
        elif self.operator in ("min", "max"):
            sign = "<" if self.operator == "min" else ">"
            test = Compare(ct.INT, self.span, sign, right, left)
            value = Conditional(type, self.span, test, right, left)
        else:
            sign = "+" if self.operator == "-" else self.operator
            value = self.checker.expressions.operators.binary(sign, left, right, self.span)
        return Evaluate(self.span, Assign(type, self.span, outer, convert(value, type)))

    def _neutral(self, type: CType) -> Expr:
        match self.operator:
            case "*" | "&&":
                return IntConst(ct.INT, self.span, 1)
            case "&":
                return IntConst(ct.INT, self.span, -1)
            case "min" | "max":
                least = self.operator == "max"
                if isinstance(type, IntType):
                    return IntConst(type, self.span, type.minimum if least else type.maximum)
                return FloatConst(type, self.span, -math.inf if least else math.inf)
            case _:
                return IntConst(ct.INT, self.span, 0)

    def _check_type(self, type: CType) -> None:
        allowed = isinstance(type, IntType)
        if self.operator not in INTEGRAL:
            allowed = allowed or isinstance(type, FloatType)
        if self.operator in _COMPLEX:
            allowed = allowed or isinstance(type, ComplexType)
        if not allowed:
            name = self.reduction.symbol.name
            self.checker.error(
                f"operator '{self.operator}' does not reduce '{name}' of type '{type}'", self.span
            )

    # Operators that the program declares

    def _declared(self, type: CType) -> DeclaredReduction | None:
        for declared in self.checker.operators.get(self.operator, []):
            if are_compatible(declared.type, ct.unqualified(type)):
                return declared
        return None

    def _declared_initial(self, declared: DeclaredReduction, inner: Expr) -> Statement:
        names = {"omp_priv": inner, "omp_orig": place_of_symbol(self.reduction.outer)}
        if declared.initializer is None:
            return ZeroFill(self.span, inner)
        self.reduction.reads_outer = any(word.value == "omp_orig" for word in declared.initializer)
        return self._statement(_with_type(declared), names)

    def _statement(self, words: list[LexToken], names: dict[str, Expr]) -> Statement:
        """The expression, with the names standing for these places."""
        checker = self.checker
        checker.scopes.push()
        pointers: list[Statement] = []
        for name, place in names.items():
            symbol = Symbol(name, place.type, place.span, "local", is_defined=True)
            symbol.is_used = symbol.is_modified = True
            checker.scopes.current.names[name] = symbol
            pointers.append(Rename(self.span, symbol, place))
        value = checker.expressions.effect(parse_words(checker, words))
        checker.scopes.pop()
        return Block(self.span, [*pointers, Evaluate(self.span, value)])


def _with_type(declared: DeclaredReduction) -> list[LexToken]:
    """The initializer; of `omp_priv = { … }` what is in braces is a value of the type."""
    words = declared.initializer or []
    if [word.value for word in words[:3]] != ["omp_priv", "=", "{"]:
        return words
    brackets = [copy(words[1]) for _ in "()"]
    for token, value in zip(brackets, "()", strict=True):
        token.value = value
    return [*words[:2], brackets[0], *declared.type_words, brackets[1], *words[2:]]
